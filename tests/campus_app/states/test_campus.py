"""Which campus the food is brought to. Source: specification 2, campus chooser."""

import pytest

from campus_app.states.campus import CampusState
from campus_app.states.checkout import CheckoutState
from tests.campus_app.states.session import Move
from tests.campus_app.states.steps import to_summary

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("campus", "address"),
    [
        pytest.param("north", "/about", id="north: /about"),
        pytest.param("south", "/about2", id="south: /about2"),
    ],
)
async def test_the_choice_is_kept_and_its_restaurants_come_up(campus, address, tab):
    await tab.visit("/campus")
    await tab.call(CampusState.choose, campus)
    assert tab.local["selectedCampus"] == campus
    assert tab.moves == [Move(address)]


@pytest.mark.parametrize("campus", ["", "west", "NORTH", 5, None, True, ["south"], {"south": 1}])
async def test_what_is_no_campus_is_the_north(campus, tab):
    await tab.visit("/campus")
    await tab.call(CampusState.choose, campus)
    assert tab.local["selectedCampus"] == "north"
    assert tab.moves == [Move("/about")]


@pytest.mark.parametrize(("address", "campus"), [("/about", "north"), ("/about2", "south")])
async def test_whoever_comes_to_a_list_from_elsewhere_has_chosen_its_campus(address, campus, tab):
    await tab.visit(address)
    assert tab.local["selectedCampus"] == campus


@pytest.mark.parametrize(
    ("kept", "place"),
    [
        ("north", "North Campus"),
        ("south", "South Campus"),
        ("west", "North Campus"),
        (5, "North Campus"),
        (["south"], "North Campus"),
        ({"south": 1}, "North Campus"),
    ],
)
async def test_the_food_is_brought_to_the_campus_that_the_browser_keeps(kept, place, tab):
    tab.local["selectedCampus"] = kept
    await to_summary(tab)
    assert tab.sees(CheckoutState.delivered_to) == place
