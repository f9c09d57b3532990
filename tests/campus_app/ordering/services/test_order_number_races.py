"""Races for order numbers, each with its negative control."""

import asyncio

import pytest

from campus_app.ordering.sql.order_numbers import SqlNumbers
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.errors import Conflict
from tests.helpers.builders import draft, order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import with_orders
from tests.helpers.tables import hold_numbers, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio


# Two orders for one number


class AllSeeNumberFree(SqlOrders):
    """All callers see the number as free before any of them takes it."""

    barrier: asyncio.Barrier

    async def by_number(self, number):
        stored = await super().by_number(number)
        if stored is None:
            await meet(self.barrier)
        return stored


class NumbersWithoutKeys(SqlNumbers):
    """Without the guard: every caller gets the number."""

    def _hold(self, connection, value, hold, at):
        return True


class WithoutNumberKeys(AllSeeNumberFree):
    def __init__(self, database, wake_outbox):
        super().__init__(database, wake_outbox)
        self._numbers = NumbersWithoutKeys()


async def race_for_a_number(processes, kind):
    barrier = asyncio.Barrier(2)
    first, second = (
        with_orders(services, kind, barrier=barrier).ordering for services in processes[:2]
    )
    outcomes = await asyncio.gather(
        first.prepare(order_request(requested_number="AS_482")),
        second.prepare(order_request(requested_number="AS_482", campus="south")),
        return_exceptions=True,
    )
    held = [row.number for row in await rows(processes[0].database, OrderRow)]
    return held, [each.code for each in outcomes if isinstance(each, Conflict)]


@both_databases
async def test_concurrent_orders_with_same_number_conflict(processes):
    # Source: specification M9.
    assert await race_for_a_number(processes, AllSeeNumberFree) == (["AS_482"], ["order_id_taken"])


@both_databases
async def test_control_two_orders_share_number_without_key(processes):
    """The negative control of the test above."""
    assert await race_for_a_number(processes, WithoutNumberKeys) == (["AS_482", "AS_482"], [])


# A thousand orders


THOUSAND = 1_000
CONNECTIONS = 8
"""Concurrent transactions per process on PostgreSQL."""
LAST_BEFORE_NEARLY_FULL = 811
"""With one more, fewer than a tenth of the 900 numbers are free."""


async def create_at_once(stores, names, at):
    few = asyncio.Semaphore(100)  # a transaction has 8 s, its wait for a thread included

    async def create(number):
        async with few:
            return await stores[number % len(stores)].create(draft(f"{number}"), at, "sandbox")

    return [stored.order.number for stored in await asyncio.gather(*map(create, names))]


def short_ones(numbers):
    assert {len(number) for number in numbers} == {len("AS_482"), len("AS_4820")}
    return [number for number in numbers if len(number) == len("AS_482")]


async def numbers_of(processes, kind, orders):
    stores = [kind(services.database, lambda: None) for services in processes[:2]]
    return await create_at_once(stores, range(orders), processes[0].clock.now())


@both_databases
async def test_1000_concurrent_orders_have_1000_numbers(processes):
    # Source: specification M9; docs/invariants.md I17.
    numbers = await numbers_of(processes, SqlOrders, THOUSAND)
    assert len(set(numbers)) == THOUSAND
    assert len(short_ones(numbers)) >= LAST_BEFORE_NEARLY_FULL


@both_databases
async def test_control_numbers_collide_without_key(processes):
    """The negative control of the test above."""
    numbers = await numbers_of(processes, WithoutNumberKeys, 200)
    assert len(set(numbers)) < len(numbers)


@both_databases
async def test_fourth_digit_is_used_when_less_than_a_tenth_is_free(processes):
    # Source: specification M9.
    await hold_numbers(processes[0].database, 100, 100 + LAST_BEFORE_NEARLY_FULL - 50 - 1)
    stores = [SqlOrders(processes[0].database, lambda: None)]
    numbers = await create_at_once(stores, range(100), processes[0].clock.now())
    assert 50 <= len(short_ones(numbers)) <= 50 + CONNECTIONS


@both_databases
async def test_numbers_taken_by_another_process_are_seen_within_a_second(processes, clock):
    # Source: specification M9.
    await hold_numbers(processes[0].database, 100, 100 + LAST_BEFORE_NEARLY_FULL - 50 - 1)
    stores = [SqlOrders(services.database, lambda: None) for services in processes[:2]]
    numbers, in_a_second = [], 20
    for first in range(0, 100, in_a_second):
        numbers += await create_at_once(stores, range(first, first + in_a_second), clock.now())
        clock.advance(seconds=1)
    assert len(set(numbers)) == len(numbers)
    assert 50 <= len(short_ones(numbers)) <= 50 + in_a_second
