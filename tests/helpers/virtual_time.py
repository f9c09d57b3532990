"""Simulated clocks: one that tests advance, and one of an event loop that skips its waits."""

import asyncio
import heapq
import selectors
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count


@dataclass(order=True)
class _Timer:
    when: float
    number: int
    callback: Callable[[], None] = field(compare=False)
    is_cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.is_cancelled = True


class VirtualTime:
    """A simulated clock in seconds, with its scheduled callbacks."""

    def __init__(self) -> None:
        self._now = 1_000.0
        self._timers: list[_Timer] = []
        self._numbers = count()

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], None]) -> _Timer:
        timer = _Timer(max(when, self._now), next(self._numbers), callback)
        heapq.heappush(self._timers, timer)
        return timer

    def call_later(self, seconds: float, callback: Callable[[], None]) -> _Timer:
        return self.call_at(self._now + seconds, callback)

    def next_at(self) -> float | None:
        """Return when the next callback is due."""
        while self._timers and self._timers[0].is_cancelled:
            heapq.heappop(self._timers)
        return self._timers[0].when if self._timers else None

    def run_next(self) -> None:
        """Advance to the next callback and run it."""
        timer = heapq.heappop(self._timers)
        self._now = max(self._now, timer.when)
        if not timer.is_cancelled:
            timer.callback()

    def advance(self, seconds: float) -> None:
        """Advance the clock and run each due callback at its time."""
        until = self._now + seconds
        while (when := self.next_at()) is not None and when <= until:
            self.run_next()
        self._now = until


class _WaitSkipper(selectors.DefaultSelector):
    """A selector that advances a clock by the time for which it should wait."""

    now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise RuntimeError("every task waits, and no timer is set")
        self.now += max(timeout, 0.0)
        return super().select(0)


class VirtualTimeLoop(asyncio.SelectorEventLoop):
    """An event loop whose clock jumps to the next timer when no task is ready.

    For tests without sockets and threads, for which it does not wait.
    """

    def __init__(self) -> None:
        self._skipper = _WaitSkipper()
        super().__init__(self._skipper)

    def time(self) -> float:
        return self._skipper.now
