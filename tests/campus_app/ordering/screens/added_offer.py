"""Tests of a product that has a third offer; `test_additions.py` adds it and runs them."""

from datetime import datetime

import pytest

from campus_app.catalogue.rules.menu import Dish
from campus_app.ordering.rules.bill import BillTerms, bill_for
from campus_app.ordering.rules.cart import CartLine
from campus_app.ordering.rules.offers import offer_at
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.offers_state import ACTIVE, OffersState
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import rupees
from tests.campus_app.test_screens import drawn
from tests.helpers.builders import at

TITLE = "Friday evening: 15% off"
FRIDAY = datetime.fromisoformat("2026-08-28T19:00:00+05:30")
LINES = [CartLine(Dish("301", "Dish", "", rupees(200), "Pizza"), 2)]


@pytest.mark.parametrize(("hour", "expected"), [(18, None), (19, "friday"), (23, "friday")])
def test_added_offer_holds_on_its_day_and_hours(hour, expected):
    found = offer_at(3, FRIDAY.replace(hour=hour))
    assert (found.id if found else None) == expected


def test_bill_takes_the_percentage_of_the_added_offer_off():
    bill = bill_for(LINES, BillTerms(3, Campus.NORTH, FRIDAY))
    assert (bill.discount, bill.percent, bill.discount_name) == (rupees(60), 15, TITLE)


def test_offers_page_shows_the_added_offer():
    page = drawn("offers")
    for words in ("15% off, 7PM to 12AM", "Friday, 7PM to 12AM", "FRIDAY", "Good days"):
        assert words in page
    assert '["figure"] : "15", ["unit"] : "%"' in page


def test_lists_of_restaurants_name_the_added_offer():
    assert f"Saturday evening: 10% off. {TITLE}." in drawn("about")


@pytest.mark.anyio
async def test_offers_screen_says_when_the_added_offer_begins(tab, clock):
    clock.set(at(13, day=20))
    await tab.visit("/offers")
    assert tab.get(OffersState.words)["friday"] == "STARTS TODAY 19:00"
    clock.set(at(19, day=20))
    await tab.call(OffersState.refresh)
    assert tab.get(OffersState.words)["friday"] == ACTIVE
    await tab.visit("/menu/3")
    await tab.call(CartState.add_dish, 3, "301")
    assert tab.get(CartState.offer) == TITLE
