"""How often something is done: we call an outside system, or a visitor calls us.

Counted in this process, by the machine's steady clock.
"""

import asyncio
import math
import time
from collections.abc import Callable
from functools import partial
from typing import Self

_MINUTE_SECONDS = 60.0
_SHARE_AT_ONCE = 4


class NotYet(Exception):
    """A call would have to wait for longer than its caller will."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"not for {seconds:.0f} s")
        self.seconds = seconds


class TokenBucket:
    """So many at once, and after that so many each second."""

    def __init__(
        self, per_second: float, at_once: float, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._per_second = per_second
        self._most_at_once = at_once
        self._steady = steady
        self._tokens = self._most_at_once
        self._filled_at = steady()
        self._rests_until = 0.0

    @classmethod
    def within_a_minute(cls, most: int, steady: Callable[[], float] = time.monotonic) -> Self:
        """Return one that lets no more than so many pass in any minute: a quarter at once."""
        at_once = max(1.0, most / _SHARE_AT_ONCE)
        return cls(max(most - at_once, 1.0) / _MINUTE_SECONDS, at_once, steady)

    def rest(self, seconds: float) -> None:
        """Let no call pass for so long."""
        self._rests_until = max(self._rests_until, self._steady() + seconds)

    def reserve(self, patience_seconds: float = math.inf, turns: int = 1) -> float:
        """Take the next turn, or so many; return in how many seconds they are.

        Raises:
            NotYet: If that is longer than `patience_seconds`; no turn is taken then.
        """
        now = self._steady()
        gained = (now - self._filled_at) * self._per_second
        self._tokens, self._filled_at = min(self._most_at_once, self._tokens + gained), now
        missing = max(0.0, turns - self._tokens) / self._per_second
        wait = max(missing, self._rests_until - now)
        if wait > patience_seconds:
            raise NotYet(wait)
        self._tokens -= turns
        return wait

    @property
    def is_full(self) -> bool:
        """Whether it is as if nobody had ever called."""
        now = self._steady()
        gained = (now - self._filled_at) * self._per_second
        return self._tokens + gained >= self._most_at_once and self._rests_until <= now

    async def take(self, patience_seconds: float) -> None:
        """Wait for the next turn, if it comes soon enough.

        Raises:
            NotYet: If it does not.
        """
        if wait := self.reserve(patience_seconds):
            await asyncio.sleep(wait)


class TokenBuckets:
    """A bucket for each key, kept until it is full again."""

    def __init__(
        self, per_second: float, at_once: float, steady: Callable[[], float] = time.monotonic
    ) -> None:
        self._make = partial(TokenBucket, per_second, at_once, steady)
        self._fill_seconds = at_once / per_second
        self._steady = steady
        self._buckets: dict[str, TokenBucket] = {}
        self._tidy_at = 0.0

    def __len__(self) -> int:
        return len(self._buckets)

    def reserve(self, key: str, turns: int = 1, patience_seconds: float = math.inf) -> float:
        """Take the next turns of a key; return in how many seconds they are.

        Raises:
            NotYet: If that is longer than `patience_seconds`; no turn is taken then.
        """
        now = self._steady()
        if now >= self._tidy_at:
            self._buckets = {
                each: bucket for each, bucket in self._buckets.items() if not bucket.is_full
            }
            self._tidy_at = now + self._fill_seconds
        bucket = self._buckets.get(key)
        if bucket is None:
            bucket = self._buckets[key] = self._make()
        return bucket.reserve(patience_seconds, turns)


class Spacing:
    """The same thing is asked after no more often than every so many seconds."""

    def __init__(self, seconds: float, steady: Callable[[], float] = time.monotonic) -> None:
        self._seconds = seconds
        self._steady = steady
        self._last: dict[str, float] = {}
        self._tidy_at = 0.0

    def reserve(self, key: str) -> float:
        """Take the next turn of a thing; return in how many seconds it is."""
        now = self._steady()
        if now >= self._tidy_at:
            self._last = {
                each: last for each, last in self._last.items() if last + self._seconds > now
            }
            self._tidy_at = now + self._seconds
        turn = max(now, self._last.get(key, -self._seconds) + self._seconds)
        self._last[key] = turn
        return turn - now

    async def turn(self, key: str) -> None:
        """Wait for the next turn of a thing."""
        if wait := self.reserve(key):
            await asyncio.sleep(wait)
