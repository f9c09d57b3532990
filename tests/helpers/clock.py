"""A clock that tests set and advance."""

from datetime import UTC, datetime, timedelta

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE

WEDNESDAY = datetime(2026, 11, 18, 13, 0, tzinfo=CAMPUS_TIME_ZONE)
"""Seven restaurants are open (number 4 is closed), and the Wednesday offer applies."""


class ManualClock:
    """A clock that stands still until a test sets or advances it."""

    def __init__(self, moment: datetime = WEDNESDAY) -> None:
        self._moment = moment.astimezone(UTC)
        self._monotonic = self._moment.timestamp()

    def now(self) -> datetime:
        return self._moment

    def monotonic(self) -> float:
        return self._monotonic

    def advance(self, **delta: float) -> datetime:
        """Advance the clock, as in `clock.advance(minutes=20)`; return its time."""
        self._moment += timedelta(**delta)
        self._monotonic += max(0.0, timedelta(**delta).total_seconds())
        return self._moment

    def set(self, moment: datetime) -> None:
        """Set the clock to a later time, or an earlier one, as an administrator does."""
        passed = (moment - self._moment).total_seconds()
        self._monotonic += max(0.0, passed)
        self._moment = moment.astimezone(UTC)
