"""Conversion between Cashfree's JSON and our domain objects; performs no I/O.

Source: Cashfree API reference, orders, payments and refunds.
"""

import json
import logging
import math
import re
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from decimal import Decimal, InvalidOperation
from typing import Any, cast

from campus_app.ordering.rules.customer import PHONE_PREFIX
from campus_app.ordering.rules.payment import (
    UNREADABLE_MONEY,
    PaidAttempt,
    PaymentState,
    ReportedMoney,
    Snapshot,
    paid_snapshot,
)
from campus_app.ordering.rules.payment_provider import CheckoutRequest, Refund
from campus_app.ordering.rules.refund import RefundState, ReportedRefund
from campus_app.shared.rules.constants import (
    CAMPUS_TIME_ZONE,
    CURRENCY,
    MINIMUM_CHECKOUT_SECONDS,
)
from campus_app.shared.rules.messages import PaymentMessage
from campus_app.shared.rules.money import (
    json_number,
    parse_reported_amount,
    parse_reported_currency,
)

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
    "SUCCESS": PaymentState.PENDING,  # only the order's own status makes it paid
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
_IDENTIFIER = re.compile(r"[A-Za-z0-9_-]{1,64}", re.ASCII)
_LONGEST_URL, _LONGEST_NOTE = 250, 100
"""Cashfree's limits in characters."""


def order_body(request: CheckoutRequest, now: datetime) -> dict[str, Any]:
    """Return the body that creates an order. Of the customer it contains the phone number only."""
    shortest = now + timedelta(seconds=MINIMUM_CHECKOUT_SECONDS)
    expires_at = max(request.expires_at, shortest).astimezone(CAMPUS_TIME_ZONE)
    meta = {"return_url": request.return_url}
    # Cashfree accepts no other address; it still calls the webhook that its dashboard has.
    if request.webhook_url.startswith("https://") and len(request.webhook_url) <= _LONGEST_URL:
        meta["notify_url"] = request.webhook_url
    return {
        "order_id": request.reference,
        "order_amount": json_number(request.amount),
        "order_currency": CURRENCY,
        "order_expiry_time": expires_at.isoformat(timespec="seconds"),
        "customer_details": {
            # Required; without accounts, each payment has a customer of its own.
            "customer_id": re.sub(r"[^A-Za-z0-9]", "", request.reference),
            "customer_phone": request.customer_phone.removeprefix(PHONE_PREFIX),
        },
        "order_meta": meta,
        "order_tags": {"order_number": request.order_number},
    }


def refund_body(refund: Refund) -> dict[str, Any]:
    """Return the body that requests a refund."""
    return {
        "refund_id": refund.id,
        "refund_amount": json_number(refund.amount),
        "refund_note": refund.note[:_LONGEST_NOTE],
        "refund_speed": "STANDARD",
    }


def as_object(answer: Any) -> Json:
    """Return an answer if it is a JSON object, else an empty one."""
    return cast("Json", answer) if isinstance(answer, dict) else {}


def as_objects(answer: Any) -> list[Json] | None:
    """Return the JSON objects of an array, without its other elements; None for another answer."""
    if not isinstance(answer, list):
        return None
    return [each for each in map(as_object, cast("list[Any]", answer)) if each]


def money_of(answer: Json, amount: str, currency: str) -> ReportedMoney:
    """Return the money that two members of a JSON object state."""
    return ReportedMoney(
        parse_reported_amount(answer.get(amount)), parse_reported_currency(answer.get(currency))
    )


def order_money(order: Json) -> ReportedMoney:
    """Return the amount of a Cashfree order."""
    return money_of(order, "order_amount", "order_currency")


def parse_identifier(value: object) -> str:
    """Return one of Cashfree's ids, text or integer, as text; "" if it is invalid."""
    text = str(value) if type(value) is int else value
    return text if isinstance(text, str) and _IDENTIFIER.fullmatch(text) else ""


def parse_json(body: bytes) -> Any:
    """Parse Cashfree's JSON with exact numbers; numbers without an exact value become NaN.

    A duplicate member with different values becomes a list of both, so that neither is used.

    Raises:
        ValueError, RecursionError: If it is not valid JSON.
    """
    return json.loads(
        body, parse_float=_decimal, parse_int=_whole, object_pairs_hook=_object_of_pairs
    )


def _decimal(text: str) -> Decimal | float:
    try:
        return Decimal(text)
    except InvalidOperation:  # the exponent exceeds the limits of Decimal
        return math.nan


def _whole(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:  # more digits than Python converts
        return math.nan


def _object_of_pairs(pairs: Sequence[tuple[str, Any]]) -> Json:
    members: dict[str, Any] = {}
    for name, value in pairs:
        is_other = name in members and members[name] != value
        members[name] = [members[name], value] if is_other else value
    return members


def snapshot_of(order: Json, attempts: Sequence[Json]) -> Snapshot:
    """Return the snapshot that follows from Cashfree's order and its attempts.

    An unknown status changes nothing: its snapshot has no state.
    """
    status = str(order.get("order_status"))
    if status == PAID:
        return _paid(order, [each for each in attempts if status_of(each) == "SUCCESS"])
    if status in _OVER and not any(status_of(each) in _STILL_OPEN for each in attempts):
        state = PaymentState.EXPIRED
    elif status in _OVER or status in _UNDECIDED:
        state = _state_of_attempts(attempts)
    else:
        logger.error("cashfree: unknown order status")
        return Snapshot(None)
    return Snapshot(state, reason=_REASONS.get(state, "") if state else "")


def _paid(order: Json, successes: Sequence[Json]) -> Snapshot:
    """Return the snapshot of a paid order; the domain compares its amounts."""
    ordered, earliest_first = order_money(order), sorted(successes, key=_time)
    stated = [ordered, *(_order_money_in(each, ordered) for each in earliest_first)]
    attempts = [
        PaidAttempt(
            id=parse_identifier(each.get("cf_payment_id")),
            reference=parse_identifier(each.get("order_id")),
            taken=_taken(each),
        )
        for each in earliest_first
    ]
    return paid_snapshot(str(order["order_id"]), stated, attempts)


def _order_money_in(attempt: Json, ordered: ReportedMoney) -> ReportedMoney:
    """Return the order's amount as an attempt states it; what it omits is as the order has it."""
    stated = {"order_amount": ordered.amount, "order_currency": ordered.currency}
    stated |= {name: attempt[name] for name in stated if attempt.get(name) is not None}
    return order_money(stated)


def _taken(attempt: Json) -> ReportedMoney:
    """Return the amount of an attempt; unreadable if it was authorised but not captured."""
    is_captured = attempt.get("is_captured")
    if is_captured is not None and is_captured is not True:
        return UNREADABLE_MONEY
    return money_of(attempt, "payment_amount", "payment_currency")


def _state_of_attempts(attempts: Sequence[Json]) -> PaymentState | None:
    """Return the state of the newest attempt; PENDING while any attempt is open."""
    statuses = [status_of(each) for each in sorted(attempts, key=_time)]
    if any(status not in _ATTEMPTS for status in statuses):
        logger.error("cashfree: unknown attempt status")
        return None
    if not statuses or not _STILL_OPEN.isdisjoint(statuses):
        return PaymentState.PENDING
    return _ATTEMPTS[statuses[-1]]


def status_of(attempt: Json) -> str:
    """Return the attempt's `payment_status`."""
    return str(attempt.get("payment_status"))


def _time(attempt: Json) -> float:
    try:
        return datetime.fromisoformat(str(attempt.get("payment_time"))).timestamp()
    except (ValueError, OverflowError, OSError):
        return 0.0


def reported_refund(refund: Json) -> ReportedRefund:
    """Return a refund as Cashfree reports it; an unknown status counts as pending."""
    state = _REFUNDS.get(str(refund.get("refund_status")))
    if state is None:
        logger.error("cashfree: unknown refund status")
    money = money_of(refund, "refund_amount", "refund_currency")
    return ReportedRefund(
        state=state or RefundState.PENDING,
        id=parse_identifier(refund.get("refund_id")),
        reference=parse_identifier(refund.get("order_id")),
        amount=money.amount,
        currency=money.currency,
    )
