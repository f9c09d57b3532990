"""The two weekly offers, and which discount a cart gets."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from campus_app.domain.cart import CartLine, subtotal
from campus_app.domain.constants import CAMPUS_TIME_ZONE, PRE_RESERVATION_DISCOUNT_PERCENT
from campus_app.domain.money import ZERO, Rupees, percent_of

_WEDNESDAY, _SATURDAY = 2, 5
_SATURDAY_FROM_HOUR = 18
_SATURDAY_PERCENT = 10
_FREE_EVERY = 2


class OfferKind(StrEnum):
    """How an offer's discount is computed."""

    BUY_ONE_GET_ONE = "buy_one_get_one"
    PERCENT = "percent"


@dataclass(frozen=True)
class Offer:
    """A weekly offer of one restaurant. Source: specification 3 and 9; DECISIONS M7."""

    id: str
    title: str
    restaurant_id: int
    kind: OfferKind
    weekday: int
    from_hour: int = 0

    def is_active_at(self, moment: datetime) -> bool:
        """Whether the offer holds at this moment (aware, any zone)."""
        local = moment.astimezone(CAMPUS_TIME_ZONE)
        return local.weekday() == self.weekday and local.hour >= self.from_hour

    def discount(self, lines: Sequence[CartLine]) -> Rupees:
        """Return what the offer takes off these lines, in rupees."""
        if self.kind is OfferKind.PERCENT:
            return percent_of(subtotal(lines), _SATURDAY_PERCENT)
        return sum((line.item.price * (line.quantity // _FREE_EVERY) for line in lines), ZERO)


OFFERS = (
    Offer(
        "wednesday", "Wednesday: buy one, get one free", 5, OfferKind.BUY_ONE_GET_ONE, _WEDNESDAY
    ),
    Offer(
        "saturday",
        "Saturday evening: 10% off",
        2,
        OfferKind.PERCENT,
        _SATURDAY,
        _SATURDAY_FROM_HOUR,
    ),
)
PRE_RESERVATION_DISCOUNT = "Pre-reservation: 10% off"


@dataclass(frozen=True)
class Discount:
    """What is taken off, and why; the name is empty where nothing is."""

    amount: Rupees
    name: str


def offer_at(restaurant_id: int, moment: datetime) -> Offer | None:
    """Return the offer of a restaurant that is active, if one is."""
    for offer in OFFERS:
        if offer.restaurant_id == restaurant_id and offer.is_active_at(moment):
            return offer
    return None


def discount_for(
    lines: Sequence[CartLine], restaurant_id: int, moment: datetime, *, is_pre_reserved: bool
) -> Discount:
    """Return the larger of the discounts that apply; they never add up.

    Source: DECISIONS M2.
    """
    best = Discount(ZERO, "")
    if is_pre_reserved:
        amount = percent_of(subtotal(lines), PRE_RESERVATION_DISCOUNT_PERCENT)
        best = Discount(amount, PRE_RESERVATION_DISCOUNT)
    offer = offer_at(restaurant_id, moment)
    if offer is not None and (amount := offer.discount(lines)) > best.amount:
        best = Discount(amount, offer.title)
    return best
