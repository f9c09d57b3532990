"""Order numbers: format, and the ranges they are drawn from."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.ordering.rules.order_number import (
    TIERS,
    number_held_until,
    number_tier,
    order_number,
    parse_order_number,
)
from tests.helpers.builders import at

THREE, FOUR, FIVE = range(100, 1_000), range(1_000, 10_000), range(10_000, 100_000)
SIX, SEVEN = range(100_000, 1_000_000), range(1_000_000, 10_000_000)


def holding(three, four=0, five=0, six=0):
    return {THREE: three, FOUR: four, FIVE: five, SIX: six}.__getitem__


@pytest.mark.parametrize(
    ("value", "text"),
    [
        *((100, "AS_100"), (482, "AS_482"), (999, "AS_999")),  # 3.10
        *((1_000, "AS_1000"), (9_999, "AS_9999"), (10_000, "AS_10000")),  # M9: a digit more
        *((99_999, "AS_99999"), (9_999_999, "AS_9999999")),  # M16: the last of all
    ],
)
def test_order_number_has_prefix(value, text):
    assert order_number(value) == text
    assert parse_order_number(text) == value


OTHER_TEXTS = [
    *("", "482", "AS_", "AS_99", "AS_099", "AS_0482", "AS_10000000", "AS-482", "as_482"),
    *("AS_482 ", " AS_482", "AS_482\n", "AS_+482", "AS_4_8_2", "AS_48.2", "AS_४८२"),
    *("AS_482; DROP TABLE orders", "#AS_482"),
]


def test_parse_order_number_is_none_for_other_texts():
    assert [text for text in OTHER_TEXTS if parse_order_number(text) is not None] == []


@given(st.integers(100, 9_999_999), st.text())
def test_parse_order_number_inverts_order_number_and_accepts_no_other_text(value, text):
    assert parse_order_number(order_number(value)) == value
    assert sum(value in tier for tier in TIERS) == 1
    found = parse_order_number(text)
    assert found is None or order_number(found) == text


@pytest.mark.parametrize(
    ("held", "tier"),
    [
        pytest.param(holding(0), THREE, id="3.10: from 100 to 999"),
        pytest.param(holding(810), THREE, id="M9: 810 of 900 held, a tenth is free"),
        pytest.param(holding(811), FOUR, id="M9: 811 of 900 held, fewer than a tenth"),
        pytest.param(holding(900), FOUR, id="all of the 900 held"),
        pytest.param(holding(810, 9_000), THREE, id="the shortest that will do"),
        pytest.param(holding(811, 8_100), FOUR, id="M9: 8100 of 9000 held"),
        pytest.param(holding(811, 8_101), FIVE, id="M9: 8101 of 9000 held, then a fifth"),
        pytest.param(holding(900, 9_000), FIVE, id="all of the 9900 held"),
        pytest.param(holding(900, 9_000, 81_001), SIX, id="M16: then a sixth"),
        pytest.param(holding(900, 9_000, 90_000, 900_000), SEVEN, id="M16: there is no eighth"),
    ],
)
def test_number_tier_adds_digit_when_less_than_a_tenth_is_free(held, tier):
    assert number_tier(held) == tier


def test_number_tier_counts_longer_range_only_when_needed():
    assert number_tier({THREE: 0}.__getitem__) == THREE


@pytest.mark.parametrize(
    ("paid_at", "until"),
    [
        pytest.param(None, at(14, 20), id="M16: an hour after the time to pay"),
        pytest.param(at(13, 5), at(13, 5, day=19), id="M9: 24 hours after the payment"),
    ],
)
def test_number_is_held_longer_once_its_order_is_paid(paid_at, until):
    assert number_held_until(at(13, 20), paid_at) == until
