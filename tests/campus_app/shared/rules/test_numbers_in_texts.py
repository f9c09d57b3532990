"""Numbers in specified texts equal the constants of the rules."""

import re

import pytest

from campus_app.ordering.rules import offers
from campus_app.shared.rules import constants as c
from campus_app.shared.rules.messages import (
    CustomerMessage,
    OrderMessage,
    PaymentMessage,
    ReservationMessage,
)

EXPECTED_NUMBERS = {
    CustomerMessage.NAME_TOO_LONG: [c.MAXIMUM_NAME_CHARACTERS],
    CustomerMessage.ADDRESS_TOO_LONG: [c.MAXIMUM_ADDRESS_CHARACTERS],
    CustomerMessage.NOTE_TOO_LONG: [c.MAXIMUM_NOTE_CHARACTERS],
    OrderMessage.QUANTITY: [0, c.MAXIMUM_LINE_QUANTITY],
    OrderMessage.DONATION: [int(choice) for choice in c.DONATION_CHOICES],
    OrderMessage.PARTY: [c.MINIMUM_PARTY, c.MAXIMUM_PARTY],
    PaymentMessage.RETRYING: [c.PAYMENT_POLL_ATTEMPTS],
    offers.PRE_RESERVATION_DISCOUNT: [c.PRE_RESERVATION_DISCOUNT_PERCENT],
}
MESSAGE_ENUMS = (CustomerMessage, OrderMessage, PaymentMessage, ReservationMessage)


def numbers_in(text):
    return [int(digits) for digits in re.findall(r"(?<!_)\b\d+", text)]


@pytest.mark.parametrize(
    ("text", "expected"), EXPECTED_NUMBERS.items(), ids=lambda value: str(value)[:40]
)
def test_text_contains_value_of_its_constant(text, expected):
    assert numbers_in(text) == expected


def test_no_other_message_contains_a_number():
    messages = [each for enum in MESSAGE_ENUMS for each in enum if numbers_in(each.value)]
    assert [each for each in messages if each not in EXPECTED_NUMBERS] == []
