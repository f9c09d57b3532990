"""A break for a transport that is away, so that not every effect finds that out for itself."""

from datetime import datetime, timedelta

from kit.clock import Clock
from kit.outbox.errors import ChannelDown


class Breaker:
    """Refuses everything for a while after a failure, each time twice as long."""

    def __init__(self, clock: Clock, first_seconds: float, longest_seconds: float) -> None:
        self._clock = clock
        self._first = first_seconds
        self._longest = longest_seconds
        self._failures = 0
        self._closed_until: datetime | None = None
        self._reason = ""

    def check(self) -> None:
        """Let one pass.

        Raises:
            ChannelDown: If the break is not over.
        """
        if not self.is_over:
            raise self._down()

    @property
    def is_over(self) -> bool:
        """Whether the next one would be let pass."""
        return self._closed_until is None or self._closed_until <= self._clock.now()

    @property
    def has_failed(self) -> bool:
        """Whether nothing has worked since the last failure."""
        return self._failures > 0

    def failed(self, reason: str, *, at_once_for_long: bool = False) -> ChannelDown:
        """Begin a break, the longest one where waiting mends nothing; return what to raise.

        Those that were under way when it began fail with the first: they make it no longer.
        """
        if not self.is_over and not at_once_for_long:
            return self._down()
        seconds = min(self._first * 2**self._failures, self._longest)
        if at_once_for_long:
            seconds = self._longest
        self._failures += 1
        self._reason = reason
        self._closed_until = self._clock.now() + timedelta(seconds=seconds)
        return self._down()

    def worked(self) -> None:
        """End all breaks."""
        self._failures = 0
        self._closed_until = None

    def reset(self) -> None:
        """End the break before its time: the transport may work again."""
        self.worked()

    def _down(self) -> ChannelDown:
        """Return what tells how long the break still is."""
        over_at, now = self._closed_until, self._clock.now()
        left = (over_at - now).total_seconds() if over_at else 0.0
        return ChannelDown(self._reason, left)
