"""A clock that only moves when a test moves it."""

from datetime import UTC, datetime, timedelta

from campus_app.domain.constants import CAMPUS_TIME_ZONE

WEDNESDAY = datetime(2026, 11, 18, 13, 0, tzinfo=CAMPUS_TIME_ZONE)
"""All eight restaurants but number 4 are open, and the Wednesday offer holds."""


class ManualClock:
    """Returns one moment until it is moved."""

    def __init__(self, moment: datetime = WEDNESDAY) -> None:
        self._moment = moment.astimezone(UTC)

    def now(self) -> datetime:
        return self._moment

    def advance(self, **delta: float) -> datetime:
        """Move the clock forward: `clock.advance(minutes=20)`."""
        self._moment += timedelta(**delta)
        return self._moment

    def set(self, moment: datetime) -> None:
        """Set the clock to a moment, earlier or later."""
        self._moment = moment.astimezone(UTC)
