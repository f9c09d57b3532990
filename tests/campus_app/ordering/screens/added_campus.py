"""Tests of a product that has a third campus; `test_additions.py` adds it and runs them."""

import pytest

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.shared.rules.campus import Campus
from tests.campus_app.test_screens import drawn
from tests.helpers.sessions import Redirect
from tests.helpers.steps import to_summary

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("campus", "East Campus"),
        ("campus", "₹40"),
        ("campus", "/images/campus-north.svg"),
        ("about3", "East Campus"),
        ("about3", 'campus:"east"'),
        ("terms", "North Campus ₹15, South Campus ₹25, East Campus ₹40"),
        ("offers", 'data-campus-choice":"east"'),
        ("kitchen", "East Campus"),
    ],
)
async def test_pages_show_the_added_campus(pattern, words):
    assert words in drawn(pattern)


async def test_list_of_the_added_campus_chooses_it(open_tab):
    tab = open_tab({})
    await tab.visit("/about3")
    assert tab.local["selectedCampus"] == "east"


async def test_bill_has_the_fee_of_the_added_campus(tab):
    await tab.visit("/campus")
    await tab.call(CampusState.choose, "east")
    assert tab.redirects == [Redirect("/about3")]
    await to_summary(tab, {"104": 3})
    assert tab.get(CheckoutState.bill)["delivery_fee"] == "₹40"


async def test_api_describes_the_added_campus(api):
    described = (await api.get("/api/openapi.json")).text
    assert "`north` or `south` or `east`" in described
    assert [*Campus] == ["north", "south", "east"]
