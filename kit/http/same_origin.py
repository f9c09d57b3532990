"""ASGI middleware that refuses requests from pages of other sites.

Browsers send the origin of a page with each unsafe request and with each WebSocket. Programs send
none: webhooks, the operators' command line and scripts are accepted.
"""

import json
from collections.abc import Callable, Collection

from starlette.datastructures import Headers
from starlette.types import ASGIApp, Receive, Scope, Send

_SAFE_METHODS = {"GET", "HEAD", "OPTIONS"}
_FOREIGN = {"code": "foreign_origin", "message": "Pages of other sites may not do this."}
_BODY = json.dumps({"error": _FOREIGN}).encode()
_POLICY_VIOLATION = 1008


def same_origin(origins: Collection[str]) -> Callable[[ASGIApp], ASGIApp]:
    """Answer 403 to a WebSocket or an unsafe method from a page whose origin is not among these."""
    allowed = frozenset(origins)

    def wrap(app: ASGIApp) -> ASGIApp:
        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            is_socket = scope["type"] == "websocket"
            is_unsafe = scope["type"] == "http" and scope["method"] not in _SAFE_METHODS
            if (is_socket or is_unsafe) and not _is_allowed(scope, allowed):
                await _refuse(send, is_socket=is_socket)
            else:
                await app(scope, receive, send)

        return serve

    return wrap


def _is_allowed(scope: Scope, allowed: frozenset[str]) -> bool:
    origins = Headers(scope=scope).getlist("origin")
    return all(origin in allowed for origin in origins)


async def _refuse(send: Send, *, is_socket: bool) -> None:
    if is_socket:  # not accepted yet: the browser gets a 403
        await send({"type": "websocket.close", "code": _POLICY_VIOLATION})
        return
    headers = [(b"content-type", b"application/json"), (b"connection", b"close")]
    await send({"type": "http.response.start", "status": 403, "headers": headers})
    await send({"type": "http.response.body", "body": _BODY})
