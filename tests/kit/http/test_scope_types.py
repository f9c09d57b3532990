"""The middleware for HTTP passes on every other kind of connection unchanged."""

import pytest

from kit.http.body_limit import body_limit
from kit.http.locale import PageFolders
from kit.http.page_addresses import page_addresses
from kit.http.security_headers import security_headers

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize("kind", ["websocket", "lifespan"])
async def test_middleware_passes_on_sockets_and_lifespan(static, kind):
    seen = []

    async def app(scope, receive, send):
        seen.append((scope, receive, send))

    scope, receive, send = {"type": kind, "path": "/api/live"}, object(), object()
    wrapped = security_headers(is_encrypted=False)(
        page_addresses(PageFolders(static, ["en"], lambda: "en"), ["/"])(body_limit(1, ("/",))(app))
    )
    await wrapped(scope, receive, send)
    assert seen == [(scope, receive, send)]
