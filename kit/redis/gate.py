"""ASGI middleware that admits sockets only while Redis, which stores the sessions, answers."""

import asyncio
import contextlib
import logging
from collections.abc import AsyncGenerator
from typing import Any

from redis.asyncio import Redis
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from starlette.types import ASGIApp, Receive, Scope, Send

from kit.background import cancel_and_wait, restarting, running
from kit.http.sockets import TRY_AGAIN_LATER
from kit.redis.errors import UNAVAILABLE

logger = logging.getLogger(__name__)

_TIMEOUT_SECONDS = 2.0
_GRACE_SECONDS = 1.0
"""Added once: after a stall of this process its loop may end the wait before it has sent the ping,
or read the answer that has arrived."""
_PING_EVERY_SECONDS = 0.25


class RedisGate:
    """Closes the sockets below `path`, and refuses new ones, while Redis does not answer a ping.

    If Redis restarts without the sessions, an event on a socket that stayed open would run on an
    empty session and overwrite the cart in the browser. A page that reconnects sends its cart.
    """

    def __init__(self, url: str, path: str) -> None:
        # No retries and one connection: a restart between two pings must be an error. Without
        # socket_timeout, which a stall of this process would exceed: _answer limits the whole call.
        self._redis: Any = Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url,
            single_connection_client=True,
            socket_connect_timeout=_TIMEOUT_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._path = path
        self._is_up: bool | None = None
        self._sockets: set[Send] = set()

    def wrap(self, app: ASGIApp) -> ASGIApp:
        """Return the middleware around an app."""

        async def serve(scope: Scope, receive: Receive, send: Send) -> None:
            if scope["type"] != "websocket" or not scope["path"].startswith(self._path):
                await app(scope, receive, send)
            elif not self._is_up:
                await _close(send)
            else:
                self._sockets.add(send)
                try:
                    await app(scope, receive, send)
                finally:
                    self._sockets.discard(send)

        return serve

    @contextlib.asynccontextmanager
    async def watch(self) -> AsyncGenerator[None]:
        """Ping Redis for as long as the block lasts; to be run as a lifespan task."""
        async with running(restarting(self._ping_forever)):
            yield
        await self._redis.aclose()

    async def _ping_forever(self) -> None:
        while True:
            was_up, self._is_up = self._is_up, await self._ping()
            if was_up and not self._is_up:
                await asyncio.gather(*map(_close, self._sockets))
            elif was_up is False and self._is_up:
                logger.warning("redis: available again")
            await asyncio.sleep(_PING_EVERY_SECONDS)

    async def _ping(self) -> bool:
        try:
            await self._answer()
        except UNAVAILABLE as error:
            if self._is_up is not False:
                logger.warning("redis: no answer: %s", type(error).__name__)
            return False
        return True

    async def _answer(self) -> None:
        """Ping, and wait for the answer; a TimeoutError if there is none in time."""
        ping = asyncio.create_task(self._redis.ping())
        try:
            _, waiting = await asyncio.wait({ping}, timeout=_TIMEOUT_SECONDS)
            if waiting:
                _, waiting = await asyncio.wait({ping}, timeout=_GRACE_SECONDS)
            if waiting:
                raise TimeoutError
            ping.result()
        finally:
            await cancel_and_wait(ping)


async def _close(send: Send) -> None:
    """Close a socket; one that is not accepted yet is refused with 403, and nginx tries another."""
    with contextlib.suppress(Exception):  # each server raises its own error for a closed socket
        await send({"type": "websocket.close", "code": TRY_AGAIN_LATER})
