"""The list of offers as JSON: how it is written, and how it is read and checked.

Source: specification 14.4.
"""

import re
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Any, Final, TypeVar, cast

from campus_app.ordering.rules.offers import Offer, OneFree, PercentOff, Weekday
from campus_app.shared.rules.constants import (
    LARGEST_OFFER_MINIMUM,
    MAXIMUM_OFFER_TITLE_CHARACTERS,
    MAXIMUM_OFFERS,
    MAXIMUM_PERCENT_OFF,
    MINIMUM_ORDER,
)
from campus_app.shared.rules.errors import Invalid
from campus_app.shared.rules.messages import DayMessage, DeskMessage
from campus_app.shared.rules.money import format_rupees, rupees
from campus_app.shared.rules.periods import time_of_day
from kit.text import FormattedMessage, gettext_noop, normalize_text

Value = TypeVar("Value")

PERCENT: Final = "percent"
SECOND_FREE: Final = "secondFree"
BENEFITS: Final = (PERCENT, SECOND_FREE)
"""What an offer gives: a percentage off everything, or every second unit of a dish free."""

WEEKDAYS: Final = {day.name.lower(): day for day in Weekday}
"""The days of a week by their names, from Monday."""

_MEMBERS: Final = frozenset(
    {
        *("id", "title", "restaurantId", "benefit", "percent", "weekdays", "from", "until"),
        *("firstDay", "lastDay", "minimum"),
    }
)
_ID: Final = re.compile(r"[a-z0-9-]{1,32}")
_DATE: Final = re.compile(r"20\d\d-\d\d-\d\d", re.ASCII)
_NUMBER: Final = re.compile(r"\d{1,9}", re.ASCII)
_LARGEST_NUMBER: Final = 999_999_999
_WEEK: Final = 7
_UNREADABLE: Final = gettext_noop("This is no list of offers.")
_UNKNOWN_MEMBER: Final = gettext_noop("There is no such member.")


def offer_json(offer: Offer) -> dict[str, Any]:
    """Return an offer as JSON, which `read_offer` reads."""
    is_percentage = isinstance(offer.benefit, PercentOff)
    return {
        "id": offer.id,
        "title": offer.title,
        "restaurantId": offer.restaurant_id,
        "benefit": PERCENT if is_percentage else SECOND_FREE,
        "percent": offer.benefit.percent,
        "weekdays": [day.name.lower() for day in offer.weekdays],
        "from": f"{offer.begins:%H:%M}",
        "until": f"{offer.ends:%H:%M}",
        "firstDay": offer.first_day.isoformat() if offer.first_day else "",
        "lastDay": offer.last_day.isoformat() if offer.last_day else "",
        "minimum": int(offer.minimum),
    }


def read_offers(value: object, restaurant_ids: Container[int] | None = None) -> tuple[Offer, ...]:
    """Return the offers of a JSON list; the restaurants are not checked if None.

    Raises:
        Invalid: `offers_invalid`; `fields` has the faults, as in `2.percent` of the third offer.
    """
    if not isinstance(value, list):
        raise _invalid({"": _UNREADABLE})
    rows = cast("list[object]", value)
    if len(rows) > MAXIMUM_OFFERS:
        too_many = FormattedMessage("There are at most {most} offers.", {"most": MAXIMUM_OFFERS})
        raise _invalid({"": too_many})
    offers: list[Offer] = []
    faults: dict[str, str] = {}
    for number, row in enumerate(rows):
        try:
            offers.append(read_offer(row, restaurant_ids))
        except Invalid as error:
            faults |= {f"{number}.{name}": fault for name, fault in error.fields.items()}
    ids = [offer.id for offer in offers]
    if len(set(ids)) < len(ids):
        faults[""] = gettext_noop("Two offers have the same id.")
    if faults:
        raise _invalid(faults)
    return tuple(offers)


def read_offer(value: object, restaurant_ids: Container[int] | None = None) -> Offer:
    """Return the offer of a JSON object; numbers may be texts, as in a form.

    Raises:
        Invalid: `offers_invalid`; `fields` has a fault for each invalid member.
    """
    if not isinstance(value, dict):
        raise _invalid({"": _UNREADABLE})
    reader = _Reader(cast("dict[str, object]", value), {})
    unknown = reader.values.keys() - _MEMBERS
    reader.faults.update({str(name): _UNKNOWN_MEMBER for name in unknown})
    percent = 0
    benefit = reader.read("benefit", _benefit)
    if benefit == PERCENT:
        percent = reader.read("percent", _percent) or 0
    id_, title = reader.read("id", _id), reader.read("title", _title)
    restaurant_id = reader.read("restaurantId", lambda text: _restaurant(text, restaurant_ids))
    weekdays = reader.read("weekdays", _weekdays)
    begins, ends = reader.read("from", _time), reader.read("until", _time)
    first, last = reader.read("firstDay", _day), reader.read("lastDay", _day)
    minimum = reader.read("minimum", _minimum)
    if reader.faults:
        raise _invalid(reader.faults)
    offer = Offer(
        id=id_ or "",
        title=title or "",
        restaurant_id=restaurant_id or 0,
        benefit=PercentOff(percent) if percent else OneFree(every=2),
        weekdays=weekdays or (),
        begins=begins or time(0),
        ends=ends or time(0),
        first_day=first,
        last_day=last,
        minimum=rupees(minimum or 0),
    )
    if not _ever_begins(offer):
        raise _invalid({"lastDay": gettext_noop("No such weekday is between these days.")})
    return offer


def _ever_begins(offer: Offer) -> bool:
    """Whether a day between the first and the last one is one of the weekdays."""
    if offer.first_day is None or offer.last_day is None:
        return True
    days = (offer.first_day + timedelta(days=number) for number in range(_WEEK))
    return any(map(offer.begins_on, days))


@dataclass(frozen=True)
class _Reader:
    """The members of an offer, and the faults that were found so far."""

    values: Mapping[str, object]
    faults: dict[str, str]

    def read(self, name: str, parse: Callable[[object], Value]) -> Value | None:
        """Return a member; None, with its fault noted, if it is invalid."""
        try:
            return parse(self.values.get(name, ""))
        except _Fault as fault:
            self.faults[name] = fault.message
            return None


class _Fault(Exception):
    """Why a member is invalid."""

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.message = message


def _id(value: object) -> str:
    if not isinstance(value, str) or not _ID.fullmatch(value):
        raise _Fault(gettext_noop("An id has 1 to 32 of the characters a to z, 0 to 9 and -."))
    return value


def _title(value: object) -> str:
    title = normalize_text(value) if isinstance(value, str) else ""
    if not 0 < len(title) <= MAXIMUM_OFFER_TITLE_CHARACTERS:
        raise _Fault(DeskMessage.NAME_LENGTH.of(most=MAXIMUM_OFFER_TITLE_CHARACTERS))
    return title


def _restaurant(value: object, ids: Container[int] | None) -> int:
    number = _number(value)
    if number is None or (ids is not None and number not in ids):
        raise _Fault(gettext_noop("There is no such restaurant."))
    return number


def _benefit(value: object) -> str:
    if value not in BENEFITS:
        raise _Fault(gettext_noop("Choose a percentage off, or the second one free."))
    return str(value)


def _percent(value: object) -> int:
    number = _number(value)
    if number is None or not 0 < number <= MAXIMUM_PERCENT_OFF:
        raise _Fault(
            FormattedMessage(
                "The percentage is a whole number from 1 to {most}.", {"most": MAXIMUM_PERCENT_OFF}
            )
        )
    return number


def _weekdays(value: object) -> tuple[Weekday, ...]:
    names = cast("Sequence[object]", value) if isinstance(value, list) else ()
    days = {WEEKDAYS[name] for name in names if isinstance(name, str) and name in WEEKDAYS}
    if not days or len(days) < len(names):
        raise _Fault(gettext_noop("Choose one weekday or more."))
    return tuple(sorted(days))


def _time(value: object) -> time:
    parsed = time_of_day(value)
    if parsed is None:
        raise _Fault(DayMessage.TIME)
    return parsed


def _day(value: object) -> date | None:
    if value is None or value == "":
        return None
    try:
        if isinstance(value, str) and _DATE.fullmatch(value):
            return date.fromisoformat(value)
    except ValueError:
        pass
    raise _Fault(gettext_noop("Please type a day like 2026-11-18, or nothing."))


def _minimum(value: object) -> int:
    number = 0 if value == "" else _number(value)
    if number is None or (number and not MINIMUM_ORDER <= number <= LARGEST_OFFER_MINIMUM):
        least, most = format_rupees(MINIMUM_ORDER), format_rupees(rupees(LARGEST_OFFER_MINIMUM))
        raise _Fault(
            FormattedMessage(
                "Please type a whole amount from {least} to {most}, or nothing.",
                {"least": least, "most": most},
            )
        )
    return number


def _number(value: object) -> int | None:
    """Return a whole number of at most nine digits, or its text, as a number; else None."""
    if isinstance(value, str):
        return int(value) if _NUMBER.fullmatch(value) else None
    return value if type(value) is int and 0 <= value <= _LARGEST_NUMBER else None


def _invalid(faults: Mapping[str, str]) -> Invalid:
    message = gettext_noop("These offers have faults. Correct them, then publish.")
    return Invalid(message, faults, code="offers_invalid")
