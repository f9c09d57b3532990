"""The application's one clock. Source: specification R8."""

from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """The one clock that every decision about time reads. Source: specification R8."""

    def now(self) -> datetime:
        """Return the present moment, aware, in UTC."""
        ...


@dataclass(frozen=True)
class SystemClock:
    """The machine's time, or a time that was set at the start and has gone on since."""

    offset: timedelta = field(default=timedelta(0))

    @classmethod
    def starting_at(cls, moment: datetime) -> "SystemClock":
        """Return a clock that reads `moment` (aware) now."""
        return cls(moment - datetime.now(UTC))

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset


def to_ms(moment: datetime) -> int:
    """Return a moment as whole milliseconds since 1970, as tables keep it."""
    return round(moment.timestamp() * 1000)


def from_ms(ms: int) -> datetime:
    """Return the moment that a table keeps as milliseconds since 1970."""
    return datetime.fromtimestamp(ms / 1000, UTC)
