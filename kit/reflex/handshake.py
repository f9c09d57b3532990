"""The handshake of a socket, and a secret cookie in it that no session stores.

Reflex stores the headers of a handshake in the session, which may be in Redis. A cookie that
identifies a device must not be there: whoever reads Redis, or a backup of it, could use it.
"""

from contextvars import ContextVar
from typing import Any

import reflex as rx
from starlette.types import ASGIApp, Receive, Scope, Send

_COOKIE = b"cookie"


def handshake_of(app: rx.App, socket_id: str) -> dict[str, Any]:
    """Return the ASGI scope of a socket's handshake; {} if this process has no such socket."""
    environ: dict[str, Any] = environ_of(app, socket_id) or {}
    scope: dict[str, Any] = environ.get("asgi.scope", {})
    return scope


def environ_of(app: rx.App, socket_id: str) -> Any:
    """Return the WSGI-style environ of a socket's handshake, or None."""
    server: Any = app.sio
    events: Any = app.event_namespace
    return server.get_environ(socket_id, events.namespace)


class HandshakeCookie(rx.Middleware):
    """Keeps a cookie out of Reflex's reach, and returns its value during an event.

    The value is that of the socket that sent the event: nothing in an event can replace it.
    """

    def __init__(self, name: str) -> None:
        self._name = name.encode()
        self._key = f"cookie.{name}"
        self._value: ContextVar[str] = ContextVar(self._key, default="")

    def get(self) -> str:
        """Return the cookie of the current event's socket; "" if it sent none."""
        return self._value.get()

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Return ASGI middleware that moves the cookie of each WebSocket out of its headers."""

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] == "websocket":
                scope = self.moved(scope)
            await app(scope, receive, send)

        return serve

    # Reflex calls plain functions as well as coroutines; the base class declares a coroutine.
    def preprocess(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        app: rx.App,
        state: Any,
        event: Any,  # noqa: ARG002
    ) -> None:
        """Read the cookie; every event has a task, and with it a context, of its own."""
        scope = handshake_of(app, state.router_data.get("sid", ""))
        self._value.set(scope.get(self._key, ""))

    def moved(self, scope: Scope) -> Scope:
        """Return a scope whose headers lack the cookie; if sent, it is a member of its own."""
        headers: list[tuple[bytes, bytes]] = []
        found: list[bytes] = []
        for header, value in scope["headers"]:
            if header != _COOKIE or self._name not in value:
                headers.append((header, value))
                continue
            cookies = [each.strip() for each in value.split(b";")]
            found += [each for each in cookies if self._is_it(each)]
            others = [each for each in cookies if not self._is_it(each)]
            if others:
                headers.append((header, b"; ".join(others)))
        if not found:
            return scope  # a changed copy would take 2 kB of every open socket
        token = found[0].partition(b"=")[2].decode("latin-1")
        return {**scope, "headers": headers, self._key: token}

    def _is_it(self, cookie: bytes) -> bool:
        return cookie.partition(b"=")[0].strip() == self._name
