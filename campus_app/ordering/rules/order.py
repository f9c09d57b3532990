"""An order: its customer, dishes, bill and state."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from campus_app.ordering.rules.bill import Bill
from campus_app.ordering.rules.customer import Customer
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import Rupees
from campus_app.shared.rules.routes import response

_ORDER_KEY = re.compile(r"[0-9a-f]{32}", re.ASCII)
_RESPONSE_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,64}", re.ASCII)


def is_response_token(text: object) -> bool:
    """Whether a value has the format of an order's response token. Source: specification M9."""
    return isinstance(text, str) and bool(_RESPONSE_TOKEN.fullmatch(text))


def is_order_key(text: object) -> bool:
    """Whether a value has the format of an order's key. Source: specification M9."""
    return isinstance(text, str) and bool(_ORDER_KEY.fullmatch(text))


class OrderState(StrEnum):
    """The state of an order.

    PENDING may change to any other state, LAPSED only to REPLACED. Money that arrives for a LAPSED
    order is refunded, and that of a CONFIRMED one if an operator says so.
    """

    PENDING = "pending"
    CONFIRMED = "confirmed"
    REFUND_DUE = "refund_due"
    REPLACED = "replaced"
    LAPSED = "lapsed"

    @property
    def is_paid(self) -> bool:
        """Whether money has arrived for the order, even if it goes back."""
        return self in {OrderState.CONFIRMED, OrderState.REFUND_DUE}


class OrderType(StrEnum):
    """Delivery, or a table at the restaurant. Source: specification 3.8."""

    NORMAL = "normal"
    PRE_RESERVE = "pre-reserve"


@dataclass(frozen=True)
class OrderLine:
    """A dish as it was sold: later changes of the menu do not affect its name and price."""

    dish_id: str
    name: str
    price: Rupees
    quantity: int

    @property
    def total(self) -> Rupees:
        """The price of the line in rupees."""
        return self.price * self.quantity


def placed_quantities(
    placed: Mapping[str, int] | None, lines: Iterable[OrderLine]
) -> Mapping[str, int]:
    """Return the units that were ordered of each dish: `placed` if `lines` were changed since."""
    return placed or {line.dish_id: line.quantity for line in lines}


@dataclass(frozen=True)
class Order:
    """A stored order; `id` is its key, `response_token` its unguessable public id."""

    id: str
    number: str
    response_token: str
    state: OrderState
    restaurant_id: int
    restaurant_name: str
    campus: Campus
    customer: Customer
    lines: tuple[OrderLine, ...]
    bill: Bill
    instructions: Instructions
    reservation: PreReservation | None
    created_at: datetime
    refund_reason: str = ""
    placed_quantities: Mapping[str, int] | None = None
    """What was ordered, if a dish could not be cooked since; None while `lines` say it."""
    language: str = "en"
    """The language of the customer's e-mails."""

    @property
    def type(self) -> OrderType:
        """Whether the order is for a table at the restaurant or a delivery."""
        return OrderType.PRE_RESERVE if self.reservation else OrderType.NORMAL

    @property
    def response_path(self) -> str:
        """The path of the payment's return page, which is later the receipt's."""
        return response(self.response_token)

    @property
    def quantities(self) -> Mapping[str, int]:
        """The units ordered of each dish, by its id, whatever was cooked of them."""
        return placed_quantities(self.placed_quantities, self.lines)

    @property
    def dishes(self) -> int:
        """The number of units ordered."""
        return sum(line.quantity for line in self.lines)
