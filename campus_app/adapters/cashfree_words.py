"""What Cashfree's words mean to us, and ours to it: pure, no input or output.

Source: research/payments-mail-calls 1.2, 1.3, 1.4.
"""

import logging
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, cast

from campus_app.domain.constants import (
    CAMPUS_TIME_ZONE,
    CURRENCY,
    SHORTEST_CHECKOUT_SECONDS,
)
from campus_app.domain.customer import PHONE_PREFIX
from campus_app.domain.messages import PaymentMessage
from campus_app.domain.money import ZERO, Rupees, json_number, rupees
from campus_app.domain.payment import PaymentState, Snapshot
from campus_app.domain.refund import RefundState
from campus_app.ports import CheckoutRequest, Refund

logger = logging.getLogger(__name__)

Json = Mapping[str, Any]

ACTIVE, PAID = "ACTIVE", "PAID"

_OVER = {"EXPIRED", "TERMINATED"}
_UNDECIDED = {ACTIVE, "TERMINATION_REQUESTED"}
_ATTEMPTS = {
    "FAILED": PaymentState.FAILED,
    "VOID": PaymentState.FAILED,
    "USER_DROPPED": PaymentState.CANCELLED,
    "CANCELLED": PaymentState.CANCELLED,
    "PENDING": PaymentState.PENDING,
    "NOT_ATTEMPTED": PaymentState.PENDING,
    "SUCCESS": PaymentState.PENDING,  # only the order's own word makes it paid
}
_STILL_OPEN = {"PENDING", "SUCCESS"}
_REASONS = {
    PaymentState.FAILED: PaymentMessage.DECLINED.value,
    PaymentState.CANCELLED: PaymentMessage.CANCELLED.value,
    PaymentState.EXPIRED: PaymentMessage.LAPSED.value,
}
_REFUNDS = {
    "SUCCESS": RefundState.DONE,
    "PENDING": RefundState.PENDING,
    "ONHOLD": RefundState.PENDING,
    "CANCELLED": RefundState.FAILED,
    "FAILED": RefundState.FAILED,
}
_LONGEST_URL, _LONGEST_NOTE = 250, 100


def order_body(request: CheckoutRequest, now: datetime) -> dict[str, Any]:
    """Return the order to create. Of the customer Cashfree gets the phone number, and no more."""
    shortest = now + timedelta(seconds=SHORTEST_CHECKOUT_SECONDS)
    expires_at = max(request.expires_at, shortest).astimezone(CAMPUS_TIME_ZONE)
    meta = {"return_url": request.return_url}
    if request.notice_url.startswith("https://") and len(request.notice_url) <= _LONGEST_URL:
        meta["notify_url"] = request.notice_url
    return {
        "order_id": request.reference,
        "order_amount": json_number(request.amount),
        "order_currency": CURRENCY,
        "order_expiry_time": expires_at.isoformat(timespec="seconds"),
        "customer_details": {
            "customer_id": re.sub(r"[^A-Za-z0-9]", "", request.reference),
            "customer_phone": request.customer_phone.removeprefix(PHONE_PREFIX),
        },
        "order_meta": meta,
        "order_tags": {"order_number": request.order_number},
    }


def refund_body(refund: Refund) -> dict[str, Any]:
    """Return the refund to make."""
    return {
        "refund_id": refund.id,
        "refund_amount": json_number(refund.amount),
        "refund_note": refund.note[:_LONGEST_NOTE],
        "refund_speed": "STANDARD",
    }


def object_of(answer: Any) -> Json:
    """Return an answer that is one thing, or an empty one."""
    return cast("Json", answer) if isinstance(answer, dict) else {}


def objects_of(answer: Any) -> list[Json] | None:
    """Return an answer that is a list of things, or None."""
    things = cast("list[Any]", answer) if isinstance(answer, list) else None
    return None if things is None else [thing for each in things if (thing := object_of(each))]


def amount_of(thing: Json, name: str) -> Rupees | None:
    """Return an amount, or None if it is none that can be."""
    value = thing.get(name)
    if isinstance(value, bool) or not isinstance(value, (int, str, Decimal)):
        return None
    try:
        return rupees(value)
    except ValueError:
        return None


def snapshot_of(order: Json, attempts: Sequence[Json]) -> Snapshot:
    """Return what Cashfree's order and its attempts amount to."""
    status = str(order.get("order_status"))
    if status == PAID:
        return _paid(order, [each for each in attempts if status_of(each) == "SUCCESS"])
    if status in _OVER and not any(status_of(each) in _STILL_OPEN for each in attempts):
        state = PaymentState.EXPIRED
    elif status in _OVER or status in _UNDECIDED:
        state = _state_of_attempts(attempts)
    else:
        logger.error("cashfree: an order's status that we do not know")
        return Snapshot(None)
    return Snapshot(state, reason=_REASONS.get(state, "") if state else "")


def _paid(order: Json, successes: Sequence[Json]) -> Snapshot:
    """Compare the order's amount, not the attempt's: that may hold a surcharge on top."""
    first, *others = sorted(successes, key=_time) or [{}]
    amount, currency = amount_of(order, "order_amount"), str(order.get("order_currency"))
    taken = amount_of(first, "payment_amount") if first else amount
    if amount is None or taken is None or taken < amount:
        amount = taken
    if first and str(first.get("payment_currency", currency)) != currency:
        currency = str(first["payment_currency"])
    again = (amount_of(each, "payment_amount") or ZERO for each in others)
    return Snapshot(
        PaymentState.PAID,
        paid=amount,
        currency=currency,
        provider_payment_id=str(first.get("cf_payment_id") or order.get("cf_order_id") or ""),
        surplus=sum(again, ZERO),
    )


def _state_of_attempts(attempts: Sequence[Json]) -> PaymentState | None:
    """Return where the newest attempt stands; any attempt that is open may still succeed."""
    statuses = [status_of(each) for each in sorted(attempts, key=_time)]
    if any(status not in _ATTEMPTS for status in statuses):
        logger.error("cashfree: an attempt's status that we do not know")
        return None
    if not statuses or not _STILL_OPEN.isdisjoint(statuses):
        return PaymentState.PENDING
    return _ATTEMPTS[statuses[-1]]


def status_of(attempt: Json) -> str:
    """Return how far an attempt is, in Cashfree's word."""
    return str(attempt.get("payment_status"))


def _time(attempt: Json) -> float:
    try:
        return datetime.fromisoformat(str(attempt.get("payment_time"))).timestamp()
    except ValueError:
        return 0.0


def refund_state_of(refund: Json) -> RefundState:
    """Return how far a refund is; what we do not know is not over."""
    state = _REFUNDS.get(str(refund.get("refund_status")))
    if state is None:
        logger.error("cashfree: a refund's status that we do not know")
    return state or RefundState.PENDING
