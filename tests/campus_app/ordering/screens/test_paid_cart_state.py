"""A kept cart whose order is paid. Source: specification M17."""

import pytest

from campus_app.ordering.rules.cart import successor_key
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.screens.browser_storage import cart_from
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.checkout_state import NO_CART, CheckoutState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shell.banner_state import BannerState
from tests.helpers.builders import CUSTOMER, QUANTITIES
from tests.helpers.flows import press
from tests.helpers.sessions import Redirect
from tests.helpers.steps import KEY, banner, cart_totals, stored_cart, to_payment, to_waiting_room
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio

DINNER = {"104": 4}
REST_KEPT = str(OrderMessage.REST_KEPT)


@pytest.fixture
def paid_unseen(tab, services):
    """Orders and pays the dishes of a cart; the browser never returns from its payment."""

    async def paid_unseen(*, is_known=True):
        stored = await to_payment(tab, services)
        assert await press(services, stored)
        if is_known:
            await services.payments.reconcile(stored.payment)
        tab.local["cart"] = stored_cart(QUANTITIES)
        return stored.order

    return paid_unseen


def quantities(tab, clock):
    cart = cart_from(tab.local["cart"], clock.now())
    return dict(cart.quantities) if cart else {}


def says_paid(order):
    return f"Order #{order.number} is paid."


@pytest.mark.parametrize("is_known", [True, False], ids=["webhook", "no webhook"])
async def test_screen_shows_paid_order_and_empties_cart(is_known, tab, paid_unseen, clock):
    order = await paid_unseen(is_known=is_known)
    others = ("/about", "/about2", "/menu/1", "/menu/3", "/offers", "/pre-reserve", "/terms")
    for screen in ("/campus", *others):
        tab.local["cart"] = stored_cart(QUANTITIES)
        await tab.visit(screen)
        assert banner(tab) == says_paid(order), screen
        assert tab.get(BannerState.order_path) == order.response_path
        assert quantities(tab, clock) == {}


@pytest.mark.parametrize("is_known", [True, False], ids=["webhook", "no webhook"])
@pytest.mark.parametrize("screen", ["/checkout", "/personal-info", "/waiting-room"])
async def test_step_of_a_paid_cart_leads_to_the_restaurants(
    screen, is_known, tab, paid_unseen, clock
):
    order = await paid_unseen(is_known=is_known)
    await tab.visit(screen)
    while tab.redirects:
        last = tab.redirects[-1]
        await tab.follow_redirect()
    assert last == Redirect("/campus", replaces=True)
    assert banner(tab) == f"{says_paid(order)} {NO_CART}"
    assert tab.get(BannerState.order_path) == order.response_path
    assert quantities(tab, clock) == {}


async def test_dishes_added_to_a_paid_cart_are_kept_and_ordered(tab, services, paid_unseen, clock):
    """Lunch is paid in a payment app; for dinner the same browser has other dishes."""
    lunch = await paid_unseen()
    tab.local["cart"] = stored_cart(QUANTITIES | {"104": 6})
    await tab.visit("/menu/1")
    assert quantities(tab, clock) == DINNER
    assert banner(tab) == f"{says_paid(lunch)} {REST_KEPT}"
    assert cart_totals(tab)[2] == "₹440"
    await tab.call(CartState.proceed)
    await tab.follow_redirect()
    await tab.call(CheckoutState.next)
    await tab.follow_redirect()
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.call(CustomerState.next, CUSTOMER)
    await tab.follow_redirect()
    await tab.call(WaitingRoomState.pay)
    dinner = await services.payments.orders.by_number(tab.session["currentOrderId"])
    assert dinner.order.quantities == DINNER
    assert dinner.order.id != lunch.id


async def test_two_tabs_keep_the_same_rest_of_a_paid_cart(open_tab, paid_unseen):
    order = await paid_unseen()
    cart = stored_cart(QUANTITIES | {"104": 6})
    first, second = open_tab({"cart": cart}), open_tab({"cart": cart})
    for each in (first, second):
        await each.visit("/menu/1")
    keys = [each.local["cart"].split("|")[2] for each in (first, second)]
    assert keys == [successor_key(KEY, order.id)] * 2


async def test_summary_shows_rest_of_a_paid_cart(tab, paid_unseen, clock):
    order = await paid_unseen()
    tab.local["cart"] = stored_cart(DINNER | {"112": 4})
    await tab.visit("/checkout")
    assert banner(tab) == f"{says_paid(order)} {REST_KEPT}"
    assert [line["name"] for line in tab.get(CheckoutState.lines)] == [
        "Rajma Chawal",
        "Paneer Butter Masala",
    ]
    assert quantities(tab, clock) == {"104": 2, "112": 3}


async def test_late_payment_shows_rest_of_the_cart_on_the_summary(tab, paid_unseen, clock):
    order = await paid_unseen(is_known=False)
    tab.local["cart"] = stored_cart(QUANTITIES | {"104": 6})
    await tab.visit("/waiting-room")
    while tab.redirects:
        last = tab.redirects[-1]
        await tab.follow_redirect()
    assert last.address == "/checkout"
    assert banner(tab) == f"{says_paid(order)} {REST_KEPT}"
    assert quantities(tab, clock) == DINNER


async def test_pay_orders_the_shown_dishes_when_the_cart_was_paid_before(
    tab, open_tab, services, database
):
    """Two tabs have one cart; the second one was changed before the first one was paid."""
    first = await to_payment(tab, services)
    other = open_tab(dict(tab.local))
    await to_waiting_room(other, quantities=DINNER)
    shown = other.get(WaitingRoomState.bill)
    assert await press(services, first)
    await other.call(WaitingRoomState.pay)
    second = await services.payments.orders.by_number(other.session["currentOrderId"])
    assert second.order.quantities == DINNER
    assert shown["grand_total"] == f"₹{second.order.bill.grand_total:.0f}"
    assert (await services.lookup.by_id(first.order.id)).order.state is OrderState.CONFIRMED
    assert await count(database, OrderRow) == 2


async def test_pay_shows_paid_order_when_only_details_differ(tab, open_tab, services, database):
    first = await to_payment(tab, services)
    other = open_tab(dict(tab.local))
    await to_waiting_room(other)
    await other.visit("/checkout")
    await other.call(CheckoutState.choose_donation, "20.00")
    await other.visit("/waiting-room")
    assert await press(services, first)
    await other.call(WaitingRoomState.pay)
    assert other.redirects == [Redirect("/campus", replaces=True)]
    assert banner(other) == f"{says_paid(first.order)} {NO_CART}"
    assert await count(database, OrderRow) == 1


async def test_return_from_payment_keeps_dishes_that_were_added_meanwhile(tab, services, clock):
    stored = await to_payment(tab, services)
    assert await press(services, stored)
    tab.local["cart"] = stored_cart(QUANTITIES | {"110": 1})
    await tab.visit(stored.order.response_path)
    assert quantities(tab, clock) == {"110": 1}


async def test_refunded_order_of_a_kept_cart_is_named(tab, services):
    stored = await to_payment(tab, services)
    await services.statuses.set_override(1, is_open=False, message="")
    assert await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await tab.visit("/about")
    assert banner(tab) == f"The money for order #{stored.order.number} goes back to you."


async def test_screen_opens_with_its_cart_when_the_database_fails(tab, failing_orders, clock):
    tab.local["cart"] = stored_cart(QUANTITIES)
    failing_orders.error, failing_orders.failing_call = RuntimeError("away"), "latest_of_cart"
    await tab.visit("/menu/1")
    assert quantities(tab, clock) == QUANTITIES
    assert banner(tab) == ""


async def test_message_of_a_paid_order_goes_with_the_screen_or_when_closed(tab, paid_unseen):
    order = await paid_unseen()
    for call in (lambda: tab.visit("/menu/1"), lambda: tab.call(BannerState.close)):
        tab.local["cart"] = stored_cart(QUANTITIES)
        await tab.visit("/about")
        assert banner(tab) == says_paid(order)
        await call()
        assert (banner(tab), tab.get(BannerState.order_path)) == ("", "")


async def test_cart_without_an_order_is_kept_in_silence(tab, clock):
    tab.local["cart"] = stored_cart(QUANTITIES)
    await tab.visit("/about")
    assert (quantities(tab, clock), banner(tab)) == (QUANTITIES, "")


@pytest.mark.parametrize("screen", ["/checkout", "/waiting-room"])
async def test_back_from_the_confirmation_names_the_paid_order(screen, tab, services):
    stored = await to_payment(tab, services)
    assert await press(services, stored)
    await tab.visit(stored.order.response_path)
    await tab.visit(screen)
    assert tab.redirects == [Redirect("/campus", replaces=True)]
    assert banner(tab) == f"{says_paid(stored.order)} {NO_CART}"
    assert tab.get(BannerState.order_path) == "/underprogress"


async def test_forged_last_order_shows_nothing(open_tab):
    for number in ("AS_482", "", "AS_1; --", "x" * 300):
        tab = open_tab(session={"lastOrderId": number})
        await tab.visit("/checkout")
        assert (banner(tab), tab.get(BannerState.order_path)) == (NO_CART, "")
