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
        pytest.param("sent", "sent", 2, (), id="2.46: 'Customer & vendor notified' for 2"),
        pytest.param("sent", "pending", 1, (), id="2.46: 'Customer notified' for 1"),
        pytest.param("sent", "failed", 1, (NO_VENDOR,), id="the vendor's mail failed"),
        pytest.param("pending", "sent", 0, (), id="a vendor's mail alone counts as none"),
        pytest.param("failed", "sent", 0, (NO_CUSTOMER,), id="the customer's mail failed"),
        pytest.param("pending", "pending", 0, (), id="both are on their way"),
        pytest.param("pending", "failed", 0, (NO_VENDOR,), id="one on its way, one failed"),
        pytest.param("failed", "pending", 0, (NO_CUSTOMER,), id="one failed, one on its way"),
        pytest.param("failed", "failed", 0, (NO_CUSTOMER, NO_VENDOR), id="both failed"),
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
        pytest.param(
            "confirmed",
            ["mail.customer", "mail.vendor", "call.vendor"],
            id="S9: two mails and one missed call per paid order",
        ),
        pytest.param("refund_due", ["mail.customer"], id="M11: the customer alone"),
        pytest.param("pending", [], id="none before the payment"),
        pytest.param("replaced", [], id="none for a replaced order"),
        pytest.param("lapsed", [], id="none for a lapsed order"),
    ],
)
def test_notifications_due_for_each_order_state(state, topics):
    assert [notification.value for notification in notifications_due(OrderState(state))] == topics
