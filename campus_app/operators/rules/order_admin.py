"""Orders for operators: amounts and states, no personal data."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Final

from campus_app.ordering.rules.customer import contact_of
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.order_number import parse_order_number
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import Rupees
from kit.text import normalize_text

_SHORTEST_NAME: Final = 2


class OrderFilter(StrEnum):
    """Orders that need an operator's attention. Source: specification C1.9."""

    UNPAID = "unpaid"
    """Not paid, and not replaced by another order of the cart."""
    REFUND = "refund"
    """A refund is due."""
    FAILED_NOTIFICATIONS = "failed-notifications"
    """An e-mail or call was given up."""
    PAID_LATE = "paid-late"
    """Paid after the order had lapsed."""
    UNREADABLE = "unreadable"
    """The provider reports it as paid, with amounts that cannot be read."""
    UNSEEN = "unseen"
    """Paid, and no device of the kitchen has marked it as seen. Source: specification 10.29."""


@dataclass(frozen=True)
class OrderQuery:
    """A query for orders: at most `limit`, created since `since`, of a customer's `contact`.

    A contact is a phone number or e-mail address, as `contact_of` returns it. `name` is a part of a
    customer's name, `number` an order's number. What is empty or None does not restrict.
    """

    limit: int
    since: datetime | None = None
    only: OrderFilter | None = None
    contact: str = ""
    name: str = ""
    number: str = ""
    restaurant_id: int | None = None
    campus: Campus | None = None


@dataclass(frozen=True)
class OrderSummary:
    """One order of a list; amounts in rupees."""

    id: str
    number: str
    created_at: datetime
    restaurant_id: int
    restaurant_name: str
    campus: Campus
    state: OrderState
    payment_state: PaymentState
    grand_total: Rupees
    online: Rupees
    remaining: Rupees
    paid: Rupees | None
    refund_reason: str
    failed_notifications: tuple[str, ...]


def query_of(text: str, limit: int) -> OrderQuery | None:
    """Return the query for what somebody typed to find orders; None if it is too short.

    It is an order's number, an e-mail address, a phone number, or a part of a name.
    """
    line = normalize_text(text)
    if parse_order_number(line.upper()) is not None:
        return OrderQuery(limit, number=line.upper())
    if contact := contact_of(line):
        return OrderQuery(limit, contact=contact)
    if len(line) < _SHORTEST_NAME:
        return None
    return OrderQuery(limit, name=line)


@dataclass(frozen=True)
class OrderPage:
    """The newest orders of a query, and the total number of matches."""

    lines: Sequence[OrderSummary]
    total: int


@dataclass(frozen=True)
class OrderTotals:
    """Counts of orders, payments, refunds and outbox jobs by state."""

    orders: Mapping[OrderState, int]
    payments_pending: int
    """Unpaid payments that are still polled."""
    longest_pending: timedelta
    payments_unreadable: int
    """Payments that the provider reports as paid, with amounts that cannot be read."""
    orders_unseen: int
    """Paid orders that no device of their kitchen has marked as seen, five minutes later."""
    refunds: Mapping[RefundState, int]
    """Refunds that are not done."""
    jobs: Mapping[tuple[str, str], int]
    """Outbox jobs that are not done, by topic and state."""
    longest_job_delay: timedelta
    """How long the oldest waiting outbox job is overdue."""


@dataclass(frozen=True)
class PaymentRecord:
    """Everything stored about a payment."""

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
class NotificationRecord:
    """The progress of one e-mail or call."""

    topic: str
    state: str
    attempts: int
    last_error: str
    next_try_at: datetime | None
    planned_at: datetime
    """When its last attempt was due, or the next one is."""
    done_at: datetime | None


@dataclass(frozen=True)
class PurgedBatch:
    """How many orders a batch purged, and when the newest of them was placed."""

    orders: int
    reached: datetime | None = None
