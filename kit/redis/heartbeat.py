"""Which processes of a deployment are alive, said in Redis; and whether Redis is in reach.

A process that is killed is known to be gone in the same moment, since Redis drops its
subscription with its connection. One whose machine has vanished is known by its last beat.
"""

import asyncio
import logging
import secrets
from collections.abc import Awaitable, Callable
from typing import Any

from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from kit.redis.client import redis_at

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 2.0
_BEAT_SECONDS = 1.0
_ALIVE_MS = 6_000
_AGAIN_SECONDS = 0.25
_ID_BYTES = 8


class Presence:
    """This process's sign of life, and the eye on everybody else's.

    `is_here` is False while Redis can't be reached: nobody's session can be read then.
    """

    def __init__(self, url: str, prefix: str = "food_points:process:") -> None:
        # It must not try again by itself: a Redis that was away for a moment may have come back
        # empty.
        self._redis = redis_at(
            url,
            socket_connect_timeout=_PATIENCE_SECONDS,
            socket_timeout=_PATIENCE_SECONDS,
            retry=Retry(NoBackoff(), 0),
        )
        self._prefix = prefix
        self.id = secrets.token_hex(_ID_BYTES)
        self.is_here = False
        self._is_missed = False

    async def run(
        self, found: Callable[[], Awaitable[None]], lost: Callable[[], Awaitable[None]]
    ) -> None:
        """Stay present until cancelled; call `found` and `lost` as Redis comes and goes."""
        logger.info("presence: this process is %s", self.id)
        while True:
            try:
                await self._stay(found)
            except (RedisError, OSError, TimeoutError) as error:
                await self._miss(error, lost)
            except Exception as error:  # nothing may keep this process away for good
                logger.exception("presence: it stumbled")
                await self._miss(error, lost)
            await asyncio.sleep(_AGAIN_SECONDS)

    async def lives(self, process: str) -> bool:
        """Whether another process is alive.

        Raises:
            RedisError: If nobody can say.
        """
        name = self._name(process)
        if not await self._redis.exists(name):
            return False
        ((_, ears),) = await self._redis.pubsub_numsub(name)
        return ears > 0

    async def close(self) -> None:
        """Give back connections; to the others this process is gone."""
        self.is_here = False
        await _close(self._redis)

    async def _stay(self, found: Callable[[], Awaitable[None]]) -> None:
        """Be present until Redis is out of reach, which is raised."""
        ear: Any = self._redis.pubsub()
        try:
            await ear.subscribe(self._name(self.id))
            await self._beat(ear)
            await found()
            self.is_here = True
            if self._is_missed:
                logger.warning("presence: Redis is back")
            self._is_missed = False
            while True:
                # Nothing is ever told here; a connection that is lost is noticed at once.
                await ear.get_message(timeout=_BEAT_SECONDS)
                await self._beat(ear)
        finally:
            await _close(ear)

    async def _miss(self, error: Exception, lost: Callable[[], Awaitable[None]]) -> None:
        was_here, self.is_here = self.is_here, False
        if not self._is_missed:
            logger.warning("presence: Redis is away: %s", type(error).__name__)
        self._is_missed = True
        if was_here:
            await lost()

    async def _beat(self, ear: Any) -> None:
        """Give a sign of life, and see that Redis has taken it.

        Raises:
            TimeoutError: If it does not answer.
        """
        await self._redis.set(self._name(self.id), "", px=_ALIVE_MS)
        await ear.ping()
        # Before its first answer may come the confirmation of what was subscribed to.
        while (message := await ear.get_message(timeout=_PATIENCE_SECONDS)) is not None:
            if message["type"] == "pong":
                return
        raise TimeoutError

    def _name(self, process: str) -> str:
        return self._prefix + process


async def _close(connection: Any) -> None:
    try:
        await connection.aclose()
    except (RedisError, OSError):
        logger.debug("presence: a connection was gone already")
