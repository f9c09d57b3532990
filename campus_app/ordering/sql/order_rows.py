"""Conversion between orders and payments and their table rows."""

import secrets
from collections.abc import Sequence
from dataclasses import asdict, replace
from datetime import datetime
from typing import Any

from uuid_utils import uuid7

from campus_app.ordering.rules.bill import Bill
from campus_app.ordering.rules.cooking import Cooking
from campus_app.ordering.rules.customer import Customer
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import Order, OrderLine, OrderState
from campus_app.ordering.rules.payment import (
    OrderOutcome,
    Payment,
    PaymentState,
    Snapshot,
    payment_expiry,
)
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.ordering.rules.stored_order import OrderDraft, StoredOrder
from campus_app.ordering.sql.tables import CookingRow, OrderRow, PaymentRow
from campus_app.shared.rules import constants
from campus_app.shared.rules.money import from_paise, to_paise
from kit.clock import from_ms, to_ms
from kit.db.tables import from_row, table_of

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_cooking = table_of(CookingRow)
_TOKEN_BYTES = 24


def new_id() -> str:
    """Return a unique id that sorts after all earlier ones.

    Sequential ids touch few index pages on insert; random ones touch a different page each.
    """
    return uuid7().hex


def new_order(
    draft: OrderDraft, order_id: str, number: str, at: datetime, provider: str
) -> StoredOrder:
    """Return an order that is about to be stored, with a new token and payment.

    Its times have the stored precision, so that it equals the order that is read later.
    """
    at = _as_stored(at)
    payment_id = new_id()
    order = Order(
        id=order_id,
        number=number,
        response_token=secrets.token_urlsafe(_TOKEN_BYTES),
        state=OrderState.PENDING,
        restaurant_id=draft.restaurant.id,
        restaurant_name=draft.restaurant.name,
        campus=draft.campus,
        customer=draft.customer,
        lines=draft.lines,
        bill=draft.bill,
        instructions=draft.instructions,
        reservation=draft.reservation,
        created_at=at,
        language=draft.language,
    )
    payment = Payment(
        id=payment_id,
        order_id=order_id,
        provider=provider,
        reference=f"AS-{payment_id}",
        amount=draft.bill.online,
        state=PaymentState.PENDING,
        created_at=at,
        expires_at=payment_expiry(at),
    )
    return StoredOrder(order, payment, draft.fingerprint, draft.cart_generation)


def order_values(order: Order, draft: OrderDraft) -> dict[str, Any]:
    """Return the column values of an order that is about to be stored."""
    reservation = order.reservation
    return {
        **asdict(order.customer),
        **_bill_values(order.bill),
        **asdict(order.instructions),
        "id": order.id,
        "number": order.number,
        "response_token": order.response_token,
        "idempotency_key": draft.idempotency_key or f"once:{order.id}",
        "cart_key": draft.cart_key,
        "cart_generation": draft.cart_generation,
        "fingerprint": draft.fingerprint,
        "state": order.state,
        "restaurant_id": order.restaurant_id,
        "restaurant_name": order.restaurant_name,
        "campus": order.campus,
        "language": order.language,
        "lines": _line_values(order),
        "reserved_date": reservation and reservation.date,
        "reserved_slot": reservation and reservation.slot,
        "party_size": reservation and reservation.party_size,
        "created_at": order.created_at,
    }


def changed_values(order: Order) -> dict[str, Any]:
    """Return the column values that change if a dish of a paid order can't be cooked."""
    return {
        **_bill_values(order.bill),
        "lines": _line_values(order),
        "placed_quantities": order.placed_quantities,
    }


def _line_values(order: Order) -> list[dict[str, Any]]:
    return [
        {
            "id": line.dish_id,
            "name": line.name,
            "paise": to_paise(line.price),
            "quantity": line.quantity,
        }
        for line in order.lines
    ]


def _bill_values(bill: Bill) -> dict[str, Any]:
    """Return the column values of a bill; `percent` has none: no dish can be added any more."""
    return {name: value for name, value in asdict(bill).items() if name != "percent"}


def payment_values(payment: Payment) -> dict[str, Any]:
    """Return the column values of a new payment, which is first checked at its expiry."""
    return {**asdict(payment), "next_check_at": payment.expires_at}


def reservation_from(row: Any) -> PreReservation | None:
    """Return the reserved table of an order from its row; None for a delivery."""
    if row.reserved_date is None:
        return None
    return PreReservation(row.restaurant_id, row.reserved_slot, row.party_size, row.reserved_date)


def cooking_from(row: Any) -> Cooking:
    """Return the cooking of an order from an outer join: NULL before the first press."""
    values = row._mapping  # noqa: SLF001 - public, see SQLAlchemy's documentation of Row
    return Cooking() if values[_cooking.c.order_id] is None else from_row(Cooking, _cooking, row)


def stored_lines(lines: Sequence[dict[str, Any]]) -> tuple[OrderLine, ...]:
    """Return the lines of an order from their stored JSON."""
    return tuple(
        OrderLine(line["id"], line["name"], from_paise(line["paise"]), line["quantity"])
        for line in lines
    )


def stored_order_from(row: Any) -> StoredOrder:
    """Return an order and its payment from a joined row."""
    order = from_row(
        Order,
        _orders,
        row,
        customer=from_row(Customer, _orders, row),
        lines=stored_lines(row.lines),
        bill=from_row(Bill, _orders, row, percent=0),
        instructions=from_row(Instructions, _orders, row),
        reservation=reservation_from(row),
    )
    return StoredOrder(order, payment_from(row), row.fingerprint, row.cart_generation)


def payment_from(row: Any) -> Payment:
    """Return a payment from a row that has its columns; `paid` is None unless it is in rupees."""
    payment = from_row(Payment, _payments, row)
    is_rupees = row.paid_currency == constants.CURRENCY
    return payment if is_rupees else replace(payment, paid=None)


def as_recorded(
    stored: StoredOrder, snapshot: Snapshot, outcome: OrderOutcome, at: datetime
) -> StoredOrder:
    """Return an order as it is stored once its payment is recorded."""
    return replace(
        stored,
        order=replace(
            stored.order,
            state=outcome.order_state,
            refund_reason=outcome.refund_reason or "",
        ),
        payment=replace(
            stored.payment,
            state=PaymentState.PAID,
            reason="",
            provider_payment_id=snapshot.provider_payment_id,
            paid_at=_as_stored(at),
            paid=snapshot.paid_rupees,
        ),
    )


def _as_stored(at: datetime) -> datetime:
    """Return a datetime in the precision in which it is stored."""
    return from_ms(to_ms(at))
