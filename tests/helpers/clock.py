"""A clock that goes on only when a test says so."""

from datetime import UTC, datetime, timedelta

from campus_app.domain.constants import CAMPUS_TIME_ZONE

WEDNESDAY = datetime(2026, 11, 18, 13, 0, tzinfo=CAMPUS_TIME_ZONE)
"""All eight restaurants but number 4 are open, and the Wednesday offer holds."""


class ManualClock:
    """Reads one moment until it is moved."""

    def __init__(self, moment: datetime = WEDNESDAY) -> None:
        self._moment = moment.astimezone(UTC)

    def now(self) -> datetime:
        return self._moment

    def advance(self, **delta: float) -> datetime:
        """Let time pass: `clock.advance(minutes=20)`."""
        self._moment += timedelta(**delta)
        return self._moment

    def set(self, moment: datetime) -> None:
        """Jump to a moment, forwards or backwards."""
        self._moment = moment.astimezone(UTC)
