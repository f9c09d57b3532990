"""Orders as the people who run the place look at them: money and states, no names."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum

from campus_app.domain.money import Rupees
from campus_app.domain.order import OrderState
from campus_app.domain.payment import PaymentState
from campus_app.domain.refund import RefundState


class OrderFilter(StrEnum):
    """Which orders want an operator's eye. Source: specification C1.9."""

    UNPAID = "unpaid"
    """Not paid, and no other order of the cart has taken its place."""
    REFUND = "refund"
    """Money that has to go back."""
    FAILED_NOTIFICATIONS = "failed-notifications"
    """A mail or call was given up."""
    PAID_LATE = "paid-late"
    """Money that arrived after the order had lapsed."""
    UNREADABLE = "unreadable"
    """The provider says paid, in figures that cannot be read."""


@dataclass(frozen=True)
class LedgerQuery:
    """Which orders are asked for."""

    limit: int
    since: datetime | None = None
    only: OrderFilter | None = None


@dataclass(frozen=True)
class LedgerLine:
    """One order in a list."""

    id: str
    number: str
    created_at: datetime
    restaurant_id: int
    restaurant_name: str
    state: OrderState
    payment_state: PaymentState
    grand_total: Rupees
    online: Rupees
    remaining: Rupees
    paid: Rupees | None
    refund_reason: str
    failed_notifications: tuple[str, ...]


@dataclass(frozen=True)
class LedgerPage:
    """The newest orders that were asked for, and how many there are."""

    lines: Sequence[LedgerLine]
    total: int


@dataclass(frozen=True)
class LedgerFigures:
    """How many stand where; what is over is counted of orders alone."""

    orders: Mapping[OrderState, int]
    payments_awaited: int
    """Payments that may still come, and that the provider is asked after."""
    longest_awaited: timedelta
    payments_unreadable: int
    """Payments that the provider calls paid in figures that cannot be read."""
    refunds: Mapping[RefundState, int]
    """Those that are not done."""
    effects: Mapping[tuple[str, str], int]
    """By topic and state; those that are done are not counted."""
    longest_overdue: timedelta
    """How late the effect is that should have been carried out first."""


@dataclass(frozen=True)
class PaymentRecord:
    """All that the books know of a payment."""

    provider: str
    reference: str
    provider_payment_id: str
    state: PaymentState
    reason: str
    amount: Rupees
    paid: Rupees | None
    paid_currency: str
    created_at: datetime
    expires_at: datetime
    paid_at: datetime | None


@dataclass(frozen=True)
class NoticeRecord:
    """How far one mail or call has come."""

    topic: str
    state: str
    attempts: int
    last_error: str
    next_try_at: datetime | None
    done_at: datetime | None


@dataclass(frozen=True)
class PurgedBatch:
    """How many orders have forgotten who placed them, and when the last of them was placed."""

    orders: int
    reached: datetime | None = None
