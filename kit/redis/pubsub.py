"""Messages between the processes of a deployment that shared data has changed.

A message has a channel and no content: its subscribers read the database. A lost message costs a
delay, because every subscriber also reads at regular intervals.
"""

import asyncio
import logging
from collections.abc import AsyncIterator
from typing import Any, Literal, Protocol

from redis.asyncio import Redis

from kit.redis.errors import UNAVAILABLE

logger = logging.getLogger(__name__)

_TIMEOUT_SECONDS = 2.0
PubSubState = Literal["ok", "down", "disabled"]


class PubSub(Protocol):
    """Publishes and receives messages without content."""

    async def publish(self, channel: str) -> None:
        """Send a message to the subscribers of a channel; drop it if Redis is not available."""
        ...

    def messages(self, channel: str, seconds: float) -> AsyncIterator[bool]:
        """Yield True after each message, and False at least once in so many seconds without one.

        Each iteration is a subscription of its own. Its first value is False, for what was
        published before. It never ends.
        """
        ...

    async def state(self) -> PubSubState:
        """Return whether Redis answers: `ok`, `down`, or `disabled` where there is none."""
        ...

    async def close(self) -> None:
        """Close all connections."""
        ...


class NoPubSub:
    """For a deployment of one process."""

    async def publish(self, channel: str) -> None:
        pass

    async def messages(self, channel: str, seconds: float) -> AsyncIterator[bool]:  # noqa: ARG002 - the port's
        while True:
            yield False
            await asyncio.sleep(seconds)

    async def state(self) -> PubSubState:
        return "disabled"

    async def close(self) -> None:
        pass


class RedisPubSub:
    """Redis pub/sub. A message without a subscriber is dropped."""

    def __init__(self, url: str, prefix: str = "food_points:") -> None:
        self._redis: Any = Redis.from_url(  # pyright: ignore[reportUnknownMemberType]
            url, socket_connect_timeout=_TIMEOUT_SECONDS, socket_timeout=_TIMEOUT_SECONDS
        )
        self._prefix = prefix
        self._is_failure_logged = False

    async def publish(self, channel: str) -> None:
        try:
            await self._redis.publish(self._prefix + channel, "")
        except UNAVAILABLE as error:
            self._log(error)

    async def messages(self, channel: str, seconds: float) -> AsyncIterator[bool]:
        while True:
            try:
                async with self._redis.pubsub() as subscription:
                    await subscription.subscribe(self._prefix + channel)
                    while await subscription.get_message(timeout=_TIMEOUT_SECONDS) is None:
                        pass
                    self._is_failure_logged = False
                    yield False
                    while True:
                        message = await subscription.get_message(
                            ignore_subscribe_messages=True, timeout=seconds
                        )
                        yield message is not None
            except UNAVAILABLE as error:
                self._log(error)
                await asyncio.sleep(seconds)
                yield False

    async def state(self) -> PubSubState:
        try:
            await self._redis.ping()
        except UNAVAILABLE:
            return "down"
        return "ok"

    async def close(self) -> None:
        await self._redis.aclose()

    def _log(self, error: Exception) -> None:
        if not self._is_failure_logged:
            logger.warning("pubsub: Redis is not available: %s", type(error).__name__)
        self._is_failure_logged = True


def pubsub_at(url: str) -> PubSub:
    """Return the pub/sub of the Redis at a URL, or the one without Redis if the URL is empty."""
    return RedisPubSub(url) if url else NoPubSub()
