"""The waiting room. Source: specification 4.11 to 4.15, M1, M15, S13."""

import asyncio
import json

import pytest

from campus_app.adapters.sql.tables import OrderRow, PaymentRow
from campus_app.domain.errors import ProviderBusy, ProviderRejected, ProviderUnavailable
from campus_app.domain.messages import OrderMessage
from campus_app.domain.payment import PaymentState
from campus_app.states.browser_storage import CheckoutDraft, draft_text
from campus_app.states.cart import CartState
from campus_app.states.checkout import NO_CART, SUMMARY_FIRST
from campus_app.states.customer import CustomerState
from campus_app.states.waiting_room import DETAILS_MISSING, WaitingRoomState
from kit.rate_limit import RateLimiter
from tests.campus_app.states.session import Move
from tests.campus_app.states.steps import (
    notice,
    to_details,
    to_menu,
    to_payment,
    to_summary,
    to_waiting_room,
)
from tests.helpers.builders import CUSTOMER, at
from tests.helpers.flows import press
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio


# The countdown


async def test_there_are_150_seconds_to_pay(tab):
    await to_waiting_room(tab)
    assert tab.sees(WaitingRoomState.seconds) == 150
    assert tab.sees(WaitingRoomState.is_over) is False


@pytest.mark.parametrize(
    ("passed", "left"),
    [
        pytest.param(40, 110, id="after 40 s"),
        pytest.param(149, 1, id="in the last second"),
        pytest.param(150, 0, id="at zero"),
        pytest.param(600, 0, id="long after"),
    ],
)
async def test_a_reload_does_not_begin_the_countdown_again(passed, left, tab, clock):
    await to_waiting_room(tab)
    clock.advance(seconds=passed)
    await tab.visit("/waiting-room")
    assert tab.sees(WaitingRoomState.seconds) == left
    assert tab.sees(WaitingRoomState.is_over) is (left == 0)


@pytest.mark.parametrize("until", [1e11, "x", None, True, 10**400, -1, [1]], ids=repr)
async def test_a_forged_end_gives_nobody_more_time(until, tab):
    await to_waiting_room(tab)
    forged = json.loads(tab.session["checkoutDraft"]) | {"payUntil": until}
    tab.session["checkoutDraft"] = json.dumps(forged)
    await tab.visit("/waiting-room")
    assert tab.sees(WaitingRoomState.seconds) in {0, 150}


async def test_after_the_countdown_nothing_can_be_paid(tab, database):
    await to_waiting_room(tab)
    await tab.call(WaitingRoomState.run_out)
    assert tab.sees(WaitingRoomState.is_over) is True
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.pay_url) == ""
    assert await count(database, OrderRow) == 0


async def test_try_again_returns_to_the_contact_details_and_loses_nothing(tab):
    await to_waiting_room(tab)
    await tab.call(WaitingRoomState.run_out)
    await tab.call(WaitingRoomState.try_again)
    assert tab.moves == [Move("/personal-info")]
    await tab.go_on()
    assert tab.sees(CustomerState.values) == CUSTOMER
    for _ in range(2):
        await tab.call(CustomerState.next, CUSTOMER)
    await tab.go_on()
    assert tab.sees(WaitingRoomState.seconds) == 150


# What is about to be paid


async def test_the_room_says_what_is_paid_to_whom_and_where_it_goes(tab):
    await to_waiting_room(tab)
    assert tab.sees(WaitingRoomState.restaurant) == "Pehla Food Point"
    assert tab.sees(WaitingRoomState.phone) == "+91 00000 00001"
    assert tab.sees(WaitingRoomState.summary) == "3 dishes, to Hostel 4, room 212"
    bill = tab.sees(WaitingRoomState.bill)
    assert (bill["grand_total"], bill["online"], bill["remaining"]) == ("₹400", "₹65", "₹335")


async def test_without_a_cart_it_begins_with_the_campus(tab):
    """Source: specification S12."""
    await tab.visit("/waiting-room")
    assert tab.moves == [Move("/campus", replaces=True)]
    assert notice(tab) == NO_CART


async def test_without_a_look_at_the_summary_it_comes_first(tab):
    await to_menu(tab, {"104": 3})
    await tab.visit("/waiting-room")
    assert tab.moves == [Move("/checkout", replaces=True)]
    assert notice(tab) == SUMMARY_FIRST


async def test_without_the_details_they_come_first(tab):
    await to_summary(tab)
    await tab.visit("/waiting-room")
    assert tab.moves == [Move("/personal-info", replaces=True)]
    assert notice(tab) == DETAILS_MISSING


async def test_a_price_that_changed_leads_back_to_the_summary(tab, kitchens):
    await to_waiting_room(tab)
    kitchens.change_price(1, "104", "111")
    await tab.visit("/waiting-room")
    assert tab.moves == [Move("/checkout", replaces=True)]
    assert notice(tab) == OrderMessage.PRICE_MISMATCH


# PAY


async def test_pay_stores_the_order_once_and_leaves_for_the_payment_page(tab, services, database):
    stored = await to_payment(tab, services)
    assert (
        tab.sees(WaitingRoomState.pay_url) == f"{ORIGIN}/sandbox/pay?order_id={stored.order.number}"
    )
    assert tab.sees(WaitingRoomState.has_problem) is False
    assert tab.session["currentOrderId"] == stored.order.number
    assert await count(database, OrderRow) == await count(database, PaymentRow) == 1


async def test_the_order_is_the_one_that_was_shown(tab, services):
    stored = await to_payment(tab, services)
    order = stored.order
    assert [(line.item_id, line.quantity) for line in order.lines] == [("104", 2), ("112", 1)]
    assert (order.bill.grand_total, order.bill.online, order.bill.remaining) == (400, 65, 335)
    assert order.customer.full_name == "Aarav Sharma"
    assert order.customer.phone == "+919800000001"
    assert order.campus == "north"
    assert stored.payment.state is PaymentState.PENDING


async def test_the_cart_stays_until_it_is_paid(tab, services):
    await to_payment(tab, services)
    assert tab.local["cart"]


async def test_a_second_click_pays_nothing_more(tab, services, database):
    await to_payment(tab, services)
    url = tab.sees(WaitingRoomState.pay_url)
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.pay_url) == url
    assert await count(database, OrderRow) == 1


async def test_coming_back_and_paying_again_is_the_same_order(tab, services, database):
    """Source: specification M15."""
    stored = await to_payment(tab, services)
    await tab.visit("/waiting-room")
    assert tab.sees(WaitingRoomState.is_paying) is False
    await tab.call(WaitingRoomState.pay)
    assert tab.session["currentOrderId"] == stored.order.number
    assert await count(database, OrderRow) == await count(database, PaymentRow) == 1


async def test_two_tabs_that_pay_at_once_are_one_order(tab, open_tab, database):
    """Source: specification M15. A duplicated tab gets a copy of the session storage."""
    await to_waiting_room(tab)
    duplicate = open_tab(tab.local, dict(tab.session))
    await duplicate.visit("/waiting-room")
    await asyncio.gather(tab.call(WaitingRoomState.pay), duplicate.call(WaitingRoomState.pay))
    assert tab.session["currentOrderId"] == duplicate.session["currentOrderId"]
    assert tab.sees(WaitingRoomState.pay_url) == duplicate.sees(WaitingRoomState.pay_url) != ""
    assert await count(database, OrderRow) == await count(database, PaymentRow) == 1


async def test_a_cart_that_is_paid_already_goes_to_its_confirmation(tab, services, database):
    stored = await to_payment(tab, services)
    assert await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await tab.visit("/waiting-room")
    await tab.call(WaitingRoomState.pay)
    token = stored.order.response_token
    assert tab.moves == [
        Move(
            f"/order-confirmation?order_id={stored.order.number}&token={token}&status=SUCCESS",
            replaces=True,
        )
    ]
    assert tab.sees(CartState.cart) == ""
    assert await count(database, OrderRow) == 1


async def test_a_cart_whose_money_goes_back_goes_to_its_confirmation_without_success(tab, services):
    # Source: specification P3.3.
    stored = await to_payment(tab, services)
    await services.board.turn(1, is_open=False, message="")
    assert await press(services, stored)
    await services.payments.reconcile(stored.payment)
    await services.board.turn(1, is_open=True, message="")
    await tab.visit("/waiting-room")
    await tab.call(WaitingRoomState.pay)
    assert tab.moves[0].address.endswith("&status=FAILED")


# What stands in the way


@pytest.mark.parametrize(
    ("price", "sentence"),
    [
        pytest.param("115", OrderMessage.PRICE_MISMATCH, id="price_mismatch"),
        pytest.param("1", "Add ₹38 more to reach the ₹200 minimum.", id="below_minimum"),
    ],
)
async def test_a_bill_that_changed_is_shown_before_it_is_paid(
    price, sentence, tab, kitchens, database
):
    await to_waiting_room(tab)
    kitchens.change_price(1, "104", price)
    await tab.call(WaitingRoomState.pay)
    assert tab.moves == [Move("/checkout")]
    assert notice(tab) == sentence
    assert await count(database, OrderRow) == 0


async def test_a_dish_that_is_gone_leads_to_the_summary(tab, kitchens, database):
    await to_waiting_room(tab)
    kitchens.stop_selling(1, "112")
    await tab.call(WaitingRoomState.pay)
    assert tab.moves == [Move("/checkout")]
    assert notice(tab) == OrderMessage.UNKNOWN_ITEM
    assert await count(database, OrderRow) == 0


async def test_a_kitchen_that_closed_is_said_and_the_cart_is_kept(tab, clock, database):
    await to_waiting_room(tab)
    clock.set(at(20, 30))
    await tab.call(WaitingRoomState.pay)
    assert tab.moves == []
    closed = OrderMessage.RESTAURANT_CLOSED.format(name="Pehla Food Point")
    assert notice(tab) == f"{closed} {OrderMessage.CART_KEPT}"
    assert tab.sees(WaitingRoomState.is_paying) is False
    assert tab.local["cart"]
    assert await count(database, OrderRow) == 0


async def test_details_that_were_forged_lead_to_the_contact_details(tab, database):
    await to_waiting_room(tab)
    forged = json.loads(tab.session["checkoutDraft"]) | {"details": {"email": "x"}}
    tab.session["checkoutDraft"] = json.dumps(forged)
    await tab.visit("/menu/1")
    await tab.call(WaitingRoomState.pay)
    assert tab.moves == [Move("/personal-info")]
    assert await count(database, OrderRow) == 0


async def test_a_total_that_was_forged_is_not_believed(tab, database):
    """Source: specification M1."""
    await to_waiting_room(tab)
    forged = json.loads(tab.session["checkoutDraft"]) | {"shownTotal": "1.00 1.00"}
    tab.session["checkoutDraft"] = json.dumps(forged)
    await tab.visit("/menu/1")
    await tab.call(WaitingRoomState.pay)
    assert tab.moves == [Move("/checkout")]
    assert notice(tab) == OrderMessage.PRICE_MISMATCH
    assert await count(database, OrderRow) == 0


async def test_pay_without_a_cart_begins_anew(tab, database):
    await tab.visit("/menu/1")
    await tab.call(WaitingRoomState.pay)
    assert tab.moves == [Move("/campus", replaces=True)]
    assert notice(tab) == NO_CART
    assert await count(database, OrderRow) == 0


async def test_pay_without_having_seen_anything_shows_the_summary(tab, database):
    tab.session["checkoutDraft"] = draft_text(CheckoutDraft(details=CUSTOMER))
    await to_menu(tab, {"104": 3})
    await tab.call(WaitingRoomState.pay)
    assert tab.moves == [Move("/checkout")]
    assert await count(database, OrderRow) == 0


@pytest.mark.parametrize("trouble", [ProviderUnavailable, ProviderRejected, RuntimeError])
async def test_trouble_with_the_provider_shows_the_technical_issue(trouble, tab, swap, provider):
    swap(provider=provider)
    await to_waiting_room(tab)
    provider.trouble = trouble("away")
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.has_problem) is True
    assert tab.sees(WaitingRoomState.is_paying) is False
    assert tab.sees(WaitingRoomState.pay_url) == ""


async def test_once_the_trouble_is_over_the_same_order_is_paid(tab, swap, provider, database):
    swap(provider=provider)
    await to_waiting_room(tab)
    provider.trouble = ProviderUnavailable("away")
    await tab.call(WaitingRoomState.pay)
    provider.trouble = None
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.has_problem) is False
    assert tab.sees(WaitingRoomState.pay_url).startswith("https://pay.example/")
    assert await count(database, OrderRow) == 1


async def test_trouble_with_the_database_shows_the_technical_issue(tab, unsteady_orders):
    await to_waiting_room(tab)
    unsteady_orders.trouble = RuntimeError("away")
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.has_problem) is True
    assert tab.sees(WaitingRoomState.is_paying) is False


class Broken:
    """A limit that can't be asked."""

    def reserve(self, _client, **_patience):
        raise RuntimeError("away")


async def test_trouble_before_the_order_is_read_shows_the_technical_issue_too(tab, swap):
    await to_waiting_room(tab)
    swap(prepare_limit=Broken())
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.has_problem) is True
    assert tab.sees(WaitingRoomState.is_paying) is False


async def test_pay_says_when_it_is_tried_again_when_an_address_orders_too_often(
    tab, swap, database
):
    await to_waiting_room(tab)
    limit = RateLimiter(1, now=lambda: 0.0)
    limit.reserve("")  # a tab of these tests has no address
    swap(prepare_limit=limit)
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.retry_seconds) == 60
    assert tab.sees(WaitingRoomState.is_paying) is True
    assert tab.sees(WaitingRoomState.has_problem) is False
    assert tab.moves == []
    assert await count(database, OrderRow) == 0


async def test_pay_is_tried_again_by_itself_when_the_provider_is_busy(
    tab, swap, provider, database
):
    swap(provider=provider)
    await to_waiting_room(tab)
    provider.trouble = ProviderBusy("too busy", retry_after_seconds=6.2)
    await tab.call(WaitingRoomState.pay)
    assert tab.sees(WaitingRoomState.retry_seconds) == 7
    assert tab.sees(WaitingRoomState.is_paying) is True
    assert tab.sees(WaitingRoomState.has_problem) is False
    await tab.call(WaitingRoomState.pay)
    assert len(provider.created) == 0, "who is waiting already can't ask twice"
    provider.trouble = None
    await tab.call(WaitingRoomState.pay_again)
    assert tab.sees(WaitingRoomState.retry_seconds) == 0
    assert tab.sees(WaitingRoomState.pay_url).startswith("https://pay.example/")
    assert await count(database, OrderRow) == 1


async def test_pay_again_does_nothing_when_nothing_is_waited_for(tab, swap, provider):
    swap(provider=provider)
    await to_waiting_room(tab)
    await tab.call(WaitingRoomState.pay_again)
    assert tab.sees(WaitingRoomState.is_paying) is False
    assert provider.created == []


async def test_run_out_ends_the_wait_for_the_next_try(tab, swap, provider):
    swap(provider=provider)
    await to_waiting_room(tab)
    provider.trouble = ProviderBusy("too busy", retry_after_seconds=6.2)
    await tab.call(WaitingRoomState.pay)
    await tab.call(WaitingRoomState.run_out)
    assert tab.sees(WaitingRoomState.is_over) is True
    assert tab.sees(WaitingRoomState.is_paying) is False
    assert tab.sees(WaitingRoomState.retry_seconds) == 0


async def test_a_changed_cart_takes_the_place_of_its_unpaid_order(tab, services, database):
    first = await to_payment(tab, services)
    await tab.visit("/menu/1")
    await tab.call(CartState.add_item, "112")
    await tab.visit("/checkout")
    await tab.visit("/waiting-room")
    await tab.call(WaitingRoomState.pay)
    assert tab.session["currentOrderId"] != first.order.number
    replaced = await services.payments.orders.by_id(first.order.id)
    assert replaced.order.state == "replaced"
    assert await count(database, OrderRow) == 2


async def test_the_details_of_one_tab_are_not_paid_by_another(tab, open_tab, database):
    await to_details(tab)
    other = open_tab(tab.local)
    await other.visit("/menu/1")
    await other.call(WaitingRoomState.pay)
    assert Move("/waiting-room") not in other.moves
    assert await count(database, OrderRow) == 0
