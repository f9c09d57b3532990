"""The clock of both products, which tests and demonstrations can set. Source: specification R8."""

import time
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """The current time, for every decision that depends on it. Source: specification R8."""

    def now(self) -> datetime:
        """Return the current time, aware, in UTC."""
        ...

    def monotonic(self) -> float:
        """Return seconds since any fixed moment; they never go back, for limits and pauses."""
        ...


@dataclass(frozen=True)
class SystemClock:
    """The system's time plus an offset."""

    offset: timedelta = field(default=timedelta(0))

    @classmethod
    def starting_at(cls, moment: datetime) -> "SystemClock":
        """Return a clock that shows `moment` (aware) now and runs on."""
        return cls(moment - datetime.now(UTC))

    def now(self) -> datetime:
        return datetime.now(UTC) + self.offset

    def monotonic(self) -> float:
        return time.monotonic()


def to_ms(moment: datetime) -> int:
    """Return an aware time as whole milliseconds since 1970 (UTC), as the database stores it."""
    return round(moment.timestamp() * 1000)


def from_ms(ms: int) -> datetime:
    """Return the aware UTC time for milliseconds since 1970."""
    return datetime.fromtimestamp(ms / 1000, UTC)
