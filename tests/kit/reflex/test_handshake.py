"""A cookie of a socket's handshake that Reflex does not see."""

import asyncio
from types import SimpleNamespace

import pytest

from kit.reflex.handshake import HandshakeCookie

pytestmark = pytest.mark.anyio

SOCKET = "a-socket"


async def scope_after(cookie, *headers, kind="websocket"):
    """Return the scope that the wrapped application gets."""
    received = {}

    async def app(scope, _receive, _send):
        received.update(scope)

    given = [(name.encode(), value.encode()) for name, value in headers]
    await cookie.wrap(app)({"type": kind, "headers": given}, None, None)
    return received


def value_during_event(cookie, scope, socket_id=SOCKET):
    """Return the value while an event of a socket with this handshake is processed."""
    environs = {SOCKET: {"asgi.scope": scope}}
    app = SimpleNamespace(
        event_namespace=SimpleNamespace(namespace="/_event"),
        sio=SimpleNamespace(get_environ=lambda sid, _namespace: environs.get(sid)),
    )
    state = SimpleNamespace(router_data={"sid": socket_id} if socket_id else {})
    cookie.preprocess(app, state, None)
    return cookie.get()


@pytest.mark.parametrize(
    ("headers", "kept", "value"),
    [
        ([("cookie", "device=s3cret")], [], "s3cret"),
        ([("cookie", "a=1; device=s3cret; b=2")], [("cookie", "a=1; b=2")], "s3cret"),
        ([("cookie", 'a={"b":[1]};device=s3cret')], [("cookie", 'a={"b":[1]}')], "s3cret"),
        ([("cookie", "a=1"), ("cookie", "device=s3cret")], [("cookie", "a=1")], "s3cret"),
        ([("cookie", "device=one; device=two")], [], "one"),
        ([("cookie", "device=a=b")], [], "a=b"),
        ([("cookie", "device")], [], ""),
        ([("cookie", "device=")], [], ""),
        ([("cookie", "other-device=x")], [("cookie", "other-device=x")], ""),
        ([("cookie", "a=device=x")], [("cookie", "a=device=x")], ""),
        ([("origin", "device=x")], [("origin", "device=x")], ""),
        ([], [], ""),
    ],
)
async def test_cookie_is_moved_out_of_the_headers_of_a_socket(headers, kept, value):
    cookie = HandshakeCookie("device")
    scope = await scope_after(cookie, *headers)
    assert [(name.decode(), text.decode()) for name, text in scope["headers"]] == kept
    assert value_during_event(cookie, scope) == value


async def test_headers_of_a_request_stay():
    scope = await scope_after(HandshakeCookie("device"), ("cookie", "device=x"), kind="http")
    assert scope["headers"] == [(b"cookie", b"device=x")]


@pytest.mark.parametrize("socket_id", ["another-socket", ""])
async def test_value_is_empty_when_the_socket_is_unknown(socket_id):
    cookie = HandshakeCookie("device")
    scope = await scope_after(cookie, ("cookie", "device=s3cret"))
    assert value_during_event(cookie, scope, socket_id) == ""


async def test_value_of_one_event_is_not_that_of_another():
    cookie = HandshakeCookie("device")
    scope = await scope_after(cookie, ("cookie", "device=s3cret"))
    both_read = asyncio.Barrier(2)

    async def event(socket_id):
        value_during_event(cookie, scope, socket_id)
        await both_read.wait()
        return cookie.get()

    tasks = [asyncio.create_task(event(each)) for each in (SOCKET, "another-socket")]
    assert await asyncio.gather(*tasks) == ["s3cret", ""]
    assert cookie.get() == ""
