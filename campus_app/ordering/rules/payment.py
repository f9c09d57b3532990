"""The payment of an order: its states, and how a provider's answer changes them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.constants import (
    CURRENCY,
    PAYMENT_LIFETIME_SECONDS,
    PAYMENT_POLL_AFTER_EXPIRY_SECONDS,
)
from campus_app.shared.rules.messages import PaymentMessage, RefundReason
from campus_app.shared.rules.money import LARGEST_AMOUNT, ZERO, Rupees


class PaymentState(StrEnum):
    """The state of a payment. PAID is final."""

    PENDING = "pending"
    FAILED = "failed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    PAID = "paid"


class PublicStatus(StrEnum):
    """The status that the order-status call returns. Source: specification C3.9."""

    SUCCESS = "SUCCESS"
    PENDING = "PENDING"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    NOT_FOUND = "NOT_FOUND"


def public_status(payment: PaymentState, order: OrderState) -> PublicStatus:
    """Return the public status; a payment that is refunded counts as FAILED."""
    if payment is not PaymentState.PAID:
        return PublicStatus[payment.name]
    return PublicStatus.FAILED if order is OrderState.REFUND_DUE else PublicStatus.SUCCESS


FAILURE_MESSAGE = {
    PublicStatus.FAILED: PaymentMessage.DECLINED,
    PublicStatus.CANCELLED: PaymentMessage.CANCELLED,
    PublicStatus.EXPIRED: PaymentMessage.LAPSED,
}


@dataclass(frozen=True)
class Payment:
    """The payment of an order; `reference` is the provider's key of it."""

    id: str
    order_id: str
    provider: str
    reference: str
    amount: Rupees
    state: PaymentState
    created_at: datetime
    expires_at: datetime
    reason: str = ""
    provider_payment_id: str = ""
    """The provider's id of the successful attempt."""
    paid_at: datetime | None = None
    paid: Rupees | None = None
    """The amount received, even if it differs from `amount`; None if nothing was received or the
    amount is unknown."""


def payment_expiry(placed_at: datetime) -> datetime:
    """Return until when an order that is placed now can be paid."""
    return placed_at + timedelta(seconds=PAYMENT_LIFETIME_SECONDS)


@dataclass(frozen=True)
class ReportedMoney:
    """An amount and its currency in a provider's answer.

    `amount` is None and `currency` is empty if the answer omits them or they cannot be read.
    """

    amount: Rupees | None
    currency: str

    @property
    def is_readable(self) -> bool:
        """Whether both the amount and the currency are known."""
        return self.amount is not None and bool(self.currency)

    def contradicts(self, amount: Rupees) -> bool:
        """Whether the amount or currency is readable and differs from this amount in INR."""
        is_other_amount = self.amount is not None and self.amount != amount
        return is_other_amount or self.currency not in {"", CURRENCY}


UNREADABLE_MONEY = ReportedMoney(None, "")


@dataclass(frozen=True)
class PaidAttempt:
    """A successful attempt as the provider reports it; `id` is empty if it has none."""

    id: str
    reference: str
    """The payment that the attempt belongs to."""
    taken: ReportedMoney


@dataclass(frozen=True)
class Snapshot:
    """The provider's answer about a payment, parsed but not yet compared with the order.

    `state` is None if the provider's status is unknown; it then changes nothing.
    """

    state: PaymentState | None
    paid: Rupees | None = None
    """The amount of the successful attempt; None if unknown."""
    currency: str = CURRENCY
    """The currency of `paid`; empty if unknown."""
    provider_payment_id: str = ""
    reason: str = ""
    surplus: Rupees = ZERO
    """The amount of further successful attempts, which is refunded."""
    has_unread_surplus: bool = False
    """Whether a further attempt has an unreadable amount or another currency."""
    ordered: tuple[ReportedMoney, ...] = ()
    """The order's own amount, wherever the answer states it apart from `paid`."""

    @property
    def paid_rupees(self) -> Rupees | None:
        """The amount paid, if it is in INR."""
        return self.paid if self.currency == CURRENCY else None


_NEXT: dict[PaymentState, frozenset[PaymentState]] = {
    PaymentState.PENDING: frozenset(
        {PaymentState.FAILED, PaymentState.CANCELLED, PaymentState.EXPIRED, PaymentState.PAID}
    ),
    PaymentState.FAILED: frozenset(
        {PaymentState.PENDING, PaymentState.CANCELLED, PaymentState.EXPIRED, PaymentState.PAID}
    ),
    PaymentState.CANCELLED: frozenset(
        {PaymentState.PENDING, PaymentState.FAILED, PaymentState.EXPIRED, PaymentState.PAID}
    ),
    PaymentState.EXPIRED: frozenset({PaymentState.PAID}),
    PaymentState.PAID: frozenset(),
}


def can_transition(current: PaymentState, target: PaymentState) -> bool:
    """Whether a payment may change from one state to another.

    Source: specification M10, P1.3, P1.10, P1.16.
    """
    return target in _NEXT[current]


def states_before(target: PaymentState) -> frozenset[PaymentState]:
    """Return the states from which a payment may change to this one."""
    return frozenset(state for state in PaymentState if can_transition(state, target))


def reported_state(payment: Payment, snapshot: Snapshot, now: datetime) -> PaymentState | None:
    """Return the state that follows from the provider's answer, or None if it is unknown.

    A payment that is unpaid at its expiry is EXPIRED; money may still arrive afterwards.
    """
    if snapshot.state is not PaymentState.PAID and now >= payment.expires_at:
        return PaymentState.EXPIRED
    return snapshot.state


@dataclass(frozen=True)
class OrderOutcome:
    """The order's state once its payment has arrived, and why it is refunded if it is."""

    order_state: OrderState
    refund_reason: RefundReason | None = None


class AmountMatch(StrEnum):
    """How the amounts of a provider's answer compare with the order."""

    MATCHES = "agrees"
    MISMATCHES = "contradicts"
    """The payment is not known to be the order's: it is refunded."""
    UNREADABLE = "unreadable"
    """The amounts cannot be read and none contradicts: poll again and log an error."""


def match_amounts(payment: Payment, snapshot: Snapshot) -> AmountMatch:
    """Compare a PAID answer with the order; every stated amount must match.

    An attempt may take more than the order's amount (a surcharge) only if the answer states the
    order's own amount as well.

    Source: specification M10, M11, P3.1.
    """
    expected = ReportedMoney(payment.amount, CURRENCY)
    taken = ReportedMoney(snapshot.paid, snapshot.currency)
    if all(each == expected for each in snapshot.ordered) and (
        taken == expected or (snapshot.ordered and _is_surcharged(payment, snapshot))
    ):
        return AmountMatch.MATCHES
    if taken.is_readable or any(
        each.contradicts(payment.amount) for each in (*snapshot.ordered, taken)
    ):
        return AmountMatch.MISMATCHES
    return AmountMatch.UNREADABLE


def _is_surcharged(payment: Payment, snapshot: Snapshot) -> bool:
    taken = snapshot.paid
    return taken is not None and taken > payment.amount and snapshot.currency == CURRENCY


def with_recorded_amount(payment: Payment, snapshot: Snapshot) -> Snapshot:
    """Return the answer with the amount to record: without a surcharge, None without a currency."""
    if match_amounts(payment, snapshot) is AmountMatch.MATCHES:
        return replace(snapshot, paid=payment.amount)
    return snapshot if snapshot.currency else replace(snapshot, paid=None)


def paid_snapshot(
    reference: str, ordered: Sequence[ReportedMoney], attempts: Sequence[PaidAttempt]
) -> Snapshot:
    """Return the snapshot of an order that its provider reports as paid.

    Args:
        reference: The provider's key of the payment.
        ordered: The order's own amount, wherever the answer states it.
        attempts: The successful ones, earliest first: the first pays, the others are surplus.
            A repeated attempt counts once. If one belongs to another order, or one id has two
            amounts, the amount paid is unknown.
    """
    by_id: dict[str, PaidAttempt] = {}
    for number, each in enumerate(attempts):
        known = by_id.setdefault(each.id or f"unnamed {number}", each)
        if each.reference != reference or known != each:
            by_id = {}
            break
    first, *others = by_id.values() or [PaidAttempt("", reference, UNREADABLE_MONEY)]
    amounts = [each.taken.amount if each.taken.currency == CURRENCY else None for each in others]
    surplus = sum((each for each in amounts if each is not None), ZERO)
    is_possible = surplus <= LARGEST_AMOUNT
    return Snapshot(
        PaymentState.PAID,
        paid=first.taken.amount,
        currency=first.taken.currency,
        provider_payment_id=first.id,
        surplus=surplus if is_possible else ZERO,
        has_unread_surplus=None in amounts or not is_possible,
        ordered=tuple(ordered),
    )


def decide_order_outcome(
    payment: Payment,
    order_state: OrderState,
    snapshot: Snapshot,
    *,
    is_forced_closed: bool,
    has_seats: bool = True,
) -> OrderOutcome:
    """Return whether a received payment confirms its order or is refunded.

    An order that was prepared before the restaurant's closing time is still cooked; only an
    operator's override refuses it. `has_seats` matters to orders with a table.

    Source: specification M10, M11.
    """
    reason: RefundReason | None = None
    if match_amounts(payment, snapshot) is not AmountMatch.MATCHES:
        reason = RefundReason.WRONG_AMOUNT
    elif order_state is OrderState.REPLACED:
        reason = RefundReason.PAID_TWICE
    elif payment.state is PaymentState.EXPIRED or order_state is OrderState.LAPSED:
        reason = RefundReason.PAID_LATE
    elif is_forced_closed:
        reason = RefundReason.RESTAURANT_CLOSED
    elif not has_seats:
        reason = RefundReason.SEATS_GONE
    if reason is None:
        return OrderOutcome(OrderState.CONFIRMED)
    return OrderOutcome(OrderState.REFUND_DUE, reason)


_MINIMUM_POLL_INTERVAL = timedelta(seconds=10)
_MAXIMUM_POLL_INTERVAL = timedelta(seconds=45)
_POLL_INTERVAL_AFTER_EXPIRY = timedelta(minutes=5)


def next_check(payment: Payment, now: datetime) -> datetime | None:
    """Return when to poll the provider next, or None for never.

    An order that can be paid is polled at least every 45 s, so that a payment whose webhook is
    lost is found within a minute; then for another half hour, since an attempt may end late. A
    paid one is polled once more.

    Source: specification P5.1.
    """
    if payment.state is PaymentState.PAID:
        return last_check(payment, now) if now < payment.expires_at else None
    if now < payment.expires_at:
        age = now - payment.created_at
        return now + min(max(age / 2, _MINIMUM_POLL_INTERVAL), _MAXIMUM_POLL_INTERVAL)
    polled_until = payment.expires_at + timedelta(seconds=PAYMENT_POLL_AFTER_EXPIRY_SECONDS)
    return now + _POLL_INTERVAL_AFTER_EXPIRY if now < polled_until else None


def last_check(payment: Payment, paid_at: datetime) -> datetime:
    """Return when to poll a payment for the last time after it was paid.

    A customer may pay twice, in two tabs, and the second webhook may be lost; all attempts have
    ended by then.

    Source: specification M11.
    """
    return max(payment.expires_at, paid_at) + _POLL_INTERVAL_AFTER_EXPIRY
