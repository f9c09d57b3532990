"""Word between the processes of a deployment that something has changed, and should be read again.

What has changed is in the database; a relay that is away costs a delay, never the truth.
"""

import asyncio
import logging
from typing import Any, Literal, Protocol

from redis.asyncio.client import PubSub
from redis.exceptions import RedisError

from kit.redis.client import redis_at

logger = logging.getLogger(__name__)

_PATIENCE_SECONDS = 2.0
"""For a Redis that is silent as for one that is away."""
RelayState = Literal["ok", "down", "disabled"]


class Relay(Protocol):
    """Carries word of changes, by name."""

    async def tell(self, name: str) -> None:
        """Let every process know, if the relay is in reach."""
        ...

    async def heard(self, name: str, seconds: float) -> bool:
        """Return True when somebody has told, or False after so many seconds or earlier."""
        ...

    async def state(self) -> RelayState:
        """Return `ok`, `down` or `disabled`."""
        ...

    async def close(self) -> None:
        """Give back connections."""
        ...


class NoRelay:
    """One process: nobody else is there to tell."""

    async def tell(self, name: str) -> None:
        pass

    async def heard(self, name: str, seconds: float) -> bool:  # noqa: ARG002 - the port's
        await asyncio.sleep(seconds)
        return False

    async def state(self) -> RelayState:
        return "disabled"

    async def close(self) -> None:
        pass


class RedisRelay:
    """Redis pub/sub; what is told while nobody listens is lost, as for any newspaper."""

    def __init__(self, url: str, prefix: str = "food_points:") -> None:
        self._redis = redis_at(
            url, socket_connect_timeout=_PATIENCE_SECONDS, socket_timeout=_PATIENCE_SECONDS
        )
        self._prefix = prefix
        self._ears: dict[str, PubSub] = {}
        self._is_missed = False

    async def tell(self, name: str) -> None:
        try:
            await self._redis.publish(self._prefix + name, "")
        except (RedisError, OSError) as error:
            self._miss(error)

    async def heard(self, name: str, seconds: float) -> bool:
        try:
            ear = self._ears.get(name)
            if ear is None:
                # What was told before we listened is read at once.
                self._ears[name] = await self._listening(name)
                self._is_missed = False
                return False
            told = (
                await ear.get_message(ignore_subscribe_messages=True, timeout=seconds) is not None
            )
        except (RedisError, OSError) as error:
            self._miss(error)
            await self._forget(name)
            await asyncio.sleep(seconds)
            return False
        return told

    async def state(self) -> RelayState:
        try:
            await self._redis.ping()
        except (RedisError, OSError):
            return "down"
        return "ok"

    async def close(self) -> None:
        for name in list(self._ears):
            await self._forget(name)
        await self._redis.aclose()

    async def _listening(self, name: str) -> PubSub:
        ear: Any = self._redis.pubsub()
        await ear.subscribe(self._prefix + name)
        while await ear.get_message(timeout=_PATIENCE_SECONDS) is None:
            pass
        return ear

    async def _forget(self, name: str) -> None:
        ear = self._ears.pop(name, None)
        if ear is not None:
            await ear.aclose()

    def _miss(self, error: Exception) -> None:
        if not self._is_missed:
            logger.warning("relay: Redis is away: %s", type(error).__name__)
        self._is_missed = True


def relay_to(url: str) -> Relay:
    """Return the relay of a deployment: Redis where there is one."""
    return RedisRelay(url) if url else NoRelay()
