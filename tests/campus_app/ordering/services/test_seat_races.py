"""Races for seats, each with its negative control."""

import asyncio
import contextlib
import threading
from collections import Counter
from dataclasses import replace
from datetime import time

import pytest
from sqlalchemy import update

from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.reservation import PreReservation
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.seat_holds import SqlSeatHolds
from campus_app.ordering.sql.tables import SeatHoldRow
from campus_app.shared.rules.errors import Conflict
from kit.db.tables import table_of
from tests.helpers.builders import CUSTOMER, reservation_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import both_databases
from tests.helpers.flows import press, with_orders
from tests.helpers.races import PROCESSES
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio


# The last seats of a slot


PARTIES = 40
SEATS = 24
TABLE = PreReservation(2, time(17, 30), 2, WEDNESDAY.date())


class AllCountFirst(SqlSeatHolds):
    """All callers see free seats before any of them holds one."""

    barrier: asyncio.Barrier

    async def hold(self, table, seats, at, **owner):
        assert await self.seats_taken(table.restaurant_id, table.date, at) == {}
        await meet(self.barrier)
        return await super().hold(table, seats, at, **owner)


class WithoutCountUnderLock(AllCountFirst):
    """Without the guard: the earlier count is used."""

    async def hold(self, table, seats, at, **owner):
        return await super().hold(table, 2 * PARTIES * table.party_size, at, **owner)


async def reserve_at_once(processes, kind, client=""):
    """Return how many seats of a slot of 24 forty parties of two get."""
    barrier = asyncio.Barrier(PARTIES)
    stores = [kind(services.database) for services in processes]
    for store in stores:
        store.barrier = barrier
    at = processes[0].clock.now()
    got = await asyncio.gather(
        *(
            stores[number % PROCESSES].hold(TABLE, SEATS, at, client=client)
            for number in range(PARTIES)
        ),
        return_exceptions=True,
    )
    taken = await stores[0].seats_taken(2, TABLE.date, at)
    assert taken[TABLE.slot] == sum(
        each.reservation.party_size for each in got if not isinstance(each, Conflict)
    )
    return taken[TABLE.slot]


@both_databases
async def test_40_concurrent_parties_get_exactly_the_available_seats(processes):
    # Source: specification P3.5.
    assert await reserve_at_once(processes, AllCountFirst) == SEATS


@both_databases
async def test_control_parties_get_80_seats_without_counting_under_lock(processes):
    """The negative control of the test above."""
    assert await reserve_at_once(processes, WithoutCountUnderLock) == PARTIES * 2


@both_databases
async def test_40_concurrent_parties_of_one_address_get_half_of_the_seats(processes):
    # Source: specification R9.
    assert await reserve_at_once(processes, AllCountFirst, "203.0.113.7") == SEATS // 2


@both_databases
async def test_control_address_gets_80_seats_without_counting_under_lock(processes):
    """The negative control of the test above."""
    got = await reserve_at_once(processes, WithoutCountUnderLock, "203.0.113.7")
    assert got == PARTIES * 2


class InsertingTogether(SqlSeatHolds):
    """Two transactions wait for each other after counting and before inserting."""

    both: threading.Barrier
    patience_seconds = 1

    def _insert_hold(self, connection, table, at, client):
        with contextlib.suppress(threading.BrokenBarrierError):
            self.both.wait(self.patience_seconds)
        return super()._insert_hold(connection, table, at, client)


class WithoutSlotLock(InsertingTogether):
    """Without the guard: the slot is not locked, so both come; a transaction has 8 s."""

    patience_seconds = 6

    def _lock(self, connection, table):
        return None


async def race_for_the_last_table(processes, kind):
    both = threading.Barrier(2)
    stores = [kind(services.database) for services in processes[:2]]
    for store in stores:
        store.both = both
    at = processes[0].clock.now()
    got = await asyncio.gather(
        *(store.hold(TABLE, TABLE.party_size, at) for store in stores), return_exceptions=True
    )
    return sorted("refused" if isinstance(each, Conflict) else each.state for each in got)


@both_databases
async def test_concurrent_transactions_for_last_table_conflict(processes):
    got = await race_for_the_last_table(processes, InsertingTogether)
    assert got == ["held", "refused"]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_control_last_table_is_given_twice_without_slot_lock(processes):
    """The negative control of the test above; SQLite allows one writing transaction at a time."""
    got = await race_for_the_last_table(processes, WithoutSlotLock)
    assert got == ["held", "held"]


# One hold, many orders


class AllSeeFreeHold(SqlOrders):
    """All callers see the hold as unassigned before any of them stores an order."""

    barrier: asyncio.Barrier

    async def create(self, draft, at, provider):
        seen = await SqlSeatHolds(self._database).find(draft.reservation_id)
        assert seen.order_id == ""
        await meet(self.barrier)
        return await super().create(draft, at, provider)


class ForgettingOwner(SqlOrders):
    """Stores an order as if no other order had its hold."""

    turn: asyncio.Lock

    async def create(self, draft, at, provider):
        holds = table_of(SeatHoldRow)
        async with self.turn:
            await self._database.execute(
                update(holds).where(holds.c.id == draft.reservation_id).values(order_id="")
            )
            return await super().create(draft, at, provider)


class WithoutHoldOwner(AllSeeFreeHold, ForgettingOwner):
    """Without the guard: the hold has no owner, as all callers have seen."""


async def orders_on_one_hold(processes, kind, prepare):
    """Return the results of orders on one hold, one from each process."""
    request = reservation_request()
    hold = await processes[0].reservations.hold(request.reservation)
    table = replace(request.reservation, reservation_id=hold.id)
    given = {"barrier": asyncio.Barrier(len(processes)), "turn": asyncio.Lock()}
    shops = [with_orders(services, kind, **given) for services in processes]
    done = await asyncio.gather(
        *(
            prepare(
                shop,
                replace(request, reservation=table, instructions=Instructions(f"{number}")),
                number,
            )
            for number, shop in enumerate(shops)
        ),
        return_exceptions=True,
    )
    return Counter(each.code if isinstance(each, Conflict) else "stored" for each in done)


def by_http(services, request, _number):
    return services.ordering.prepare(request)


def by_socket(services, request, number):
    return services.carts.prepare(request, f"cart {number}")


@both_databases
@pytest.mark.parametrize("prepare", [by_http, by_socket])
async def test_concurrent_orders_for_one_hold_conflict(processes, prepare):
    # Source: specification P3.6.
    results = await orders_on_one_hold(processes, AllSeeFreeHold, prepare)
    assert results == {"stored": 1, "slot_unavailable": PROCESSES - 1}


@both_databases
@pytest.mark.parametrize("prepare", [by_http, by_socket])
async def test_control_every_order_gets_the_hold_without_guard(processes, prepare):
    """The negative control of the test above."""
    results = await orders_on_one_hold(processes, WithoutHoldOwner, prepare)
    assert results == {"stored": PROCESSES}


@both_databases
async def test_slot_is_never_oversold_under_concurrent_operations(processes):
    """All operations on seats at once, in all processes; none deadlocks."""
    at = processes[0].clock.now()
    firm = []

    async def visitor(number):
        services = processes[number % PROCESSES]
        customer = CUSTOMER | {"email": f"guest{number}@students.example"}
        wanted = replace(reservation_request(party_size=1 + number % 4), customer=customer)
        try:
            hold = await services.reservations.hold(wanted.reservation)
            table = replace(wanted.reservation, reservation_id=hold.id)
            stored = await services.ordering.prepare(replace(wanted, reservation=table))
            if number % 3 == 0:
                await services.payments.orders.transition(stored.payment, PaymentState.EXPIRED, "")
            elif number % 3 == 1:
                await services.reservations.release(hold.id)
            await services.checkouts.open(stored)
            await press(services, stored)
            paid = await services.payments.reconcile(stored.payment)
        except Conflict:
            return
        if paid.order.state is OrderState.CONFIRMED:
            firm.append(paid.order.reservation.party_size)

    async with asyncio.timeout(60):
        await asyncio.gather(*(visitor(number) for number in range(PARTIES)))
    taken = await processes[0].reservations.holds.seats_taken(2, TABLE.date, at)
    assert firm
    assert sum(firm) <= taken[TABLE.slot] <= SEATS
