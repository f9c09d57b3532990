"""Middleware of HTTP requests, which sockets do not pass."""

import httpx
import pytest
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import Route, WebSocketRoute

from kit.http.requests_only import http_interface, requests_only

pytestmark = pytest.mark.anyio


def _named(name, passed):
    def wrap(app):
        async def serve(scope, receive, send):
            passed.append(name)
            await app(scope, receive, send)

        return serve

    return wrap


@pytest.mark.parametrize(
    ("kind", "expected"), [("http", ["outer", "inner"]), ("websocket", []), ("lifespan", [])]
)
async def test_only_requests_pass_middleware(kind, expected):
    passed, seen = [], []

    async def app(*arguments):
        seen.append(arguments)

    arguments = ({"type": kind}, object(), object())
    await requests_only(_named("inner", passed), _named("outer", passed))(app)(*arguments)
    assert seen == [arguments]
    assert passed == expected


@pytest.fixture
def passed():
    return []


def _routes_that_say(text, request_path, socket_path):
    """Return a route of requests and one of sockets, which both answer with a text."""

    async def answer(_request):
        return PlainTextResponse(text)

    async def push(socket):
        await socket.accept()
        await socket.send_text(text)
        await socket.close()

    return [Route(request_path, answer), WebSocketRoute(socket_path, push)]


@pytest.fixture
def served(passed):
    """An interface with one operation and one socket, above an app."""
    api = Starlette(routes=_routes_that_say("interface", "/operation", "/live"))
    api.add_middleware(_named("interface", passed))
    app = Starlette(routes=_routes_that_say("app", "/{path:path}", "/{path:path}"))
    return http_interface(api, sockets=("/live",))(app)


async def _text_on_socket(served, path):
    """Open a socket; return the text that it is sent."""
    sent = []

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    scope = {"type": "websocket", "path": path, "query_string": b"", "headers": []}
    await served(scope, receive, send)
    return sent[1]["text"]


@pytest.mark.parametrize(
    ("path", "text"), [("/operation", "interface"), ("/page", "app"), ("/", "app")]
)
async def test_interface_gets_every_request(served, passed, path, text):
    transport = httpx.ASGITransport(served)
    async with httpx.AsyncClient(transport=transport, base_url="http://campus.example") as client:
        assert (await client.get(path)).text == text
    assert passed == ["interface"]


async def test_interface_gets_its_own_sockets(served, passed):
    assert await _text_on_socket(served, "/live") == "interface"
    assert passed == ["interface"]


@pytest.mark.parametrize("path", ["/_event/", "/live/x", "/operation"])
async def test_other_sockets_bypass_the_interface(served, passed, path):
    assert await _text_on_socket(served, path) == "app"
    assert passed == []
