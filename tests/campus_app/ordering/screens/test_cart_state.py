"""The cart of the open menu. Source: specification 5.9 to 5.11, M7, M8, M12 to M14."""

from itertools import product

import pytest

from campus_app.ordering.screens.cart_state import CartState
from campus_app.shared.rules.messages import MenuMessage
from tests.helpers.browser_rules import call_in_node, read_cases
from tests.helpers.builders import at, order_request
from tests.helpers.flows import pay, sell
from tests.helpers.sessions import Redirect
from tests.helpers.steps import (
    EMPTY_TOTALS,
    KEY,
    banner,
    cart_totals,
    stored_cart,
    to_menu,
    to_payment,
)

pytestmark = pytest.mark.anyio

THURSDAY = at(13, day=19)
PEHLA = "Pehla Food Point"
BOGO = "Wednesday: buy one, get one free"


def dishes(tab):
    """Return the cart's restaurant and its quantities by dish."""
    restaurant, _minute, _key, chosen = tab.get(CartState.cart).split("|")
    return int(restaurant), {id_: int(n) for id_, n in (d.split(":") for d in chosen.split(","))}


STEPS = read_cases("cart_steps")


async def tap_at_another_restaurant(tab):
    """Fill a cart at restaurant 1, and tap + on a dish of restaurant 5."""
    await to_menu(tab, {"104": 1})
    await tab.visit("/menu/5")
    await tab.call(CartState.add_dish, 5, "501")


# Adding and removing


@pytest.mark.parametrize("name", STEPS)
async def test_steps_make_the_cart_that_the_browser_shows(name, tab):
    case = STEPS[name]
    key_before = case.get("key", KEY)
    await to_menu(tab, dict(case["cart"][1]) if case["cart"] else {}, key=key_before)
    for restaurant, dish, by, sequence in case["steps"]:
        handler = CartState.add_dish if by > 0 else CartState.remove_dish
        await tab.call(handler, restaurant, dish, sequence)
    key = tab.get(CartState.cart).split("|")[2]
    restaurant, quantities = dishes(tab)
    made = [restaurant, [[*each] for each in quantities.items()], int(tab.get(CartState.sequence))]
    assert [*made, "kept" if key == key_before else "new"] == case["expected"]


def test_browser_shows_the_cart_that_steps_make():
    calls = []
    for case in STEPS.values():
        restaurant, quantities = case["cart"] or ("", [])
        pairs = ",".join(f"{id_}:{quantity}" for id_, quantity in quantities)
        steps = [
            {"restaurant": str(of), "dish": dish, "by": by, "sequence": sequence}
            for of, dish, by, sequence in case["steps"]
        ]
        stored = pairs and f"{restaurant}|0|{case.get('key', KEY)}|{pairs}"
        calls.append((stored, 0, steps, {"most": 50, "mostDishes": 200}))
    made = call_in_node("campus_app/ordering/cart_steps.js", "withSteps", calls)
    assert [
        [
            int(each["restaurant"]),
            each["quantities"],
            each["sequence"],
            "kept" if each["key"] else "new",
        ]
        for each in made
    ] == [case["expected"] for case in STEPS.values()]


async def test_add_dish_stops_at_fifty_units_of_a_dish(tab):
    await to_menu(tab, {"104": 49})
    await tab.call(CartState.add_dish, 1, "104")
    for handler, dish in ((CartState.add_dish, "112"), (CartState.remove_dish, "104")):
        for _ in range(2):
            await tab.call(CartState.add_dish, 1, "104")
            assert dishes(tab)[1]["104"] == 50
            assert tab.get(CartState.refusal) == "An order has at most 50 of one dish."
        await tab.call(handler, 1, dish)  # the next step ends the refusal
        assert tab.get(CartState.refusal) == ""


async def test_add_dish_refuses_the_201st_dish_and_keeps_the_cart(tab, menus):
    # Source: specification 10.54.
    rows = [f"{'d' * 61}{n:03},Dish {n},,1,Dishes" for n in range(201)]
    sell(menus.folder, 1, rows)
    ids = [row.partition(",")[0] for row in rows]
    await to_menu(tab, dict.fromkeys(ids[:199], 1))
    await tab.call(CartState.add_dish, 1, ids[199])
    await tab.call(CartState.add_dish, 1, ids[200])
    assert dishes(tab) == (1, dict.fromkeys(ids[:200], 1))
    assert tab.get(CartState.refusal) == "An order has at most 200 different dishes."
    await tab.call(CartState.add_dish, 1, ids[0])
    assert dishes(tab)[1][ids[0]] == 2
    assert tab.get(CartState.refusal) == ""


async def test_proceed_refuses_an_order_above_ten_million(tab, menus):
    # Source: specification 10.53.
    sell(menus.folder, 1, dict.fromkeys(("104", "112", "113"), "100000"))
    await to_menu(tab, {"104": 50, "112": 50, "113": 1})
    assert await tab.call(CartState.proceed) is None
    assert (
        banner(tab) == "An order can be at most ₹1,00,00,000. Please divide it into several orders."
    )


async def test_step_is_not_confirmed_when_its_sequence_number_is_invalid(tab):
    await to_menu(tab, {})
    await tab.call(CartState.add_dish, 1, "104", 7)
    for units, sequence in enumerate((0, -2, 2**53, 1.5, None, True, [7]), start=2):
        await tab.call(CartState.add_dish, 1, "104", sequence)
        assert (tab.get(CartState.sequence), dishes(tab)) == ("7", (1, {"104": units}))


HANDLERS = (CartState.add_dish, CartState.remove_dish)


async def test_step_changes_nothing_when_dish_is_not_on_menu(tab):
    await to_menu(tab, {"112": 1})
    texts = ("501", "no such dish", "", "104 ", "104\n", "\uff11\uff10\uff14")
    for handler, dish in product(HANDLERS, (*texts, 104, None, True, ["104"], {"104": 1})):
        await tab.call(handler, 1, dish)
        assert dishes(tab) == (1, {"112": 1}), dish


async def test_cart_stays_empty_when_restaurant_does_not_exist(tab):
    for restaurant in ("999", "x", "0", "-1", "%C2%B2"):
        await tab.visit(f"/menu/{restaurant}")
        await tab.call(CartState.add_dish, 999, "104")
        await tab.call(CartState.proceed)
        assert (tab.get(CartState.cart), tab.redirects) == ("", [])


BROKEN = "The menu can't be read right now, so nothing was added. Please try again in a minute."
GONE = "This dish is no longer on the menu."


async def test_broken_menu_refuses_a_dish_but_lets_one_go(tab, lose_menu):
    await to_menu(tab, {"104": 2})
    lose_menu(1)
    await tab.visit("/menu/1")
    await tab.call(CartState.add_dish, 1, "104", 7)
    assert dishes(tab) == (1, {"104": 2})
    assert tab.get(CartState.sequence) == "7"
    assert cart_totals(tab) == EMPTY_TOTALS
    assert tab.get(CartState.refusal) == BROKEN
    await tab.call(CartState.remove_dish, 1, "104", 8)
    assert dishes(tab) == (1, {"104": 1})


async def test_cart_uses_last_good_menu_when_menu_file_is_broken(tab, menus):
    await to_menu(tab, {"104": 1})
    (menus.folder / "menu_1.csv").write_text("")
    await tab.call(CartState.add_dish, 1, "104")
    assert dishes(tab) == (1, {"104": 2})
    assert tab.get(CartState.refusal) == ""


async def test_add_dish_shows_error_when_dish_left_the_menu(tab, menus):
    await to_menu(tab, {"104": 1})
    menus.remove_dish(1, "112")
    await tab.call(CartState.add_dish, 1, "104")
    await tab.call(CartState.add_dish, 1, "112")
    assert dishes(tab) == (1, {"104": 2})
    assert tab.get(CartState.refusal) == GONE
    await tab.call(CartState.add_dish, 1, "104")
    assert tab.get(CartState.refusal) == ""


async def test_follow_menu_prices_the_cart_again_and_takes_out_lost_dishes(tab, menus):
    # Source: specification 5.17.
    await to_menu(tab, {"104": 2, "112": 1})
    menus.change_price(1, "104", "130")
    await tab.call(CartState.follow_menu)
    assert cart_totals(tab)[0] == "₹420"
    menus.remove_dish(1, "112")
    await tab.call(CartState.follow_menu)
    assert dishes(tab) == (1, {"104": 2})
    assert cart_totals(tab)[0] == "₹260"


LOST = "Not on the menu right now: {}. If that changes within 30 minutes, your cart has them again."


async def lose_dish(tab, menus):
    """Fill a cart, of which the menu loses a dish; return the whole menu."""
    await to_menu(tab, {"104": 1, "112": 2})
    whole = menus.remove_dish(1, "112")
    await tab.visit("/menu/1")
    return whole


async def test_open_menu_names_the_lost_dish_and_puts_it_back(tab, menus):
    whole = await lose_dish(tab, menus)
    assert dishes(tab) == (1, {"104": 1})
    assert banner(tab) == LOST.format("Paneer Butter Masala")
    menus.restore(1, whole)
    await tab.visit("/menu/1")
    assert dishes(tab) == (1, {"104": 1, "112": 2})
    assert banner(tab) == "On the menu again, and in your cart: Paneer Butter Masala."
    assert tab.get(CartState.lost) == ""


@pytest.mark.parametrize("is_paid", [False, True])
async def test_cart_that_lost_all_dishes_stays_that_of_its_order(is_paid, tab, menus, services):
    first = await to_payment(tab, services, quantities={"104": 4})
    whole = menus.remove_dish(1, "104")
    await tab.visit("/menu/1")
    await tab.visit("/menu/1")  # a reload follows the emptied cart once more
    assert tab.get(CartState.cart) == ""
    if is_paid:
        await pay(services, first)
    menus.restore(1, whole)
    await tab.visit("/menu/1")
    assert tab.get(CartState.cart) == ("" if is_paid else stored_cart({"104": 4}))


async def test_open_menu_forgets_the_lost_dish_after_half_an_hour(tab, menus, clock):
    whole = await lose_dish(tab, menus)
    menus.restore(1, whole)
    clock.advance(minutes=31)
    await tab.visit("/menu/1")
    assert dishes(tab) == (1, {"104": 1})
    assert tab.get(CartState.lost) == ""


async def test_open_menu_keeps_no_lost_dish_for_another_cart(tab, menus):
    whole = await lose_dish(tab, menus)
    await tab.call(CartState.remove_dish, 1, "104")
    await tab.call(CartState.add_dish, 1, "103")
    menus.restore(1, whole)
    await tab.visit("/menu/1")
    assert dishes(tab) == (1, {"103": 1})


@pytest.mark.parametrize("is_paid", [True, False], ids=["paid", "control: unpaid"])
async def test_paid_cart_gets_no_lost_dish_back(is_paid, tab, services):
    stored = await services.carts.prepare(order_request(), KEY)
    if is_paid:
        await pay(services, stored)
    await tab.synchronize(CartState.lost, stored_cart({"112": 1}))
    await tab.visit("/menu/1")
    assert tab.get(CartState.cart) == ("" if is_paid else stored_cart({"112": 1}))


async def test_open_menu_ignores_forged_lost_dishes(tab):
    await to_menu(tab, {"104": 1})
    for text in ("x", "1|a|b|c", "|" * 5000, "999|1|" + "k" * 22 + "|104:1"):
        await tab.synchronize(CartState.lost, text)
        await tab.visit("/menu/1")
        assert dishes(tab) == (1, {"104": 1})
        assert tab.get(CartState.lost) == ""


@pytest.mark.parametrize(
    ("restaurant_id", "quantities", "totals", "offer"),
    [
        pytest.param(2, {"201": 1}, ["₹12.25", "₹0", "₹12.25"], "", id="paise"),
        pytest.param(1, {"127": 50}, ["₹9,500", "₹0", "₹9,500"], "", id="thousands"),
        pytest.param(5, {"501": 2, "502": 1}, ["₹490", "₹160", "₹330"], BOGO, id="offer"),
    ],
)
async def test_totals_match_prices_and_offers_of_dishes(
    restaurant_id, quantities, totals, offer, tab
):
    await to_menu(tab, quantities, restaurant_id)
    assert cart_totals(tab)[:3] == totals
    assert tab.get(CartState.offer) == offer


async def test_shortfall_includes_the_percentage(tab, clock):
    clock.set(at(19, day=21))  # on Saturday evenings 10% off: ₹200 are left of ₹222.22
    await tab.visit("/menu/2")
    assert cart_totals(tab)[3] == "₹222.22"
    await tab.call(CartState.add_dish, 2, "202")  # a dish of ₹110
    assert cart_totals(tab)[3] == "₹112.22"


# One restaurant per cart


async def test_add_dish_asks_for_confirmation_when_cart_is_of_another_restaurant(tab):
    await tap_at_another_restaurant(tab)
    await tab.call(CartState.open_menu)  # the menu opens after the tap
    assert tab.get(CartState.asked_dish) == "501"
    assert tab.get(CartState.other_restaurant) == PEHLA
    assert dishes(tab) == (1, {"104": 1})
    await tab.call(CartState.keep_cart)
    assert tab.get(CartState.asked_dish) == ""
    assert dishes(tab) == (1, {"104": 1})


async def test_start_new_cart_contains_the_pending_dish(tab):
    await tap_at_another_restaurant(tab)
    old_key = tab.get(CartState.cart).split("|")[2]
    for _ in range(2):
        await tab.call(CartState.start_new_cart)
        assert tab.get(CartState.asked_dish) == ""
        assert dishes(tab) == (5, {"501": 1})
    assert tab.get(CartState.cart).split("|")[2] != old_key


@pytest.mark.parametrize(
    ("seconds", "address"),
    [
        pytest.param(10, "/menu/5", id="a later visit"),
        pytest.param(0, "/menu/3", id="another menu"),
    ],
)
async def test_pending_dish_is_cleared_on_a_later_visit_and_on_another_menu(
    seconds, address, tab, clock
):
    await tap_at_another_restaurant(tab)
    clock.advance(seconds=seconds)
    await tab.visit(address)
    assert tab.get(CartState.asked_dish) == ""


# Closed restaurants


async def test_menu_of_closed_restaurant_opens(tab, services):
    await to_menu(tab, {"501": 2}, 5)
    await services.statuses.set_override(5, is_open=False, message="")
    for restaurant_id in (4, 5):  # closed by its hours, and by the operator
        await tab.visit(f"/menu/{restaurant_id}")
        assert tab.redirects == []
        assert banner(tab) == ""
        assert dishes(tab) == (5, {"501": 2})


# PROCEED TO CART


@pytest.mark.parametrize(
    ("quantities", "redirects"),
    [
        pytest.param({}, [], id="an empty cart"),
        pytest.param({"128": 1, "113": 1}, [], id="199: one rupee short"),
        pytest.param({"103": 1, "104": 1}, [Redirect("/checkout")], id="200"),
        pytest.param({"127": 50}, [Redirect("/checkout")], id="9500"),
    ],
)
async def test_proceed_opens_summary_when_minimum_is_reached(quantities, redirects, tab):
    await to_menu(tab, quantities)
    await tab.call(CartState.proceed)
    assert tab.redirects == redirects


async def test_proceed_does_nothing_when_cart_is_of_another_restaurant(tab):
    await to_menu(tab, {"104": 3})
    await tab.visit("/menu/5")
    await tab.call(CartState.proceed)
    assert tab.redirects == []


# Browser storage


async def test_cart_survives_a_restart_and_is_shared_by_two_tabs(tab, open_tab):
    await to_menu(tab, {"104": 2})
    await tab.call(CartState.add_dish, 1, "112")
    second = open_tab(tab.local)
    await second.visit("/menu/1")
    assert dishes(second) == (1, {"104": 2, "112": 1})
    assert cart_totals(second)[0] == "₹380"
    await second.call(CartState.add_dish, 1, "112")
    await tab.visit("/menu/1")
    assert dishes(tab) == (1, {"104": 2, "112": 2})


@pytest.mark.parametrize(
    ("kept", "handler", "arguments"),
    [
        pytest.param({}, CartState.open_menu, (), id="an empty cart when its menu opens"),
        pytest.param({"104": 1}, CartState.open_menu, (), id="a cart when its menu opens"),
        pytest.param({"104": 50}, CartState.add_dish, (1, "104", 7), id="a full line"),
        pytest.param(
            {"104": 1}, CartState.remove_dish, (1, "112", 7), id="a dish that is not in it"
        ),
    ],
)
async def test_cart_is_not_sent_when_handler_leaves_it_unchanged(kept, handler, arguments, tab):
    """A browser stores what is sent: it would replace what another tab has stored meanwhile."""
    await to_menu(tab, kept)
    tab.sent.clear()
    await tab.call(handler, *arguments)
    assert not tab.was_sent(CartState.cart)
    await tab.call(CartState.add_dish, 1, "103", 8)
    assert tab.was_sent(CartState.cart)


async def test_carts_of_two_visitors_are_separate(open_tab):
    one, other = open_tab(), open_tab()
    for tab, dish in ((one, "104"), (other, "112"), (one, "104")):
        await tab.visit("/menu/1")
        await tab.call(CartState.add_dish, 1, dish)
    assert dishes(one) == (1, {"104": 2})
    assert dishes(other) == (1, {"112": 1})
    assert one.get(CartState.cart).split("|")[2] != other.get(CartState.cart).split("|")[2]


async def test_cart_of_yesterday_is_dropped_when_menu_opens(tab, clock):
    await to_menu(tab, {"104": 2})
    clock.set(THURSDAY)
    await tab.visit("/menu/1")
    assert tab.get(CartState.cart) == ""
    assert cart_totals(tab) == EMPTY_TOTALS


async def test_add_dish_starts_new_cart_when_stored_cart_is_of_yesterday(tab, clock):
    await to_menu(tab, {"104": 2})
    clock.set(THURSDAY)
    await tab.call(CartState.add_dish, 1, "112")
    assert dishes(tab) == (1, {"112": 1})


# All malformed texts: `test_browser_storage.py`.
async def test_invalid_stored_cart_is_ignored(open_tab):
    for kept in ("nonsense", stored_cart({"104": 1}, restaurant_id=999), 5, {"104": 1}):
        tab = open_tab({"selectedCampus": "north", "cart": kept})
        await tab.visit("/menu/1")
        await tab.call(CartState.add_dish, 1, "104")
        assert dishes(tab) == (1, {"104": 1})


# Sold-out dishes. Source: specification 10.20.


async def test_sold_out_dish_is_not_added_and_its_cart_says_so(tab, services):
    await to_menu(tab, {"104": 2, "112": 1})
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    await tab.call(CartState.add_dish, 1, "104", 1)
    assert tab.get(CartState.refusal) == "This dish is sold out."
    assert tab.local["cart"].endswith("104:2,112:1")
    await tab.call(CartState.proceed)
    assert (tab.redirects, banner(tab)) == (
        [],
        "Sold out: Rajma Chawal. Please choose another dish.",
    )
    for step in (2, 3):
        await tab.call(CartState.remove_dish, 1, "104", step)
    await tab.call(CartState.add_dish, 1, "112", 4)
    await tab.call(CartState.proceed)
    assert [each.address for each in tab.redirects] == ["/checkout"]


async def test_new_cart_is_not_begun_when_its_dish_has_sold_out(tab, services):
    await to_menu(tab, {"104": 2})
    await tab.visit("/menu/2")
    await tab.call(CartState.add_dish, 2, "202", 1)
    await services.statuses.set_sold_out(2, "202", is_sold_out=True)
    await tab.call(CartState.start_new_cart)
    assert dishes(tab) == (1, {"104": 2})
    assert tab.get(CartState.asked_dish) == ""
    assert tab.get(CartState.refusal) == MenuMessage.DISH_SOLD_OUT


async def test_step_that_the_stored_cart_has_changes_nothing(tab):
    """Source: specification 10.17."""
    tab.session["cartSequence"] = "7"
    await to_menu(tab, {"104": 2})
    await tab.call(CartState.add_dish, 1, "104", 7)
    await tab.call(CartState.remove_dish, 1, "104", 6)
    assert (tab.get(CartState.sequence), dishes(tab)) == ("7", (1, {"104": 2}))
    await tab.call(CartState.add_dish, 1, "104", 8)
    assert (tab.get(CartState.sequence), dishes(tab)) == ("8", (1, {"104": 3}))


async def test_step_is_new_when_the_stored_sequence_number_is_invalid(open_tab):
    for stored in ("", "0", "-7", "7.5", "1e3", "\uff17", "9" * 17, "seven"):
        tab = open_tab(session={"cartSequence": stored})
        await to_menu(tab, {"104": 2})
        await tab.call(CartState.add_dish, 1, "104", 1)
        assert (tab.get(CartState.sequence), dishes(tab)) == ("1", (1, {"104": 3})), stored


# Steps from other screens than the menu


@pytest.mark.parametrize("address", ["/offers", "/about", "/underprogress", "/menu/1"])
async def test_add_dish_puts_dish_into_cart_from_any_screen(address, tab):
    await tab.visit(address)
    await tab.call(CartState.add_dish, 5, "501", 1)
    await tab.call(CartState.add_dish, 5, "501", 1)  # once more, after a reconnection
    await tab.call(CartState.add_dish, 5, "502", 2)
    await tab.call(CartState.remove_dish, 5, "502", 3)
    assert dishes(tab) == (5, {"501": 1})
    assert tab.get(CartState.sequence) == "3"


async def test_remove_dish_changes_nothing_when_it_names_another_restaurant(tab):
    await to_menu(tab, {"104": 3}, 1)
    await tab.call(CartState.remove_dish, 5, "104")
    assert dishes(tab) == (1, {"104": 3})


async def test_step_changes_nothing_when_it_names_no_restaurant(tab):
    await to_menu(tab, {"501": 3}, 5)
    before = tab.local["cart"]
    wrong = (0, -1, 99, 10**40, 5.0, True, None, "x", "", [5], {"id": 5})
    for sequence, (handler, restaurant_id) in enumerate(product(HANDLERS, wrong), start=1):
        await tab.call(handler, restaurant_id, "501", sequence)
        assert tab.local["cart"] == before, restaurant_id
        assert tab.get(CartState.sequence) == str(sequence)
