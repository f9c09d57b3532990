"""Requests for an order: their fields, and the validation that needs no menu."""

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime

from campus_app.ordering.rules.bill import Bill, is_donation
from campus_app.ordering.rules.cart import CartLine, is_quantity
from campus_app.ordering.rules.customer import Customer, customer_errors, parse_customer
from campus_app.ordering.rules.errors import PriceMismatch
from campus_app.ordering.rules.instructions import (
    Instructions,
    instruction_errors,
    normalized_instructions,
)
from campus_app.ordering.rules.order import Order
from campus_app.ordering.rules.order_number import parse_order_number
from campus_app.shared.rules.campus import Campus, parse_campus
from campus_app.shared.rules.errors import Invalid
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shared.rules.money import ZERO, Rupees
from kit.translations import ENGLISH


@dataclass(frozen=True)
class ReservationRequest:
    """The requested table, not validated."""

    restaurant_id: int
    slot: str
    party_size: int
    date: date | None
    """None, like an empty slot, if the request has none."""
    reservation_id: str = ""
    """The id of the seat hold; without one, seats are held when the order is stored."""


@dataclass(frozen=True)
class OrderRequest:
    """An order request, not validated; prices and vendor contacts are never taken from it."""

    restaurant_id: int
    campus: str
    customer: Mapping[str, str]
    quantities: Mapping[str, int]
    donation: Rupees = ZERO
    instructions: Instructions = field(default_factory=Instructions)
    reservation: ReservationRequest | None = None
    displayed_amounts: Sequence[tuple[str, Rupees]] = ()
    """Fields of the bill and the amounts that the customer saw; `amount` may be either part."""
    displayed_prices: Mapping[str, Rupees] = field(default_factory=dict[str, Rupees])
    """Prices that the customer saw, by dish id."""
    requested_number: str = ""
    language: str = ENGLISH
    """The language of the customer's e-mails; not part of the fingerprint."""
    waiting_since: datetime | None = None
    """When our server showed the customer the waiting room; not part of the fingerprint."""

    @property
    def chosen(self) -> Mapping[str, int]:
        """The quantities without the dishes of which there is none."""
        return {id_: count for id_, count in self.quantities.items() if count}


def validated(request: OrderRequest) -> tuple[Campus, Customer, Instructions, int | None]:
    """Return the campus, customer, instructions and requested number of a request.

    Raises:
        Invalid: With the errors of all fields that can be checked without the menu.
    """
    is_delivered = request.reservation is None
    fields: dict[str, str] = dict(customer_errors(request.customer, is_delivered=is_delivered))
    campus = parse_campus(request.campus)
    if campus is None:
        fields["selectedCampus"] = OrderMessage.CAMPUS.of(campuses=" or ".join(Campus))
    if not is_donation(request.donation):
        fields["dogDonation"] = OrderMessage.DONATION
    if not all(is_quantity(quantity) for quantity in request.quantities.values()):
        fields["items"] = OrderMessage.QUANTITY
    fields |= instruction_errors(request.instructions)
    number = parse_order_number(request.requested_number)
    if request.requested_number and number is None:
        fields["orderId"] = OrderMessage.ORDER_ID
    if fields or campus is None:
        raise Invalid(next(iter(fields.values())), fields)
    customer = parse_customer(request.customer, is_delivered=is_delivered)
    instructions = normalized_instructions(request.instructions, is_delivered=is_delivered)
    return campus, customer, instructions, number


def require_displayed_prices(request: OrderRequest, bill: Bill, lines: Sequence[CartLine]) -> None:
    """Require that the displayed amounts and prices are current. Source: specification M1.

    Raises:
        PriceMismatch: With the current bill.
    """
    prices = {line.dish.id: line.dish.price for line in lines}
    if not displays_bill(request, bill) or any(
        prices.get(id_, price) != price for id_, price in request.displayed_prices.items()
    ):
        raise PriceMismatch(OrderMessage.PRICE_MISMATCH, bill)


def displays_bill(request: OrderRequest, bill: Bill) -> bool:
    """Whether the amounts that the customer saw are those of a bill."""
    return all(
        amount in ({bill.remaining, bill.online} if name == "amount" else {getattr(bill, name)})
        for name, amount in request.displayed_amounts
    )


def has_contents(order: Order, request: OrderRequest) -> bool:
    """Whether a request is for the dishes and the table of an order.

    Source: specification M17.
    """
    return (order.restaurant_id, order.quantities, _table_of(order)) == (
        request.restaurant_id,
        request.chosen,
        _requested_table(request),
    )


def _table_of(order: Order) -> tuple[str, int, date] | None:
    table = order.reservation
    return table and (f"{table.slot:%H:%M}", table.party_size, table.date)


def _requested_table(request: OrderRequest) -> tuple[str, int, date | None] | None:
    table = request.reservation
    return table and (table.slot, table.party_size, table.date)


def fingerprint_of(request: OrderRequest) -> str:
    """Return the hash that makes two requests the same order; prices are not part of it."""
    reservation = request.reservation
    instructions = normalized_instructions(request.instructions, is_delivered=reservation is None)
    content = [
        request.restaurant_id,
        request.campus,
        sorted(request.customer.items()),
        sorted(request.chosen.items()),
        str(request.donation),
        instructions.note,
        reservation
        and [
            reservation.slot,
            reservation.party_size,
            reservation.date and reservation.date.isoformat(),
            reservation.reservation_id,
        ],
    ]
    if instructions.door_note or instructions.no_cutlery:
        # Only then: fingerprints that were stored before these fields existed stay equal.
        content += [instructions.door_note, instructions.no_cutlery]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
