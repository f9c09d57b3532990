"""The dish that is offered beside the shortfall to the minimum order."""

import pytest

from tests.helpers.browser_rules import call_in_node


def dish(id_, paise, diet="veg"):
    return {"id": id_, "paise": paise, "diet": diet}


CHAI, SAMOSA, THALI = dish("chai", 2_000), dish("samosa", 3_000), dish("thali", 9_000)
CHICKEN, FISH = dish("chicken", 2_500, "non_veg"), dish("fish", 4_000, "non_veg")
UNMARKED = dish("bun", 2_400, "")
MENU = [THALI, CHICKEN, CHAI, UNMARKED, FISH, SAMOSA, dish("pakora", 3_000)]


@pytest.mark.parametrize(
    ("chosen", "shortfall", "offered"),
    [
        pytest.param(["thali"], 20, CHAI, id="the price is exactly the shortfall"),
        pytest.param(["thali"], 20.01, SAMOSA, id="of two with one price, the menu's first"),
        pytest.param(["thali", "samosa"], 30, dish("pakora", 3_000), id="not one of the cart"),
        pytest.param(["thali"], 90, None, id="no other dish is dear enough"),
        pytest.param(["fish"], 24, UNMARKED, id="any dish beside one that is not vegetarian"),
        pytest.param(["bun"], 24.5, CHICKEN, id="any dish beside one without a mark"),
        pytest.param([], 20, None, id="nothing is chosen yet"),
        pytest.param(["thali"], 0, None, id="the minimum is reached"),
        pytest.param(["gone"], 90, THALI, id="the chosen dish has left the menu"),
    ],
)
def test_closing_dish_is_the_cheapest_that_is_enough(chosen, shortfall, offered):
    assert closing_dish(chosen=chosen, shortfall=shortfall) == offered


def test_closing_dish_is_neither_sold_out_nor_hidden_by_veg_only():
    assert closing_dish(sold_out=["chai"]) == SAMOSA
    assert closing_dish(chosen=["fish"], is_veg_only=True) == CHAI


def test_closing_dish_closes_a_gap_of_paise_that_no_float_holds():
    menu = [dish("dear", 5_000), dish("right", 4_555)]
    assert closing_dish(menu=[*menu, THALI], shortfall=45.55) == menu[1]


def closing_dish(*, menu=MENU, chosen=("thali",), sold_out=(), is_veg_only=False, shortfall=20):
    (result,) = call_in_node(
        "campus_app/ordering/closing_dish.js",
        "closingDish",
        [[menu, list(chosen), list(sold_out), is_veg_only, shortfall]],
    )
    return result
