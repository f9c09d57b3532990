"""How far the three notices of a paid order have come."""

from dataclasses import dataclass
from enum import StrEnum

from campus_app.domain.order import OrderState


class Notice(StrEnum):
    """Who is told of an order's money, and how; the value is the outbox's topic."""

    CUSTOMER_MAIL = "mail.customer"
    VENDOR_MAIL = "mail.vendor"
    VENDOR_CALL = "call.vendor"


def notices_due(state: OrderState) -> tuple[Notice, ...]:
    """Return who is told once an order's money has arrived.

    An order that can't be honoured is told to the customer alone.

    Source: DECISIONS S9, M11.
    """
    if state is OrderState.CONFIRMED:
        return tuple(Notice)
    return (Notice.CUSTOMER_MAIL,) if state is OrderState.REFUND_DUE else ()


class NoticeState(StrEnum):
    """One notice's progress."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"


class MissedCallStatus(StrEnum):
    """Source: CONTRACT HTTP, order-status."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILED = "failed"


@dataclass(frozen=True)
class NoticeStatus:
    """What the confirmation shows. Source: specification 3, notification status."""

    emails_sent: int
    email_errors: tuple[str, ...]
    missed_call: MissedCallStatus


_MISSED_CALL = {
    NoticeState.PENDING: MissedCallStatus.PENDING,
    NoticeState.SENT: MissedCallStatus.SUCCESS,
    NoticeState.FAILED: MissedCallStatus.FAILED,
}


def notice_status(
    customer: NoticeState, vendor: NoticeState, missed_call: NoticeState
) -> NoticeStatus:
    """Return how many mails went out, the customer's counted first.

    One of two reads 'Customer notified' on the screen, so a vendor's mail alone counts as none.

    Source: specification 2, order confirmation.
    """
    sent = 0
    if customer is NoticeState.SENT:
        sent = 2 if vendor is NoticeState.SENT else 1
    errors = tuple(
        f"The mail to the {name} could not be delivered."
        for name, state in (("customer", customer), ("vendor", vendor))
        if state is NoticeState.FAILED
    )
    return NoticeStatus(sent, errors, _MISSED_CALL[missed_call])
