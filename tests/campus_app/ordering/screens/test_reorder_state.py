"""Ordering again: a new cart at today's prices, and what is said before it is paid."""

import pytest

from campus_app.ordering.screens.browser_storage import cart_from, reservation_text
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.new_cart_state import NewCartState
from campus_app.ordering.screens.own_orders_state import OwnOrdersState
from campus_app.ordering.screens.reorder_state import ReorderState
from campus_app.shared.rules.messages import ReservationMessage
from tests.helpers.builders import (
    QUANTITIES,
    RESERVED_QUANTITIES,
    order_request,
    reservation_request,
)
from tests.helpers.flows import pay, press
from tests.helpers.steps import KEY, banner, stored_cart, to_payment

pytestmark = pytest.mark.anyio

PIZZAS = "Slice Theory Pizza"


@pytest.fixture
def paid(services):
    """Prepares and pays an order without a tab; returns its token."""

    async def paid(request=None):
        stored = await services.ordering.prepare(request or order_request())
        return (await pay(services, stored)).order.response_token

    return paid


@pytest.fixture
async def token(paid):
    """The token of a paid order."""
    return await paid()


@pytest.fixture
def hold_table(tab, services, clock):
    """Holds a table that the tab orders for."""

    async def hold_table():
        hold = await services.reservations.hold(reservation_request().reservation)
        tab.local["preReservation"] = reservation_text(
            hold, "Kulhad Café", clock.now(), is_ordering=True
        )

    return hold_table


async def order_again(tab, token):
    await tab.visit("/underprogress")
    await tab.call(ReorderState.order_again, token)


def cart(tab, clock):
    return cart_from(tab.get(CartState.cart), clock.now())


def target(tab):
    (redirect,) = tab.redirects
    return redirect.address


async def test_order_again_opens_the_summary_with_the_same_dishes(tab, clock, token):
    await order_again(tab, token)
    first = tab.get(CartState.cart)
    assert cart(tab, clock).quantities == QUANTITIES
    await tab.call(ReorderState.order_again, token)  # a second press keeps the cart
    assert (tab.get(CartState.cart), tab.get(NewCartState.other_restaurant)) == (first, "")
    assert {each.address for each in tab.redirects} == {"/checkout"}
    await tab.follow_redirect()
    assert tab.get(CheckoutState.restaurant) == "Pehla Food Point"
    assert banner(tab) == ""


async def test_order_again_begins_a_cart_that_can_be_paid(tab, services, clock):
    first = await to_payment(tab, services)
    await press(services, first)
    await tab.visit(first.order.response_path)
    await order_again(tab, first.order.response_token)
    assert cart(tab, clock).key != KEY
    second = await to_payment(tab, services, quantities=dict(QUANTITIES), key=cart(tab, clock).key)
    assert second.order.id != first.order.id
    assert tab.local["ownOrders"].split(",") == [
        second.order.response_token,
        first.order.response_token,
    ]


async def test_another_cart_is_replaced_only_after_a_question(tab, clock, token):
    for restaurant_id, name, dish in ((1, "Pehla Food Point", "104"), (5, PIZZAS, "501")):
        tab.local["cart"] = other = stored_cart({dish: 1}, restaurant_id)
        await order_again(tab, token)
        assert tab.get(NewCartState.other_restaurant) == name
        assert tab.get(CartState.cart) == other
        assert tab.redirects == []
        await tab.call(NewCartState.keep)
        assert tab.get(NewCartState.other_restaurant) == ""
        await tab.call(NewCartState.start)  # as of a second click
        assert tab.get(CartState.cart) == other
    await tab.call(ReorderState.order_again, token)
    await tab.call(NewCartState.start)
    assert cart(tab, clock).quantities == QUANTITIES
    assert target(tab) == "/checkout"


async def test_paid_cart_without_a_return_is_not_paid_again(tab, services, clock):
    first = await to_payment(tab, services)
    await press(services, first)
    await services.payments.reconcile(first.payment)
    assert cart_from(tab.local["cart"], clock.now()).key == KEY
    await tab.visit("/terms")
    await tab.call(ReorderState.order_again, first.order.response_token)
    assert target(tab) == "/checkout"
    assert cart(tab, clock).quantities == QUANTITIES
    assert cart(tab, clock).key != KEY
    assert tab.get(NewCartState.other_restaurant) == ""


async def test_cart_of_a_restaurant_that_is_gone_is_replaced_without_a_question(tab, clock, token):
    tab.local["cart"] = stored_cart({"104": 3}, 99)
    await order_again(tab, token)
    assert cart(tab, clock).quantities == QUANTITIES


@pytest.mark.parametrize("screen", ["/underprogress", "/menu/5", "/forms/response/another"])
async def test_question_is_closed_when_a_screen_opens(tab, screen, token):
    tab.local["cart"] = other = stored_cart({"501": 1}, 5)
    await order_again(tab, token)
    assert tab.get(NewCartState.other_restaurant)
    await tab.visit(screen)
    assert tab.get(NewCartState.other_restaurant) == ""
    await tab.call(NewCartState.start)
    assert tab.get(CartState.cart) == other


async def test_end_of_the_tables_hold_is_said_on_the_summary(tab, hold_table, clock, paid):
    token = await paid(order_request(restaurant_id=2, quantities=RESERVED_QUANTITIES))
    await hold_table()
    clock.advance(minutes=31)
    await order_again(tab, token)
    assert target(tab) == "/checkout"
    await tab.follow_redirect()
    assert banner(tab) == ReservationMessage.HOLD_ENDED


async def test_reserved_table_of_reordered_dishes_is_named(tab, hold_table, paid):
    token = await paid(order_request(restaurant_id=2, quantities=RESERVED_QUANTITIES))
    await hold_table()
    await order_again(tab, token)
    assert banner(tab) == "These dishes are now for the table that you have reserved."


async def test_dearer_and_missing_dishes_are_named_before_payment(tab, clock, paid, menus):
    token = await paid(order_request(quantities={"104": 3, "112": 1}))
    menus.change_price(1, "104", "125.50")
    menus.remove_dish(1, "112")
    await order_again(tab, token)
    assert cart(tab, clock).quantities == {"104": 3}
    assert banner(tab) == (
        "No longer on the menu: Paneer Butter Masala. "
        "Dearer than in that order: Rajma Chawal ₹125.50 (was ₹110)."
    )
    assert target(tab) == "/checkout"
    await tab.follow_redirect()
    assert banner(tab).startswith("No longer on the menu")
    assert tab.get(CheckoutState.bill)["subtotal"] == "₹376.50"


async def test_cart_below_the_minimum_opens_the_menu(tab, clock, menus, token):
    menus.remove_dish(1, "104")
    await order_again(tab, token)
    assert cart(tab, clock).quantities == {"112": 1}
    assert target(tab) == "/menu/1"
    assert banner(tab) == (
        "No longer on the menu: Rajma Chawal. Add ₹40 more to reach the ₹200 minimum."
    )


async def test_order_without_any_dish_left_changes_nothing(tab, menus, token):
    for dish in QUANTITIES:
        menus.remove_dish(1, dish)
    await order_again(tab, token)
    assert banner(tab) == "None of the dishes of this order is on the menu any more."
    assert tab.get(CartState.cart) == ""
    assert tab.redirects == []


async def test_closed_restaurant_is_named_and_the_cart_stays(tab, services, token):
    tab.local["cart"] = other = stored_cart({"501": 1}, 5)
    await services.statuses.set_override(1, is_open=False, message="")
    await order_again(tab, token)
    assert banner(tab) == "Pehla Food Point is not delivering right now."
    assert tab.get(CartState.cart) == other
    assert tab.redirects == []


async def test_table_of_the_order_is_not_reserved_again(tab, paid):
    await order_again(tab, await paid(reservation_request()))
    assert banner(tab) == "The table of that order is not reserved again."


async def test_unknown_token_changes_nothing(tab):
    for token in ("", "AS_482", "a" * 32, None, 5, ["a"], {"a": 1}):
        await order_again(tab, token)
        assert banner(tab) == "There is no such order."
        assert tab.get(CartState.cart) == ""


async def test_unpaid_order_can_be_ordered_again(tab, services, clock):
    stored = await services.ordering.prepare(order_request())
    await order_again(tab, stored.order.response_token)
    assert cart(tab, clock).quantities == QUANTITIES
    assert tab.get(OwnOrdersState.orders) == []


async def test_sold_out_dishes_are_named_and_left_out(tab, services, clock, token):
    """Source: specification 10.20."""
    await services.statuses.set_sold_out(1, "112", is_sold_out=True)
    await order_again(tab, token)
    assert cart(tab, clock).quantities == {"104": QUANTITIES["104"]}
    assert "Sold out: Paneer Butter Masala." in banner(tab)


async def test_order_of_sold_out_dishes_only_leaves_the_cart(tab, services, token):
    for dish in QUANTITIES:
        await services.statuses.set_sold_out(1, dish, is_sold_out=True)
    await order_again(tab, token)
    assert tab.redirects == []
    assert banner(tab) == "The dishes of this order are sold out, or no longer on the menu."
