"""Orders and payments as rows of their tables, and back."""

import secrets
import uuid
from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

from campus_app.adapters.tables import PaymentRow
from campus_app.domain import constants
from campus_app.domain.bill import Bill
from campus_app.domain.campus import Campus
from campus_app.domain.customer import Customer
from campus_app.domain.money import from_paise, to_paise
from campus_app.domain.order import Order, OrderLine, OrderState
from campus_app.domain.payment import Payment, PaymentState, Settlement, Snapshot
from campus_app.domain.reservation import PreReservation
from campus_app.infrastructure.clock import from_ms, to_ms
from campus_app.infrastructure.tables import table_of
from campus_app.ports import OrderDraft, StoredOrder

PAYMENT_PREFIX = "payment_"
"""What a payment's columns are called beside an order's."""

_BILL_FIGURES = (
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
_payments = table_of(PaymentRow)


def order_values(draft: OrderDraft, order_id: str, number: str, at: datetime) -> dict[str, Any]:
    """Return the row of an order that is about to be placed, with a token of its own."""
    reservation = draft.reservation
    figures = {f"{name}_paise": to_paise(getattr(draft.bill, name)) for name in _BILL_FIGURES}
    return {
        "id": order_id,
        "number": number,
        "response_token": secrets.token_urlsafe(_TOKEN_BYTES),
        "idempotency_key": draft.idempotency_key,
        "cart_key": draft.cart_key,
        "cart_generation": draft.cart_generation,
        "fingerprint": draft.fingerprint,
        "state": OrderState.PENDING.value,
        "restaurant_id": draft.restaurant.id,
        "restaurant_name": draft.restaurant.name,
        "campus": draft.campus.value,
        "full_name": draft.customer.full_name,
        "email": draft.customer.email,
        "phone": draft.customer.phone,
        "address": draft.customer.address,
        "note": draft.note,
        "language": draft.language,
        "lines": [
            {
                "id": line.item_id,
                "name": line.name,
                "paise": to_paise(line.price),
                "quantity": line.quantity,
            }
            for line in draft.lines
        ],
        "discount_name": draft.bill.discount_name,
        "reserved_date": reservation.date.isoformat() if reservation else None,
        "reserved_slot": f"{reservation.slot:%H:%M}" if reservation else None,
        "party_size": reservation.party_size if reservation else None,
        "refund_reason": "",
        "created_at_ms": to_ms(at),
        **figures,
    }


def payment_values(draft: OrderDraft, order_id: str, provider: str, at: datetime) -> dict[str, Any]:
    """Return the row of its payment; the first check is when it lapses, unless it is opened."""
    payment_id = uuid.uuid4().hex
    expires_at_ms = to_ms(at + timedelta(seconds=constants.PAYMENT_LIFETIME_SECONDS))
    return {
        "id": payment_id,
        "order_id": order_id,
        "provider": provider,
        "reference": f"AS-{payment_id}",
        "amount_paise": to_paise(draft.bill.online),
        "state": PaymentState.PENDING.value,
        "reason": "",
        "provider_payment_id": "",
        "paid_paise": None,
        "paid_currency": "",
        "created_at_ms": to_ms(at),
        "expires_at_ms": expires_at_ms,
        "paid_at_ms": None,
        "next_check_at_ms": expires_at_ms,
    }


class _Values:
    """Lets values that were just inserted be read like a row."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.__dict__.update(values)


def stored_from(order: dict[str, Any], payment: dict[str, Any]) -> StoredOrder:
    """Return an order and its payment from the rows that were just inserted."""
    return stored(
        _Values({**order, **{PAYMENT_PREFIX + name: value for name, value in payment.items()}})
    )


def stored(row: Any) -> StoredOrder:
    """Return an order and its payment from a row of both."""
    payment = _Values(
        {column.name: getattr(row, PAYMENT_PREFIX + column.name) for column in _payments.c}
    )
    return StoredOrder(_order(row), payment_from(payment), row.fingerprint, row.cart_generation)


def as_recorded(
    found: StoredOrder, snapshot: Snapshot, settlement: Settlement, at: datetime
) -> StoredOrder:
    """Return an order as its rows are once its payment was recorded at that time."""
    return replace(
        found,
        order=replace(
            found.order,
            state=settlement.order_state,
            refund_reason=settlement.refund_reason or "",
        ),
        payment=replace(
            found.payment,
            state=PaymentState.PAID,
            reason="",
            provider_payment_id=snapshot.provider_payment_id,
            paid_at=from_ms(to_ms(at)),
        ),
    )


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
            **{name: from_paise(getattr(row, f"{name}_paise")) for name in _BILL_FIGURES},
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
    )
