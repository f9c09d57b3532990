"""The timeline of an order: all that is stored about what happened to it, in one list.

Source: specification 11.8.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from campus_app.operators.rules.attention import AttentionKind, without_addresses
from campus_app.operators.rules.order_admin import NotificationRecord, PaymentRecord
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.order import Order
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundRecord, RefundState
from campus_app.ordering.rules.shortage import Shortage, ShortageAnswer
from campus_app.shared.rules.audit import AuditAction, AuditEntry
from campus_app.shared.rules.money import Rupees


@dataclass(frozen=True)
class PressRecord:
    """A press on a kitchen board; one without effect came too late."""

    at: datetime
    device_id: str
    saw: CookingState
    target: CookingState
    has_effect: bool


@dataclass(frozen=True)
class Settled:
    """That somebody has settled why an order needed attention."""

    order_id: str
    kind: AttentionKind
    note: str
    actor: str
    at: datetime


@dataclass(frozen=True)
class OrderFile:
    """Everything about an order that the desk shows."""

    order: Order
    payment: PaymentRecord
    opened_at: datetime | None
    """When the payment page was opened."""
    notifications: Sequence[NotificationRecord]
    presses: Sequence[PressRecord]
    shortages: Sequence[Shortage]
    refunds: Sequence[RefundRecord]
    settled: Sequence[Settled]
    audit: Sequence[AuditEntry]
    cooking: CookingState

    @property
    def refund_due(self) -> bool:
        """Whether money waits for an operator to give it back."""
        return any(each.state is RefundState.DUE for each in self.refunds)


class EntryKind(StrEnum):
    """What happened."""

    PLACED = "placed"
    OPENED = "opened"
    PAID = "paid"
    NOT_PAID = "not_paid"
    SENT = "sent"
    WAITS = "waits"
    GIVEN_UP = "given_up"
    PRESSED = "pressed"
    SHORT = "short"
    ANSWERED = "answered"
    REFUND_MARKED = "refund_marked"
    REFUND_ENDED = "refund_ended"
    SETTLED = "settled"
    DONE = "done"
    """An action of the audit trail."""


@dataclass(frozen=True)
class TimelineEntry:
    """Something that happened; `about` names it more exactly, `by` says who did it."""

    at: datetime
    kind: EntryKind
    about: str = ""
    detail: str = ""
    by: str = ""
    amount: Rupees | None = None
    details: Mapping[str, str] = field(default_factory=dict[str, str])


_PROGRESS: Final = {"done": EntryKind.SENT, "dead": EntryKind.GIVEN_UP}
"""What became of a job, by its state in the outbox; the others wait."""


_TOLD_BY_ROWS: Final = frozenset(
    {AuditAction.REPORT_SHORTAGE, AuditAction.ANSWER_SHORTAGE, AuditAction.SETTLE_ORDER}
)
"""Actions whose row is an entry already, with more to tell."""


def timeline(file: OrderFile) -> Sequence[TimelineEntry]:
    """Return all that happened to an order, the earliest first."""
    entries = [
        TimelineEntry(file.order.created_at, EntryKind.PLACED, amount=file.order.bill.grand_total),
        *_of_payment(file),
        *_of_notifications(file.notifications),
        *(
            TimelineEntry(
                each.at,
                EntryKind.PRESSED,
                each.target,
                "" if each.has_effect else "late",
                each.device_id,
            )
            for each in file.presses
        ),
        *_of_shortages(file.shortages),
        *_of_refunds(file.refunds),
        *(
            TimelineEntry(each.at, EntryKind.SETTLED, each.kind, each.note, each.actor)
            for each in file.settled
        ),
        *(
            TimelineEntry(each.at, EntryKind.DONE, each.action, by=each.actor, details=each.details)
            for each in file.audit
            if each.action not in _TOLD_BY_ROWS
        ),
    ]
    return sorted(entries, key=lambda each: each.at)


def _of_payment(file: OrderFile) -> Iterator[TimelineEntry]:
    payment = file.payment
    if file.opened_at is not None:
        yield TimelineEntry(file.opened_at, EntryKind.OPENED, amount=payment.amount)
    if payment.paid_at is not None:
        yield TimelineEntry(
            payment.paid_at, EntryKind.PAID, detail=payment.provider_payment_id, amount=payment.paid
        )
    elif payment.state is not PaymentState.PENDING:
        yield TimelineEntry(payment.expires_at, EntryKind.NOT_PAID, payment.state, payment.reason)


def _of_notifications(records: Sequence[NotificationRecord]) -> Iterator[TimelineEntry]:
    for each in records:
        about, words = each.topic, without_addresses(each.last_error)
        details = {"attempts": str(each.attempts)}
        kind = _PROGRESS.get(each.state, EntryKind.WAITS)
        yield TimelineEntry(each.done_at or each.planned_at, kind, about, words, details=details)


def _of_shortages(shortages: Sequence[Shortage]) -> Iterator[TimelineEntry]:
    for each in shortages:
        yield TimelineEntry(each.asked_at, EntryKind.SHORT, each.name, each.reason, each.device_id)
        if each.answer is not ShortageAnswer.OPEN and each.answered_at is not None:
            yield TimelineEntry(each.answered_at, EntryKind.ANSWERED, each.name, each.answer)


def _of_refunds(refunds: Sequence[RefundRecord]) -> Iterator[TimelineEntry]:
    for each in refunds:
        yield TimelineEntry(
            each.marked_at, EntryKind.REFUND_MARKED, each.state, each.reason, amount=each.amount
        )
        if each.completed_at is not None:
            yield TimelineEntry(
                each.completed_at, EntryKind.REFUND_ENDED, each.state, amount=each.amount
            )
