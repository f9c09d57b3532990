"""Each step of an order when something has changed or is missing: where it leads, and why.

Source: specification 5.9, M1, M12, S12.
"""

from types import SimpleNamespace

import pytest

from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import (
    DISHES_GONE,
    NO_CART,
    SUMMARY_FIRST,
    CheckoutState,
)
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.waiting_room_state import DETAILS_MISSING, WaitingRoomState
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.messages import OrderMessage
from tests.helpers.builders import CUSTOMER, QUANTITIES, at
from tests.helpers.sessions import Redirect
from tests.helpers.steps import banner, to_details, to_menu, to_summary, to_waiting_room
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio

KEPT = OrderMessage.CART_KEPT
CLOSED = f"{OrderMessage.RESTAURANT_CLOSED.format(name='Pehla Food Point')} {KEPT}"
PAUSED = f"{OrderMessage.RESTAURANT_UNAVAILABLE.format(name='Pehla Food Point')} {KEPT}"
DEARER = OrderMessage.NEW_PRICES.format(dishes="Paneer Butter Masala ₹165 (was ₹160)")
CAMPUS, SUMMARY = Redirect("/campus", replaces=True), Redirect("/checkout", replaces=True)
DETAILS, MENU = Redirect("/personal-info", replaces=True), Redirect("/menu/1", replaces=True)
ON = Redirect("/checkout")


# Where the visitor is


async def on_menu(tab):
    await to_menu(tab, QUANTITIES)


async def below_minimum(tab):
    await to_menu(tab, {"103": 1})


async def without_cart(tab):
    await tab.visit("/menu/1")


async def at_confirmation(tab):
    await to_details(tab)
    await tab.call(CustomerState.next, CUSTOMER)


# What changes


async def nothing(_shop):
    pass


async def hours(shop):
    shop.clock.set(at(20, 30))


async def pause(shop):
    await shop.services.statuses.set_override(1, is_open=False, message="")


async def day(shop):
    shop.clock.set(at(13, day=19))


async def price(shop):
    shop.menus.change_price(1, "112", "165")


async def low_price(shop):
    shop.menus.change_price(1, "104", "1")


async def dish(shop):
    shop.menus.remove_dish(1, "112")


STEPS = {
    "proceed": (CartState.proceed,),
    "next": (CheckoutState.next,),
    "confirm": (CustomerState.next, CUSTOMER),
    "pay": (WaitingRoomState.pay,),
}


@pytest.mark.parametrize(
    ("place", "change", "step", "target", "message"),
    [
        (on_menu, hours, "proceed", None, CLOSED),
        (to_summary, pause, "next", None, PAUSED),
        (at_confirmation, hours, "confirm", None, CLOSED),
        (to_waiting_room, hours, "pay", None, CLOSED),
        (to_summary, price, "/personal-info", SUMMARY, DEARER),
        (to_waiting_room, price, "/waiting-room", SUMMARY, DEARER),
        (to_waiting_room, price, "pay", ON, DEARER),
        (to_waiting_room, low_price, "pay", ON, "Add ₹38 more to reach the ₹200 minimum."),
        (to_summary, dish, "/checkout", MENU, DISHES_GONE),
        (to_summary, dish, "next", MENU, DISHES_GONE),
        (to_waiting_room, dish, "pay", ON, OrderMessage.DISH_LEFT_MENU),
        (to_summary, day, "next", CAMPUS, NO_CART),
        (at_confirmation, day, "confirm", CAMPUS, NO_CART),
        (without_cart, nothing, "/checkout", CAMPUS, NO_CART),
        (without_cart, nothing, "/personal-info", CAMPUS, NO_CART),
        (without_cart, nothing, "/waiting-room", CAMPUS, NO_CART),
        (without_cart, nothing, "pay", CAMPUS, NO_CART),
        (below_minimum, nothing, "/checkout", MENU, "Add ₹110 more to reach the ₹200 minimum."),
        (on_menu, nothing, "/personal-info", SUMMARY, SUMMARY_FIRST),
        (on_menu, nothing, "/waiting-room", SUMMARY, SUMMARY_FIRST),
        (to_summary, nothing, "/waiting-room", DETAILS, DETAILS_MISSING),
    ],
)
async def test_step_leads_back_with_a_reason_when_it_is_not_possible(
    place, change, step, target, message, tab, clock, menus, services, database
):
    await place(tab)
    cart = tab.local.get("cart")
    await change(SimpleNamespace(clock=clock, menus=menus, services=services))
    tab.redirects.clear()
    await (tab.visit(step) if step.startswith("/") else tab.call(*STEPS[step]))
    assert tab.redirects == ([target] if target else [])
    assert banner(tab) == message
    assert tab.get(WaitingRoomState.is_paying) is False
    if message != NO_CART:
        assert tab.local["cart"] == cart
    assert await count(database, OrderRow) == 0
