"""The three businesses of the demonstration, which do not exist: hours, fees, orders."""

from datetime import date, datetime, time
from typing import Final

from voice_site.domain.talk.conversation import Saying

FIRST_DOCTOR: Final = "mehta"
"""Who is taken if any doctor will do."""
COURSE_FEES: Final = {
    "engineering": 140_000,
    "commerce": 48_000,
    "science": 52_000,
    "arts": 36_000,
    "management": 165_000,
    "law": 90_000,
}
"""Rupees a year, of a college that does not exist."""
OPENS, CLOSES = time(9), time(19)
_SUNDAY = 6
_FURTHEST_DAYS = 90
_STATES = (Saying.ORDER_PACKED, Saying.ORDER_MOVING, Saying.ORDER_DELIVERED)


def refusal_of_day(day: date, today: date) -> Saying | None:
    """Return why nothing can be booked on a day, if so."""
    if day.weekday() == _SUNDAY:
        return Saying.CLOSED_DAY
    return Saying.TOO_FAR if (day - today).days > _FURTHEST_DAYS else None


def refusal_of_time(day: date, at: time, now: datetime) -> Saying | None:
    """Return why nothing can be booked at a time of a day, if so."""
    if not OPENS <= at < CLOSES:
        return Saying.CLOSED_TIME
    return Saying.PAST_TIME if day == now.date() and at <= now.time() else None


def order_state(number: str) -> Saying:
    """Return where an order is: 4712 is on its way, as in the scripted call."""
    return _STATES[(sum(map(int, number)) + 2) % len(_STATES)]
