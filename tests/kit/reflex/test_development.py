"""`make dev`: the paths that Vite proxies to the backend."""

import re

from campus_app.http_api import create_api
from campus_app.shared.rules import routes
from kit.reflex.development import DevelopmentPlugin
from tests.kit.reflex.configured import OF_REFLEX, changed


def paths_of(all_routes):
    """Return the paths of routes, and of the routers that FastAPI includes among them."""
    for route in all_routes:
        router = getattr(route, "original_router", None)
        yield from [route.path] if router is None else paths_of(router.routes)


def test_vite_proxies_every_path_of_the_http_interface():
    segments = {path.split("/")[1] for path in paths_of(create_api().routes)}
    assert segments == {pattern.split("/")[0] for pattern in routes.API_SEGMENTS}


def test_vite_proxies_calls_and_sockets_but_no_pages(monkeypatch):
    monkeypatch.setenv("REFLEX_ENV_MODE", "dev")
    plugin = DevelopmentPlugin(["api", "data/menu_.*csv"])
    server = changed(plugin, OF_REFLEX)["server"]
    plugin.post_compile()
    ((pattern, proxy),) = server["proxy"].items()
    proxied = ("/_event", "/_event/?token=1", "/api/orders", "/data/menu_1.csv", "/ping")
    assert all(re.match(pattern, path) for path in proxied)
    assert not any(re.match(pattern, path) for path in ("/", "/apis", "/menu/1", "/app.js"))
    assert proxy["ws"] is True
    assert server["port"] == 3000
