"""Idempotency of orders: keys, requested numbers and carts."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.ordering.rules.errors import ProviderUnavailable
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.services.cart_orders import CartOrders
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.money import rupees
from tests.helpers.builders import CUSTOMER, at, order_request, reservation_request
from tests.helpers.databases import both_databases
from tests.helpers.errors import ordering_error
from tests.helpers.flows import pay, press, sell, with_orders
from tests.helpers.providers import ScriptedProvider
from tests.helpers.tables import count, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio


# The same order twice


async def test_prepare_repeats_first_answer_when_restaurant_has_closed(
    new_services, data_dir, clock
):
    services = new_services(data_dir=data_dir)
    first = await services.ordering.prepare(order_request(), "key")
    sell(data_dir, 1, {"104": "999"})
    clock.set(at(23))
    assert await services.ordering.prepare(order_request(), "key") == first


async def test_prepare_refuses_key_of_another_order(services):
    await services.ordering.prepare(order_request(), "key")
    error = await ordering_error(services.ordering.prepare(order_request(campus="south"), "key"))
    assert error.code == "idempotency_conflict"
    assert await count(services.database, OrderRow) == 1


async def test_fingerprint_differs_when_any_field_differs(ordering):
    await ordering.prepare(order_request(), "key")
    await ordering.prepare(reservation_request(), "table")
    changes = [
        {"restaurant_id": 5},
        {"campus": "south"},
        {"customer": CUSTOMER | {"address": "Hostel 5"}},
        {"quantities": {"104": 3, "112": 1}},
        {"donation": rupees(5)},
        {"note": "No onions"},
        {"instructions": Instructions("", "Ring twice")},
        {"instructions": Instructions(no_cutlery=True)},
    ]
    tables = [reservation_request(slot="17:00"), reservation_request(party_size=5)]
    others = [(order_request(**change), "key") for change in changes]
    for request, key in (*others, *((table, "table") for table in tables)):
        error = await ordering_error(ordering.prepare(request, key))
        assert error.code == "idempotency_conflict", request


async def test_fingerprint_ignores_order_of_dishes(ordering):
    first = await ordering.prepare(order_request(quantities={"104": 2, "112": 1}), "key")
    again = order_request(quantities={"112": 1, "105": 0, "104": 2})
    assert await ordering.prepare(again, "key") == first


@both_databases
async def test_prepare_creates_new_order_when_requested_number_is_free_again(services, clock):
    wanted = order_request(requested_number="AS_482")
    first = await services.ordering.prepare(wanted)
    clock.advance(hours=24)
    second = await services.ordering.prepare(wanted)
    assert second.order.number == "AS_482"
    assert second.order.id != first.order.id


class MeetingOrders(SqlOrders):
    """Lets several requests see that nothing is stored before any of them stores."""

    meeting: asyncio.Barrier

    async def by_key(self, idempotency_key):
        return await self._met(await super().by_key(idempotency_key))

    async def by_number(self, number):
        return await self._met(await super().by_number(number))

    async def _met(self, found):
        if found is None:
            await meet(self.meeting)
        return found


def meeting(services, parties):
    orders = MeetingOrders(services.database, services.outbox.wake.set)
    orders.meeting = asyncio.Barrier(parties)
    return replace(services.ordering, orders=orders)


@both_databases
async def test_concurrent_requests_with_same_key_create_one_order(services):
    ordering = meeting(services, 10)
    stored = await asyncio.gather(*(ordering.prepare(order_request(), "key") for _ in range(10)))
    assert len({each.order.id for each in stored}) == 1
    assert await count(services.database, OrderRow) == 1


@both_databases
async def test_concurrent_requests_with_same_key_and_other_content_conflict(services):
    ordering = meeting(services, 2)
    outcomes = await asyncio.gather(
        ordering.prepare(order_request(), "key"),
        ordering.prepare(order_request(campus="south"), "key"),
        return_exceptions=True,
    )
    conflicts = [each for each in outcomes if isinstance(each, Conflict)]
    assert [each.code for each in conflicts] == ["idempotency_conflict"]
    assert await count(services.database, OrderRow) == 1


@both_databases
@pytest.mark.parametrize("key", ["", "key"], ids=["without a key", "with a key"])
async def test_concurrent_requests_with_same_number_create_one_order(services, key):
    ordering = meeting(services, 5)
    wanted = order_request(requested_number="AS_482")
    stored = await asyncio.gather(*(ordering.prepare(wanted, key) for _ in range(5)))
    assert len({each.order.id for each in stored}) == 1
    assert await count(services.database, OrderRow) == 1


# Carts. Source: specification M15.


@both_databases
async def test_prepare_replaces_unpaid_order_when_cart_changed(services):
    carts = services.carts
    first = await carts.prepare(order_request(), "cart")
    second = await carts.prepare(order_request(quantities={"104": 3}), "cart")
    assert second.order.id != first.order.id
    assert (await services.lookup.by_id(first.order.id)).order.state is OrderState.REPLACED
    assert await services.payments.orders.latest_of_cart("cart") == second
    assert await carts.prepare(order_request(quantities={"104": 3}), "cart") == second
    third = await carts.prepare(order_request(), "cart")  # it is changed back
    other = await carts.prepare(order_request(), "another cart")
    assert len({first.order.id, third.order.id, other.order.id}) == 3
    states = [row.state for row in await rows(services.database, OrderRow)]
    assert sorted(states) == ["pending", "pending", "replaced", "replaced"]


async def test_prepare_replaces_unpaid_order_when_prices_changed(new_services, data_dir):
    services = new_services(data_dir=data_dir)
    first = await services.carts.prepare(order_request(), "cart")
    sell(data_dir, 1, {"104": "200", "112": "100"})
    second = await services.carts.prepare(order_request(), "cart")
    assert second.order.bill.subtotal == rupees(500)
    replaced = await services.lookup.by_id(first.order.id)
    assert replaced.order.state is OrderState.REPLACED


@pytest.mark.parametrize(
    ("overtaking", "price"),
    [
        pytest.param({"note": "No onions"}, "110", id="another note, and the same bill"),
        pytest.param({}, "120", id="the same request, at another price"),
        pytest.param({"quantities": {"104": 4}}, "110", id="another dish"),
    ],
)
async def test_prepare_keeps_displayed_content_after_lost_race(
    new_services, data_dir, overtaking, price
):
    """Two tabs order one cart concurrently: each gets its own order or the same one."""
    services = new_services(data_dir=data_dir)
    sell(data_dir, 1, {"104": price})
    wanted = {"quantities": {"104": 3}}

    class Overtaken(SqlOrders):
        has_been = False

        async def create(self, draft, now, provider):
            if not self.has_been:
                self.has_been = True
                sell(data_dir, 1, {"104": price})
                other = order_request(**wanted | overtaking)
                self.other = await services.carts.prepare(other, "cart")
            return await super().create(draft, now, provider)

    sell(data_dir, 1, {"104": "110"})
    overtaken = with_orders(services, Overtaken)
    placed = await overtaken.carts.prepare(order_request(**wanted), "cart")
    assert (placed.order.instructions.note, placed.order.bill.subtotal) == ("", rupees(price) * 3)
    assert await services.payments.orders.latest_of_cart("cart") == placed


async def test_prepare_refuses_dishes_of_paid_order(services):
    """The same dishes are the same cart: a press must not pay for them again (M15, M17)."""
    paid = await pay(services, await services.carts.prepare(order_request(), "cart"))
    shown = [("grand_total", paid.order.bill.grand_total), ("online", paid.order.bill.online)]
    unchanged = order_request(displayed_amounts=shown)
    assert await services.carts.prepare(unchanged, "cart") == paid
    for changes in (
        {"donation": rupees(20)},
        {"customer": CUSTOMER | {"fullName": "Diya"}},
        {"displayed_amounts": [("grand_total", rupees(1))]},
    ):
        error = await ordering_error(services.carts.prepare(order_request(**changes), "cart"))
        assert error.code == "already_paid"
        assert error.message == f"Order #{paid.order.number} is paid."
    assert await count(services.database, OrderRow) == 1


async def test_prepare_creates_new_order_when_paid_cart_has_other_dishes(services):
    carts = services.carts
    paid = await pay(services, await carts.prepare(order_request(), "cart"))
    dinner = order_request(quantities={"104": 3})
    second = await carts.prepare(dinner, "cart")
    assert second.order.quantities == {"104": 3}
    assert await carts.prepare(dinner, "cart") == second
    assert (await services.lookup.by_id(paid.order.id)).order.state is OrderState.CONFIRMED
    paid_again = await pay(services, second)
    third = await carts.prepare(order_request(), "cart")
    assert third.order.id not in {paid.order.id, paid_again.order.id}
    assert len({row.cart_key for row in await rows(services.database, OrderRow)}) == 3


async def test_prepare_queries_provider_before_it_replaces_an_order(services):
    """The webhook is late: without the query the paid order would be replaced and refunded."""
    carts = services.carts
    first = await carts.prepare(order_request(), "cart")
    await services.checkouts.open(first)
    await press(services, first)

    second = await carts.prepare(order_request(quantities={"104": 3}), "cart")
    assert (await services.lookup.by_id(first.order.id)).order.state is OrderState.CONFIRMED
    assert second.order.state is OrderState.PENDING


async def test_control_late_payment_is_refunded_without_the_query(services):
    class NeverAsked(CartOrders):
        async def _is_paid_at_provider(self, stored, requester):
            return False

    first = await services.carts.prepare(order_request(), "cart")
    await services.checkouts.open(first)
    await press(services, first)
    carts = NeverAsked(services.payments)
    await carts.prepare(order_request(quantities={"104": 3}), "cart")
    late = await services.payments.reconcile(first.payment)
    assert late.order.state is OrderState.REFUND_DUE


async def test_prepare_replaces_nothing_when_provider_cannot_be_queried(services):
    first = await services.carts.prepare(order_request(), "cart")
    provider = ScriptedProvider()
    provider.error = ProviderUnavailable("away")
    carts = CartOrders(replace(services.payments, provider=provider))
    with pytest.raises(ProviderUnavailable):
        await carts.prepare(order_request(quantities={"104": 3}), "cart")
    assert await services.lookup.by_id(first.order.id) == first


async def test_prepare_returns_order_that_is_refunded(services):
    first = await services.carts.prepare(order_request(), "cart")
    await services.checkouts.open(first)
    await services.statuses.set_override(1, is_open=False, message="")
    await press(services, first)
    returned = await services.payments.reconcile(first.payment)
    assert returned.order.state is OrderState.REFUND_DUE
    assert await services.carts.prepare(order_request(), "cart") == returned


@pytest.mark.parametrize("is_reconciled", [True, False], ids=["reconciled", "not reconciled"])
async def test_prepare_creates_new_order_when_lapsed(services, clock, is_reconciled):
    first = await services.carts.prepare(order_request(), "cart")
    await services.checkouts.open(first)
    clock.set(first.payment.expires_at)
    if is_reconciled:
        lapsed = await services.payments.reconcile(first.payment)
        assert lapsed.order.state is OrderState.LAPSED
    second = await services.carts.prepare(order_request(), "cart")
    assert second.order.id != first.order.id
    assert second.payment.expires_at == clock.now() + timedelta(minutes=20)
    assert await services.checkouts.open(second)


async def test_prepare_returns_same_order_after_declined_payment(services):
    first = await services.carts.prepare(order_request(), "cart")
    await services.payments.orders.transition(first.payment, PaymentState.FAILED, "declined")
    again = await services.carts.prepare(order_request(), "cart")
    assert again.order.id == first.order.id


async def test_prepare_replaces_nothing_when_refused(services):
    first = await services.carts.prepare(order_request(), "cart")
    for refused in ({"quantities": {}}, {"restaurant_id": 4}, {"campus": ""}):
        await ordering_error(services.carts.prepare(order_request(**refused), "cart"))
        assert await services.lookup.by_id(first.order.id) == first


@both_databases
async def test_two_tabs_with_one_cart_leave_one_payable_order(services):
    class Meeting(SqlOrders):
        async def latest_of_cart(self, cart_key):
            newest = await super().latest_of_cart(cart_key)
            if newest is None:
                await meet(both_have_looked)
            return newest

    both_have_looked = asyncio.Barrier(2)
    carts = with_orders(services, Meeting).carts
    first, second = await asyncio.gather(
        carts.prepare(order_request(), "cart"),
        carts.prepare(order_request(quantities={"104": 3}), "cart"),
    )
    assert first.order.id != second.order.id
    states = [row.state for row in await rows(services.database, OrderRow)]
    assert sorted(states) == ["pending", "replaced"]


@both_databases
async def test_prepare_replaces_no_order_that_is_paid_meanwhile(services):
    class PaidMeanwhile(SqlOrders):
        has_been = False

        async def latest_of_cart(self, cart_key):
            newest = await super().latest_of_cart(cart_key)
            if not self.has_been:
                self.has_been = True
                await pay(services, newest)
            return newest

    first = await services.carts.prepare(order_request(), "cart")
    shop = with_orders(services, PaidMeanwhile)
    second = await shop.carts.prepare(order_request(quantities={"104": 3}), "cart")
    assert (await services.lookup.by_id(first.order.id)).order.state is OrderState.CONFIRMED
    assert (second.order.state, second.cart_generation) == (OrderState.PENDING, 1)


@both_databases
async def test_prepare_works_after_clock_is_set_back(services, clock):
    """Each change replaces the previous order, whatever the clock says."""
    clock.advance(minutes=5)
    await services.carts.prepare(order_request(quantities={"104": 3}), "cart")
    clock.advance(minutes=-5)
    async with asyncio.timeout(5):
        for dishes in (4, 5, 6):
            request = order_request(quantities={"104": dishes})
            stored = await services.carts.prepare(request, "cart")
            assert stored.order.dishes == dishes
    states = [row.state for row in await rows(services.database, OrderRow)]
    assert sorted(states) == ["pending", "replaced", "replaced", "replaced"]


async def test_fingerprint_ignores_what_is_not_stored(ordering):
    """A table has no door, and a note is stored without its spaces."""
    asked = Instructions(" No onion ", "Gate 2", no_cutlery=True)
    first = await ordering.prepare(replace(reservation_request(), instructions=asked), "a-key")
    again = replace(reservation_request(), instructions=Instructions("No onion"))
    assert await ordering.prepare(again, "a-key") == first
