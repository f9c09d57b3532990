"""Prices of restaurants' sheets. Source: specification 12.5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.csv.price_cells import PriceDoubt, look_like_paise, read_price
from campus_app.shared.rules.constants import MAXIMUM_DISH_PRICE
from campus_app.shared.rules.money import ZERO, rupees

MISSING, SEVERAL, UNCLEAR = PriceDoubt

SURE = {
    "80": ["80", " 80.00 ", "₹80", "Rs. 80/-", "Rs.80.00/-", "80/-", "Rs 80 only", "INR 80", "८०"],
    "1250": ["1,250"],
    "1250.50": ["1.250,50"],
    "12.50": ["12,50", "12.5"],
}
NO_PRICES = ["", "MRP", "As per MRP", "Market price", "1e5", "²"]
DATES = ["2026-12-10 00:00", "10/12/2026", "10-Dec", "01:20:00"]
IN_DOUBT = {
    (SEVERAL, "80", "140", "80140"): ["80 140", "80\n140"],
    (SEVERAL, "1", "250", "1250"): ["1 250"],
    (SEVERAL, "80", "140"): ["80/140", "80-140", "Half 80 Full 140"],
    (SEVERAL, "80", "140", "220"): ["80 / 140 / 220"],
    (SEVERAL, "1250", "1.25"): ["1.250"],
    (SEVERAL, "33333", "33.33"): ["33.333"],
    (UNCLEAR,): ["₹ 1,20.50", "0", "200000"],
    (UNCLEAR, "20"): ["MRP 20"],
    (UNCLEAR, "80"): ["80 + GST", "80*"],
    (UNCLEAR, "5"): ["-5"],
    (MISSING,): [*NO_PRICES, *DATES],
}
"""A doubt and the amounts that are offered, and cells that cause it."""


@pytest.mark.parametrize(("amount", "cells"), SURE.items())
def test_price_is_read_when_it_is_sure(amount, cells):
    readings = {cell: read_price(cell) for cell in cells}
    assert {cell: each.amount for cell, each in readings.items()} == dict.fromkeys(cells, amount)
    assert {each.doubt for each in readings.values()} == {None}


@pytest.mark.parametrize(("doubt", "cells"), IN_DOUBT.items())
def test_price_is_asked_when_it_is_in_doubt(doubt, cells):
    for cell in cells:
        reading = read_price(cell)
        assert (reading.doubt, *reading.options) == doubt, cell
        assert (reading.amount, reading.written) == ("", " ".join(cell.splitlines()))


def test_whole_numbers_are_divided_when_prices_are_in_paise():
    assert read_price("8050", in_paise=True).amount == "80.50"
    assert read_price("8000/14000", in_paise=True).options == ("80", "140")
    assert read_price("80.50", in_paise=True).amount == "80.50"


def test_prices_look_like_paise_when_they_are_all_high():
    for cells in (["8000", "12000", "6500"], ["8000", "12000", ""], ["²", "12000", "6500"]):
        assert look_like_paise(cells), cells
    hotel = ["1200", "1500", "1100"]  # its prices are in rupees
    low = (["80", "120", "65"], ["80", "12000", "6500"], ["80.00", "120.00"], [])
    for cells in (hotel, *low):
        assert not look_like_paise(cells), cells


@given(st.text("0123456789.,/- ₹RsMP+८", max_size=12), st.booleans())
def test_each_price_that_is_read_or_offered_can_be_sold(cell, in_paise):
    reading = read_price(cell, in_paise=in_paise)
    assert bool(reading.amount) != bool(reading.doubt)
    for amount in filter(None, (reading.amount, *reading.options)):
        assert ZERO < rupees(amount) <= MAXIMUM_DISH_PRICE
        assert read_price(amount).amount in (amount, "")
