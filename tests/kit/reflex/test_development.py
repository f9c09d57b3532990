"""What `make dev` does otherwise: which calls Vite passes on to the backend."""

from campus_app import routes
from campus_app.api import create_api


def test_every_address_of_the_interface_is_passed_on_by_vite():
    answered = {route.path.split("/")[1] for route in create_api().routes}
    assert answered == set(routes.API_SEGMENTS)
