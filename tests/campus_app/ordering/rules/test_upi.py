"""UPI: the addresses that restaurants may have, and the link that pays the amount due."""

from dataclasses import replace
from datetime import date, time, timedelta
from decimal import Decimal
from urllib.parse import parse_qsl, urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.upi_address import (
    PERSONAL_HANDLES,
    parse_merchant_code,
    parse_upi_id,
)
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.ordering.rules.upi import upi_link
from campus_app.shared.rules.money import rupees
from tests.helpers.builders import RESTAURANT, at, order
from tests.helpers.clock import WEDNESDAY

UPI_ID = "pehla.food@bank"
KITCHEN = replace(RESTAURANT, upi_id=UPI_ID, upi_merchant_code="5812")


def confirmed(remaining="195.00", **changes):
    placed = order(state=OrderState.CONFIRMED, **changes)
    return replace(placed, bill=replace(placed.bill, remaining=rupees(remaining)))


def parameters(link):
    address = urlsplit(link)
    assert (address.scheme, address.netloc) == ("upi", "pay")
    return dict(parse_qsl(address.query, strict_parsing=True))


def test_parse_upi_id_accepts_merchant_addresses():
    for text in ("kitchen@bank", "pehla.food@okbizaxis", "q12345678@ybl", "a_b-c.9@hdfcbank", ""):
        assert parse_upi_id(text) == text


def test_parse_upi_id_refuses_addresses_of_persons():
    handles = (f"kitchen@{handle}" for handle in sorted(PERSONAL_HANDLES))
    for text in (*handles, "kitchen@OKSBI", "9800000001@ybl", "919800000001@upi"):
        with pytest.raises(ValueError, match="is a person's UPI address"):
            parse_upi_id(text)


def test_parse_upi_id_refuses_malformed_addresses():
    short = ("kitchen", "@bank", "kitchen@", "kitchen@bank.example", "two@at@bank", "kit chen@bank")
    for text in (*short, "kitchen@bank&am=1", "रसोई@bank", "kitchen@bank\n", "x" * 100 + "@bank"):
        with pytest.raises(ValueError, match="is not a UPI address"):
            parse_upi_id(text)


def test_parse_merchant_code_accepts_four_digits_or_nothing():
    assert [parse_merchant_code(text) for text in ("5812", "")] == ["5812", ""]
    for text in ("581", "58123", "58a2", "٥٨١٢", "0x12"):
        with pytest.raises(ValueError, match="is not a merchant category code"):
            parse_merchant_code(text)


def test_upi_link_has_the_parameters_of_the_linking_specification():
    paid = confirmed()
    assert upi_link(paid, KITCHEN, WEDNESDAY) == (
        "upi://pay?pa=pehla.food@bank&pn=Pehla%20Food%20Point&mc=5812"
        f"&tr={paid.id}&tn={paid.number}&am=195.00&cu=INR"
    )


def test_upi_link_encodes_the_restaurant_name():
    for name in ("Guava & Crumb", "Kulhad Café", "A=B?#%/+", "ढाबा"):
        link = upi_link(confirmed(), replace(KITCHEN, name=name), WEDNESDAY)
        assert parameters(link)["pn"] == name
    assert "mc" not in parameters(
        upi_link(confirmed(), replace(KITCHEN, upi_merchant_code=""), WEDNESDAY)
    )


@given(st.decimals("0.01", "99999.99", places=2))
def test_upi_link_asks_for_exactly_the_amount_due(amount):
    assert Decimal(parameters(upi_link(confirmed(str(amount)), KITCHEN, WEDNESDAY))["am"]) == amount


def test_upi_link_ends_six_hours_after_the_order_or_the_time_of_its_table():
    placed = confirmed(created_at=at(13))
    table = PreReservation(1, time(17, 30), 4, date(2026, 11, 19))
    for order_, end in ((placed, at(19)), (replace(placed, reservation=table), at(23, 30, day=19))):
        assert upi_link(order_, KITCHEN, end)
        assert upi_link(order_, KITCHEN, end + timedelta(seconds=1)) == ""


def test_upi_link_is_empty_when_nothing_is_due_or_the_kitchen_takes_none():
    assert upi_link(confirmed("0.00"), KITCHEN, WEDNESDAY) == ""
    assert upi_link(confirmed(), RESTAURANT, WEDNESDAY) == ""
    for state in {*OrderState} - {OrderState.CONFIRMED}:
        assert upi_link(replace(confirmed(), state=state), KITCHEN, WEDNESDAY) == ""
