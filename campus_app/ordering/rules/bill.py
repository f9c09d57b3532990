"""The bill of an order: its total, the part paid online, and the part paid on delivery."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime

from campus_app.ordering.rules.cart import CartLine, subtotal
from campus_app.ordering.rules.offers import OFFERS, Offer, discount_for, discount_percent
from campus_app.shared.rules import constants
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.rules.money import (
    LARGEST_AMOUNT,
    ZERO,
    Rupees,
    format_rupees,
    rupees,
    smallest_before_discount,
)
from kit.text import FormattedMessage


@dataclass(frozen=True, kw_only=True)
class CartTotals:
    """The totals of a cart's dishes in rupees, before delivery and fees."""

    subtotal: Rupees
    discount: Rupees
    discount_name: str
    minimum: Rupees
    percent: int = field(default=0, compare=False)
    """The percentage that is also taken off further dishes; an order does not store it."""

    @property
    def total(self) -> Rupees:
        """The subtotal minus the discount; the minimum order applies to it."""
        return self.subtotal - self.discount

    @property
    def shortfall(self) -> Rupees:
        """The price of the dishes to add until the total reaches the minimum; zero if it does.

        The percentage is taken off these dishes, too. Units that an offer gives free do not count.

        Source: specification 5.10.
        """
        if self.total >= self.minimum:
            return ZERO
        needed = smallest_before_discount(self.minimum, self.percent)
        return max(self.minimum - self.total, needed - self.subtotal)

    @property
    def is_too_large(self) -> bool:
        """Whether the dishes cost more than an order may. Source: specification 10.53."""
        return self.subtotal > LARGEST_AMOUNT

    @property
    def shortfall_message(self) -> FormattedMessage:
        """The message that the minimum order is not reached."""
        return OrderMessage.BELOW_MINIMUM.of(
            shortfall=format_rupees(self.shortfall), minimum=format_rupees(self.minimum)
        )


@dataclass(frozen=True, kw_only=True)
class Bill(CartTotals):
    """Every amount of an order, in rupees; `online` plus `remaining` is `grand_total`."""

    delivery_fee: Rupees
    convenience_fee: Rupees
    donation: Rupees
    grand_total: Rupees
    vendor_charge: Rupees
    online: Rupees
    remaining: Rupees

    @property
    def is_too_large(self) -> bool:
        """Whether an amount exceeds that of an order. Source: specification 10.53."""
        return max(self.subtotal, self.grand_total) > LARGEST_AMOUNT


@dataclass(frozen=True)
class BillTerms:
    """The inputs of a bill besides the dishes. `at` decides which of the offers apply."""

    restaurant_id: int
    campus: Campus
    at: datetime
    donation: Rupees = ZERO
    is_pre_reserved: bool = False
    offers: Sequence[Offer] = OFFERS


def is_donation(amount: Rupees) -> bool:
    """Whether an amount is one of the offered donations.

    Source: specification M6.
    """
    return amount in constants.DONATION_CHOICES


def charged_units(lines: Sequence[CartLine]) -> int:
    """Return how many units cost enough to carry the per-unit vendor charge.

    Source: specification M5.
    """
    return sum(
        line.quantity for line in lines if line.dish.price >= constants.CHARGED_UNIT_MINIMUM_PRICE
    )


def vendor_charge(lines: Sequence[CartLine], before_discount: Rupees) -> Rupees:
    """Return the vendor charge, part of the amount paid online, in rupees.

    Source: specification 9.10, 9.11, M5.
    """
    if before_discount >= constants.LARGE_ORDER_MINIMUM:
        return constants.VENDOR_CHARGE_LARGE_ORDER
    if before_discount >= constants.CHARGED_ORDER_MINIMUM:
        return constants.VENDOR_CHARGE_PER_UNIT * charged_units(lines)
    return ZERO


def _online_rule(charge: Rupees, fee: Rupees, terms: BillTerms) -> Rupees:
    if terms.is_pre_reserved:
        return constants.PRE_RESERVED_CHARGE
    if terms.restaurant_id == constants.FLAT_CHARGE_RESTAURANT_ID:
        allowance = constants.FLAT_CHARGE_DONATION_ALLOWANCE if terms.donation else ZERO
        return constants.FLAT_CHARGE + terms.donation - allowance
    return charge + terms.donation + fee


def cart_totals(
    lines: Sequence[CartLine],
    restaurant_id: int,
    at: datetime,
    *,
    is_pre_reserved: bool = False,
    offers: Sequence[Offer] = OFFERS,
) -> CartTotals:
    """Return the totals of a cart's dishes; they do not depend on the campus.

    Source: specification 9.4 to 9.6, M2, M7, M8.
    """
    discount = discount_for(
        lines, restaurant_id, at, is_pre_reserved=is_pre_reserved, offers=offers
    )
    return CartTotals(
        subtotal=subtotal(lines),
        discount=discount.amount,
        discount_name=discount.name,
        minimum=(
            constants.MINIMUM_PRE_RESERVED_ORDER if is_pre_reserved else constants.MINIMUM_ORDER
        ),
        percent=discount_percent(restaurant_id, at, is_pre_reserved=is_pre_reserved, offers=offers),
    )


def bill_for(lines: Sequence[CartLine], terms: BillTerms) -> Bill:
    """Return the bill of a cart.

    The amount paid online is capped at the grand total, so that the two parts always add up.

    Source: specification 9.1 to 9.12, M1 to M8.

    Raises:
        ValueError: If the donation is not one of the offered ones.
    """
    if not is_donation(terms.donation):
        raise ValueError(f"{terms.donation} is not a donation that can be chosen")
    if terms.donation is not ZERO:
        terms = replace(terms, donation=rupees(terms.donation))
    totals = cart_totals(
        lines,
        terms.restaurant_id,
        terms.at,
        is_pre_reserved=terms.is_pre_reserved,
        offers=terms.offers,
    )
    delivery = ZERO if terms.is_pre_reserved else terms.campus.delivery_fee
    fee = ZERO if terms.donation else constants.CONVENIENCE_FEE
    grand_total = totals.total + delivery + fee + terms.donation
    charge = vendor_charge(lines, totals.subtotal)
    online = min(_online_rule(charge, fee, terms), grand_total)
    return Bill(
        **vars(totals),
        delivery_fee=delivery,
        convenience_fee=fee,
        donation=terms.donation,
        grand_total=grand_total,
        vendor_charge=charge,
        online=online,
        remaining=grand_total - online,
    )
