"""The payment of an order: its states, and what the provider's word does to them."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from campus_app.domain.constants import CURRENCY, PAYMENT_WATCH_AFTER_EXPIRY_SECONDS
from campus_app.domain.messages import PaymentMessage, RefundReason
from campus_app.domain.money import ZERO, Rupees
from campus_app.domain.order import OrderState


class PaymentState(StrEnum):
    """Where a payment stands with us. PAID is final: nothing takes it back."""

    PENDING = "pending"
    FAILED = "failed"
    CANCELLED = "cancelled"
    EXPIRED = "expired"
    PAID = "paid"


class PublicStatus(StrEnum):
    """What the order-status call says. Source: CONTRACT HTTP."""

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
class Snapshot:
    """The provider's word on a payment at one moment.

    `state` is None where the provider said something that we do not know: nothing changes then.
    """

    state: PaymentState | None
    paid: Rupees | None = None
    currency: str = CURRENCY
    provider_payment_id: str = ""
    reason: str = ""
    surplus: Rupees = ZERO
    """What was paid on top by a second attempt: it goes back."""

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

    Source: DECISIONS M10; research/payments-mail-calls 2, scenarios S3, S10, S16.
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

    Source: DECISIONS M10, M11.
    """
    reason: RefundReason | None = None
    if snapshot.paid != payment.amount or snapshot.currency != CURRENCY:
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

    Source: research/payments-mail-calls 5.6.
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
    attempts have ended. Source: DECISIONS M11.
    """
    return max(payment.expires_at, paid_at) + _CHECK_AFTER_EXPIRY
