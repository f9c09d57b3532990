"""The notifications of a paid order: two e-mails and a missed call, and their progress."""

from dataclasses import dataclass
from enum import StrEnum

from campus_app.ordering.rules.order import OrderState


class Notification(StrEnum):
    """A notification about an order's payment; the value is its outbox topic."""

    CUSTOMER_MAIL = "mail.customer"
    VENDOR_MAIL = "mail.vendor"
    VENDOR_CALL = "call.vendor"


def notifications_due(state: OrderState) -> tuple[Notification, ...]:
    """Return the notifications to send once an order's payment has arrived.

    If the order cannot be honoured, only the customer is notified.

    Source: specification S9, M11.
    """
    if state is OrderState.CONFIRMED:
        return tuple(Notification)
    return (Notification.CUSTOMER_MAIL,) if state is OrderState.REFUND_DUE else ()


class NotificationState(StrEnum):
    """The progress of one notification."""

    PENDING = "pending"
    SENT = "sent"
    FAILED = "failed"


class MissedCallStatus(StrEnum):
    """The progress of the call, as responses state it. Source: specification C3.9."""

    PENDING = "pending"
    SUCCESS = "success"
    FAILED = "failed"


_MISSED_CALL = {
    NotificationState.PENDING: MissedCallStatus.PENDING,
    NotificationState.SENT: MissedCallStatus.SUCCESS,
    NotificationState.FAILED: MissedCallStatus.FAILED,
}


@dataclass(frozen=True)
class NotificationStatus:
    """The progress of each notification of one order.

    Source: specification 3.14.
    """

    customer_mail: NotificationState = NotificationState.PENDING
    vendor_mail: NotificationState = NotificationState.PENDING
    vendor_call: NotificationState = NotificationState.PENDING

    def of(self, notification: Notification) -> NotificationState:
        """Return the progress of one notification."""
        return {
            Notification.CUSTOMER_MAIL: self.customer_mail,
            Notification.VENDOR_MAIL: self.vendor_mail,
            Notification.VENDOR_CALL: self.vendor_call,
        }[notification]

    @property
    def emails_sent(self) -> int:
        """The number of e-mails sent, 0 to 2, the customer's first.

        The screen shows 1 as 'Customer notified', so the vendor's e-mail alone counts as 0.

        Source: specification 2.46.
        """
        if self.customer_mail is not NotificationState.SENT:
            return 0
        return 2 if self.vendor_mail is NotificationState.SENT else 1

    @property
    def email_errors(self) -> tuple[str, ...]:
        """A sentence per e-mail that could not be delivered."""
        return tuple(
            f"The mail to the {name} could not be delivered."
            for name, state in (("customer", self.customer_mail), ("vendor", self.vendor_mail))
            if state is NotificationState.FAILED
        )

    @property
    def missed_call(self) -> MissedCallStatus:
        """The missed call's progress, as responses about an order's status report it."""
        return _MISSED_CALL[self.vendor_call]
