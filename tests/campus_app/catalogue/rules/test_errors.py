"""The data of the catalogue's exceptions."""

from campus_app.catalogue.rules import errors


def test_menu_unavailable_has_http_status():
    error = errors.MenuUnavailable("Restaurant not found", 404)
    assert (str(error), error.message, error.status) == (
        "Restaurant not found",
        "Restaurant not found",
        404,
    )
