"""Restaurant availability: hours, overrides, and notification of listeners."""

import asyncio
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import delete

from campus_app.catalogue.rules.availability import RestaurantOverride
from campus_app.catalogue.rules.errors import DishesSoldOut
from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.catalogue.services.availability import RestaurantStatus, Statuses
from campus_app.catalogue.sql.tables import SoldOutDishRow
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.sql.orders import SqlOrders
from kit.db.tables import table_of
from tests.helpers.builders import at, order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.errors import ordering_error
from tests.helpers.flows import pay, with_orders
from tests.helpers.tables import execute
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

OPEN, CLOSED, UNAVAILABLE = RestaurantState


@pytest.fixture
def statuses(services):
    return services.statuses


async def no_change():
    """Tell no other process of a change."""


def status_of(statuses, restaurant_id):
    return next(s for s in statuses.all() if s.restaurant_id == restaurant_id)


# The operator's override


@sqlite_only
async def test_message_is_temporarily_closed_when_none_is_given(statuses):
    # Source: specification 4.3.
    await statuses.set_override(1, is_open=False, message="")
    assert status_of(statuses, 1).message == "Temporarily Closed"


@sqlite_only
async def test_set_override_drops_message_when_open(services, statuses):
    store = services.operations.overrides
    assert (await statuses.set_override(1, is_open=True, message="No gas")).message == ""
    assert await store.all_overrides() == [RestaurantOverride(1, True, "")]
    await execute(services.database, "UPDATE restaurant_overrides SET message = 'No gas'")
    await statuses.load()
    assert status_of(statuses, 1).message == ""


@sqlite_only
async def test_override_of_a_kitchen_out_of_its_hours_closes_but_does_not_open_it(statuses):
    opened = await statuses.set_override(4, is_open=True, message="")
    assert (opened.state, statuses.is_forced_closed(4)) == (CLOSED, False)
    assert (await statuses.set_override(4, is_open=False, message="")).state is UNAVAILABLE


async def test_overrides_and_sold_out_dishes_survive_server_restart(services, new_services):
    await services.statuses.set_override(1, is_open=False, message="No gas")
    await services.statuses.set_override(2, is_open=False, message="")
    await services.statuses.set_override(2, is_open=True, message="")
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    again = new_services().statuses
    assert not again.is_forced_closed(1)
    await again.load()
    assert again.is_forced_closed(1)
    assert again.all() == services.statuses.all()
    assert again.sold_out(1) == ("104",)


async def test_override_is_not_applied_when_store_fails(services):
    class Full:
        async def set_override(self, override, at):
            raise OSError("the disk is full")

    statuses = Statuses(services.catalogue, Full(), Full(), services.clock, services.pubsub.publish)
    with pytest.raises(OSError, match="full"):
        await statuses.set_override(1, is_open=False, message="")
    assert status_of(statuses, 1).state is OPEN


class SlowReads:
    """A store whose read arrives late, as from a busy database."""

    def __init__(self, store):
        self._store = store
        self.has_read, self.may_return = asyncio.Event(), asyncio.Event()

    def __getattr__(self, name):
        return getattr(self._store, name)

    async def all_overrides(self):
        return await self._late(self._store.all_overrides())

    async def all_sold_out(self):
        return await self._late(self._store.all_sold_out())

    async def _late(self, reading):
        found = await reading
        self.has_read.set()
        await meet(self.may_return)
        return found


async def changed_during_a_read(services, slow_store, change):
    """Return the statuses after a change during a read that began before it."""
    stores = {
        "_store": services.statuses._store,
        "_sold_out_store": services.statuses._sold_out_store,
    }
    slow = stores[slow_store] = SlowReads(stores[slow_store])
    statuses = Statuses(services.catalogue, *stores.values(), services.clock, no_change)
    async with asyncio.TaskGroup() as group:
        group.create_task(statuses.load())
        await meet(slow.has_read)
        await change(statuses)
        slow.may_return.set()
    return statuses


async def test_override_is_kept_when_a_read_began_before_it(services):
    def close(statuses):
        return statuses.set_override(1, is_open=False, message="")

    statuses = await changed_during_a_read(services, "_store", close)
    assert statuses.is_forced_closed(1)


async def test_sold_out_dish_is_kept_when_a_read_began_before_it(services):
    def sell_out(statuses):
        return statuses.set_sold_out(1, "104", is_sold_out=True)

    statuses = await changed_during_a_read(services, "_sold_out_store", sell_out)
    assert statuses.is_sold_out(1, "104")


# Listeners


@pytest.fixture
async def listen(statuses):
    """Starts listeners on the statuses."""
    listening = []

    async def listen():
        changes = statuses.changes()
        listening.append(changes)
        await anext(changes)
        return changes

    yield listen
    for changes in listening:
        await changes.aclose()


async def soon(changes):
    async with asyncio.timeout(5):
        return await anext(changes)


@sqlite_only
async def test_changes_merges_simultaneous_changes(statuses, listen):
    changes = await listen()
    await statuses.set_override(3, is_open=False, message="")
    await statuses.set_override(1, is_open=False, message="")
    assert [status.restaurant_id for status in await soon(changes)] == [1, 3]


@sqlite_only
async def test_changes_yields_nothing_without_a_change(statuses, listen):
    changes = await listen()
    hearing = asyncio.create_task(soon(changes))
    for _ in range(5):
        statuses.notify_listeners()
        await asyncio.sleep(0)
    assert not hearing.done()
    await statuses.set_override(3, is_open=False, message="")
    assert [status.restaurant_id for status in await hearing] == [3]


@sqlite_only
async def test_changes_by_hours_are_yielded_when_listeners_are_notified(statuses, listen, clock):
    clock.set(at(20, 29))
    changes = await listen()
    clock.set(statuses.next_boundary())
    statuses.notify_listeners()
    assert await soon(changes) == [RestaurantStatus(1, True, "", CLOSED)]


# Boundaries


@sqlite_only
def test_every_boundary_of_a_day_changes_the_snapshot(statuses, clock):
    clock.set(at(0))
    states = [status.state for status in statuses.all()]
    seen = 0
    while (boundary := statuses.next_boundary()) <= at(0, day=19):
        clock.set(boundary - timedelta(milliseconds=1))
        assert [status.state for status in statuses.all()] == states
        clock.set(boundary)
        changed = [status.state for status in statuses.all()]
        assert changed != states
        states = changed
        seen += 1
    assert seen > 8


# Sold-out dishes. Source: specification 10.20.


async def test_sold_out_dish_is_refused_and_named(services):
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    error = await ordering_error(services.ordering.prepare(order_request()))
    assert (type(error), error.code) == (DishesSoldOut, "item_unavailable")
    assert error.fields == {"items": "Rajma Chawal"}
    assert "Rajma Chawal" in error.message
    await services.statuses.set_sold_out(1, "104", is_sold_out=False)
    assert (await services.ordering.prepare(order_request())).order.number


async def test_dish_is_available_again_at_the_next_opening(services, clock):
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    assert services.statuses.next_boundary() <= at(20, 30)
    clock.set(at(10, 29, 59) + timedelta(days=1))
    assert services.statuses.sold_out(1) == ("104",)
    clock.set(at(10, 30) + timedelta(days=1))
    assert services.statuses.sold_out(1) == ()
    assert (await services.ordering.prepare(order_request())).order.number


async def test_dishes_that_sell_out_at_the_same_time_are_all_sold_out(services):
    statuses = services.statuses
    dishes = ("101", "102", "104", "112")
    await asyncio.gather(*(statuses.set_sold_out(1, each, is_sold_out=True) for each in dishes))
    assert statuses.sold_out(1) == dishes


async def test_repeated_request_of_stored_order_is_answered_when_dish_is_sold_out(services):
    first = await services.ordering.prepare(order_request(), "a-key")
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    assert await services.ordering.prepare(order_request(), "a-key") == first


async def test_cart_with_an_open_payment_is_refused_when_dish_is_sold_out(services):
    await services.carts.prepare(order_request(), "cart")
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    error = await ordering_error(services.carts.prepare(order_request(), "cart"))
    assert error.code == "item_unavailable"


async def test_paid_order_is_honoured_when_dish_is_sold_out_meanwhile(services):
    stored = await services.ordering.prepare(order_request())
    await services.statuses.set_sold_out(1, "104", is_sold_out=True)
    assert (await pay(services, stored)).order.state is OrderState.CONFIRMED


class WithoutCheckOfStore(SqlOrders):
    """Without the guard: the transaction that stores an order finds no dish that is sold out."""

    async def create(self, draft, at, provider):
        await self._database.execute(delete(table_of(SoldOutDishRow)))
        return await super().create(draft, at, provider)


async def orders_after_another_process_sold_out(new_services, kind):
    """Return how an order ends that a process prepares before it knows of the change."""
    slow, other = with_orders(new_services(), kind), new_services()
    await other.statuses.set_sold_out(1, "104", is_sold_out=True)
    assert not slow.statuses.is_sold_out(1, "104")
    try:
        return (await slow.ordering.prepare(order_request())).order.state
    except DishesSoldOut as error:
        return error.code


async def test_order_is_refused_when_another_process_sold_out_the_dish(new_services):
    result = await orders_after_another_process_sold_out(new_services, SqlOrders)
    assert result == "item_unavailable"


async def test_control_order_is_stored_without_the_check_of_its_transaction(new_services):
    """The negative control of the test above."""
    result = await orders_after_another_process_sold_out(new_services, WithoutCheckOfStore)
    assert result is OrderState.PENDING


# Pauses. Source: specification 10.21.


async def pause(services, message=""):
    until = services.clock.now() + timedelta(minutes=30)
    return await services.statuses.set_override(1, is_open=False, message=message, until=until)


async def test_pause_has_an_end_and_a_message(services, clock):
    said = await pause(services, message="No gas")
    assert (said.message, said.back_at) == ("No gas", "13:30")
    paused = await pause(services)
    assert (paused.state, paused.message) == (UNAVAILABLE, "Back at 13:30")
    assert services.statuses.next_boundary() == at(13, 30)
    error = await ordering_error(services.ordering.prepare(order_request()))
    assert error.code == "restaurant_closed"
    clock.set(at(13, 30))
    assert status_of(services.statuses, 1) == RestaurantStatus(1, True, "", OPEN)
    assert (await services.ordering.prepare(order_request())).order.number


async def test_back_at_is_an_opening_when_pause_ends_while_closed(services, clock):
    for now, until, back_at in (
        (at(9, 50), at(10, 20), "10:30"),
        (at(20, 20), at(20, 29), "20:29"),
        (at(20, 20), at(20, 30), "10:30"),
        (at(20, 20), at(21, 20), "10:30"),
    ):
        clock.set(now)
        paused = await services.statuses.set_override(1, is_open=False, message="", until=until)
        assert (paused.message, paused.back_at) == (f"Back at {back_at}", back_at)


async def test_order_that_is_placed_may_be_paid_during_a_pause(services):
    stored = await services.ordering.prepare(order_request())
    await pause(services)
    assert (await pay(services, stored)).order.state is OrderState.CONFIRMED


@pytest.mark.parametrize(
    ("before_pause", "since_pause", "is_accepted"),
    [
        pytest.param(60, 60, True, id="120 s"),
        pytest.param(0, 149, True, id="149 s"),
        pytest.param(0, 150, False, id="150 s"),
        pytest.param(60, 90, False, id="60 s before and 90 s since the pause"),
        pytest.param(-1, 10, False, id="since a second after the pause began"),
    ],
)
async def test_visitor_may_pay_for_150_s_of_waiting_when_a_pause_begins_meanwhile(
    services, clock, before_pause, since_pause, is_accepted
):
    waiting_since = clock.now() - timedelta(seconds=before_pause)
    await pause(services)
    clock.advance(seconds=since_pause)
    request = replace(order_request(), waiting_since=waiting_since)
    if is_accepted:
        stored = await services.carts.prepare(request, "cart")
        assert (await pay(services, stored)).order.state is OrderState.CONFIRMED
    else:
        error = await ordering_error(services.carts.prepare(request, "cart"))
        assert error.code == "restaurant_closed"


async def test_visitor_in_the_waiting_room_is_refused_when_the_kitchen_closes(services, clock):
    waiting_since = clock.now()
    await services.statuses.set_override(1, is_open=False, message="")
    request = replace(order_request(), waiting_since=waiting_since)
    error = await ordering_error(services.carts.prepare(request, "cart"))
    assert error.code == "restaurant_closed"
