"""Races, each with its negative control: without the guard the error occurs.

Several processes are several service instances on one database. A barrier makes all of them read
before any of them writes, so that nothing depends on timing.
"""

import asyncio
import contextlib
import threading
import uuid
from collections import Counter
from dataclasses import replace
from datetime import time, timedelta

import pytest
from sqlalchemy import update

from campus_app.adapters.sandbox.tables import SandboxPaymentRow
from campus_app.adapters.sql.order_numbers import SqlNumbers
from campus_app.adapters.sql.orders import SqlOrders
from campus_app.adapters.sql.refunds import SqlRefunds, mark_due
from campus_app.adapters.sql.seat_holds import SqlSeatHolds
from campus_app.adapters.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.domain.audit import Actor
from campus_app.domain.errors import Conflict
from campus_app.domain.messages import RefundReason
from campus_app.domain.notification import notifications_due
from campus_app.domain.order import OrderState
from campus_app.domain.payment import PaymentState
from campus_app.domain.reservation import PreReservation, SeatHold, SeatHoldState
from kit.db.tables import table_of
from kit.outbox.models import NewJob, OutboxRow, enqueue
from tests.helpers.builders import CUSTOMER, draft, order_request, reservation_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.flows import (
    calls,
    drain,
    mails,
    notice,
    pay,
    press,
    receive_webhook,
    with_orders,
)
from tests.helpers.providers import ScriptedProvider
from tests.helpers.tables import count, hold_numbers, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

PROCESSES = 5


@pytest.fixture
def processes(new_services):
    return [new_services() for _ in range(PROCESSES)]


# Fifty clicks on pay


CLICKS = 50


class AllReadCartFirst(SqlOrders):
    """All callers read that the cart has no order before any of them stores one."""

    barrier: asyncio.Barrier

    async def latest_of_cart(self, cart_key):
        newest = await super().latest_of_cart(cart_key)
        if newest is None:
            await meet(self.barrier)
        return newest


class WithoutCartKeys(AllReadCartFirst):
    """Without the guard: each click stores under its own key."""

    async def create(self, draft, at, provider):
        key = f"{draft.idempotency_key}:{uuid.uuid4()}"
        return await super().create(replace(draft, idempotency_key=key), at, provider)


async def click_fifty_times(processes, kind):
    barrier = asyncio.Barrier(CLICKS)
    tabs = [with_orders(services, kind, barrier=barrier) for services in processes]

    async def click(services):
        stored = await services.ordering.prepare_cart(order_request(), "cart")
        return await services.payments.open_checkout(stored)

    return await asyncio.gather(*(click(tabs[number % PROCESSES]) for number in range(CLICKS)))


async def test_50_concurrent_clicks_create_one_order_and_payment(processes):
    # Source: specification M15; docs/invariants.md I2.
    checkouts = await click_fifty_times(processes, AllReadCartFirst)
    assert len({checkout.url for checkout in checkouts}) == 1
    for table in (OrderRow, PaymentRow, SandboxPaymentRow):
        assert await count(processes[0].database, table) == 1


async def test_control_50_clicks_create_50_orders_without_key(processes):
    """The negative control of the test above."""
    await click_fifty_times(processes, WithoutCartKeys)
    assert await count(processes[0].database, OrderRow) == CLICKS
    assert await count(processes[0].database, SandboxPaymentRow) == CLICKS


# The webhook, the browser's return and the reconciler at once


class Counting(SqlOrders):
    """Records each payment that was recorded as paid."""

    recorded: list

    async def record_paid(self, stored, snapshot, decide, at):
        recorded = await super().record_paid(stored, snapshot, decide, at)
        if recorded:
            self.recorded.append(stored.payment.id)
        return recorded


class WithoutTransitionGuard(Counting):
    """Without the guard: a paid payment may become paid again."""

    def _allowed_sources(self, target):
        return frozenset(PaymentState)


class WithoutAnyGuard(WithoutTransitionGuard):
    """Without the outbox's deduplication keys either."""

    def _apply(self, connection, order, settlement, at):
        orders = table_of(OrderRow)
        connection.execute(
            update(orders).where(orders.c.id == order.id).values(state=settlement.order_state)
        )
        jobs = [
            NewJob(f"{uuid.uuid4()}", notice.value, order.id, {}, at)
            for notice in notifications_due(settlement.order_state)
        ]
        enqueue(connection, jobs)


class AllQueryFirst(ScriptedProvider):
    """All callers query the provider before any of them gets the answer."""

    def __init__(self, barrier):
        super().__init__()
        self.barrier = barrier

    async def fetch(self, reference):
        snapshot = await super().fetch(reference)
        await meet(self.barrier)
        return snapshot


async def reconcile_three_times_at_once(new_services, kind):
    """Return how often the payment was recorded, and the services."""
    recorded = []
    provider = AllQueryFirst(asyncio.Barrier(3))
    three = []
    for _ in range(3):
        services = with_orders(new_services(), kind, recorded=recorded)
        payments = replace(services.payments, provider=provider)
        three.append(replace(services, payments=payments))
    webhook, browser, reconciler = three
    stored = await webhook.ordering.prepare(order_request())
    await webhook.payments.orders.schedule_check(stored.payment.id, webhook.clock.now())
    provider.set_state(stored, PaymentState.PAID)
    # The reconciler skips locked rows, so the webhook's update must have finished before.
    told = await webhook.payments.receive_webhook({}, stored.payment.reference.encode())
    await asyncio.gather(
        webhook.payments.process_webhook(told),
        browser.payments.refresh_by_number(stored.order.number),
        reconciler.payments.reconcile_due(),
    )
    assert len(provider.fetched) == 3
    return len(recorded), webhook


async def test_concurrent_webhook_return_and_reconciler_are_one_transition(new_services):
    # Source: docs/invariants.md I3, I4.
    transitions, services = await reconcile_three_times_at_once(new_services, Counting)
    assert transitions == 1
    assert await count(services.database, OutboxRow) == 3
    (order,) = await rows(services.database, OrderRow)
    assert order.state == OrderState.CONFIRMED


async def test_control_three_transitions_without_guard(new_services):
    """The negative control of the test above; the outbox's keys still deduplicate notifications."""
    transitions, services = await reconcile_three_times_at_once(
        new_services, WithoutTransitionGuard
    )
    assert transitions == 3
    assert await count(services.database, OutboxRow) == 3


async def test_control_nine_notifications_without_outbox_keys(new_services):
    """The negative control of the outbox's keys."""
    transitions, services = await reconcile_three_times_at_once(new_services, WithoutAnyGuard)
    assert transitions == 3
    assert await count(services.database, OutboxRow) == 9


# Every process's reconciler at once

DUE = 12


def orders_without_lease():
    """Return orders without the guard: all read the due payments before one of them leases."""
    turn, have_all_looked = asyncio.Lock(), asyncio.Event()
    looks = iter(range(1, 1_000))

    class WithoutTheLease(SqlOrders):
        async def claim_due_checks(self, at, limit):
            async with turn:
                due = await super().claim_due_checks(at, limit)
                for payment in due:
                    await self.schedule_check(payment.id, at)
            if next(looks) >= PROCESSES:
                have_all_looked.set()
            await have_all_looked.wait()
            return due

    return WithoutTheLease


async def queries_of_all_reconcilers(processes, clock, kind):
    """Run all reconcilers twice; return how often each payment was queried."""
    provider = ScriptedProvider()
    reconcilers = []
    for services in processes:
        payments = with_orders(services, kind).payments
        reconcilers.append(replace(payments, provider=provider))
    for number in range(DUE):
        provider.set_state(
            await processes[0].ordering.prepare_cart(order_request(), f"cart {number}"),
            PaymentState.PENDING,
        )
    clock.advance(minutes=20)
    for _ in range(2):
        await asyncio.gather(*(each.reconcile_due() for each in reconcilers))
    return Counter(provider.fetched)


async def test_concurrent_reconcilers_query_each_payment_once(processes, clock):
    asked = await queries_of_all_reconcilers(processes, clock, SqlOrders)
    assert sorted(asked.values()) == [1] * DUE


async def test_control_reconcilers_repeat_queries_without_lease(processes, clock):
    """The negative control of the test above."""
    asked = await queries_of_all_reconcilers(processes, clock, orders_without_lease())
    assert max(asked.values()) > 1


@pytest.mark.parametrize("late", [PaymentState.FAILED, PaymentState.CANCELLED], ids=str)
async def test_stale_answer_does_not_undo_payment(new_services, late):
    # Source: specification P1.10.
    current = await overtaken(new_services, SqlOrders, late)
    assert current.payment.state is PaymentState.PAID
    assert current.order.state is OrderState.CONFIRMED


async def test_control_stale_answer_undoes_payment_without_guard(new_services):
    """The negative control of the test above."""

    class WithoutTheGuardEither(SqlOrders):
        def _allowed_sources(self, target):
            return frozenset(PaymentState)

    current = await overtaken(new_services, WithoutTheGuardEither, PaymentState.FAILED)
    assert current.payment.state is PaymentState.FAILED


async def overtaken(new_services, kind, late):
    """One process receives `late`; before it writes, another receives and records PAID."""
    has_heard, is_recorded = asyncio.Event(), asyncio.Event()

    class Slow(ScriptedProvider):
        async def fetch(self, reference):
            snapshot = await super().fetch(reference)
            has_heard.set()
            await meet(is_recorded)
            return snapshot

    slow, quick = Slow(), ScriptedProvider()
    first, second = (with_orders(new_services(), kind) for _ in range(2))
    stored = await first.ordering.prepare(order_request())
    slow.set_state(stored, late, reason="too late")
    quick.set_state(stored, PaymentState.PAID)
    overtaking = asyncio.create_task(
        replace(first.payments, provider=slow).reconcile(stored.payment)
    )
    await meet(has_heard)
    await replace(second.payments, provider=quick).reconcile(stored.payment)
    is_recorded.set()
    return await overtaking


# Fifty copies of one webhook


NOTICES = 50


async def deliver_fifty_webhooks(processes, kind):
    """Deliver one webhook fifty times to five processes that all query the provider first."""
    recorded = []
    barrier = asyncio.Barrier(PROCESSES)
    stored = await processes[0].ordering.prepare(order_request())
    await processes[0].payments.open_checkout(stored)
    await press(processes[0], stored)
    headers, body = notice(processes[0], stored.payment.reference)
    told = []
    for services in processes:
        counting = with_orders(services, kind, recorded=recorded)
        provider = QueryingTogether(services.payments.provider, barrier)
        told.append(replace(counting.payments, provider=provider))
    await asyncio.gather(
        *(receive_webhook(told[number % PROCESSES], headers, body) for number in range(NOTICES))
    )
    return len(recorded)


class QueryingTogether:
    """The sandbox, whose first answer waits until all processes have queried it."""

    def __init__(self, provider, barrier):
        self._provider = provider
        self._everyone = barrier
        self._has_asked = False

    async def fetch(self, reference):
        snapshot = await self._provider.fetch(reference)
        if not self._has_asked:
            self._has_asked = True
            await meet(self._everyone)
        return snapshot

    def __getattr__(self, name):
        return getattr(self._provider, name)


async def test_50_duplicate_webhooks_are_one_transition_and_three_jobs(processes):
    # Source: specification P1.8.
    assert await deliver_fifty_webhooks(processes, Counting) == 1
    assert await count(processes[0].database, OutboxRow) == 3
    await asyncio.gather(*(drain(services) for services in processes))
    assert len(mails(processes[0])) == 2
    assert len(calls(processes[0])) == 1


async def test_control_each_process_records_payment_without_guard(processes):
    """The negative control of the test above."""
    assert await deliver_fifty_webhooks(processes, WithoutTransitionGuard) == PROCESSES


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

    def _hold(self, connection, value, order_id, at):
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


async def test_concurrent_orders_with_same_number_conflict(processes):
    # Source: specification M9.
    assert await race_for_a_number(processes, AllSeeNumberFree) == (
        ["AS_482"],
        ["order_id_taken"],
    )


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
    placed = await asyncio.gather(
        *(
            stores[number % len(stores)].create(draft(f"{number}"), at, "sandbox")
            for number in names
        )
    )
    return [stored.order.number for stored in placed]


def short_ones(numbers):
    assert {len(number) for number in numbers} == {len("AS_482"), len("AS_4820")}
    return [number for number in numbers if len(number) == len("AS_482")]


async def a_thousand_numbers(processes, kind):
    stores = [kind(services.database, lambda: None) for services in processes[:2]]
    return await create_at_once(stores, range(THOUSAND), processes[0].clock.now())


async def test_1000_concurrent_orders_have_1000_numbers(processes):
    # Source: specification M9; docs/invariants.md I17.
    numbers = await a_thousand_numbers(processes, SqlOrders)
    assert len(set(numbers)) == THOUSAND
    assert len(short_ones(numbers)) >= LAST_BEFORE_NEARLY_FULL


async def test_control_numbers_collide_without_key(processes):
    """The negative control of the test above."""
    assert len(set(await a_thousand_numbers(processes, WithoutNumberKeys))) < THOUSAND


async def test_fourth_digit_is_used_when_less_than_a_tenth_is_free(processes):
    # Source: specification M9.
    await hold_numbers(processes[0].database, 100, 100 + LAST_BEFORE_NEARLY_FULL - 50 - 1)
    stores = [SqlOrders(processes[0].database, lambda: None)]
    numbers = await create_at_once(stores, range(100), processes[0].clock.now())
    assert 50 <= len(short_ones(numbers)) <= 50 + CONNECTIONS


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


# The last seats of a slot


PARTIES = 40
SEATS = 24
TABLE = PreReservation(2, time(17, 30), 2, WEDNESDAY.date())


class AllCountFirst(SqlSeatHolds):
    """All callers see free seats before any of them holds one."""

    barrier: asyncio.Barrier

    async def hold(self, table, seats, at, *, replaces=""):
        assert await self.seats_taken(table.restaurant_id, table.date, at) == {}
        await meet(self.barrier)
        return await super().hold(table, seats, at, replaces=replaces)


class WithoutCountUnderLock(AllCountFirst):
    """Without the guard: the earlier count is used."""

    async def hold(self, table, seats, at, *, replaces=""):
        return await super().hold(table, PARTIES * table.party_size, at)


async def reserve_at_once(processes, kind):
    """Return how many seats of a slot of 24 forty parties of two get."""
    barrier = asyncio.Barrier(PARTIES)
    stores = [kind(services.database) for services in processes]
    for store in stores:
        store.barrier = barrier
    at = processes[0].clock.now()
    got = await asyncio.gather(
        *(stores[number % PROCESSES].hold(TABLE, SEATS, at) for number in range(PARTIES))
    )
    taken = await stores[0].seats_taken(2, TABLE.date, at)
    assert taken[TABLE.slot] == sum(hold.reservation.party_size for hold in got if hold)
    return taken[TABLE.slot]


async def test_40_concurrent_parties_get_exactly_the_available_seats(processes):
    # Source: specification P3.5.
    assert await reserve_at_once(processes, AllCountFirst) == SEATS


async def test_control_parties_get_80_seats_without_counting_under_lock(processes):
    """The negative control of the test above."""
    assert await reserve_at_once(processes, WithoutCountUnderLock) == PARTIES * 2


class InsertingTogether(SqlSeatHolds):
    """Two transactions wait for each other after counting and before inserting."""

    both: threading.Barrier

    def _insert_hold(self, connection, table, at):
        with contextlib.suppress(threading.BrokenBarrierError):
            self.both.wait(1)
        return super()._insert_hold(connection, table, at)


class WithoutSlotLock(InsertingTogether):
    """Without the guard: the slot is not locked."""

    def _lock(self, connection, table):
        return None


async def race_for_the_last_table(processes, kind):
    both = threading.Barrier(2)
    stores = [kind(services.database) for services in processes[:2]]
    for store in stores:
        store.both = both
    at = processes[0].clock.now()
    return await asyncio.gather(*(store.hold(TABLE, TABLE.party_size, at) for store in stores))


async def test_concurrent_transactions_for_last_table_conflict(processes):
    got = await race_for_the_last_table(processes, InsertingTogether)
    assert sorted(hold is None for hold in got) == [False, True]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
async def test_control_last_table_is_given_twice_without_slot_lock(processes):
    """The negative control of the test above; SQLite allows one writing transaction at a time."""
    got = await race_for_the_last_table(processes, WithoutSlotLock)
    assert None not in got


# One hold, many orders


class AllSeeFreeHold(SqlOrders):
    """All callers see the hold as unassigned before any of them stores an order."""

    barrier: asyncio.Barrier

    async def create(self, draft, at, provider):
        seen = await SqlSeatHolds(self._database).find(draft.reservation_id)
        assert seen.order_id == ""
        await meet(self.barrier)
        return await super().create(draft, at, provider)


class WithoutHoldOwner(AllSeeFreeHold):
    """Without the guard: the earlier owner is used."""

    def _lock_hold(self, connection, draft):
        return SeatHold(
            draft.reservation_id,
            draft.reservation,
            SeatHoldState.HELD,
            WEDNESDAY + timedelta(hours=1),
        )


async def orders_on_one_hold(processes, kind, prepare):
    """Return the results of orders on one hold, one from each process."""
    request = reservation_request()
    hold = await processes[0].reservations.hold(request.reservation)
    table = replace(request.reservation, reservation_id=hold.id)
    barrier = asyncio.Barrier(len(processes))
    shops = [with_orders(services, kind, barrier=barrier) for services in processes]
    done = await asyncio.gather(
        *(
            prepare(shop.ordering, replace(request, reservation=table, note=f"{number}"), number)
            for number, shop in enumerate(shops)
        ),
        return_exceptions=True,
    )
    return Counter(each.code if isinstance(each, Conflict) else "stored" for each in done)


def by_http(ordering, request, _number):
    return ordering.prepare(request)


def by_socket(ordering, request, number):
    return ordering.prepare_cart(request, f"cart {number}")


@pytest.mark.parametrize("prepare", [by_http, by_socket])
async def test_concurrent_orders_for_one_hold_conflict(processes, prepare):
    # Source: specification P3.6.
    results = await orders_on_one_hold(processes, AllSeeFreeHold, prepare)
    assert results == {"stored": 1, "slot_unavailable": PROCESSES - 1}


@pytest.mark.parametrize("prepare", [by_http, by_socket])
async def test_control_every_order_gets_the_hold_without_guard(processes, prepare):
    """The negative control of the test above."""
    results = await orders_on_one_hold(processes, WithoutHoldOwner, prepare)
    assert results == {"stored": PROCESSES}


async def test_slot_is_never_oversold_under_concurrent_operations(processes):
    """All operations on seats at once, in all processes; none deadlocks."""
    at = processes[0].clock.now()
    firm = []

    async def visitor(number):
        services = processes[number % PROCESSES]
        customer = CUSTOMER | {"email": f"guest{number}@students.example"}
        wanted = replace(
            reservation_request(party_size=1 + number % 4),
            customer=customer,
        )
        try:
            hold = await services.reservations.hold(wanted.reservation)
            table = replace(wanted.reservation, reservation_id=hold.id)
            stored = await services.ordering.prepare(replace(wanted, reservation=table))
            if number % 3 == 0:
                await services.payments.orders.transition(stored.payment, PaymentState.EXPIRED, "")
            elif number % 3 == 1:
                await services.reservations.release(hold.id)
            await services.payments.open_checkout(stored)
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


# Concurrent refunds of one payment


class AllSeeUnrefunded(SqlRefunds):
    """All callers see that the payment is not refunded before any of them marks the refund."""

    barrier: asyncio.Barrier

    async def begin(self, payment_id, entry_of, at, *, whole):
        assert await self.of_payment(payment_id) == []
        await meet(self.barrier)
        return await super().begin(payment_id, entry_of, at, whole=whole)


class WithoutCheckUnderLock(AllSeeUnrefunded):
    """Without the guard: the earlier state is used."""

    async def begin(self, payment_id, entry_of, at, *, whole):
        amount = await paid_paise(self._database, payment_id)
        await meet(self.barrier)
        await self._database.write(
            lambda connection: mark_due(
                connection, payment_id, amount, RefundReason.BY_OPERATOR, at
            )
        )
        return await SqlRefunds.begin(self, payment_id, entry_of, at, whole=False)


async def paid_paise(database, payment_id):
    (payment,) = await rows(database, PaymentRow)
    assert payment.id == payment_id
    return payment.paid_paise


async def refund_by_all_operators(processes, kind):
    """Refund one order from each process; return the refunded amounts."""
    stored = await pay(processes[0], await processes[0].ordering.prepare(order_request()))
    barrier = asyncio.Barrier(PROCESSES)
    giving = []
    for services in processes:
        store = kind(services.database)
        store.barrier = barrier
        refunds = replace(services.payments.refunds, store=store)
        giving.append(refunds.refund_order(stored, Actor("asha"), force=True))
    # The sandbox rejects a repeated refund.
    await asyncio.gather(*giving, return_exceptions=True)
    return [
        refund.amount_paise
        for refund in await rows(processes[0].database, RefundRow)
        if refund.reason == RefundReason.BY_OPERATOR
    ]


async def test_concurrent_refunds_by_operators_are_one_refund(processes):
    # Source: specification P1.19.
    assert await refund_by_all_operators(processes, AllSeeUnrefunded) == [6_500]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_control_refund_is_repeated_without_check_under_lock(processes):
    """The negative control of the test above; on PostgreSQL the refund numbers prevent it too."""
    given_back = await refund_by_all_operators(processes, WithoutCheckUnderLock)
    assert given_back == [6_500] * PROCESSES
