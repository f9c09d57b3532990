"""The current offers, and open carts when an offer starts or ends.

Source: specification 2.49, 9.33, 9.34, M7.
"""

import pytest

from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.offers_state import ACTIVE, OffersState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from tests.helpers.builders import CUSTOMER, at
from tests.helpers.sessions import Redirect
from tests.helpers.steps import banner, cart_totals, stored_cart, to_menu, to_summary

pytestmark = pytest.mark.anyio

PIZZAS = {"501": 4}
"""Four units of one dish of restaurant 5."""

IDS = ("wednesday", "saturday")
WEDNESDAY, SATURDAY = "Wednesday: buy one, get one free", "Saturday evening: 10% off"
BEGUN = "{}. It applies from now on, and your total is new."
ENDED = "{}: this offer has ended, and your total is new."


async def open_menu(tab):
    """Fill a cart now; it stays valid after midnight."""
    await to_menu(tab, {"501": 3}, 5)
    await tab.call(CartState.add_dish, 5, "501")


async def open_summary(tab):
    await open_menu(tab)
    await tab.call(CartState.proceed)
    await tab.follow_redirect()


async def open_details(tab):
    await open_summary(tab)
    await tab.call(CheckoutState.next)
    await tab.follow_redirect()


async def test_offers_screen_shows_active_offers_and_start_of_others(tab, clock):
    saturday_evening = "STARTS SATURDAY 18:00"
    for moment, *words in (
        (at(23, day=17), "STARTS TOMORROW", saturday_evening),
        (at(0), ACTIVE, saturday_evening),
        (at(13), ACTIVE, saturday_evening),
        (at(0, day=19), "STARTS WEDNESDAY", saturday_evening),
        (at(13, day=20), "STARTS WEDNESDAY", "STARTS TOMORROW 18:00"),
        (at(17, 59, day=21), "STARTS WEDNESDAY", "STARTS TODAY 18:00"),
        (at(18, day=21), "STARTS WEDNESDAY", ACTIVE),
        (at(0, day=22), "STARTS WEDNESDAY", saturday_evening),
    ):
        clock.set(moment)
        await tab.visit("/offers")
        assert [*tab.get(OffersState.words).items()] == [*zip(IDS, words, strict=True)], moment
        active = tab.get(OffersState.active)
        assert [active[id_] for id_ in IDS] == [each == ACTIVE for each in words]


async def test_offers_screen_refreshes_when_offer_starts_or_ends(tab, clock):
    clock.set(at(17, 59, day=21))
    await tab.visit("/offers")
    assert tab.get(OffersState.refresh_ms) == 60_000 + 50
    clock.set(at(18, day=21))
    await tab.call(OffersState.refresh)
    assert tab.get(OffersState.words)["saturday"] == ACTIVE
    assert tab.get(OffersState.refresh_ms) == 6 * 60 * 60 * 1000 + 50


# An open menu


async def test_menu_announces_offer_end_and_new_total(tab, clock):
    clock.set(at(23, 30))
    await open_menu(tab)
    subtotal, discount, total, _ = cart_totals(tab)
    assert (discount, tab.get(CartState.offer)) == (total, WEDNESDAY)
    assert tab.get(CartState.offer_ms) == 30 * 60 * 1000 + 50
    clock.set(at(0, day=19))
    await tab.call(CartState.reprice)
    assert banner(tab) == ENDED.format(WEDNESDAY)
    assert cart_totals(tab)[1:3] == ["₹0", subtotal]
    assert tab.get(CartState.offer) == ""


async def test_menu_announces_offer_start_and_new_total(tab, clock):
    clock.set(at(17, 59, day=21))
    await tab.visit("/menu/2")
    for _ in range(4):
        await tab.call(CartState.add_dish, 2, "202")
    assert cart_totals(tab)[1] == "₹0"
    clock.set(at(18, day=21))
    await tab.call(CartState.reprice)
    assert banner(tab) == BEGUN.format(SATURDAY)
    assert cart_totals(tab) == ["₹440", "₹44", "₹396", "₹0"]
    assert tab.get(CartState.offer) == SATURDAY


@pytest.mark.parametrize(
    ("restaurant_id", "dishes"),
    [
        pytest.param(5, ("501", "502"), id="one of each"),
        pytest.param(5, (), id="none"),
        pytest.param(1, ("104",), id="a cart of another restaurant"),
    ],
)
async def test_reprice_shows_no_banner_when_offer_does_not_change_cart(
    restaurant_id, dishes, tab, clock
):
    clock.set(at(19))
    await tab.visit(f"/menu/{restaurant_id}")
    for dish in dishes:
        await tab.call(CartState.add_dish, restaurant_id, dish)
    clock.set(at(23, 30))
    await tab.visit("/menu/5")
    clock.set(at(0, day=19))
    await tab.call(CartState.reprice)
    assert banner(tab) == ""


async def test_reprice_changes_nothing_when_no_offer_changed(tab):
    await to_menu(tab, PIZZAS, 5)
    figures = cart_totals(tab)
    await tab.call(CartState.reprice)
    assert banner(tab) == ""
    assert cart_totals(tab) == figures
    await to_menu(tab, {"104": 3}, 1)  # a restaurant without an offer
    assert tab.get(CartState.offer_ms) == 0


# The bill


async def test_bill_names_the_offer(tab):
    await to_summary(tab, PIZZAS, restaurant_id=5)
    assert tab.get(CheckoutState.bill)["discount_name"] == WEDNESDAY


async def test_summary_announces_offer_end_with_new_bill(tab, clock):
    clock.set(at(23, 30))
    await open_summary(tab)
    assert tab.get(CheckoutState.offer_ms) == 30 * 60 * 1000 + 50
    clock.set(at(0, day=19))
    await tab.call(CheckoutState.open)
    assert banner(tab) == ENDED.format(WEDNESDAY)
    bill = tab.get(CheckoutState.bill)
    assert (bill["discount"], bill["discount_name"]) == ("₹0", "No offer applies now")


async def open_waiting_room(tab):
    await open_details(tab)
    for _ in range(2):
        await tab.call(CustomerState.next, CUSTOMER)
    await tab.follow_redirect()


@pytest.mark.parametrize(
    ("opens", "step", "redirects"),
    [
        (open_menu, (CartState.proceed,), []),
        (open_summary, (CheckoutState.next,), []),
        (open_summary, (CheckoutState.choose_donation, "10.00"), []),
        (open_summary, "/personal-info", [Redirect("/checkout", replaces=True)]),
        (open_waiting_room, (WaitingRoomState.pay,), [Redirect("/checkout")]),
    ],
    ids=["proceed", "next", "donation", "details", "pay"],
)
async def test_step_announces_offer_that_ended_unnoticed(opens, step, redirects, tab, clock):
    clock.set(at(23, 59))
    await opens(tab)
    tab.redirects.clear()
    clock.set(at(0, day=19))
    await (tab.visit(step) if isinstance(step, str) else tab.call(*step))
    assert (tab.redirects, banner(tab)) == (redirects, ENDED.format(WEDNESDAY))


async def test_summary_shows_no_banner_when_cart_was_replaced(tab):
    await to_summary(tab, PIZZAS, restaurant_id=5)
    tab.local["cart"] = stored_cart({"104": 3}, 1, key="the-key-of-another-cart")
    await tab.visit("/checkout")
    assert banner(tab) == ""


async def test_summary_shows_no_banner_when_offer_newly_applies(tab):
    await to_summary(tab, {"504": 1, "501": 1}, restaurant_id=5)
    tab.local["cart"] = stored_cart({"504": 2, "501": 1}, 5)
    await tab.visit("/checkout")
    assert banner(tab) == ""
    assert tab.get(CheckoutState.bill)["discount_name"] == WEDNESDAY
