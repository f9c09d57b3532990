"""A dish of a paid order that its kitchen can't cook, and what becomes of the order.

Source: specification 10.67.
"""

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from campus_app.catalogue.rules.menu import Diet, Dish
from campus_app.ordering.rules.bill import Bill, cart_totals
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.offers import OFFERS, Offer
from campus_app.ordering.rules.order import Order, OrderLine
from campus_app.shared.rules.constants import ANSWER_MINUTES, SHORTAGE_UNDO_SECONDS
from campus_app.shared.rules.money import ZERO, Rupees

WHOLE_ORDER: Final = ""
"""In place of a dish's id: the kitchen can cook nothing of the order."""

CHOOSE: Final = "choose"
"""How far the kitchen is, as the customer sees it: it waits for the customer's choice."""
CANCELLED: Final = "cancelled"
"""The same: the kitchen can't cook the order, and its money goes back."""

SHORTAGE_TOLD_TOPIC: Final = "order.shortage_told"
"""The outbox topic of the moment from which the customer may choose.

The subject of this and the next topics is the order's id.
"""
SHORTAGE_LAPSED_TOPIC: Final = "order.shortage_lapsed"
"""The outbox topic of the end of the time to choose."""
SHORTAGE_MAIL_TOPIC: Final = "mail.shortage"
"""The outbox topic of an e-mail to the customer: that there is a choice, or money goes back."""
SHORTAGE_PUSH_TOPIC: Final = "push.shortage"
"""The outbox topic of the same to the browsers that asked for push messages."""


class ShortageReason(StrEnum):
    """Why a kitchen can't cook a dish."""

    NO_GAS = "no_gas"
    DISH_GONE = "dish_gone"
    CLOSING = "closing"
    OTHER = "other"

    @property
    def allows_another_dish(self) -> bool:
        """Whether the kitchen may still cook another dish instead."""
        return self in {ShortageReason.DISH_GONE, ShortageReason.OTHER}


class ShortageAnswer(StrEnum):
    """What becomes of a dish that can't be cooked."""

    OPEN = "open"
    """The customer has not chosen yet."""
    REPLACED = "replaced"
    """Another dish of the same price is cooked."""
    DISH_BACK = "dish_back"
    """The rest is cooked, and the customer pays nothing for the dish."""
    ORDER_BACK = "order_back"
    """Nothing is cooked, and all money goes back."""
    COOKED = "cooked"
    """It was handed over after all."""


@dataclass(frozen=True)
class Shortage:
    """A dish of an order that can't be cooked, with all units that were ordered."""

    id: str
    order_id: str
    dish_id: str
    """`WHOLE_ORDER` for all dishes."""
    name: str
    """The dish as it was sold; empty for all dishes."""
    reason: ShortageReason
    device_id: str
    asked_at: datetime
    answer_by: datetime
    """The end of the time to choose, which begins when the customer is told."""
    has_marked: bool = False
    """Whether the report has marked the dish as sold out."""
    answer: ShortageAnswer = ShortageAnswer.OPEN
    answered_at: datetime | None = None
    replacement_id: str = ""
    """The dish that is cooked instead."""

    @property
    def told_at(self) -> datetime:
        """When the customer is told at the earliest: a slip of the kitchen's is undone before."""
        return self.asked_at + timedelta(seconds=SHORTAGE_UNDO_SECONDS)

    def is_open_at(self, now: datetime) -> bool:
        """Whether the customer may choose."""
        return self.answer is ShortageAnswer.OPEN and self.told_at <= now < self.answer_by


def new_shortage(
    order: Order, dish_id: str, reason: ShortageReason, device_id: str, at: datetime
) -> Shortage | None:
    """Return a shortage of an order without time to choose; None if it has no such dish."""
    line = line_of(order, dish_id)
    if line is None and dish_id != WHOLE_ORDER:
        return None
    key = f"{order.id}:{dish_id}:{at:%Y%m%d%H%M%S%f}"
    name = line.name if line else ""
    asked = Shortage(key, order.id, dish_id, name, reason, device_id, at, answer_by=at)
    return replace(asked, answer_by=asked.told_at)


def has_choice(order: Order, shortage: Shortage, instead: Sequence[Dish]) -> bool:
    """Whether there is anything to choose, given the dishes that may be cooked instead."""
    return shortage.dish_id != WHOLE_ORDER and (bool(instead) or can_keep_rest(order))


def answer_time(told_at: datetime) -> datetime:
    """Return until when a customer who is told at a time may choose."""
    return told_at + timedelta(minutes=ANSWER_MINUTES)


def line_of(order: Order, dish_id: str) -> OrderLine | None:
    """Return the line of a dish."""
    return next((line for line in order.lines if line.dish_id == dish_id), None)


def can_keep_rest(order: Order) -> bool:
    """Whether something is left of an order without one of its dishes."""
    return len(order.lines) > 1


def dishes_instead(
    order: Order, shortage: Shortage, menu: Sequence[Dish], sold_out: Container[str]
) -> tuple[Dish, ...]:
    """Return the dishes of a menu that the customer may choose instead, in the menu's sequence.

    They cost as much, can be ordered, and were not in the order. For a vegetarian dish, and for one
    that the menu has lost, they are vegetarian.
    """
    line = line_of(order, shortage.dish_id)
    if line is None or not shortage.reason.allows_another_dish:
        return ()
    lost = next((dish for dish in menu if dish.id == line.dish_id), None)
    is_vegetarian = lost is None or lost.marks.diet is Diet.VEGETARIAN
    ordered = {*order.quantities, *(each.dish_id for each in order.lines)}
    return tuple(
        dish
        for dish in menu
        if dish.price == line.price
        and dish.id not in ordered
        and dish.id not in sold_out
        and (not is_vegetarian or dish.marks.diet is Diet.VEGETARIAN)
    )


def with_dish_instead(order: Order, dish_id: str, dish: Dish) -> Order:
    """Return an order with another dish of the same price in place of one of its dishes."""
    lines = (
        replace(line, dish_id=dish.id, name=dish.name) if line.dish_id == dish_id else line
        for line in order.lines
    )
    return replace(order, lines=tuple(lines), placed_quantities=order.quantities)


@dataclass(frozen=True)
class Reduction:
    """An order without one of its dishes, and what of the amount paid online goes back."""

    order: Order
    refund: Rupees

    @property
    def bill(self) -> Bill:
        """The bill of the rest."""
        return self.order.bill


def without_dish(order: Order, dish_id: str, offers: Sequence[Offer] = OFFERS) -> Reduction:
    """Return an order without one of its dishes; `offers` are those of its time.

    What the dish cost, with the discount of the order's time, is first taken off what is due at the
    door or at the restaurant. The rest of it was paid online, and goes back. Fees and a donation
    stay as they were.

    Source: specification 10.67.
    """
    bill = order.bill
    kept = tuple(line for line in order.lines if line.dish_id != dish_id)
    totals = cart_totals(
        [_cart_line(line) for line in kept],
        order.restaurant_id,
        order.created_at,
        is_pre_reserved=order.reservation is not None,
        offers=offers,
    )
    # An offer may have been changed since: a dish is never dearer than it was sold.
    subtotal = sum((line.total for line in kept), ZERO)
    cost = min(max(bill.total - totals.total, ZERO), bill.subtotal - subtotal)
    at_the_door = min(cost, bill.remaining)
    discount = bill.discount - (bill.subtotal - subtotal - cost)
    rest = replace(
        bill,
        subtotal=subtotal,
        discount=discount,
        discount_name=bill.discount_name if discount else "",
        grand_total=bill.grand_total - cost,
        remaining=bill.remaining - at_the_door,
        online=bill.online - (cost - at_the_door),
    )
    changed = replace(order, lines=kept, bill=rest, placed_quantities=order.quantities)
    return Reduction(changed, cost - at_the_door)


def _cart_line(line: OrderLine) -> CartLine:
    dish = Dish(line.dish_id, line.name, description="", price=line.price, category="")
    return CartLine(dish, line.quantity)
