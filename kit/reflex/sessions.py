"""Visitors' sessions, which any process of the deployment can go on with.

Their state is in Redis. What the framework keeps of a process that died would keep its visitors
out: the mark that their socket is open, and the lock of an event that it was in the middle of.
"""

import asyncio
import contextlib
import logging
import pickle
from collections.abc import AsyncGenerator
from typing import Any

import reflex as rx
from redis.exceptions import RedisError
from reflex.utils.prerequisites import get_redis
from reflex.utils.token_manager import LocalTokenManager, RedisTokenManager, SocketRecord
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from kit.background import restarting, running
from kit.http.sockets import EVENTS, TRY_AGAIN_LATER
from kit.redis.client import noticing
from kit.redis.heartbeat import Presence

logger = logging.getLogger(__name__)

_LISTENERS = logging.getLogger("reflex.utils.tasks")
_LOCK = "_lock"
_PAUSES_SECONDS = (0.02, 0.08, 0.2, 0.4)


class SharedSessions(RedisTokenManager):
    """Knows whose socket is open where; a session of a dead process is free to be taken over."""

    def __init__(self, redis: Any, presence: Presence) -> None:
        super().__init__(redis)
        self._presence = presence
        self.instance_id = presence.id
        self._left: set[str] = set()

    async def link_token_to_sid(self, token: str, sid: str) -> str | None:
        try:
            await self._wait_until_free(token)
        except (RedisError, OSError) as error:
            logger.warning("sessions: Redis did not answer: %s", type(error).__name__)
        return await super().link_token_to_sid(token, sid)

    async def disconnect_token(self, token: str, sid: str) -> None:
        if self._presence.is_here:
            await super().disconnect_token(token, sid)
            return
        # Redis would be waited for in vain; what it holds of this socket is taken back later.
        self._left.add(token)
        await LocalTokenManager.disconnect_token(self, token, sid)

    async def take_back(self) -> None:
        """Take back what a Redis that was away still says of sockets that are closed by now."""
        while self._left:
            await self._is_free(self._left.pop())

    def stop_listening(self) -> None:
        """End the framework's listeners, which complain for some seconds and then give up.

        With the next socket they begin again.
        """
        for name in ("_socket_record_task", "_lost_and_found_task"):
            task: asyncio.Task[None] | None = getattr(self, name)
            if task is not None:
                task.cancel()
            setattr(self, name, None)

    async def _wait_until_free(self, token: str) -> None:
        """Give whoever has a session's socket a moment to notice that it has closed.

        A page that is loaded again, or whose process has just been killed, is back before that;
        a second tab with the session of the first waits in vain, and gets one of its own.
        """
        for pause in _PAUSES_SECONDS:
            if await self._is_free(token):
                return
            await asyncio.sleep(pause)
        await self._is_free(token)

    async def _is_free(self, token: str) -> bool:
        """Whether a session's socket is open nowhere; what a dead process has left is removed."""
        key = self._get_redis_key(token)
        kept: Any = await self.redis.get(key)
        if kept is None:
            return True
        record: SocketRecord = pickle.loads(kept)  # noqa: S301 - as the framework itself reads it
        if record.instance_id == self.instance_id:
            if self.sid_to_token.get(record.sid) == token:
                return False
            await self.redis.delete(key)
        elif await self._presence.lives(record.instance_id):
            return False
        else:
            # Nobody will ever give this lock back; what it guards is fenced by its value.
            await self.redis.delete(key, token + _LOCK)
        return True


class Line:
    """The visitors' way in: open while sessions can be read, else closed for all of them.

    A page whose socket is closed says so, keeps what is typed and tapped, and tries again; when
    it gets through it brings along what its browser keeps. A page whose events failed would show
    a cart that the server no longer has.
    """

    def __init__(self, presence: Presence) -> None:
        self._presence = presence
        self._open: set[Send] = set()

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Refuse sockets while sessions can't be read: another process may do better."""

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if not scope.get("path", "").startswith(EVENTS):
                await app(scope, receive, send)
            elif not self._presence.is_here:
                await _refuse(scope, send)
            else:
                self._open.add(send)
                try:
                    await app(scope, receive, send)
                finally:
                    self._open.discard(send)

        return serve

    async def hang_up(self) -> None:
        """Close every socket of this process."""
        closing: Message = {"type": "websocket.close", "code": TRY_AGAIN_LATER}
        for send in list(self._open):
            with contextlib.suppress(Exception):  # it is closed already, in one of many ways
                await send(closing)

    @contextlib.asynccontextmanager
    async def share(self, app: rx.App) -> AsyncGenerator[None]:
        """Share sessions with the other processes for as long as the server runs."""
        events: Any = app.event_namespace
        noticing(events.app.state_manager.redis)
        sessions = SharedSessions(noticing(get_redis()), self._presence)
        await events._token_manager.close()  # noqa: SLF001 - the framework has no other way
        events._token_manager = sessions  # noqa: SLF001

        async def lost() -> None:
            await self.hang_up()
            sessions.stop_listening()

        _LISTENERS.addFilter(_is_news)
        try:
            async with running(restarting(self._presence.run, sessions.take_back, lost)):
                yield
        finally:
            await self._presence.close()
            _LISTENERS.removeFilter(_is_news)


def line_over(redis_url: str) -> Line | None:
    """Return the way in for a deployment with Redis; sessions in memory need none."""
    return Line(Presence(redis_url)) if redis_url else None


def _is_news(record: logging.LogRecord) -> bool:
    """Whether the framework says of its listeners more than presence has said of Redis."""
    return "_subscribe_" not in record.getMessage()


async def _refuse(scope: Scope, send: Send) -> None:
    if scope["type"] == "websocket":  # which browsers hear as 403, and try again
        await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
        return
    await send({"type": "http.response.start", "status": 503, "headers": [(b"retry-after", b"1")]})
    await send({"type": "http.response.body", "body": b""})
