"""A process refuses the socket of a page that was built for other states."""

import pytest
from reflex.state import State

from kit.http.sockets import EVENTS, TRY_AGAIN_LATER
from kit.reflex.release_match import PARAMETER, same_release, state_schema

pytestmark = pytest.mark.anyio


async def messages_to(path, query, kind="websocket"):
    """Return what a client is sent, with 'app' for a request that reaches the app."""
    sent = []

    async def app(_scope, _receive, _send):
        sent.append("app")

    async def receive():
        return {"type": "websocket.connect"}

    async def send(message):
        sent.append(message)

    scope = {"type": kind, "path": path, "query_string": query.encode()}
    await same_release(app)(scope, receive, send)
    return sent


@pytest.mark.skipif(not hasattr(State, "_to_frontend_schema"), reason="0.10.0 compares none")
def test_schema_is_that_which_reflex_compares():
    assert state_schema() == State._to_frontend_schema()


async def test_socket_is_accepted_when_it_names_the_servers_schema_or_none():
    same = f"token=abc&EIO=4&{PARAMETER}={state_schema()}"
    for query in (same, "", "token=abc&EIO=4&transport=websocket", "%ff", f"{PARAMETER}="):
        assert await messages_to(f"{EVENTS}/", query) == ["app"], query


async def test_socket_is_refused_when_its_schema_is_another():
    close = {"type": "websocket.close", "code": TRY_AGAIN_LATER}
    for schema in ("of-another-release", "undefined", "%ff", "a&schema=b"):
        assert await messages_to(f"{EVENTS}/", f"token=abc&{PARAMETER}={schema}") == [close]


@pytest.mark.parametrize(
    ("path", "kind"), [("/api/restaurants/live", "websocket"), (f"{EVENTS}/", "http")]
)
async def test_other_requests_are_not_compared(path, kind):
    assert await messages_to(path, f"{PARAMETER}=of-another-release", kind) == ["app"]
