"""Limits on the sessions that have no open socket: per client address, in all, and in time.

A session's state is worth little once its page has left: what a visitor has chosen or typed is in
the browser's storage, and a page that comes back sends it along. A program that opens and leaves
pages must therefore not be able to fill the memory (or Redis) with their states.
"""

import asyncio
import contextlib
import logging
import re
import secrets
from collections.abc import AsyncGenerator, Iterator, Sequence
from typing import Any, Protocol

import reflex as rx
from prometheus_client import Counter, Gauge
from redis.exceptions import RedisError
from reflex.istate.manager.memory import StateManagerMemory
from reflex.istate.manager.redis import StateManagerRedis
from reflex.state import State

from kit.background import restarting, running
from kit.http.sockets import IdleAllowance
from kit.rate_limit import rate_limit_key

logger = logging.getLogger(__name__)

_TOKEN = re.compile(r"[0-9A-Za-z-]{8,64}")
"""Browsers send a UUID. Other text would become part of Redis keys, or fill the memory itself."""
_TOKEN_BYTES = 16
_RENEWALS_BEFORE_EXPIRY = 3
_SESSIONS_PER_PIPELINE = 100
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
        self._of_address: dict[str, dict[str, None]] = {}

    def __len__(self) -> int:
        return len(self._addresses)

    def __contains__(self, token: str) -> bool:
        return token in self._addresses

    def add(self, token: str, address: str) -> None:
        """Record that a session has lost its socket; it becomes the newest."""
        self.remove(token)
        self._addresses[token] = address
        self._of_address.setdefault(address, {})[token] = None

    def remove(self, token: str) -> str:
        """Forget a token, if it is there; return the address that its session had, or ''."""
        address = self._addresses.pop(token, None)
        if address is None:
            return ""
        tokens = self._of_address[address]
        del tokens[token]
        if not tokens:
            del self._of_address[address]
        return address

    def surplus(self, address: str) -> list[str]:
        """Return the oldest tokens above the limits of this address and of all, oldest first."""
        of_address = self._of_address.get(address, {})
        beyond = max(0, len(of_address) - self._allowance.per_address)
        chosen = dict.fromkeys(_first(of_address, beyond))
        in_all = max(0, len(self) - self._allowance.in_all - len(chosen))
        others = (token for token in self._addresses if token not in chosen)
        return [*chosen, *_first(others, in_all)]


def _first(tokens: Any, count: int) -> Iterator[str]:
    return (token for _, token in zip(range(count), tokens, strict=False))


class SessionStates(Protocol):
    """Where Reflex keeps the states of sessions."""

    async def renew(self, tokens: Sequence[str]) -> None:
        """Let the states of connected sessions expire later."""
        ...

    async def delete(self, token: str) -> bool:
        """Delete a session's state; return False while one of its events is being handled."""
        ...

    def tokens(self) -> list[str]:
        """Return the tokens that this process holds states of."""
        ...


class MemoryStates:
    """States in the memory of this process."""

    def __init__(self, manager: StateManagerMemory) -> None:
        self._manager = manager
        self._private: Any = manager
        """Reflex has no public names for a session's lock, nor for deleting a session."""

    async def renew(self, tokens: Sequence[str]) -> None:
        for token in tokens:
            if token in self._manager.states:  # reading one sets its expiry anew
                await self._manager.get_state(_state_token(token))

    async def delete(self, token: str) -> bool:
        lock = self._private._states_locks.get(token)  # noqa: SLF001
        if lock is not None and lock.locked():
            return False
        self._private._purge_token(_state_token(token))  # noqa: SLF001
        return True

    def tokens(self) -> list[str]:
        return list(self._manager.states)


class RedisStates:
    """States in Redis, where every process of the deployment finds them."""

    # One step for Redis: between a look and a deletion another process could take the session up.
    _DELETE_UNLESS_CONNECTED = """
        if redis.call('EXISTS', KEYS[1]) == 1 then return 0 end
        return redis.call('UNLINK', unpack(KEYS, 2))
    """
    _SOCKET_RECORD = "token_manager_socket_record_"
    """As Reflex's RedisTokenManager names it."""

    def __init__(self, manager: StateManagerRedis) -> None:
        self._redis: Any = manager.redis
        self._seconds = manager.token_expiration
        self._classes = list(_family(State))

    async def renew(self, tokens: Sequence[str]) -> None:
        for start in range(0, len(tokens), _SESSIONS_PER_PIPELINE):
            pipeline = self._redis.pipeline(transaction=False)
            for token in tokens[start : start + _SESSIONS_PER_PIPELINE]:
                for key in (self._SOCKET_RECORD + token, *self._keys(token)):
                    pipeline.expire(key, self._seconds)
            await pipeline.execute()

    async def delete(self, token: str) -> bool:
        keys = [self._SOCKET_RECORD + token, *self._keys(token)]
        await self._redis.eval(self._DELETE_UNLESS_CONNECTED, len(keys), *keys)
        return True

    def tokens(self) -> list[str]:
        return []  # what no process remembers expires in Redis by itself

    def _keys(self, token: str) -> list[str]:
        return [str(rx.BaseStateToken(ident=token, cls=each)) for each in self._classes]


def _state_token(token: str) -> rx.BaseStateToken:
    return rx.BaseStateToken(ident=token, cls=State)


def _family(kind: Any) -> Iterator[Any]:
    yield kind
    for each in kind.get_substates():
        yield from _family(each)


class SessionLimits:
    """Deletes the oldest sessions without a socket, and keeps those that have one."""

    def __init__(self, allowance: IdleAllowance) -> None:
        self._renewal_seconds = allowance.seconds / _RENEWALS_BEFORE_EXPIRY
        self._idle = IdleSessions(allowance)
        self._connected: dict[str, str] = {}
        """The address of each session that has a socket, by its token."""
        self._deletions: set[asyncio.Task[None]] = set()
        self._states: SessionStates

    @contextlib.asynccontextmanager
    async def watch(self, app: rx.App) -> AsyncGenerator[None]:
        """Apply the limits for as long as the server runs."""
        manager = app.state_manager
        if isinstance(manager, StateManagerRedis):
            self._states = RedisStates(manager)
        else:
            assert isinstance(manager, StateManagerMemory)  # noqa: S101 - rxconfig knows no third
            self._states = MemoryStates(manager)
        self._follow_sockets(app)
        async with running(restarting(self._renew_for_ever)):
            yield

    def _follow_sockets(self, app: rx.App) -> None:
        """Learn of each session that gains or loses its socket."""
        events: Any = app.event_namespace
        connect, disconnect = events.on_connect, events.on_disconnect
        link = events.link_token_to_sid

        async def on_connect(sid: str, environ: Any, auth: Any = None) -> None:
            # A client may send an event named 'connect', with surroundings of its own invention:
            # it would choose its address, and its previous session would stay connected for ever.
            if environ is _environ(app, sid):
                await connect(sid, environ, auth)

        async def link_token_to_sid(sid: str, token: str, *, update_state: bool = True) -> None:
            if not _TOKEN.fullmatch(token):
                token = secrets.token_hex(_TOKEN_BYTES)
                await events.emit("new_token", token, to=sid)
            await link(sid, token, update_state=update_state)
            if (linked := events.sid_to_token.get(sid)) is not None:
                self._connected[linked] = _address(_environ(app, sid))
                self._idle.remove(linked)
                _IDLE.set(len(self._idle))

        def on_disconnect(sid: str) -> asyncio.Task[Any] | None:
            token = events.sid_to_token.get(sid)
            ended: asyncio.Task[Any] | None = disconnect(sid)
            if token is not None:
                self._disconnected(token, ended)
            return ended

        events.on_connect, events.on_disconnect = on_connect, on_disconnect
        events.link_token_to_sid = link_token_to_sid

    def _disconnected(self, token: str, ended: asyncio.Task[Any] | None) -> None:
        address = self._connected.pop(token, _UNKNOWN_ADDRESS)
        task = asyncio.create_task(self._left(token, address, ended))
        self._deletions.add(task)
        task.add_done_callback(self._deletions.discard)

    async def _left(self, token: str, address: str, ended: asyncio.Task[Any] | None) -> None:
        if ended is not None:  # until then Redis says that the session is connected
            await asyncio.wait([ended])
        if token not in self._connected:
            await self._keep_idle(token, address)

    async def _keep_idle(self, token: str, address: str) -> None:
        self._idle.add(token, address)
        for oldest in self._idle.surplus(address):
            its_address = self._idle.remove(oldest)
            if await self._delete(oldest):
                _DELETED.inc()
            elif oldest not in self._connected:
                self._idle.add(oldest, its_address)
        _IDLE.set(len(self._idle))

    async def _delete(self, token: str) -> bool:
        try:
            return await self._states.delete(token)
        except (RedisError, OSError) as error:  # it expires there by itself
            logger.warning("sessions: Redis did not answer: %s", type(error).__name__)
            return True

    async def _renew_for_ever(self) -> None:
        while True:
            await asyncio.sleep(self._renewal_seconds)
            await self._states.renew(list(self._connected))
            # An event that was still queued when its session was deleted has begun another state.
            for token in self._states.tokens():
                if token not in self._connected and token not in self._idle:
                    await self._keep_idle(token, _UNKNOWN_ADDRESS)


def _environ(app: rx.App, sid: str) -> Any:
    """Return what the server knows of a socket, or None."""
    server: Any = app.sio
    events: Any = app.event_namespace
    return server.get_environ(sid, events.namespace)


def _address(environ: Any) -> str:
    """Return the rate limit key of the client at the other end of a socket."""
    known: dict[str, Any] = environ or {}
    scope: dict[str, Any] = known.get("asgi.scope", {})
    return rate_limit_key(scope["client"][0] if scope.get("client") else _UNKNOWN_ADDRESS)
