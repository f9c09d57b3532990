"""An order before and after it is stored."""

from collections.abc import Callable
from dataclasses import dataclass

from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.ordering.rules.bill import Bill
from campus_app.ordering.rules.customer import Customer
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import Order, OrderLine
from campus_app.ordering.rules.payment import Payment
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.shared.rules.campus import Campus


@dataclass(frozen=True)
class OrderDraft:
    """A validated and priced order that is about to be stored."""

    restaurant: Restaurant
    campus: Campus
    customer: Customer
    lines: tuple[OrderLine, ...]
    bill: Bill
    instructions: Instructions
    reservation: PreReservation | None
    fingerprint: str
    """A hash of the request's content; equal for two requests of the same order."""
    idempotency_key: str
    """Unique per order; empty for a request without one."""
    reservation_id: str = ""
    """The id of the customer's seat hold, if there is one."""
    requested_number: int | None = None
    cart_key: str = ""
    cart_generation: int = 0
    """The number of this order within its cart, from 1."""
    replaces: str = ""
    """The id of the unpaid order that this one replaces; empty for none."""
    language: str = "en"
    client: str = ""
    """The key of the client address, whose unpaid seats are limited; empty for no limit."""


@dataclass(frozen=True)
class StoredOrder:
    """An order with its payment and the fingerprint of its request."""

    order: Order
    payment: Payment
    fingerprint: str
    cart_generation: int


SeatCheck = Callable[[int], bool]
"""Whether the order's table is held, or free again, given the number of seats of a slot."""
