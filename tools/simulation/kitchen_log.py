"""What one kitchen device showed, and what its cook pressed."""

from dataclasses import dataclass, field

from campus_app.ordering.rules.cooking import CookingState


@dataclass(frozen=True)
class MadePress:
    """A press of a button on a ticket, whether or not the device was connected."""

    id: str
    order_id: str
    saw: str
    target: str
    at: float
    """Seconds since 1970."""


@dataclass(frozen=True)
class Connection:
    """A time span in which a device was connected and showed its board; in seconds since 1970."""

    begins: float
    ends: float


@dataclass
class DeviceLog:
    """The log of one device; times in seconds since 1970."""

    restaurant_id: int
    device_id: str = ""
    arrivals: dict[str, float] = field(default_factory=dict)
    """When the device first showed each order, by the order's id."""
    presses: list[MadePress] = field(default_factory=list)
    """In the sequence in which they were made."""
    connections: list[Connection] = field(default_factory=list)
    boards: int = 0
    """The number of received boards."""
    cut_presses: int = 0
    """The number of presses whose line was cut directly after sending."""

    def was_connected(self, begins: float, ends: float) -> bool:
        """Whether one connection lasted for this whole time."""
        return any(each.begins <= begins and ends <= each.ends for each in self.connections)


def is_undo(press: MadePress) -> bool:
    """Whether a press undoes another."""
    return CookingState(press.target).rank < CookingState(press.saw).rank
