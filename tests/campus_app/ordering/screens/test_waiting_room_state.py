"""The waiting room, the screen before the payment page: PAY can be pressed for 150 s.

Source: specification 4.11 to 4.15, M1, M15, S13.
"""

import asyncio
import json
from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.ordering.rules.errors import ProviderBusy, ProviderRejected, ProviderUnavailable
from campus_app.ordering.screens.browser_storage import CheckoutDraft, draft_from, draft_text
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.ordering.sql.tables import OrderRow, PaymentRow
from campus_app.shared.rules.messages import OrderMessage
from kit.rate_limit import RateLimiter
from tests.helpers.builders import CUSTOMER, order_request
from tests.helpers.flows import press
from tests.helpers.sessions import Redirect
from tests.helpers.settings import ORIGIN
from tests.helpers.steps import (
    amounts_to_pay,
    banner,
    stored_cart,
    to_details,
    to_menu,
    to_payment,
    to_waiting_room,
)
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio


# The countdown


async def test_countdown_continues_after_reload(tab, clock):
    await to_waiting_room(tab)
    began = clock.now()
    for passed, left in ((0, 150), (40, 110), (149, 1), (150, 0), (600, 0)):
        clock.set(began + timedelta(seconds=passed))
        await tab.visit("/waiting-room")
        assert tab.get(WaitingRoomState.seconds) == left
        assert tab.get(WaitingRoomState.is_over) is (left == 0)


async def test_countdown_is_not_extended_when_end_is_forged(tab):
    await to_waiting_room(tab)
    draft = json.loads(tab.session["checkoutDraft"])
    for until in (1e11, "x", None, True, 10**400, -1, [1]):
        tab.session["checkoutDraft"] = json.dumps(draft | {"payUntil": until})
        await tab.visit("/waiting-room")
        assert tab.get(WaitingRoomState.seconds) in {0, 150}


async def test_try_again_returns_to_contact_details_and_keeps_values(tab, database):
    await to_waiting_room(tab)
    await tab.call(WaitingRoomState.expire)
    assert tab.get(WaitingRoomState.is_over) is True
    await tab.call(WaitingRoomState.pay)
    assert tab.get(WaitingRoomState.pay_url) == ""
    assert await count(database, OrderRow) == 0
    await tab.call(WaitingRoomState.return_to_details)
    assert tab.redirects == [Redirect("/personal-info")]
    await tab.follow_redirect()
    assert CUSTOMER.items() <= tab.get(CustomerState.values).items()
    for _ in range(2):
        await tab.call(CustomerState.next, CUSTOMER)
    await tab.follow_redirect()
    assert tab.get(WaitingRoomState.seconds) == 150


# The shown order


async def test_waiting_room_shows_payee_amounts_and_destination(tab, services):
    await to_waiting_room(tab)
    assert tab.get(WaitingRoomState.restaurant) == "Pehla Food Point"
    assert tab.get(WaitingRoomState.phone) == "+91 00000 00001"
    assert tab.get(WaitingRoomState.summary) == "3 dishes for Aarav Sharma, to Hostel 4, room 212"
    order = (await services.ordering.prepare(order_request())).order
    assert amounts_to_pay(order.bill).items() <= tab.get(WaitingRoomState.bill).items()


# PAY


async def test_pay_stores_order_once_and_opens_payment_page(tab, services, database):
    """Source: specification M15."""
    stored = await to_payment(tab, services)
    for _ in range(2):
        page = f"{ORIGIN}/sandbox/pay?order_id={stored.order.number}&key="
        assert tab.get(WaitingRoomState.pay_url).startswith(page)
        assert tab.get(WaitingRoomState.has_problem) is False
        assert tab.session["currentOrderId"] == stored.order.number
        assert await count(database, OrderRow) == await count(database, PaymentRow) == 1
        await tab.visit("/waiting-room")  # the visitor returns and presses again
        assert tab.get(WaitingRoomState.is_paying) is False
        await tab.call(WaitingRoomState.pay)


async def test_concurrent_pay_in_two_tabs_creates_one_order(tab, open_tab, database):
    """Source: specification M15. A browser copies sessionStorage into a duplicated tab."""
    await to_waiting_room(tab)
    duplicate = open_tab(tab.local, dict(tab.session))
    await duplicate.visit("/waiting-room")
    await asyncio.gather(tab.call(WaitingRoomState.pay), duplicate.call(WaitingRoomState.pay))
    assert tab.session["currentOrderId"] == duplicate.session["currentOrderId"]
    assert tab.get(WaitingRoomState.pay_url) == duplicate.get(WaitingRoomState.pay_url) != ""
    assert await count(database, OrderRow) == await count(database, PaymentRow) == 1


@pytest.fixture
async def second_tab(tab, open_tab, services):
    """A waiting room of the same cart, opened before the first tab pays; with the stored order."""
    await to_waiting_room(tab)
    second = open_tab(tab.local, dict(tab.session))
    await second.visit("/waiting-room")
    await tab.call(WaitingRoomState.pay)
    return second, await services.payments.orders.by_number(tab.session["currentOrderId"])


async def test_pay_redirects_to_confirmation_when_cart_is_already_paid(
    second_tab, services, database
):
    second, stored = second_tab
    assert await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await second.call(WaitingRoomState.pay)
    token = stored.order.response_token
    assert second.redirects == [
        Redirect(
            f"/order-confirmation?order_id={stored.order.number}&token={token}&status=SUCCESS",
            replaces=True,
        )
    ]
    assert second.get(CartState.cart) == ""
    assert await count(database, OrderRow) == 1


async def test_pay_redirects_to_confirmation_without_success_when_refunded(second_tab, services):
    # Source: specification P3.3.
    second, stored = second_tab
    await services.statuses.set_override(1, is_open=False, message="")
    assert await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await services.statuses.set_override(1, is_open=True, message="")
    await second.call(WaitingRoomState.pay)
    assert second.redirects[0].address.endswith("&status=FAILED")


# Obstacles to payment


async def pause(services, restaurant_id=1):
    until = services.clock.now() + timedelta(minutes=30)
    await services.statuses.set_override(restaurant_id, is_open=False, message="", until=until)


@pytest.mark.parametrize(
    ("restaurant_id", "quantities", "orders"),
    [
        pytest.param(1, {"104": 2, "112": 1}, 1, id="the restaurant of the waiting room"),
        pytest.param(2, {"202": 3}, 0, id="another restaurant"),
    ],
)
async def test_pay_is_accepted_in_a_pause_of_the_restaurant_of_the_waiting_room(
    restaurant_id, quantities, orders, tab, services, database, clock
):
    """Who is in the waiting room when the pause begins may still pay. Source: specification 10.21."""
    await to_waiting_room(tab)
    await pause(services, restaurant_id)
    clock.advance(seconds=1)
    tab.local["cart"] = stored_cart(quantities, restaurant_id)
    await tab.visit("/checkout")
    await tab.visit("/waiting-room")
    await tab.call(WaitingRoomState.pay)
    assert await count(database, OrderRow) == orders
    is_refused = "not delivering right now" in banner(tab)
    assert is_refused is (orders == 0)


SHOWN = {"grandTotal": "1.00", "online": "1.00", "restaurantId": 1, "offerId": ""}


@pytest.mark.parametrize(
    ("forged", "target", "message"),
    [
        ({"shown": SHOWN}, "/checkout", OrderMessage.PRICE_MISMATCH),
        ({"details": {"email": "x"}}, "/personal-info", "Name is required"),
    ],
    ids=["total", "details"],
)
async def test_pay_redirects_to_the_screen_whose_stored_values_were_forged(
    forged, target, message, tab, database
):
    """Source: specification M1."""
    await to_waiting_room(tab)
    tab.session["checkoutDraft"] = json.dumps(json.loads(tab.session["checkoutDraft"]) | forged)
    await tab.visit("/menu/1")
    await tab.call(WaitingRoomState.pay)
    assert (tab.redirects, banner(tab)) == ([Redirect(target)], message)
    assert await count(database, OrderRow) == 0


async def test_pay_orders_no_dishes_that_the_summary_did_not_show(tab, menus, database):
    """Another tab's cart with the same total. Source: specification 5.16."""
    menus.change_price(1, "103", "110")
    await to_waiting_room(tab, quantities={"104": 4})
    other = stored_cart({"103": 4}, key="another-key-of-a-cart")
    await tab.synchronize(CartState.cart, other)
    await tab.call(WaitingRoomState.pay)
    assert tab.redirects == [Redirect("/checkout")]
    assert banner(tab).startswith("Your cart has changed: 4 dishes")
    assert await count(database, OrderRow) == 0


async def test_pay_redirects_to_summary_when_it_was_not_opened(tab, database):
    tab.session["checkoutDraft"] = draft_text(CheckoutDraft(details=CUSTOMER))
    await to_menu(tab, {"104": 3})
    await tab.call(WaitingRoomState.pay)
    assert tab.redirects == [Redirect("/checkout")]
    assert await count(database, OrderRow) == 0


@pytest.mark.parametrize("error", [ProviderUnavailable, ProviderRejected, RuntimeError])
async def test_pay_shows_technical_issue_until_the_provider_recovers(
    error, tab, replace_parts, provider, database
):
    replace_parts(provider=provider)
    await to_waiting_room(tab)
    provider.error = error("away")
    await tab.call(WaitingRoomState.pay)
    assert tab.get(WaitingRoomState.has_problem) is True
    assert tab.get(WaitingRoomState.is_paying) is False
    assert tab.get(WaitingRoomState.pay_url) == ""
    provider.error = None
    await tab.call(WaitingRoomState.pay)
    assert tab.get(WaitingRoomState.has_problem) is False
    assert tab.get(WaitingRoomState.pay_url).startswith("https://pay.example/")
    assert await count(database, OrderRow) == 1


async def test_pay_schedules_retry_when_client_exceeds_rate_limit(tab, replace_parts, database):
    await to_waiting_room(tab)
    limit = RateLimiter(1, now=lambda: 0.0)
    limit.reserve("")  # tabs of these tests have no address
    replace_parts(prepare_limit=limit)
    await tab.call(WaitingRoomState.pay)
    assert tab.get(WaitingRoomState.retry_seconds) == 60
    assert tab.get(WaitingRoomState.is_paying) is True
    assert tab.get(WaitingRoomState.has_problem) is False
    assert tab.redirects == []
    assert await count(database, OrderRow) == 0


async def test_pay_schedules_retry_when_provider_is_busy(tab, replace_parts, provider, database):
    replace_parts(provider=provider)
    await to_waiting_room(tab)
    await tab.call(WaitingRoomState.retry_payment)  # none is scheduled yet
    assert (tab.get(WaitingRoomState.is_paying), provider.created) == (False, [])
    provider.error = ProviderBusy("too busy", retry_after_seconds=6.2)
    await tab.call(WaitingRoomState.pay)
    assert tab.get(WaitingRoomState.retry_seconds) == 7
    assert tab.get(WaitingRoomState.is_paying) is True
    assert tab.get(WaitingRoomState.has_problem) is False
    await tab.call(WaitingRoomState.pay)
    assert len(provider.created) == 0, "who is waiting already can't ask twice"
    provider.error = None
    await tab.call(WaitingRoomState.retry_payment)
    assert tab.get(WaitingRoomState.retry_seconds) == 0
    assert tab.get(WaitingRoomState.pay_url).startswith("https://pay.example/")
    assert await count(database, OrderRow) == 1


async def test_run_out_cancels_the_scheduled_retry(tab, replace_parts, provider):
    replace_parts(provider=provider)
    await to_waiting_room(tab)
    provider.error = ProviderBusy("too busy", retry_after_seconds=6.2)
    await tab.call(WaitingRoomState.pay)
    await tab.call(WaitingRoomState.expire)
    assert tab.get(WaitingRoomState.is_over) is True
    assert tab.get(WaitingRoomState.is_paying) is False
    assert tab.get(WaitingRoomState.retry_seconds) == 0


async def test_pay_does_not_use_details_of_another_tab(tab, open_tab, database):
    await to_details(tab)
    other = open_tab(tab.local)
    await other.visit("/menu/1")
    await other.call(WaitingRoomState.pay)
    assert Redirect("/waiting-room") not in other.redirects
    assert await count(database, OrderRow) == 0


async def test_pay_leads_to_the_menu_when_a_dish_is_sold_out(tab, services):
    """Source: specification 10.20."""
    await to_waiting_room(tab)
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    await tab.call(WaitingRoomState.pay)
    assert tab.redirects == [Redirect("/checkout")]
    await tab.follow_redirect()
    assert tab.redirects == [Redirect("/menu/1", replaces=True)]
    assert "Sold out: Rajma Chawal." in banner(tab)
    assert "104:" in tab.local["cart"]


async def test_pay_is_refused_in_a_pause_that_began_before_the_countdown(tab, services, clock):
    await to_details(tab)
    await pause(services)
    clock.advance(seconds=1)
    forged = replace(
        draft_from(tab.session["checkoutDraft"]), pay_until=clock.now().timestamp() + 99
    )
    tab.session["checkoutDraft"] = draft_text(replace(forged, details=CUSTOMER))
    await tab.visit("/waiting-room")
    await tab.call(WaitingRoomState.pay)
    assert not tab.get(WaitingRoomState.pay_url)
    assert "not delivering right now" in banner(tab)
