"""Sockets during an upgrade: a page finds a process of its own release for as long as one runs.

A page's first attempt to connect names the schema of the states that the page was built for. A
process with another schema refuses it with 403, and the proxy tries the next process. If none has
the page's schema, the second attempt, which names none, is accepted; Reflex then makes the page
reload itself. Without this, Reflex would do so whenever the proxy chose a process of the other
release, and again after the reload.
"""

from typing import Any, Final
from urllib.parse import parse_qs

import reflex as rx
from starlette.types import ASGIApp, Receive, Scope, Send

from kit.http.sockets import EVENTS, TRY_AGAIN_LATER

PARAMETER: Final = "schema"
"""The name in the query of a socket's address, which patches/release.patch adds."""


def state_schema() -> str:
    """Return the hash of the states, variables and event handlers that pages depend on.

    It is empty for Reflex 0.10.0, which computes none: then every page is of the same release.
    """
    root: Any = rx.State
    return root._to_frontend_schema() if hasattr(root, "_to_frontend_schema") else ""  # noqa: SLF001


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
