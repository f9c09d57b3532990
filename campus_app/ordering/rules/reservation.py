"""Table reservations: the slots of a day, and holds on their seats."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Final

from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.shared.rules import constants

_MINUTES_PER_HOUR = 60
_RESERVATION_ID = re.compile(r"[A-Za-z0-9_-]{20,64}", re.ASCII)

SLOTS: Final = tuple(
    time(*divmod(constants.FIRST_SLOT_MINUTE + index * constants.SLOT_MINUTES, _MINUTES_PER_HOUR))
    for index in range(constants.SLOT_COUNT)
)
"""12:00 to 17:30. Source: specification 9.13."""


@dataclass(frozen=True)
class PreReservation:
    """A table at a restaurant, ordered together with the food."""

    restaurant_id: int
    slot: time
    party_size: int
    date: date

    @property
    def begins_at(self) -> datetime:
        """The start of the slot, in campus time."""
        return datetime.combine(self.date, self.slot, constants.CAMPUS_TIME_ZONE)


class SeatHoldState(StrEnum):
    """The state of a hold; FIRM is paid for, and released only by a refund."""

    HELD = "held"
    FIRM = "firm"
    RELEASED = "released"


@dataclass(frozen=True)
class SeatHold:
    """Seats reserved until `expires_at`; the unguessable `id` authorises to order for them."""

    id: str
    reservation: PreReservation
    state: SeatHoldState
    expires_at: datetime
    order_id: str = ""
    client: str = ""
    """The key of the client address that holds the seats; empty if it is not known."""

    def is_active_at(self, moment: datetime) -> bool:
        """Whether the seats are unavailable to others at this time."""
        return self.is_unpaid_at(moment) or self.state is SeatHoldState.FIRM

    def is_unpaid_at(self, moment: datetime) -> bool:
        """Whether the seats are held at this time without being paid for."""
        return self.state is SeatHoldState.HELD and moment < self.expires_at

    def can_be_ordered_at(self, moment: datetime) -> bool:
        """Whether the seats are held and unpaid, and the slot has not started."""
        return self.is_unpaid_at(moment) and moment < self.reservation.begins_at


def can_use_hold(
    hold: SeatHold, table: PreReservation, *, replaces: str, is_owner_open: bool
) -> bool:
    """Whether an order for a table may use and take over a hold.

    Source: specification P3.6.

    Args:
        hold: The hold that the order names.
        table: The table that the order is for.
        replaces: The id of the unpaid order that this one replaces; empty for none.
        is_owner_open: Whether the order that the hold belongs to can still be paid.
    """
    if hold.reservation != table or hold.state is SeatHoldState.FIRM:
        return False
    return not is_owner_open or hold.order_id in {"", replaces}


def parse_reservation_id(text: object) -> str:
    """Return a text that has the format of a hold's id, else ""."""
    return text if isinstance(text, str) and _RESERVATION_ID.fullmatch(text) else ""


def hold_expiry(moment: datetime, *, has_details: bool) -> datetime:
    """Return when an unpaid hold expires: a shorter time until valid contact details are known.

    Source: specification P3.4, R9.

    Args:
        moment: When the seats were held, or the details became known.
        has_details: Whether the server knows the visitor's contact details.
    """
    minutes = (
        constants.SEAT_HOLD_MINUTES if has_details else constants.SEAT_HOLD_MINUTES_WITHOUT_DETAILS
    )
    return moment + timedelta(minutes=minutes)


def seats_taken(holds: Iterable[SeatHold], moment: datetime) -> int:
    """Return how many seats of one slot the active holds take."""
    return sum(hold.reservation.party_size for hold in holds if hold.is_active_at(moment))


def seats_unpaid(holds: Iterable[SeatHold], client: str, moment: datetime) -> int:
    """Return how many seats of one slot a client address holds without having paid for them."""
    unpaid = (hold for hold in holds if hold.client == client and hold.is_unpaid_at(moment))
    return sum(hold.reservation.party_size for hold in unpaid)


def is_within_share(party_size: int, seats: int, unpaid: int) -> bool:
    """Whether a client address may hold a party's seats beside those it has not paid for.

    All of them are at most half of a slot. The first party may be larger, or a small restaurant
    would take none.

    Source: specification R9.
    """
    return unpaid == 0 or unpaid + party_size <= seats // 2


def has_capacity(party_size: int, seats: int, taken: int) -> bool:
    """Whether a party fits into the remaining seats of a slot."""
    return taken + party_size <= seats


def is_party_size(size: object) -> bool:
    """Whether a value is a valid party size."""
    return type(size) is int and constants.MINIMUM_PARTY <= size <= constants.MAXIMUM_PARTY


def parse_slot(text: str) -> time | None:
    """Parse a slot in the format HH:MM; None if it is not one of the twelve."""
    return next((slot for slot in SLOTS if f"{slot:%H:%M}" == text), None)


def bookable_date(moment: datetime) -> date:
    """Return the day that can be booked: today, or tomorrow after today's last slot.

    Source: specification R7.
    """
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    return local.date() if local.time() < SLOTS[-1] else local.date() + timedelta(days=1)


def is_slot_open(slot: time, day: date, moment: datetime) -> bool:
    """Whether a slot of a day can be booked at this time.

    Source: specification 5.13.
    """
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    return day == bookable_date(moment) and (day > local.date() or slot > local.time())


def is_kitchen_open(slot: time, day: date, hours: OpeningHours) -> bool:
    """Whether the restaurant is open when a slot starts."""
    return hours.is_open_at(datetime.combine(day, slot, constants.CAMPUS_TIME_ZONE))


def next_slot_change(moment: datetime) -> datetime:
    """Return the next time at which a slot starts, or the bookable day changes."""
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    midnight = datetime.combine(
        local.date() + timedelta(days=1), time(0), constants.CAMPUS_TIME_ZONE
    )
    begins = (datetime.combine(local.date(), slot, constants.CAMPUS_TIME_ZONE) for slot in SLOTS)
    return min((moment_ for moment_ in begins if moment_ > local), default=midnight)
