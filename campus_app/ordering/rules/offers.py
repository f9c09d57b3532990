"""The offers: when each holds, and the discount of a cart.

The texts that visitors read are made out of an offer's data (screens/offer_texts.py).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from enum import IntEnum
from typing import Final

from campus_app.ordering.rules.cart import CartLine, subtotal
from campus_app.shared.rules.constants import (
    CAMPUS_TIME_ZONE,
    MAXIMUM_PERCENT_OFF,
    MINIMUM_ORDER,
    MINIMUM_PRE_RESERVED_ORDER,
    PRE_RESERVATION_DISCOUNT_PERCENT,
)
from campus_app.shared.rules.money import ZERO, Rupees, percent_of
from kit.text import gettext_noop

_DAY: Final = timedelta(days=1)
_DAYS_WITH_NEXT_CHANGE: Final = 9
"""From yesterday, whose span may still run, to this day of the next week."""


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
        if not 0 < self.percent <= MAXIMUM_PERCENT_OFF:
            raise ValueError(f"{self.percent}% is no discount")

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

    def discount(self, lines: Sequence[CartLine]) -> Rupees:
        """Return the discount on these lines, in rupees."""
        return sum((line.dish.price * (line.quantity // self.every) for line in lines), ZERO)


@dataclass(frozen=True, kw_only=True)
class Offer:
    """An offer of one restaurant. Source: specification 3.15, 14.1, 14.2, M7."""

    id: str
    title: str
    """Its name on the bill."""
    restaurant_id: int
    benefit: PercentOff | OneFree
    weekdays: tuple[Weekday, ...]
    """The days on which it begins, in the order of the week."""
    begins: time = time(0)
    ends: time = time(0)
    """Campus times. It ends at the next `ends` after it begins, which may be on the next day."""
    first_day: date | None = None
    last_day: date | None = None
    """The first and the last day on which it begins; None without a limit."""
    minimum: Rupees = ZERO
    """What must be left to pay with the offer, else it does not apply; zero without a limit."""

    @property
    def key(self) -> str:
        """A text that changes when the offer may make a cart's price another one."""
        benefit = self.benefit.percent or "free"
        return f"{self.id}-{benefit}-{self.minimum}" if self.minimum else f"{self.id}-{benefit}"

    @property
    def is_all_day(self) -> bool:
        """Whether it lasts from midnight to midnight."""
        return self.begins == self.ends == time(0)

    def begins_on(self, day: date) -> bool:
        """Whether the offer begins on a day."""
        return (
            day.weekday() in self.weekdays
            and (self.first_day is None or self.first_day <= day)
            and (self.last_day is None or day <= self.last_day)
        )

    def is_active_at(self, moment: datetime) -> bool:
        """Whether the offer is active at an aware datetime of any time zone."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        return any(begin <= local < end for begin, end in self._spans(local.date() - _DAY, days=2))

    def next_change(self, moment: datetime) -> datetime | None:
        """Return the next time, strictly later, at which the offer starts or ends; None if never.

        A day's span that adjoins the next one's is no change.
        """
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        first = max(local.date() - _DAY, self.first_day or date.min)
        spans = self._spans(first, days=_DAYS_WITH_NEXT_CHANGE)
        is_active = self.is_active_at(local)
        edges = sorted(edge for span in spans for edge in span if edge > local)
        return next((edge for edge in edges if self.is_active_at(edge) != is_active), None)

    def discount(self, lines: Sequence[CartLine], *, order_minimum: Rupees = ZERO) -> Rupees:
        """Return the offer's discount on these lines, in rupees.

        An offer with a minimum never takes a cart below it, nor below that of the order.
        """
        amount = self.benefit.discount(lines)
        left = subtotal(lines) - amount
        if self.minimum and left < max(self.minimum, order_minimum):
            return ZERO
        return amount

    def _spans(self, first: date, *, days: int) -> list[tuple[datetime, datetime]]:
        """Return when the offer begins and ends, of as many days from the first."""
        dates = [first + number * _DAY for number in range(days)]
        return [self._span(each) for each in dates if self.begins_on(each)]

    def _span(self, day: date) -> tuple[datetime, datetime]:
        last = day if self.begins < self.ends else day + _DAY
        return (
            datetime.combine(day, self.begins, CAMPUS_TIME_ZONE),
            datetime.combine(last, self.ends, CAMPUS_TIME_ZONE),
        )


OFFERS = (
    Offer(
        id="wednesday",
        title=gettext_noop("Wednesday: buy one, get one free"),
        restaurant_id=5,
        benefit=OneFree(every=2),
        weekdays=(Weekday.WEDNESDAY,),
    ),
    Offer(
        id="saturday",
        title=gettext_noop("Saturday evening: 10% off"),
        restaurant_id=2,
        benefit=PercentOff(10),
        weekdays=(Weekday.SATURDAY,),
        begins=time(18),
    ),
)
PRE_RESERVATION_DISCOUNT = gettext_noop("Pre-reservation: 10% off")


@dataclass(frozen=True)
class Discount:
    """A discount in rupees and its name; the name is empty if there is none."""

    amount: Rupees
    name: str


def offers_at(
    restaurant_id: int, moment: datetime, offers: Sequence[Offer] = OFFERS
) -> Sequence[Offer]:
    """Return the active offers of a restaurant."""
    return [
        offer
        for offer in offers
        if offer.restaurant_id == restaurant_id and offer.is_active_at(moment)
    ]


def offer_at(
    restaurant_id: int, moment: datetime, offers: Sequence[Offer] = OFFERS
) -> Offer | None:
    """Return the first active offer of a restaurant, or None."""
    return next(iter(offers_at(restaurant_id, moment, offers)), None)


def next_offer_change(
    restaurant_id: int, moment: datetime, offers: Sequence[Offer] = OFFERS
) -> datetime | None:
    """Return when an offer of the restaurant next starts or ends; None if none does."""
    changes = (
        offer.next_change(moment) for offer in offers if offer.restaurant_id == restaurant_id
    )
    return min((change for change in changes if change), default=None)


def discount_percent(
    restaurant_id: int,
    moment: datetime,
    *,
    is_pre_reserved: bool,
    offers: Sequence[Offer] = OFFERS,
) -> int:
    """Return the percentage that is taken off whatever the cart has, 0 without one.

    An offer with a minimum is none: it applies only to a cart that reaches its minimum with it.
    """
    reserved = PRE_RESERVATION_DISCOUNT_PERCENT if is_pre_reserved else 0
    active = offers_at(restaurant_id, moment, offers)
    return max([reserved, *(each.benefit.percent for each in active if not each.minimum)])


def discount_for(
    lines: Sequence[CartLine],
    restaurant_id: int,
    moment: datetime,
    *,
    is_pre_reserved: bool,
    offers: Sequence[Offer] = OFFERS,
) -> Discount:
    """Return the largest of the discounts that apply; discounts are never added.

    Source: specification M2, 14.2.
    """
    best, minimum = Discount(ZERO, ""), MINIMUM_ORDER
    if is_pre_reserved:
        amount = percent_of(subtotal(lines), PRE_RESERVATION_DISCOUNT_PERCENT)
        best, minimum = Discount(amount, PRE_RESERVATION_DISCOUNT), MINIMUM_PRE_RESERVED_ORDER
    for offer in offers_at(restaurant_id, moment, offers):
        amount = offer.discount(lines, order_minimum=minimum)
        if amount > best.amount:
            best = Discount(amount, offer.title)
    return best
