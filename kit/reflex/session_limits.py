"""Limits on sessions without an open socket: their number per address and in total, and their age.

Such a session can be deleted without loss: the visitor's choices and inputs are in the browser's
storage, and a page that reconnects sends them. The limits prevent a program that opens and closes
pages from filling the memory or Redis with states.
"""

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import AsyncGenerator, Generator
from typing import Any

import reflex as rx
from prometheus_client import Counter, Gauge

from kit.background import restarting, running
from kit.http.sockets import IdleAllowance
from kit.rate_limit import rate_limit_key
from kit.redis.errors import UNAVAILABLE
from kit.reflex.handshake import environ_of, handshake_of
from kit.reflex.session_states import MemoryStates, RedisStates, session_states

logger = logging.getLogger(__name__)

_TOKEN = re.compile(r"[0-9A-Za-z-]{8,64}")
"""Browsers send a UUID. Any other text would become part of Redis keys, or fill the memory."""
_TOKEN_BYTES = 16
_RENEWALS_BEFORE_EXPIRY = 3
_UNKNOWN_ADDRESS = ""
_IDLE = Gauge("campus_idle_sessions", "Sessions of this process that have no open socket.")
_DELETED = Counter(
    "campus_deleted_sessions", "Sessions without a socket that were deleted before they expired."
)


class IdleSessions:
    """The tokens of sessions without a socket, in the order in which their sockets closed."""

    def __init__(self, allowance: IdleAllowance) -> None:
        self._allowance = allowance
        self._addresses: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def __contains__(self, token: str) -> bool:
        return token in self._addresses

    def add(self, token: str, address: str) -> None:
        """Record that a session has no socket any more; it becomes the newest."""
        self.remove(token)
        self._addresses[token] = address

    def remove(self, token: str) -> str:
        """Remove a token; return the address of its session, or '' if the token is unknown."""
        return self._addresses.pop(token, "")

    def surplus(self, address: str) -> list[str]:
        """Return the tokens above the limits of this address and in total, oldest first."""
        of_address = [token for token, each in self._addresses.items() if each == address]
        chosen = of_address[: max(0, len(of_address) - self._allowance.per_address)]
        others = [token for token in self._addresses if token not in chosen]
        return chosen + others[: max(0, len(others) - self._allowance.in_total)]


class SessionLimits:
    """Deletes the oldest sessions without a socket above the limits, and renews connected ones."""

    def __init__(self, allowance: IdleAllowance) -> None:
        self._renewal_seconds = allowance.seconds / _RENEWALS_BEFORE_EXPIRY
        self._idle = IdleSessions(allowance)
        self._connected: dict[str, str] = {}
        """The address of each session that has a socket, by its token."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._states: MemoryStates | RedisStates

    @contextlib.asynccontextmanager
    async def watch(self, app: rx.App) -> AsyncGenerator[None]:
        """Apply the limits for as long as the server runs."""
        self._states = session_states(app)
        self._wrap_socket_handlers(app)
        async with running(restarting(self._renew_forever)):
            yield

    def _wrap_socket_handlers(self, app: rx.App) -> None:
        """Wrap Reflex's handlers, to record when the socket of a session opens or closes."""
        events: Any = app.event_namespace
        connect, disconnect = events.on_connect, events.on_disconnect
        link = events.link_token_to_sid

        async def on_connect(sid: str, environ: Any, auth: Any = None) -> None:
            # A client may send an event named 'connect' with an environ of its own: it could forge
            # its address, and its previous session would count as connected forever.
            if environ is environ_of(app, sid):
                await connect(sid, environ, auth)

        async def link_token_to_sid(sid: str, token: str, *, update_state: bool = True) -> None:
            if not _TOKEN.fullmatch(token):
                token = secrets.token_hex(_TOKEN_BYTES)
                await events.emit("new_token", token, to=sid)
            await link(sid, token, update_state=update_state)
            if (linked := events.sid_to_token.get(sid)) is not None:
                self._connected[linked] = _address(handshake_of(app, sid))
                self._idle.remove(linked)
                _IDLE.set(len(self._idle))

        def on_disconnect(sid: str) -> asyncio.Task[Any] | None:
            token = events.sid_to_token.get(sid)
            cleanup: asyncio.Task[Any] | None = disconnect(sid)
            if token is not None:
                self._handle_disconnect(token, cleanup)
            return cleanup

        events.on_connect, events.on_disconnect = on_connect, on_disconnect
        events.link_token_to_sid = link_token_to_sid

    def _handle_disconnect(self, token: str, cleanup: asyncio.Task[Any] | None) -> None:
        address = self._connected.pop(token, _UNKNOWN_ADDRESS)
        task = asyncio.create_task(self._add_idle_after(cleanup, token, address))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _add_idle_after(
        self, cleanup: asyncio.Task[Any] | None, token: str, address: str
    ) -> None:
        if cleanup is not None:  # until then the session counts as connected in Redis
            await asyncio.wait([cleanup])
        if token not in self._connected:
            await self._add_idle(token, address)

    async def _add_idle(self, token: str, address: str) -> None:
        """Add a session without a socket, and delete those that are then above the limits."""
        self._idle.add(token, address)
        for oldest in self._idle.surplus(address):
            self._idle.remove(oldest)
            with _redis_may_be_down():  # without a deletion the state expires later
                await self._states.delete(oldest)
            _DELETED.inc()
        _IDLE.set(len(self._idle))

    async def _renew_forever(self) -> None:
        while True:
            await asyncio.sleep(self._renewal_seconds)
            with _redis_may_be_down():  # the next renewal is long before they expire
                await self._states.renew(list(self._connected))
            # An event that was queued when its session was deleted has created a new state.
            for token in self._states.tokens():
                if token not in self._connected and token not in self._idle:
                    await self._add_idle(token, _UNKNOWN_ADDRESS)


@contextlib.contextmanager
def _redis_may_be_down() -> Generator[None]:
    try:
        yield
    except UNAVAILABLE as error:
        logger.warning("sessions: Redis did not answer: %s", type(error).__name__)


def _address(scope: dict[str, Any]) -> str:
    """Return the rate limit key of the client that made a socket's handshake."""
    return rate_limit_key(scope["client"][0] if scope.get("client") else _UNKNOWN_ADDRESS)
