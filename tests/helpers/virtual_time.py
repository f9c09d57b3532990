"""An event loop's clock that only moves when a test moves it."""

import heapq
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import count


@dataclass(order=True)
class _Planned:
    when: float
    number: int
    callback: Callable[[], None] = field(compare=False)
    is_cancelled: bool = field(default=False, compare=False)

    def cancel(self) -> None:
        self.is_cancelled = True


class VirtualTime:
    """A clock in seconds, with its scheduled callbacks."""

    def __init__(self) -> None:
        self._now = 1_000.0
        self._planned: list[_Planned] = []
        self._numbers = count()

    def time(self) -> float:
        return self._now

    def call_at(self, when: float, callback: Callable[[], None]) -> _Planned:
        planned = _Planned(max(when, self._now), next(self._numbers), callback)
        heapq.heappush(self._planned, planned)
        return planned

    def call_later(self, seconds: float, callback: Callable[[], None]) -> _Planned:
        return self.call_at(self._now + seconds, callback)

    def next_at(self) -> float | None:
        """Return when the next callback is due."""
        while self._planned and self._planned[0].is_cancelled:
            heapq.heappop(self._planned)
        return self._planned[0].when if self._planned else None

    def run_next(self) -> None:
        """Advance to the next callback and run it."""
        planned = heapq.heappop(self._planned)
        self._now = max(self._now, planned.when)
        if not planned.is_cancelled:
            planned.callback()

    def advance(self, seconds: float) -> None:
        """Advance the clock and run each due callback at its time."""
        until = self._now + seconds
        while (when := self.next_at()) is not None and when <= until:
            self.run_next()
        self._now = until
