"""The payment of an order: its states, and what the provider's word does to them."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from enum import StrEnum

from campus_app.domain.constants import CURRENCY, PAYMENT_WATCH_AFTER_EXPIRY_SECONDS
from campus_app.domain.messages import PaymentMessage, RefundReason
from campus_app.domain.money import LARGEST_AMOUNT, ZERO, Rupees
from campus_app.domain.order import OrderState


class PaymentState(StrEnum):
    """Where a payment stands with us. PAID is final: nothing takes it back."""

    PENDING = "pending"
    FAILED = "failed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    PAID = "paid"


class PublicStatus(StrEnum):
    """What the order-status call says. Source: specification C3.9."""

    SUCCESS = "SUCCESS"
    PENDING = "PENDING"
    FAILED = "FAILED"
    CANCELLED = "CANCELLED"
    EXPIRED = "EXPIRED"
    NOT_FOUND = "NOT_FOUND"


PUBLIC_STATUS = {
    PaymentState.PENDING: PublicStatus.PENDING,
    PaymentState.FAILED: PublicStatus.FAILED,
    PaymentState.CANCELLED: PublicStatus.CANCELLED,
    PaymentState.EXPIRED: PublicStatus.EXPIRED,
    PaymentState.PAID: PublicStatus.SUCCESS,
}


def public_status(payment: PaymentState, order: OrderState) -> PublicStatus:
    """Return the status that callers see: money that goes back has not paid for an order."""
    if payment is PaymentState.PAID and order is OrderState.REFUND_DUE:
        return PublicStatus.FAILED
    return PUBLIC_STATUS[payment]


FAILURE_MESSAGE = {
    PublicStatus.FAILED: PaymentMessage.DECLINED,
    PublicStatus.CANCELLED: PaymentMessage.CANCELLED,
    PublicStatus.EXPIRED: PaymentMessage.LAPSED,
}


@dataclass(frozen=True)
class Payment:
    """The one payment of an order; `reference` is what the provider knows it by."""

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
    """What the provider calls the attempt that paid."""
    paid_at: datetime | None = None
    paid: Rupees | None = None
    """What has arrived, also where that is not the amount; None for nothing, or for what no sum of
    ours can say."""


@dataclass(frozen=True)
class ReportedMoney:
    """An amount and its currency in a provider's answer.

    `amount` is None and `currency` is empty where the answer omits them or cannot be read.
    """

    amount: Rupees | None
    currency: str

    @property
    def is_readable(self) -> bool:
        """Whether both the amount and the currency are known."""
        return self.amount is not None and bool(self.currency)

    def contradicts(self, amount: Rupees) -> bool:
        """Whether a figure that can be read is another than this amount in our currency."""
        is_other_amount = self.amount is not None and self.amount != amount
        return is_other_amount or self.currency not in {"", CURRENCY}


UNREADABLE_MONEY = ReportedMoney(None, "")


@dataclass(frozen=True)
class PaidAttempt:
    """An attempt that succeeded, as the provider reports it; `id` is empty if it has none."""

    id: str
    reference: str
    """The order that the attempt belongs to."""
    taken: ReportedMoney


@dataclass(frozen=True)
class Snapshot:
    """The provider's answer about a payment at one moment, parsed and not yet compared.

    `state` is None where the provider's status is unknown to us: nothing changes then.
    """

    state: PaymentState | None
    paid: Rupees | None = None
    """What the attempt that succeeded took; None if that is unknown."""
    currency: str = CURRENCY
    """The currency of `paid`; empty if that is unknown."""
    provider_payment_id: str = ""
    reason: str = ""
    surplus: Rupees = ZERO
    """What was paid on top by a second attempt: it goes back."""
    has_unread_surplus: bool = False
    """Whether a second attempt took a sum that cannot be read, or in another currency."""
    ordered: tuple[ReportedMoney, ...] = ()
    """The order's own amount, wherever the answer states it apart from `paid`."""

    @property
    def paid_rupees(self) -> Rupees | None:
        """What was paid in our currency."""
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


def can_move(current: PaymentState, wanted: PaymentState) -> bool:
    """Whether a payment may go from one state to another; from PAID it goes nowhere.

    Source: specification M10, P1.3, P1.10, P1.16.
    """
    return wanted in _NEXT[current]


def states_before(wanted: PaymentState) -> frozenset[PaymentState]:
    """Return the states from which a payment may reach this one."""
    return frozenset(state for state in PaymentState if can_move(state, wanted))


def state_said(payment: Payment, snapshot: Snapshot, now: datetime) -> PaymentState | None:
    """Return the state that the provider's word amounts to, or None if nothing was learnt.

    Whatever is unpaid when its time is over has lapsed; money may still arrive afterwards.
    """
    if snapshot.state is not PaymentState.PAID and now >= payment.expires_at:
        return PaymentState.EXPIRED
    return snapshot.state


@dataclass(frozen=True)
class Settlement:
    """What becomes of the order when its money arrives."""

    order_state: OrderState
    refund_reason: RefundReason | None = None


class Agreement(StrEnum):
    """How the figures of a provider's answer compare with the order."""

    AGREES = "agrees"
    CONTRADICTS = "contradicts"
    """The money that arrived is not known to be the order's: it goes back."""
    UNREADABLE = "unreadable"
    """What arrived cannot be read and nothing contradicts: ask again, and tell operators."""


def agreement(payment: Payment, snapshot: Snapshot) -> Agreement:
    """Return how an answer that says PAID compares with the order; every figure must agree.

    An attempt may take more than the order's amount, a surcharge, only where the answer states
    the order's own amount as well.

    Source: specification M10, M11, P3.1.
    """
    due = ReportedMoney(payment.amount, CURRENCY)
    taken = ReportedMoney(snapshot.paid, snapshot.currency)
    if all(each == due for each in snapshot.ordered) and (
        taken == due or (snapshot.ordered and _is_surcharged(payment, snapshot))
    ):
        return Agreement.AGREES
    if taken.is_readable or any(
        each.contradicts(payment.amount) for each in (*snapshot.ordered, taken)
    ):
        return Agreement.CONTRADICTS
    return Agreement.UNREADABLE


def _is_surcharged(payment: Payment, snapshot: Snapshot) -> bool:
    taken = snapshot.paid
    return taken is not None and taken > payment.amount and snapshot.currency == CURRENCY


def to_record(payment: Payment, snapshot: Snapshot) -> Snapshot:
    """Return the answer with the sum to record as paid: no surcharge, no sum of no currency."""
    if agreement(payment, snapshot) is Agreement.AGREES:
        return replace(snapshot, paid=payment.amount)
    return snapshot if snapshot.currency else replace(snapshot, paid=None)


def paid_snapshot(
    reference: str, ordered: Sequence[ReportedMoney], attempts: Sequence[PaidAttempt]
) -> Snapshot:
    """Return the answer about an order that its provider calls paid.

    Args:
        reference: What the provider knows the payment by.
        ordered: The order's own amount, wherever the answer states it.
        attempts: Those that succeeded, the earliest first: it pays, the others are surplus. An
            attempt that the answer repeats counts once. If one belongs to another order, or one
            id has two sums, what was paid is unknown.
    """
    by_id: dict[str, PaidAttempt] = {}
    for number, each in enumerate(attempts):
        same = by_id.setdefault(each.id or f"unnamed {number}", each)
        if each.reference != reference or same != each:
            by_id = {}
            break
    first, *others = by_id.values() or [PaidAttempt("", reference, UNREADABLE_MONEY)]
    sums = [each.taken.amount if each.taken.currency == CURRENCY else None for each in others]
    known = [each for each in sums if each is not None]
    surplus = sum(known, ZERO)
    is_possible = surplus <= LARGEST_AMOUNT
    return Snapshot(
        PaymentState.PAID,
        paid=first.taken.amount,
        currency=first.taken.currency,
        provider_payment_id=first.id,
        surplus=surplus if is_possible else ZERO,
        has_unread_surplus=None in sums or not is_possible,
        ordered=tuple(ordered),
    )


def settle(
    payment: Payment,
    order_state: OrderState,
    snapshot: Snapshot,
    *,
    is_forced_closed: bool,
    has_seats: bool = True,
) -> Settlement:
    """Return whether an order is confirmed by the money that arrived, or the money goes back.

    A restaurant that closed by its hours after the order was prepared still cooks it; only the
    operator's switch refuses it. `has_seats` is about orders with a table.

    Source: specification M10, M11.
    """
    reason: RefundReason | None = None
    if agreement(payment, snapshot) is not Agreement.AGREES:
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
        return Settlement(OrderState.CONFIRMED)
    return Settlement(OrderState.REFUND_DUE, reason)


_SHORTEST_CHECK = timedelta(seconds=10)
_LONGEST_CHECK = timedelta(seconds=45)
_CHECK_AFTER_EXPIRY = timedelta(minutes=5)


def next_check(payment: Payment, now: datetime) -> datetime | None:
    """Return when to ask the provider again of its own accord, or None for never.

    While an order can be paid it is asked at least every 45 s, so that a payment whose webhook
    was lost is found within a minute; then for half an hour more, since an attempt may end late.
    What is paid is asked after once more.

    Source: specification P5.1.
    """
    if payment.state is PaymentState.PAID:
        return last_check(payment, now) if now < payment.expires_at else None
    if now < payment.expires_at:
        age = now - payment.created_at
        return now + min(max(age / 2, _SHORTEST_CHECK), _LONGEST_CHECK)
    watched_until = payment.expires_at + timedelta(seconds=PAYMENT_WATCH_AFTER_EXPIRY_SECONDS)
    return now + _CHECK_AFTER_EXPIRY if now < watched_until else None


def last_check(payment: Payment, paid_at: datetime) -> datetime:
    """Return when to ask after a payment, paid at a moment, for the last time.

    Somebody may pay twice, in two tabs, and the second notice be lost like any other: by then all
    attempts have ended. Source: specification M11.
    """
    return max(payment.expires_at, paid_at) + _CHECK_AFTER_EXPIRY
