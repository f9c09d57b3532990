"""The progress of a paid order's notifications, and how e-mails are counted."""

import pytest

from campus_app.ordering.rules.notification import (
    NotificationState,
    NotificationStatus,
    notifications_due,
)
from campus_app.ordering.rules.order import OrderState

NO_CUSTOMER = "The mail to the customer could not be delivered."
NO_VENDOR = "The mail to the vendor could not be delivered."


@pytest.mark.parametrize(
    ("customer", "vendor", "sent", "errors"),
    [
        # 2.46: 'Customer & vendor notified' for 2, 'Customer notified' for 1
        ("sent", "sent", 2, ()),
        ("sent", "pending", 1, ()),
        ("sent", "failed", 1, (NO_VENDOR,)),
        ("pending", "sent", 0, ()),
        ("failed", "sent", 0, (NO_CUSTOMER,)),
        ("pending", "pending", 0, ()),
        ("pending", "failed", 0, (NO_VENDOR,)),
        ("failed", "pending", 0, (NO_CUSTOMER,)),
        ("failed", "failed", 0, (NO_CUSTOMER, NO_VENDOR)),
    ],
)
def test_emails_sent_counts_customer_mail_first(customer, vendor, sent, errors):
    status = NotificationStatus(
        NotificationState(customer), NotificationState(vendor), NotificationState.PENDING
    )
    assert (status.emails_sent, status.email_errors) == (sent, errors)


def test_control_plain_count_is_wrong_when_only_vendor_mail_is_sent():
    # Source: docs/invariants.md I16.
    customer, vendor = NotificationState.PENDING, NotificationState.SENT
    plain = sum(state is NotificationState.SENT for state in (customer, vendor))
    assert (plain, NotificationStatus(customer, vendor, customer).emails_sent) == (1, 0)


@pytest.mark.parametrize(
    ("state", "word"),
    [
        pytest.param("pending", "pending", id="not yet called"),
        pytest.param("sent", "success", id="4.28: 'success' reveals the missed-call toast"),
        pytest.param("failed", "failed", id="could not be called"),
    ],
)
def test_missed_call_maps_notification_state(state, word):
    status = NotificationStatus(
        NotificationState.SENT, NotificationState.SENT, NotificationState(state)
    )
    assert status.missed_call.value == word


@pytest.mark.parametrize(
    ("state", "topics"),
    [
        # S9, M11: a refund is told to the customer alone
        ("confirmed", ["mail.customer", "mail.vendor", "call.vendor"]),
        ("refund_due", ["mail.customer"]),
        *((state, []) for state in ("pending", "replaced", "lapsed")),
    ],
)
def test_notifications_due_for_each_order_state(state, topics):
    assert [notification.value for notification in notifications_due(OrderState(state))] == topics
