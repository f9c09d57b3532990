"""A partner restaurant: its opening hours and its status badge."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum

from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE

_MINUTES_PER_HOUR = 60


class RestaurantState(StrEnum):
    """The text of the status badge. Source: specification 2.21."""

    OPEN = "OPEN"
    CLOSED = "CLOSED"
    UNAVAILABLE = "DELIVERY UNAVAILABLE"


def _minute_of_day(clock: time | datetime) -> int:
    return clock.hour * _MINUTES_PER_HOUR + clock.minute


@dataclass(frozen=True)
class OpeningHours:
    """From `open` up to, not including, `close`; a close at or before open is past midnight.

    Source: specification R2.
    """

    open: time
    close: time

    def is_open_at(self, moment: datetime) -> bool:
        """Whether the restaurant is open at an aware datetime of any time zone."""
        minute = _minute_of_day(moment.astimezone(CAMPUS_TIME_ZONE))
        opens, closes = _minute_of_day(self.open), _minute_of_day(self.close)
        if opens < closes:
            return opens <= minute < closes
        return minute >= opens or minute < closes

    def next_change(self, moment: datetime) -> datetime:
        """Return the next time, strictly later, at which the restaurant opens or closes."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        candidates = [
            midnight + timedelta(days=day, minutes=_minute_of_day(boundary))
            for day in (0, 1)
            for boundary in (self.open, self.close)
        ]
        return min(boundary for boundary in candidates if boundary > local)

    def next_opening(self, moment: datetime) -> datetime:
        """Return the next time, strictly later, at which the restaurant opens."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        midnight = local.replace(hour=0, minute=0, second=0, microsecond=0)
        today = midnight + timedelta(minutes=_minute_of_day(self.open))
        return today if today > local else today + timedelta(days=1)

    def open_from(self, moment: datetime) -> datetime:
        """Return the first time, not earlier, at which the restaurant is open."""
        return moment if self.is_open_at(moment) else self.next_opening(moment)

    def last_opening(self, moment: datetime) -> datetime:
        """Return the latest time, not later, at which the restaurant opened.

        Of a restaurant that never closes, a day ago.
        """
        opening = moment if self.open == self.close else self.next_opening(moment)
        return opening - timedelta(days=1)

    def closes_at(self, moment: datetime) -> datetime | None:
        """Return when the restaurant closes next; None if it is closed now, or never closes."""
        if self.open == self.close or not self.is_open_at(moment):
            return None
        return self.next_change(moment)

    def __str__(self) -> str:
        return f"{self.open:%H:%M}-{self.close:%H:%M}"


@dataclass(frozen=True)
class MenuImage:
    """A picture of a restaurant's original menu. Source: specification S15.

    `file` is a name in the restaurant's folder of `assets/menus`.
    """

    file: str
    taken_on: date


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
    menu_images: tuple[MenuImage, ...] = ()
    upi_id: str = ""
    """The UPI address that takes the amount due at the door; empty for none."""
    upi_merchant_code: str = ""
    """The merchant category code of that address; empty if unknown."""


def restaurant_state(
    hours: OpeningHours, moment: datetime, *, is_forced_closed: bool
) -> RestaurantState:
    """Return the status badge of a restaurant at an aware datetime.

    Source: specification 4.1, 4.2, R3.
    """
    if is_forced_closed:
        return RestaurantState.UNAVAILABLE
    return RestaurantState.OPEN if hours.is_open_at(moment) else RestaurantState.CLOSED
