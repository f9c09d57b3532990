"""The list of this browser's orders: what it shows, when it is read again, and how it is emptied."""

import pytest

from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.cooking_state import CookingProgressState
from campus_app.ordering.screens.own_orders_state import OwnOrdersState
from campus_app.shared.rules.constants import MAXIMUM_OWN_ORDERS
from tests.helpers.builders import order_request
from tests.helpers.flows import CANCEL, drain, pay, press, sell
from tests.helpers.steps import to_payment

pytestmark = pytest.mark.anyio

PATH = "/underprogress"


@pytest.fixture
def prepared(services, clock):
    """Prepares orders without a tab; returns the newest first, as a browser stores them."""

    async def prepared(*notes):
        orders = []
        for note in notes:
            clock.advance(seconds=1)
            orders.insert(0, await services.ordering.prepare(order_request(note=note)))
        return orders

    return prepared


def tokens(*stored):
    return ",".join(each.order.response_token for each in stored)


async def open_list(tab, *stored):
    tab.local["ownOrders"] = tokens(*stored)
    await tab.visit(PATH)


def shown(tab, *names):
    """Return these members of each order of the list."""
    return [tuple(order[name] for name in names) for order in tab.get(OwnOrdersState.orders)]


async def test_order_is_remembered_before_it_is_paid(tab, services):
    stored = await to_payment(tab, services)
    assert tab.local["ownOrders"] == stored.order.response_token
    await tab.visit(PATH)
    assert shown(tab, "number", "restaurant", "dishes", "total") == [
        (
            stored.order.number,
            "Pehla Food Point",
            "2×\N{NO-BREAK SPACE}Rajma Chawal, 1×\N{NO-BREAK SPACE}Paneer Butter Masala",
            f"₹{int(stored.order.bill.grand_total)}",
        )
    ]
    assert shown(tab, "placed") == [("Wed 18 Nov, 13:00",)]


async def test_list_isolates_names_in_urdu_from_quantities(tab, services, menus):
    # Source: specification 10.55.
    sell(menus.folder, 1, ["104,بریانی,,110,Rice", "112,Paneer,,160.50,Curries"])
    await to_payment(tab, services)
    await tab.visit(PATH)
    ((dishes,),) = shown(tab, "dishes")
    assert dishes == "2×\N{NO-BREAK SPACE}\u2068بریانی\u2069, 1×\N{NO-BREAK SPACE}Paneer"


async def test_list_is_empty_without_orders(tab):
    await tab.visit(PATH)
    assert tab.get(OwnOrdersState.orders) == []
    assert tab.get(OwnOrdersState.is_known)
    assert tab.get(OwnOrdersState.poll_ms) == 0
    await tab.call(OwnOrdersState.forget)
    await tab.call(OwnOrdersState.undo)
    assert tab.local.get("ownOrders", "") == ""
    assert not tab.get(OwnOrdersState.is_forgotten)


async def test_list_shows_the_state_of_each_order(tab, services, prepared):
    waiting, refunded, cancelled, paid = await prepared("a", "b", "c", "d")
    await pay(services, paid)
    await services.checkouts.open(cancelled)
    await press(services, cancelled, CANCEL)
    await services.payments.reconcile(cancelled.payment)
    await services.checkouts.open(refunded)
    await services.statuses.set_override(1, is_open=False, message="")
    await press(services, refunded)
    await services.payments.reconcile(refunded.payment)
    await open_list(tab, waiting, refunded, cancelled, paid)
    assert shown(tab, "number", "state", "path") == [
        (waiting.order.number, "Waiting for the payment", ""),
        (refunded.order.number, "Money back", refunded.order.response_path),
        (cancelled.order.number, "Not paid", ""),
        (paid.order.number, "Paid and confirmed", paid.order.response_path),
    ]


async def test_list_is_read_again_only_while_a_payment_is_open(
    tab, services, prepared, failing_orders
):
    (stored,) = await prepared("a")
    failing_orders.error = ConnectionError("away")
    await open_list(tab, stored)
    assert tab.get(OwnOrdersState.has_failed)
    assert tab.get(OwnOrdersState.poll_ms) == 0
    failing_orders.error = None
    await tab.call(OwnOrdersState.refresh)  # it can be tried again
    assert not tab.get(OwnOrdersState.has_failed)
    assert shown(tab, "number") == [(stored.order.number,)]
    assert tab.get(OwnOrdersState.poll_ms) == 5_000
    failing_orders.error = ConnectionError("away")
    await tab.call(OwnOrdersState.refresh)
    assert tab.get(OwnOrdersState.poll_ms) == 5_000, "the list is read again later"
    failing_orders.error = None
    await pay(services, stored)
    await drain(services)
    await tab.call(OwnOrdersState.refresh)
    assert shown(tab, "state") == [("Paid and confirmed",)]
    assert tab.get(OwnOrdersState.poll_ms) == 0


async def test_list_shows_no_order_of_another_browser(tab, services, open_tab):
    stored = await to_payment(tab, services)
    other = open_tab()
    for guess in (stored.order.number, stored.order.id, stored.payment.reference, "%"):
        other.local["ownOrders"] = guess
        await other.visit(PATH)
        assert other.get(OwnOrdersState.orders) == []


async def test_list_reads_at_most_the_newest_orders(tab, prepared):
    (stored,) = await prepared("a")
    guesses = [f"a-token-that-opens-nothing-{number}" for number in range(MAXIMUM_OWN_ORDERS)]
    tab.local["ownOrders"] = ",".join([*guesses, stored.order.response_token])
    await tab.visit(PATH)
    assert tab.get(OwnOrdersState.orders) == []


async def test_forget_empties_the_list_and_undo_restores_it(tab, prepared):
    first, second = await prepared("a", "b")
    await open_list(tab, first, second)
    await tab.call(OwnOrdersState.forget)
    assert tab.local["ownOrders"] == ""
    assert tab.get(OwnOrdersState.orders) == []
    assert tab.get(OwnOrdersState.is_forgotten)
    await tab.call(OwnOrdersState.undo)
    assert tab.local["ownOrders"] == tokens(first, second)
    assert shown(tab, "number") == [(first.order.number,), (second.order.number,)]
    await tab.synchronize(OwnOrdersState.tokens, "")  # another tab has forgotten the list
    await tab.call(OwnOrdersState.forget)
    assert tab.get(OwnOrdersState.orders) == []
    assert not tab.get(OwnOrdersState.is_forgotten)


async def test_undo_keeps_orders_placed_meanwhile_in_front(tab, prepared):
    orders = await prepared(*map(str, range(MAXIMUM_OWN_ORDERS + 1)))
    newest, earlier = orders[0], orders[1:]
    await open_list(tab, *earlier)
    await tab.call(OwnOrdersState.forget)
    await tab.synchronize(OwnOrdersState.tokens, tokens(newest))  # as another tab's order does
    await tab.call(OwnOrdersState.undo)
    assert tab.local["ownOrders"] == tokens(newest, *earlier[:-1])


async def test_payment_without_a_return_is_known_when_the_list_opens(tab, services):
    stored = await to_payment(tab, services)
    await press(services, stored)  # no webhook, and the browser has not returned
    await tab.visit(PATH)
    assert shown(tab, "state") == [("Paid and confirmed",)]
    assert tab.get(CartState.cart) == ""


async def test_old_order_without_a_press_shows_no_progress(open_tab, services, clock):
    old = (await pay(services, await services.ordering.prepare(order_request()))).order
    clock.advance(hours=25)
    new = (await pay(services, await services.ordering.prepare(order_request()))).order
    tab = open_tab(local={"ownOrders": f"{new.response_token},{old.response_token}"})
    await tab.visit("/underprogress")
    assert tab.get(CookingProgressState.states) == {new.response_token: "sent"}
