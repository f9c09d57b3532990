"""Rupees: exact decimals with two places, parsing, rounding and display."""

import json
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.shared.rules.money import (
    format_rupees,
    from_paise,
    json_number,
    parse_reported_amount,
    parse_reported_currency,
    percent_of,
    rupees,
    to_paise,
)
from tests.helpers.browser_rules import read_cases

paise = st.integers(min_value=-1_000_000_000, max_value=1_000_000_000)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        pytest.param("120", "120.00", id="a price of the CSV without paise"),
        pytest.param("27.5", "27.50", id="a price of the CSV with one place"),
        pytest.param("99.99", "99.99", id="a price of the CSV with two places"),
        pytest.param("1.500", "1.50", id="a third decimal that is zero"),
        pytest.param("1e2", "100.00", id="scientific"),
        pytest.param(15, "15.00", id="a whole number"),
        pytest.param(Decimal("44.45"), "44.45", id="a decimal"),
        pytest.param("10000000", "10000000.00", id="the largest"),
        pytest.param("-5", "-5.00", id="below zero"),
    ],
)
def test_rupees_has_two_decimals(value, expected):
    assert str(rupees(value)) == expected


NO_AMOUNTS = [
    *("", "abc", "₹120", "1,200", "12.345", "0.001", "NaN", "sNaN", "Infinity", "-Infinity"),
    *("10000000.01", "-10000000.01", "1e999999", "1e999999999", "1e-999999999"),
    0.1,  # Source: specification M1
]


@pytest.mark.parametrize("value", NO_AMOUNTS, ids=repr)
def test_rupees_raises_value_error_when_not_an_amount(value):
    with pytest.raises(ValueError, match=r"amount|finer than a paisa"):
        rupees(value)


@pytest.mark.parametrize(
    ("amount", "percent", "expected"),
    [
        pytest.param("500.00", 10, "50.00", id="9.5: 10% of 500"),
        pytest.param("444.44", 10, "44.44", id="44.444 is rounded down"),
        pytest.param("444.45", 10, "44.45", id="M2: 44.445 is rounded up"),
        pytest.param("444.35", 10, "44.44", id="M2: 44.435 is rounded up, not to even"),
        pytest.param("0.04", 10, "0.00", id="less than half a paisa"),
        pytest.param("0.05", 10, "0.01", id="half a paisa"),
        pytest.param("0.00", 10, "0.00", id="of nothing"),
    ],
)
def test_percent_of_rounds_half_up_to_the_paisa(amount, percent, expected):
    assert str(percent_of(Decimal(amount), percent)) == expected


@given(paise)
def test_paise_round_trip_is_exact_for_any_amount(count):
    amount = from_paise(count)
    assert to_paise(amount) == count
    assert amount.as_tuple().exponent == -2
    assert rupees(str(amount)) == amount


@given(st.integers(min_value=0, max_value=1_000_000_000), st.integers(0, 100))
def test_percent_of_rounding_error_is_within_half_a_paisa(count, percent):
    part = percent_of(from_paise(count), percent)
    assert part.as_tuple().exponent == -2
    assert -50 <= count * percent - to_paise(part) * 100 < 50


@pytest.mark.parametrize(
    ("amount", "text"),
    [
        *read_cases("rupees").items(),
        pytest.param("-0.00", "₹0", id="nothing, below zero"),
        pytest.param("0.05", "₹0.05", id="five paise"),
        pytest.param("27.50", "₹27.50", id="paise keep both digits"),
        pytest.param("999.99", "₹999.99", id="three digits and paise"),
        pytest.param("1234567.80", "₹12,34,567.80", id="seven digits and paise"),
        pytest.param("-1250.00", "−₹1,250", id="below zero, with a real minus"),
    ],
)
def test_format_rupees_uses_indian_grouping(amount, text):
    assert format_rupees(Decimal(amount)) == text


@given(paise)
def test_format_rupees_keeps_every_digit(count):
    written = format_rupees(from_paise(count)).replace("₹", "").replace(",", "")
    assert Decimal(written.replace("−", "-")) * 100 == count


@pytest.mark.parametrize(
    ("amount", "number"),
    [
        pytest.param("440.00", "440", id="no paise, no point"),
        pytest.param("27.50", "27.5", id="paise"),
        pytest.param("0.01", "0.01", id="a paisa"),
        pytest.param("0.00", "0", id="zero"),
        pytest.param("-5.25", "-5.25", id="below zero"),
    ],
)
def test_json_number_is_int_or_float(amount, number):
    assert json.dumps(json_number(Decimal(amount))) == number


# Figures in another system's JSON. Source: specification P3.1


def parsed(text):
    """Return a JSON value as the provider adapters parse it."""
    return json.loads(text, parse_float=Decimal)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("25", "25.00"),
        ("25.5", "25.50"),
        ("25.50", "25.50"),
        ("0.01", "0.01"),
        ("10000000", "10000000.00"),
        ("2.5e1", "25.00"),
        ('"25"', "25.00"),
        ('"25.00"', "25.00"),
        ('"0.5"', "0.50"),
    ],
)
def test_parse_reported_amount_returns_exact_rupees(text, expected):
    assert str(parse_reported_amount(parsed(text))) == expected


INEXACT = [
    *("null", "true", "false", "[25]", '{"amount": 25}', '""', '"25abc"', '" 25"', '"25\\n"'),
    *('"+25"', '"-25"', '"025"', '"25."', '".5"', '"2_5"', '"2,500"', '"2.5e1"', '"25.000"'),
    *('"25.001"', '"1e400"', '"NaN"', '"Infinity"', '"0x19"', '"२५"', '"２５"', '"25٫5"'),
    *("0", "0.00", "-0.0", "-25", "-25.5", "25.000", "25.001", "1e400", "1e-400"),
    *("10000001", "10000000.01", "NaN", "Infinity", "-Infinity"),
    *("9" * 4_000, f'"{"9" * 4_000}"'),
]


@pytest.mark.parametrize("text", INEXACT, ids=lambda text: text[:20])
def test_parse_reported_amount_is_none_when_value_is_not_exact(text):
    assert parse_reported_amount(parsed(text)) is None


def test_parse_reported_amount_is_none_when_value_is_float():
    assert parse_reported_amount(25.5) is None


@given(st.integers(min_value=1, max_value=1_000_000_000))
def test_parse_reported_amount_accepts_any_notation(count):
    amount = from_paise(count)
    for text in (str(amount), f'"{amount}"', str(json_number(amount))):
        assert parse_reported_amount(parsed(text)) == amount


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.decimals() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=5,
)


@given(json_values)
def test_parse_reported_amount_is_none_or_positive_for_any_value(value):
    amount = parse_reported_amount(value)
    assert amount is None or (amount > 0 and amount == rupees(str(amount)))
    assert amount is None or type(value) in {int, str, Decimal}


@pytest.mark.parametrize("value", ["INR", "USD"])
def test_parse_reported_currency_returns_code(value):
    assert parse_reported_currency(value) == value


@pytest.mark.parametrize(
    "value", ["inr", "Inr", "IN", "INRR", " INR", "ＩＮＲ", "", None, 356, ["INR"]]
)
def test_parse_reported_currency_is_empty_when_value_is_not_a_code(value):
    assert parse_reported_currency(value) == ""
