"""Table reservations: the slots of a day, and which of them may still be chosen."""

from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from campus_app.domain import constants

_MINUTES_PER_HOUR = 60

SLOTS: Final = tuple(
    time(*divmod(constants.FIRST_SLOT_MINUTE + index * constants.SLOT_MINUTES, _MINUTES_PER_HOUR))
    for index in range(constants.SLOT_COUNT)
)
"""12:00 to 17:30. Source: specification 9, pre-reservation."""


@dataclass(frozen=True)
class PreReservation:
    """A table at a restaurant, ordered together with the food."""

    restaurant_id: int
    slot: time
    party_size: int
    date: date


def is_party(size: object) -> bool:
    """Whether a table can be laid for so many."""
    return type(size) is int and constants.MINIMUM_PARTY <= size <= constants.MAXIMUM_PARTY


def slot_named(text: str) -> time | None:
    """Return the slot written as HH:MM, if it is one of the twelve."""
    return next((slot for slot in SLOTS if f"{slot:%H:%M}" == text), None)


def bookable_date(moment: datetime) -> date:
    """Return the day whose slots are offered: today, or tomorrow once today's have passed.

    Source: DECISIONS R7.
    """
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    return local.date() if local.time() < SLOTS[-1] else local.date() + timedelta(days=1)


def is_slot_open(slot: time, day: date, moment: datetime) -> bool:
    """Whether a slot of a day can be reserved at this moment.

    Source: specification 5, pre-reserve.
    """
    local = moment.astimezone(constants.CAMPUS_TIME_ZONE)
    return day == bookable_date(moment) and (day > local.date() or slot > local.time())
