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

    Source: specification S9, M11.
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
    """Source: specification C3.9."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILED = "failed"


_MISSED_CALL = {
    NoticeState.PENDING: MissedCallStatus.PENDING,
    NoticeState.SENT: MissedCallStatus.SUCCESS,
    NoticeState.FAILED: MissedCallStatus.FAILED,
}


@dataclass(frozen=True)
class NoticeStatus:
    """How far each notice of one order has come.

    Source: specification 3.14.
    """

    customer_mail: NoticeState = NoticeState.PENDING
    vendor_mail: NoticeState = NoticeState.PENDING
    vendor_call: NoticeState = NoticeState.PENDING

    def of(self, notice: Notice) -> NoticeState:
        """Return how far one of them has come."""
        return {
            Notice.CUSTOMER_MAIL: self.customer_mail,
            Notice.VENDOR_MAIL: self.vendor_mail,
            Notice.VENDOR_CALL: self.vendor_call,
        }[notice]

    @property
    def emails_sent(self) -> int:
        """How many mails went out, the customer's counted first.

        One of two reads 'Customer notified' on the screen, so a vendor's mail alone counts as none.

        Source: specification 2.46.
        """
        if self.customer_mail is not NoticeState.SENT:
            return 0
        return 2 if self.vendor_mail is NoticeState.SENT else 1

    @property
    def email_errors(self) -> tuple[str, ...]:
        """Which mails could not be delivered, a sentence each."""
        return tuple(
            f"The mail to the {name} could not be delivered."
            for name, state in (("customer", self.customer_mail), ("vendor", self.vendor_mail))
            if state is NoticeState.FAILED
        )

    @property
    def missed_call(self) -> MissedCallStatus:
        """The call's progress, in the words of the order-status call."""
        return _MISSED_CALL[self.vendor_call]
