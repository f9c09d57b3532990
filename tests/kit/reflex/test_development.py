"""`make dev`: the paths that Vite proxies to the backend."""

from campus_app.http_api import create_api
from campus_app.shared.rules import routes


def paths_of(all_routes):
    """Return the paths of routes, and of the routers that FastAPI includes among them."""
    for route in all_routes:
        router = getattr(route, "original_router", None)
        yield from [route.path] if router is None else paths_of(router.routes)


def test_vite_proxies_every_path_of_the_http_interface():
    segments = {path.split("/")[1] for path in paths_of(create_api().routes)}
    assert segments == {pattern.split("/")[0] for pattern in routes.API_SEGMENTS}
