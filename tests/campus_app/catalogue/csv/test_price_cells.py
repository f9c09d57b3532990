"""Prices of restaurants' sheets. Source: specification 12.5."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.csv.price_cells import PriceDoubt, look_like_paise, read_price
from campus_app.shared.rules.constants import MAXIMUM_DISH_PRICE
from campus_app.shared.rules.money import ZERO, rupees

MISSING, SEVERAL, UNCLEAR = PriceDoubt

SURE = {
    "80": "80",
    " 80.00 ": "80",
    "₹80": "80",
    "Rs. 80/-": "80",
    "Rs.80.00/-": "80",
    "80/-": "80",
    "Rs 80 only": "80",
    "INR 80": "80",
    "1,250": "1250",
    "1.250,50": "1250.50",
    "12,50": "12.50",
    "12.5": "12.50",
    "८०": "80",
}


@pytest.mark.parametrize(("cell", "amount"), SURE.items())
def test_price_is_read_when_it_is_sure(cell, amount):
    reading = read_price(cell)
    assert (reading.amount, reading.doubt) == (amount, None)


@pytest.mark.parametrize(
    ("cell", "doubt", "options"),
    [
        ("", MISSING, ()),
        ("MRP", MISSING, ()),
        ("As per MRP", MISSING, ()),
        ("Market price", MISSING, ()),
        ("2026-12-10 00:00", MISSING, ()),
        ("10/12/2026", MISSING, ()),
        ("10-Dec", MISSING, ()),
        ("01:20:00", MISSING, ()),
        ("1e5", MISSING, ()),
        ("²", MISSING, ()),
        ("80 140", SEVERAL, ("80", "140", "80140")),
        ("1 250", SEVERAL, ("1", "250", "1250")),
        ("₹ 1,20.50", UNCLEAR, ()),
        ("80/140", SEVERAL, ("80", "140")),
        ("80 / 140 / 220", SEVERAL, ("80", "140", "220")),
        ("80-140", SEVERAL, ("80", "140")),
        ("Half 80 Full 140", SEVERAL, ("80", "140")),
        ("1.250", SEVERAL, ("1250", "1.25")),
        ("33.333", SEVERAL, ("33333", "33.33")),
        ("MRP 20", UNCLEAR, ("20",)),
        ("80 + GST", UNCLEAR, ("80",)),
        ("80*", UNCLEAR, ("80",)),
        ("-5", UNCLEAR, ("5",)),
        ("0", UNCLEAR, ()),
        ("200000", UNCLEAR, ()),
    ],
)
def test_price_is_asked_when_it_is_in_doubt(cell, doubt, options):
    reading = read_price(cell)
    assert (reading.amount, reading.doubt, reading.options) == ("", doubt, options)
    assert reading.written == cell


def test_price_is_asked_when_a_cell_has_two_lines():
    assert read_price("80\n140").options == ("80", "140", "80140")


def test_whole_numbers_are_divided_when_prices_are_in_paise():
    assert read_price("8050", in_paise=True).amount == "80.50"
    assert read_price("8000/14000", in_paise=True).options == ("80", "140")
    assert read_price("80.50", in_paise=True).amount == "80.50"


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["8000", "12000", "6500"], True),
        (["8000", "12000", ""], True),
        (["80", "120", "65"], False),
        (["80", "12000", "6500"], False),
        (["1200", "1500", "1100"], False),  # a hotel's prices in rupees
        (["80.00", "120.00"], False),
        (["²", "12000", "6500"], True),
        ([], False),
    ],
)
def test_prices_look_like_paise_when_they_are_all_high(cells, expected):
    assert look_like_paise(cells) is expected


@given(st.text("0123456789.,/- ₹RsMP+८", max_size=12), st.booleans())
def test_each_price_that_is_read_or_offered_can_be_sold(cell, in_paise):
    reading = read_price(cell, in_paise=in_paise)
    assert bool(reading.amount) != bool(reading.doubt)
    for amount in filter(None, (reading.amount, *reading.options)):
        assert ZERO < rupees(amount) <= MAXIMUM_DISH_PRICE
        assert read_price(amount).amount in (amount, "")
