"""The messages equal the specification's, byte for byte.

Source: specification 2.36, 4.3, 5.1 to 5.15, 8.1 to 8.22.
"""

from enum import StrEnum
from inspect import getmembers, isclass

import pytest

from campus_app.shared.rules import messages
from campus_app.shared.rules.messages import (
    ConfirmationMessage,
    CustomerMessage,
    MenuMessage,
    PaymentMessage,
    ReservationMessage,
    StatusMessage,
)

SPECIFIED = [
    # 5, contact details
    (CustomerMessage.NAME_REQUIRED, "Name is required"),
    (CustomerMessage.EMAIL_REQUIRED, "Email is required"),
    (CustomerMessage.EMAIL_INVALID, "Please enter a valid email address"),
    (CustomerMessage.PHONE_REQUIRED, "Phone number is required"),
    (CustomerMessage.PHONE_INVALID, "Please enter a valid Indian phone number"),
    (CustomerMessage.ADDRESS_REQUIRED, "Address is required"),
    (CustomerMessage.DETAILS_MISSING, "Please fill in all the details."),
    # 5, pre-reserve
    (ReservationMessage.SLOT_REQUIRED, "Please select a time slot"),
    # 5 and 8, menu loading
    (MenuMessage.RESTAURANT_NOT_FOUND, "Restaurant not found"),
    (MenuMessage.LOAD_FAILED.format(status="..."), "Failed to load menu (Status: ...)"),
    (MenuMessage.EMPTY, "Menu data is empty"),
    (MenuMessage.UNREADABLE, "Failed to parse menu data"),
    (MenuMessage.NO_DISHES, "No menu items found"),
    # 4 and 8, availability
    (StatusMessage.TEMPORARILY_CLOSED, "Temporarily Closed"),
    (StatusMessage.INITIAL_FETCH_FAILED, "Failed to load restaurant statuses"),
    (StatusMessage.POLL_FAILED, "Connection error"),
    (StatusMessage.REFRESH_FAILED, "Refresh failed"),
    # 2 and 8, payment
    (PaymentMessage.DO_NOT_REFRESH, "Do not refresh this page"),
    (PaymentMessage.FORM_FAILED, "Failed to get payment form URL"),
    (PaymentMessage.ORDER_ID_MISSING, "Order ID not found. Redirecting..."),
    (PaymentMessage.ORDER_NOT_FOUND, "Order not found. Redirecting..."),
    (
        PaymentMessage.TAKING_LONGER,
        "Payment verification taking longer than expected. Redirecting...",
    ),
    (PaymentMessage.RETRYING.format(attempt="n"), "Retrying payment verification... (n/30)"),
    (PaymentMessage.VERIFICATION_FAILED, "Payment verification failed. Redirecting..."),
    (PaymentMessage.PROCESSING_ERROR, "Error processing payment response. Redirecting..."),
    # 8, home redirect messages
    (
        ConfirmationMessage.DETAILS_UNCLEAR,
        "Payment completed but order details unclear. Please check your email.",
    ),
    (
        ConfirmationMessage.ORDER_NOT_FOUND,
        "Order not found. Please contact support if payment was deducted.",
    ),
    (ConfirmationMessage.PROCESSING_ERROR, "Payment processing error. Please contact support."),
    # 8, confirmation hints
    (
        ConfirmationMessage.NEEDS_VERIFICATION,
        "Payment completed but verification is taking time. Please check your email.",
    ),
    (
        ConfirmationMessage.HAS_ERROR,
        "Could not verify payment status. Please check your email or contact support.",
    ),
]
CATALOGUE = [
    sentence
    for _name, kind in getmembers(messages, isclass)
    if issubclass(kind, StrEnum) and kind is not StrEnum
    for sentence in kind
]


@pytest.mark.parametrize(
    ("said", "specified"),
    [pytest.param(said, specified, id=specified) for said, specified in SPECIFIED],
)
def test_message_matches_specification(said, specified):
    assert said.encode() == specified.encode()


def test_messages_are_unique():
    assert len(CATALOGUE) == len(set(CATALOGUE))


@pytest.mark.parametrize("sentence", CATALOGUE, ids=str)
def test_message_is_one_line_without_surrounding_spaces(sentence):
    assert sentence == " ".join(sentence.split())
