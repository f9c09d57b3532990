"""Sockets during an upgrade: a page finds a process of its own release for as long as one runs.

A page's first attempt to connect names the schema of the states that the page was built for. A
process with another schema refuses it with 403, and the proxy tries the next process. If none has
the page's schema, the second attempt, which names none, is accepted; Reflex then tells the page to
reload itself. Otherwise a page would be told so whenever the proxy chose a process of the other
release, and again after the reload.
"""

from typing import Any, Final
from urllib.parse import parse_qs

import reflex as rx
from starlette.types import ASGIApp, Receive, Scope, Send

from kit.http.sockets import EVENTS, TRY_AGAIN_LATER
from kit.reflex.state_script import replaced

PARAMETER: Final = "schema"
"""The name in the query of a socket's address."""

_FIRST = "    query: { token },\n"
_FIRST_WITH_SCHEMA = f"    query: {{ token, {PARAMETER}: app.stateSchema }},\n"
_AGAIN = (
    "      socket.current.io.opts.query = { token: getToken() }; // Update token for reconnect.\n"
)
_AGAIN_WITH_SCHEMA = f"""      socket.current.io.opts.query = {{
        token: getToken(),
        ...(failed_attempts === 0 && {{ {PARAMETER}: app.stateSchema }}),
      }};
"""


def send_schema(script: str) -> str:
    """Name the schema of the page's states in the first of successive attempts to connect.

    Raises:
        RuntimeError: if Reflex's script has changed.
    """
    script = replaced(script, _FIRST, _FIRST_WITH_SCHEMA)
    return replaced(script, _AGAIN, _AGAIN_WITH_SCHEMA)


def state_schema() -> str:
    """Return the hash of the states, variables and event handlers that pages depend on."""
    root: Any = rx.State
    return root._to_frontend_schema()  # noqa: SLF001


def same_release(app: ASGIApp) -> ASGIApp:
    """Return ASGI middleware that refuses sockets of pages which were built for other states."""

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "websocket" and scope["path"].startswith(EVENTS):
            query = parse_qs(scope["query_string"].decode("latin-1"))
            if query.get(PARAMETER, [own := state_schema()]) != [own]:
                await receive()  # websocket.connect
                await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
                return
        await app(scope, receive, send)

    return serve
