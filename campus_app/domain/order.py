"""An order: what was asked for, by whom, and how far it has come."""

import re
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from campus_app.domain.bill import Bill
from campus_app.domain.campus import Campus
from campus_app.domain.customer import Customer
from campus_app.domain.money import Rupees
from campus_app.domain.reservation import PreReservation

RESPONSE_PATH = "/forms/response/"
"""What stands before an order's token. Source: specification 2.12."""
_RESPONSE_TOKEN = re.compile(r"[A-Za-z0-9_-]{20,64}", re.ASCII)


def is_response_token(text: object) -> bool:
    """Whether something has the form of an order's unguessable token. Source: specification M9."""
    return isinstance(text, str) and bool(_RESPONSE_TOKEN.fullmatch(text))


class OrderState(StrEnum):
    """How far an order has come.

    From PENDING it goes to any other; one that lapsed may still be replaced, and whatever money
    arrives for it goes back, as that of a CONFIRMED one does where an operator says so.
    """

    PENDING = "pending"
    CONFIRMED = "confirmed"
    REFUND_DUE = "refund_due"
    REPLACED = "replaced"
    LAPSED = "lapsed"


class OrderType(StrEnum):
    """Source: specification 3.8."""

    NORMAL = "normal"
    PRE_RESERVE = "pre-reserve"


@dataclass(frozen=True)
class OrderLine:
    """A dish as it was sold: its name and price stay, whatever becomes of the menu."""

    item_id: str
    name: str
    price: Rupees
    quantity: int

    @property
    def total(self) -> Rupees:
        """What the line costs, in rupees."""
        return self.price * self.quantity


@dataclass(frozen=True)
class Order:
    """An order as it is stored; `id` is its key, `response_token` its unguessable link."""

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
    note: str
    reservation: PreReservation | None
    created_at: datetime
    refund_reason: str = ""
    language: str = "en"
    """In which its customer is written to."""

    @property
    def type(self) -> OrderType:
        """Whether a table waits at the restaurant."""
        return OrderType.PRE_RESERVE if self.reservation else OrderType.NORMAL

    @property
    def response_path(self) -> str:
        """Where the browser comes back to from paying, and where the receipt stays."""
        return f"{RESPONSE_PATH}{self.response_token}"

    @property
    def dishes(self) -> int:
        """How many units were ordered."""
        return sum(line.quantity for line in self.lines)
