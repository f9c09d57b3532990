"""Conversion between orders and payments and their table rows."""

import secrets
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from uuid_utils import uuid7

from campus_app.domain import constants
from campus_app.domain.bill import Bill
from campus_app.domain.campus import Campus
from campus_app.domain.customer import Customer
from campus_app.domain.money import Rupees, from_paise, to_paise
from campus_app.domain.order import Order, OrderLine, OrderState
from campus_app.domain.payment import OrderOutcome, Payment, PaymentState, Snapshot
from campus_app.domain.reservation import PreReservation
from campus_app.ports.orders import OrderDraft, StoredOrder
from kit.clock import from_ms, to_ms

PAYMENT_PREFIX = "payment_"
"""The prefix of a payment's columns in a row of an order and its payment."""

_BILL_AMOUNTS = (
    "subtotal",
    "discount",
    "delivery_fee",
    "convenience_fee",
    "donation",
    "grand_total",
    "vendor_charge",
    "online",
    "remaining",
    "minimum",
)
_TOKEN_BYTES = 24


def new_id() -> str:
    """Return a unique id that sorts after all earlier ones.

    Sequential ids touch few index pages on insert; random ones touch a different page each.
    """
    return uuid7().hex


def new_order(
    draft: OrderDraft, order_id: str, number: str, at: datetime, provider: str
) -> StoredOrder:
    """Return an order that is about to be stored, with a new token and payment."""
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
        note=draft.note,
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
        expires_at=at + timedelta(seconds=constants.PAYMENT_LIFETIME_SECONDS),
    )
    return StoredOrder(order, payment, draft.fingerprint, draft.cart_generation)


def order_values(order: Order, draft: OrderDraft) -> dict[str, Any]:
    """Return the column values of an order that is about to be stored."""
    reservation = order.reservation
    amounts = {f"{name}_paise": to_paise(getattr(order.bill, name)) for name in _BILL_AMOUNTS}
    return {
        "id": order.id,
        "number": order.number,
        "response_token": order.response_token,
        "idempotency_key": draft.idempotency_key or f"once:{order.id}",
        "cart_key": draft.cart_key,
        "cart_generation": draft.cart_generation,
        "fingerprint": draft.fingerprint,
        "state": order.state.value,
        "restaurant_id": order.restaurant_id,
        "restaurant_name": order.restaurant_name,
        "campus": order.campus.value,
        "full_name": order.customer.full_name,
        "email": order.customer.email,
        "phone": order.customer.phone,
        "address": order.customer.address,
        "note": order.note,
        "language": order.language,
        "lines": [
            {
                "id": line.item_id,
                "name": line.name,
                "paise": to_paise(line.price),
                "quantity": line.quantity,
            }
            for line in order.lines
        ],
        "discount_name": order.bill.discount_name,
        "reserved_date": reservation.date.isoformat() if reservation else None,
        "reserved_slot": f"{reservation.slot:%H:%M}" if reservation else None,
        "party_size": reservation.party_size if reservation else None,
        "refund_reason": order.refund_reason,
        "created_at_ms": to_ms(order.created_at),
        **amounts,
    }


def payment_values(payment: Payment) -> dict[str, Any]:
    """Return the column values of a new payment, first checked at its expiry."""
    expires_at_ms = to_ms(payment.expires_at)
    return {
        "id": payment.id,
        "order_id": payment.order_id,
        "provider": payment.provider,
        "reference": payment.reference,
        "amount_paise": to_paise(payment.amount),
        "state": payment.state.value,
        "reason": payment.reason,
        "provider_payment_id": payment.provider_payment_id,
        "paid_paise": None,
        "paid_currency": "",
        "created_at_ms": to_ms(payment.created_at),
        "expires_at_ms": expires_at_ms,
        "paid_at_ms": None,
        "next_check_at_ms": expires_at_ms,
    }


class _PaymentColumns:
    """Reads the prefixed payment columns of a joined row like a payment's own row."""

    def __init__(self, row: Any) -> None:
        self._row = row

    def __getattr__(self, name: str) -> Any:
        return getattr(self._row, PAYMENT_PREFIX + name)


def stored_order_from(row: Any) -> StoredOrder:
    """Return an order and its payment from a joined row."""
    payment = payment_from(_PaymentColumns(row))
    return StoredOrder(_order(row), payment, row.fingerprint, row.cart_generation)


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


def _order(row: Any) -> Order:
    return Order(
        id=row.id,
        number=row.number,
        response_token=row.response_token,
        state=OrderState(row.state),
        restaurant_id=row.restaurant_id,
        restaurant_name=row.restaurant_name,
        campus=Campus(row.campus),
        customer=Customer(row.full_name, row.email, row.phone, row.address),
        lines=tuple(
            OrderLine(line["id"], line["name"], from_paise(line["paise"]), line["quantity"])
            for line in row.lines
        ),
        bill=Bill(
            discount_name=row.discount_name,
            **{name: from_paise(getattr(row, f"{name}_paise")) for name in _BILL_AMOUNTS},
        ),
        note=row.note,
        reservation=_reservation(row),
        created_at=from_ms(row.created_at_ms),
        refund_reason=row.refund_reason,
        language=row.language,
    )


def _reservation(row: Any) -> PreReservation | None:
    if row.reserved_date is None:
        return None
    return PreReservation(
        row.restaurant_id,
        time.fromisoformat(row.reserved_slot),
        row.party_size,
        date.fromisoformat(row.reserved_date),
    )


def _rupees_paid(row: Any) -> Rupees | None:
    if row.paid_paise is None or row.paid_currency != constants.CURRENCY:
        return None
    return from_paise(row.paid_paise)


def payment_from(row: Any) -> Payment:
    """Return a payment from its row."""
    return Payment(
        id=row.id,
        order_id=row.order_id,
        provider=row.provider,
        reference=row.reference,
        amount=from_paise(row.amount_paise),
        state=PaymentState(row.state),
        created_at=from_ms(row.created_at_ms),
        expires_at=from_ms(row.expires_at_ms),
        reason=row.reason,
        provider_payment_id=row.provider_payment_id,
        paid_at=None if row.paid_at_ms is None else from_ms(row.paid_at_ms),
        paid=_rupees_paid(row),
    )
