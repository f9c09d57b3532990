"""A clock that tests set and advance."""

from datetime import UTC, datetime, timedelta

from campus_app.domain.constants import CAMPUS_TIME_ZONE

WEDNESDAY = datetime(2026, 11, 18, 13, 0, tzinfo=CAMPUS_TIME_ZONE)
"""Seven restaurants are open (number 4 is closed), and the Wednesday offer applies."""


class ManualClock:
    """A clock that stands still until a test sets or advances it."""

    def __init__(self, moment: datetime = WEDNESDAY) -> None:
        self._moment = moment.astimezone(UTC)

    def now(self) -> datetime:
        return self._moment

    def advance(self, **delta: float) -> datetime:
        """Advance the clock, as in `clock.advance(minutes=20)`; return its time."""
        self._moment += timedelta(**delta)
        return self._moment

    def set(self, moment: datetime) -> None:
        """Set the clock to an earlier or later time."""
        self._moment = moment.astimezone(UTC)
