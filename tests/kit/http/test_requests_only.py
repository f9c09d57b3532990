"""Middleware of HTTP requests, which sockets do not pass."""

import pytest

from kit.http.requests_only import requests_only

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
