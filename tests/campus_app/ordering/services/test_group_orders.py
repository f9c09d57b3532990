"""Group orders on SQLite and PostgreSQL: races with their negative controls, and paid orders.

Several processes are several service instances on one database. A barrier makes all of them read
before any of them writes, so that nothing depends on timing.
"""

import asyncio
from dataclasses import asdict, replace
from datetime import timedelta

import pytest
from sqlalchemy import update

from campus_app.ordering.rules.group_order import GroupState, hash_of_key, new_key
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.shortage import ShortageAnswer, ShortageReason
from campus_app.ordering.services.shortages import KitchenActor
from campus_app.ordering.sql.group_orders import SqlGroupOrders
from campus_app.ordering.sql.tables import GroupOrderRow, OrderRow
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.constants import (
    MAXIMUM_GROUP_GUESTS,
    MAXIMUM_LINE_QUANTITY,
    SHORTAGE_UNDO_SECONDS,
)
from campus_app.shared.rules.errors import Conflict, NotFound
from kit.db.tables import table_of
from tests.helpers.builders import QUANTITIES, order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import drain, pay
from tests.helpers.races import PROCESSES
from tests.helpers.tables import count
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

OWNER = new_key()
GUESTS = [new_key() for _ in range(MAXIMUM_GROUP_GUESTS)]


async def begin(services, *guests):
    """Begin a group order of the owner with these guests; return it."""
    group = await services.group_orders.begin(1, "Asha", OWNER, None, "")
    for number, key in enumerate(guests):
        group = await services.group_orders.join(group.id, key, f"Guest {number}")
    return group


async def current(services, group):
    return (await services.group_orders.store.find(group.id)).group


def chosen(group, key):
    return group.member(hash_of_key(key, group.id)).quantities


class AllReadFirst(SqlGroupOrders):
    """All callers read the same group order before any of them changes it."""

    barrier: asyncio.Barrier
    is_first = True

    async def find(self, group_id):
        found = await super().find(group_id)
        if self.is_first:
            self.is_first = False
            await meet(self.barrier)
        return found


class WithoutVersions(AllReadFirst):
    """Without the guard: a change replaces whatever was stored meanwhile."""

    async def replace(self, group):
        groups = table_of(GroupOrderRow)
        await self._database.execute(
            update(groups).where(groups.c.id == group.id).values(asdict(group))
        )
        return group


def racing(processes, kind, parties):
    """Return group orders for so many parties, each with a store that waits for the others."""
    barrier = asyncio.Barrier(parties)
    found = []
    for number in range(parties):
        orders = processes[number % PROCESSES].group_orders
        store = kind(processes[number % PROCESSES].database)
        store.barrier = barrier
        racer = object.__new__(type(orders))
        vars(racer).update(vars(orders) | {"store": store})
        found.append(racer)
    return found


async def outcomes(*changes):
    """Run changes at once; return the codes of those that were refused."""
    done = await asyncio.gather(*changes, return_exceptions=True)
    return [each.code for each in done if isinstance(each, Conflict)]


async def add_at_the_limit(processes, kind):
    """Two guests add the last unit of a dish at once; return the units and the refusals."""
    group = await begin(processes[0], *GUESTS[:2])
    full = {"104": MAXIMUM_LINE_QUANTITY - 1}
    members = (replace(group.owner, quantities=full), *group.members[1:])
    await processes[0].group_orders.store.replace(replace(group, members=members))
    racers = racing(processes, kind, 2)
    refused = await outcomes(
        *(each.step(group.id, key, "104", 1) for each, key in zip(racers, GUESTS, strict=False))
    )
    stored = await current(processes[0], group)
    taken = sum(bool(chosen(stored, key)) for key in GUESTS[:2])
    return taken, refused


@both_databases
async def test_two_guests_at_the_limit_get_one_unit(processes):
    assert await add_at_the_limit(processes, AllReadFirst) == (1, ["group_order_limit"])


@both_databases
async def test_control_a_unit_is_lost_without_versions(processes):
    """The negative control of the test above: both were told yes, one of them is lost."""
    assert await add_at_the_limit(processes, WithoutVersions) == (1, [])


async def add_at_once(processes, kind):
    """Each guest adds a unit at once; return how many units are stored."""
    group = await begin(processes[0], *GUESTS)
    racers = racing(processes, kind, len(GUESTS))
    refused = await outcomes(
        *(each.step(group.id, key, "104", 1) for each, key in zip(racers, GUESTS, strict=True))
    )
    assert refused == []
    return (await current(processes[0], group)).quantities.get("104", 0)


@both_databases
async def test_concurrent_guests_lose_no_dish(processes):
    assert await add_at_once(processes, AllReadFirst) == len(GUESTS)


@both_databases
async def test_control_concurrent_guests_lose_dishes_without_versions(processes):
    """The negative control of the test above."""
    assert await add_at_once(processes, WithoutVersions) < len(GUESTS)


async def add_while_the_owner_locks(processes, kind):
    """A guest adds a dish while the owner locks; return whether the owner's lock misses it.

    It does if the guest was told that the dish is added, and the owner was given another content.
    """
    group = await begin(processes[0], GUESTS[0])
    owner, guest = racing(processes, kind, 2)
    locked, added = await asyncio.gather(
        owner.lock(group.id, OWNER),
        guest.step(group.id, GUESTS[0], "104", 1),
        return_exceptions=True,
    )
    is_added = not isinstance(added, Conflict)
    stored = await current(processes[0], group)
    is_consistent = stored.is_locked and stored.quantities == locked.quantities
    return not is_consistent or (is_added and "104" not in locked.quantities)


@both_databases
async def test_dish_added_while_the_owner_locks_is_paid_or_refused(processes):
    assert not await add_while_the_owner_locks(processes, AllReadFirst)


@both_databases
async def test_control_dish_is_lost_while_the_owner_locks_without_versions(processes):
    """The negative control of the test above."""
    assert await add_while_the_owner_locks(processes, WithoutVersions)


@both_databases
async def test_only_eight_of_many_guests_join_at_once(processes):
    group = await begin(processes[0])
    keys = [new_key() for _ in range(20)]
    refused = await outcomes(
        *(
            processes[number % PROCESSES].group_orders.join(group.id, key, "Guest")
            for number, key in enumerate(keys)
        )
    )
    assert len((await current(processes[0], group)).members) == 1 + MAXIMUM_GROUP_GUESTS
    assert len(refused) == len(keys) - MAXIMUM_GROUP_GUESTS


@both_databases
async def test_paid_order_ends_the_group_order_and_names_what_is_late(services):
    orders = services.group_orders
    group = await begin(services, GUESTS[0])
    for dish, units in QUANTITIES.items():
        for _ in range(units):
            await orders.step(group.id, OWNER, dish, 1)
    locked = await orders.lock(group.id, OWNER)
    stored = await services.carts.prepare(order_request(), locked.cart_key)
    await orders.unlock(group.id, OWNER)
    await orders.step(group.id, GUESTS[0], "103", 1)
    await pay(services, stored)
    found = await orders.store.find(group.id)
    assert found.order is OrderState.CONFIRMED
    assert orders.state_of(found) is GroupState.ORDERED
    assert found.ordered == QUANTITIES
    with pytest.raises(Conflict) as refused:
        await orders.step(group.id, GUESTS[0], "103", 1)
    assert refused.value.code == "group_order_ended"
    assert await count(services.database, OrderRow) == 1


async def test_dish_that_the_kitchen_can_not_cook_was_not_chosen_too_late(services, clock):
    group = await begin(services)
    for dish in QUANTITIES:
        await services.group_orders.step(group.id, OWNER, dish, 1)
    locked = await services.group_orders.lock(group.id, OWNER)
    request = order_request(quantities=dict.fromkeys(QUANTITIES, 1))
    order = (await pay(services, await services.carts.prepare(request, locked.cart_key))).order
    first = next(iter(QUANTITIES))
    by = KitchenActor(1, "tablet", Actor("kitchen 1"), order.created_at - timedelta(days=1))
    await services.shortages.report(order.id, first, ShortageReason.DISH_GONE, by)
    clock.advance(seconds=SHORTAGE_UNDO_SECONDS)
    await drain(services)
    assert await services.shortages.choose(order.id, first, ShortageAnswer.DISH_BACK)
    assert (await services.group_orders.store.find(group.id)).ordered == order.quantities


@both_databases
async def test_second_order_of_the_cart_does_not_hide_the_confirmed_one(services):
    group = await begin(services)
    for state in (OrderState.REFUND_DUE, OrderState.CONFIRMED, OrderState.REFUND_DUE):
        stored = await services.ordering.prepare(order_request())
        orders = table_of(OrderRow)
        await services.database.execute(
            update(orders)
            .where(orders.c.id == stored.order.id)
            .values(cart_key=group.cart_key, state=state)
        )
    assert (await services.group_orders.store.find(group.id)).order is OrderState.CONFIRMED


@both_databases
async def test_group_order_is_found_again_by_another_process(processes):
    group = await begin(processes[0], GUESTS[0])
    stored = await processes[1].group_orders.of_cart(group.cart_key)
    assert stored.group == group


async def test_change_without_effect_is_not_stored_and_of_an_unknown_order_refused(services):
    group = await begin(services)
    await services.group_orders.step(group.id, OWNER, "104", -1)
    assert (await current(services, group)).version == group.version
    with pytest.raises(NotFound):
        await services.group_orders.step("unknown", OWNER, "104", 1)


async def test_beginning_is_limited_for_each_client(services, clock):
    limit = services.settings.prepared_orders_per_minute
    for _ in range(limit):
        services.group_orders._begin_limit.retry_after("10.0.0.1")
    with pytest.raises(Conflict):
        await services.group_orders.begin(1, "Asha", OWNER, None, "10.0.0.1")
    await services.group_orders.begin(1, "Asha", OWNER, None, "10.0.0.2")
    clock.advance(seconds=60)
    await services.group_orders.begin(1, "Asha", OWNER, None, "10.0.0.1")
