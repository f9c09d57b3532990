"""A partner restaurant, what it changes for single days, and its status badge."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import date, datetime, time
from enum import StrEnum

from campus_app.catalogue.rules.opening_hours import DayHours, OpeningHours
from campus_app.shared.rules.campus import Campus


class RestaurantState(StrEnum):
    """The text of the status badge. Source: specification 2.21."""

    OPEN = "OPEN"
    CLOSED = "CLOSED"
    UNAVAILABLE = "DELIVERY UNAVAILABLE"


@dataclass(frozen=True)
class MenuImage:
    """A picture of a restaurant's original menu. Source: specification S15.

    `file` is a name in the restaurant's folder of `assets/menus`.
    """

    file: str
    taken_on: date


@dataclass(frozen=True)
class RestaurantDay:
    """What an operator has changed for one day; None is as usual. Source: specification 15.1."""

    restaurant_id: int
    day: date
    open: time | None = None
    close: time | None = None
    seats: int | None = None

    @property
    def hours(self) -> DayHours | None:
        """The hours of that day; None for the usual ones."""
        if self.open is None or self.close is None:
            return None
        return DayHours(self.day, self.open, self.close)


@dataclass(frozen=True)
class Restaurant:
    """A partner restaurant. Source: specification 3.1."""

    id: int
    name: str
    categories: tuple[str, ...]
    rating: str
    delivery_minutes: str
    image: str
    tags: tuple[str, ...]
    vendor_email: str
    vendor_phone: str
    hours: OpeningHours
    campuses: frozenset[Campus]
    takes_reservations: bool = False
    seats_per_slot: int = 0
    """The usual number; `seats_on` returns that of a day."""
    menu_images: tuple[MenuImage, ...] = ()
    upi_id: str = ""
    """The UPI address that takes the amount due at the door; empty for none."""
    upi_merchant_code: str = ""
    """The merchant category code of that address; empty if unknown."""
    days: tuple[RestaurantDay, ...] = ()
    """The days for which something was changed; the opening hours have them, too."""

    def with_days(self, days: Iterable[RestaurantDay]) -> "Restaurant":
        """Return the restaurant with what was changed for single days, in place of `days`."""
        own = tuple(each for each in days if each.restaurant_id == self.id)
        hours = tuple(each.hours for each in own if each.hours)
        return replace(self, days=own, hours=replace(self.hours, days=hours))

    def seats_on(self, day: date) -> int:
        """Return how many seats each slot of a day has."""
        changed = (each.seats for each in self.days if each.day == day and each.seats is not None)
        return next(changed, self.seats_per_slot)


def restaurant_state(
    hours: OpeningHours, moment: datetime, *, is_forced_closed: bool
) -> RestaurantState:
    """Return the status badge of a restaurant at an aware datetime.

    Source: specification 4.1, 4.2, R3.
    """
    if is_forced_closed:
        return RestaurantState.UNAVAILABLE
    return RestaurantState.OPEN if hours.is_open_at(moment) else RestaurantState.CLOSED
