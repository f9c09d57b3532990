"""The weekly offers, and the discount of a cart."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta
from enum import IntEnum
from typing import Final

from campus_app.ordering.rules.cart import CartLine, subtotal
from campus_app.shared.rules.constants import (
    CAMPUS_TIME_ZONE,
    MINIMUM_ORDER,
    PRE_RESERVATION_DISCOUNT_PERCENT,
)
from campus_app.shared.rules.money import ZERO, Rupees, format_rupees, percent_of
from kit.text import FormattedMessage, gettext_noop

_DAYS_A_WEEK: Final = 7
_NOON: Final = 12
_EVERYTHING: Final = 100
_PERCENTAGE: Final = re.compile(r"(\d+)\s*%")


class Weekday(IntEnum):
    """The days of a week, numbered as `datetime.weekday` does."""

    MONDAY = 0
    TUESDAY = 1
    WEDNESDAY = 2
    THURSDAY = 3
    FRIDAY = 4
    SATURDAY = 5
    SUNDAY = 6


@dataclass(frozen=True)
class PercentOff:
    """A percentage off every dish of the cart."""

    percent: int

    def __post_init__(self) -> None:
        if not 0 < self.percent < _EVERYTHING:
            raise ValueError(f"{self.percent}% is no discount")

    @property
    def coupon(self) -> tuple[str, ...]:
        """The large print of the coupon, then the small print."""
        return f"{self.percent}", "%"

    def discount(self, lines: Sequence[CartLine]) -> Rupees:
        """Return the discount on these lines, in rupees."""
        return percent_of(subtotal(lines), self.percent)


@dataclass(frozen=True)
class OneFree:
    """Of every `every` units of a dish, one is free."""

    every: int

    def __post_init__(self) -> None:
        if self.every <= 1:
            raise ValueError("an offer can't make every unit free")

    @property
    def percent(self) -> int:
        """The percentage off every dish; a single unit has none."""
        return 0

    @property
    def coupon(self) -> tuple[str, ...]:
        """The large print of the coupon, then the small print."""
        return (f"{self.every - 1}+1",)

    def discount(self, lines: Sequence[CartLine]) -> Rupees:
        """Return the discount on these lines, in rupees."""
        return sum((line.dish.price * (line.quantity // self.every) for line in lines), ZERO)


@dataclass(frozen=True)
class Offer:
    """A weekly offer of one restaurant. Source: specification 3.15, 9.33, 9.34, M7.

    Raises:
        ValueError: If a text names another percentage, day or hour than the offer has.
    """

    id: str
    title: str
    """Its name on the bill."""
    subtitle: str
    description: str
    """Has the placeholder `{restaurant}` for the restaurant's name."""
    timing: str
    """Its day and hours: 'Wednesday, all day' or 'Saturday, 6PM to 12AM'."""
    terms: tuple[str, ...]
    restaurant_id: int
    benefit: PercentOff | OneFree
    weekday: Weekday
    from_hour: int
    """The campus hour at which it begins; it ends at midnight."""

    def __post_init__(self) -> None:
        # The texts are translated as they stand, so that they can't be made from the numbers.
        texts = " ".join((self.title, self.subtitle, self.description, *self.terms))
        percentages = {int(found) for found in _PERCENTAGE.findall(texts)}
        if percentages - {self.benefit.percent}:
            raise ValueError(f"offer {self.id}: it takes {self.benefit.percent}% off, not {texts}")
        if {day for day in Weekday if day.name in texts.upper()} - {self.weekday}:
            raise ValueError(f"offer {self.id}: it is on a {self.weekday.name}, not {texts}")
        if self.timing != (timing := self._timing()):
            raise ValueError(f"offer {self.id}: its timing is '{timing}', not '{self.timing}'")

    def _timing(self) -> str:
        day = self.weekday.name.title()
        if self.from_hour == 0:
            return f"{day}, all day"
        begins = time(self.from_hour)
        return f"{day}, {begins.hour % _NOON or _NOON}{begins:%p} to 12AM"

    def is_active_at(self, moment: datetime) -> bool:
        """Whether the offer is active at an aware datetime of any time zone."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        return local.weekday() == self.weekday and local.hour >= self.from_hour

    def next_change(self, moment: datetime) -> datetime:
        """Return the next time, strictly later, at which the offer starts or ends."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        first = local.date() - timedelta(days=(local.weekday() - self.weekday) % _DAYS_A_WEEK)
        changes = (
            datetime.combine(first + timedelta(days=days), time(hour), CAMPUS_TIME_ZONE)
            for days, hour in (
                (0, self.from_hour),
                (1, 0),
                (_DAYS_A_WEEK, self.from_hour),
            )
        )
        return min(change for change in changes if change > local)

    def discount(self, lines: Sequence[CartLine]) -> Rupees:
        """Return the offer's discount on these lines, in rupees."""
        return self.benefit.discount(lines)


_LARGEST_COUNTS = gettext_noop(
    "Offers and the pre-reservation discount do not add up: the larger one counts."
)
_BY_ITSELF = gettext_noop("The cart takes it off by itself. No code, no coupon.")

OFFERS = (
    Offer(
        id="wednesday",
        title=gettext_noop("Wednesday: buy one, get one free"),
        subtitle=gettext_noop("Buy one get one free"),
        description=gettext_noop(
            "At {restaurant}, every Wednesday, all day. Buy two of the same dish, pay for one."
        ),
        timing=gettext_noop("Wednesday, all day"),
        terms=(
            gettext_noop("Of every two units of the same item, one is free."),
            _BY_ITSELF,
            FormattedMessage(
                "What is left to pay must reach the {minimum} minimum.",
                {"minimum": format_rupees(MINIMUM_ORDER)},
            ),
        ),
        restaurant_id=5,
        benefit=OneFree(every=2),
        weekday=Weekday.WEDNESDAY,
        from_hour=0,
    ),
    Offer(
        id="saturday",
        title=gettext_noop("Saturday evening: 10% off"),
        subtitle=gettext_noop("10% off, 6PM to 12AM"),
        description=gettext_noop(
            "At {restaurant}, every Saturday evening. A tenth off everything you order."
        ),
        timing=gettext_noop("Saturday, 6PM to 12AM"),
        terms=(
            FormattedMessage("Minimum order {minimum}.", {"minimum": format_rupees(MINIMUM_ORDER)}),
            _BY_ITSELF,
            _LARGEST_COUNTS,
        ),
        restaurant_id=2,
        benefit=PercentOff(10),
        weekday=Weekday.SATURDAY,
        from_hour=18,
    ),
)
PRE_RESERVATION_DISCOUNT = gettext_noop("Pre-reservation: 10% off")


@dataclass(frozen=True)
class Discount:
    """A discount in rupees and its name; the name is empty if there is none."""

    amount: Rupees
    name: str


def offer_at(restaurant_id: int, moment: datetime) -> Offer | None:
    """Return the active offer of a restaurant, or None."""
    for offer in OFFERS:
        if offer.restaurant_id == restaurant_id and offer.is_active_at(moment):
            return offer
    return None


def next_offer_change(restaurant_id: int, moment: datetime) -> datetime | None:
    """Return when an offer of the restaurant next starts or ends; None if it has none."""
    changes = [
        offer.next_change(moment) for offer in OFFERS if offer.restaurant_id == restaurant_id
    ]
    return min(changes, default=None)


def discount_percent(restaurant_id: int, moment: datetime, *, is_pre_reserved: bool) -> int:
    """Return the percentage that applies to every dish of a cart, 0 without one."""
    reserved = PRE_RESERVATION_DISCOUNT_PERCENT if is_pre_reserved else 0
    offer = offer_at(restaurant_id, moment)
    return max(reserved, offer.benefit.percent if offer else 0)


def discount_for(
    lines: Sequence[CartLine], restaurant_id: int, moment: datetime, *, is_pre_reserved: bool
) -> Discount:
    """Return the larger of the discounts that apply; discounts are never added.

    Source: specification M2.
    """
    best = Discount(ZERO, "")
    if is_pre_reserved:
        amount = percent_of(subtotal(lines), PRE_RESERVATION_DISCOUNT_PERCENT)
        best = Discount(amount, PRE_RESERVATION_DISCOUNT)
    offer = offer_at(restaurant_id, moment)
    if offer is not None and (amount := offer.discount(lines)) > best.amount:
        best = Discount(amount, offer.title)
    return best
