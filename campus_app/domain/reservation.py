"""Table reservations: the slots of a day, which of them may be chosen, and how seats are held."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import StrEnum
from typing import Final

from campus_app.domain import constants
from campus_app.domain.restaurant import OpeningHours

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
        """When the guests are expected, in campus time."""
        return datetime.combine(self.date, self.slot, constants.CAMPUS_TIME_ZONE)


class HoldState(StrEnum):
    """How firmly seats are held; FIRM, which is paid for, is left only when the money goes back."""

    HELD = "held"
    FIRM = "firm"
    RELEASED = "released"


@dataclass(frozen=True)
class Hold:
    """Seats kept free for somebody; `id` is unguessable: who knows it may order for the table."""

    id: str
    reservation: PreReservation
    state: HoldState
    expires_at: datetime
    order_id: str = ""

    def stands_at(self, moment: datetime) -> bool:
        """Whether nobody else may have these seats at this moment."""
        is_held = self.state is HoldState.HELD and moment < self.expires_at
        return is_held or self.state is HoldState.FIRM

    def can_be_ordered_at(self, moment: datetime) -> bool:
        """Whether these seats are held, not paid for, and their slot still lies ahead."""
        is_unpaid = self.state is HoldState.HELD and self.stands_at(moment)
        return is_unpaid and moment < self.reservation.begins_at


def can_take_hold(
    hold: Hold, wanted: PreReservation, *, replaces: str, is_owner_open: bool
) -> bool:
    """Whether an order for a table may take a hold, and keep it for itself.

    Args:
        hold: The hold that the order names.
        wanted: The table that the order is for.
        replaces: The key of the unpaid order whose place it takes; empty for none.
        is_owner_open: Whether the order that the hold belongs to can still be paid.

    Source: specification P3.6.
    """
    if hold.reservation != wanted or hold.state is HoldState.FIRM:
        return False
    return not is_owner_open or hold.order_id in {"", replaces}


def reservation_id_from(text: object) -> str:
    """Return a text that may be the id of a hold; nothing for one that never is."""
    return text if isinstance(text, str) and _RESERVATION_ID.fullmatch(text) else ""


def hold_until(moment: datetime) -> datetime:
    """Return when seats that are held at this moment become free again, unless they are paid for.

    Source: specification P3.4.
    """
    return moment + timedelta(minutes=constants.SEAT_HOLD_MINUTES)


def seats_taken(holds: Iterable[Hold], moment: datetime) -> int:
    """Return how many seats the holds of one slot leave to nobody else."""
    return sum(hold.reservation.party_size for hold in holds if hold.stands_at(moment))


def has_room(party_size: int, seats: int, taken: int) -> bool:
    """Whether a party still finds seats in a slot."""
    return taken + party_size <= seats


def is_party(size: object) -> bool:
    """Whether a table can be laid for so many."""
    return type(size) is int and constants.MINIMUM_PARTY <= size <= constants.MAXIMUM_PARTY


def slot_named(text: str) -> time | None:
    """Return the slot written as HH:MM, if it is one of the twelve."""
    return next((slot for slot in SLOTS if f"{slot:%H:%M}" == text), None)


def bookable_date(moment: datetime) -> date:
    """Return the day whose slots are offered: today, or tomorrow once today's have passed.

    Source: specification R7.
    """
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    return local.date() if local.time() < SLOTS[-1] else local.date() + timedelta(days=1)


def is_slot_open(slot: time, day: date, moment: datetime) -> bool:
    """Whether a slot of a day can be reserved at this moment.

    Source: specification 5.13.
    """
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    return day == bookable_date(moment) and (day > local.date() or slot > local.time())


def is_served(slot: time, day: date, hours: OpeningHours) -> bool:
    """Whether the kitchen works when a slot begins."""
    return hours.is_open_at(datetime.combine(day, slot, constants.CAMPUS_TIME_ZONE))


def next_slot_change(moment: datetime) -> datetime:
    """Return the next moment at which a slot passes, or another day's slots are offered."""
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    midnight = datetime.combine(
        local.date() + timedelta(days=1), time(0), constants.CAMPUS_TIME_ZONE
    )
    begins = (datetime.combine(local.date(), slot, constants.CAMPUS_TIME_ZONE) for slot in SLOTS)
    return min((moment_ for moment_ in begins if moment_ > local), default=midnight)
