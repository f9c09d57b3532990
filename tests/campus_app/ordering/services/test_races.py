"""Races, each with its negative control: without the guard the error occurs.

Several processes are several service instances on one database. A barrier makes all of them read
before any of them writes, so that nothing depends on timing.
"""

import asyncio
import uuid
from collections import Counter
from dataclasses import replace

import pytest
from sqlalchemy import update

from campus_app.ordering.providers.sandbox.tables import SandboxPaymentRow
from campus_app.ordering.rules.notification import notifications_due
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.services.payment_webhooks import PaymentWebhooks
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.refunds import SqlRefunds, mark_due
from campus_app.ordering.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import from_paise, to_paise
from kit.db.tables import table_of
from kit.outbox.models import NewJob, OutboxRow, enqueue
from tests.helpers.builders import order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import (
    calls,
    drain,
    mails,
    pay,
    press,
    receive_webhook,
    signed_webhook,
    with_orders,
)
from tests.helpers.providers import ScriptedProvider
from tests.helpers.races import PROCESSES
from tests.helpers.tables import count, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

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
        stored = await services.carts.prepare(order_request(), "cart")
        return await services.checkouts.open(stored)

    return await asyncio.gather(*(click(tabs[number % PROCESSES]) for number in range(CLICKS)))


@both_databases
async def test_50_concurrent_clicks_create_one_order_and_payment(processes):
    # Source: specification M15; docs/invariants.md I2.
    checkouts = await click_fifty_times(processes, AllReadCartFirst)
    assert len({checkout.url for checkout in checkouts}) == 1
    for table in (OrderRow, PaymentRow, SandboxPaymentRow):
        assert await count(processes[0].database, table) == 1


@both_databases
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
    """Without the guard: a paid payment becomes paid again, because it counts as unpaid before."""

    turn: asyncio.Lock

    async def record_paid(self, stored, snapshot, decide, at):
        async with self.turn:
            await mark_unpaid(self._database, stored.payment)
            return await super().record_paid(stored, snapshot, decide, at)


async def mark_unpaid(database, payment):
    payments = table_of(PaymentRow)
    await database.execute(
        update(payments).where(payments.c.id == payment.id).values(state=PaymentState.PENDING)
    )


class WithoutAnyGuard(WithoutTransitionGuard):
    """Without the outbox's deduplication keys either."""

    def _apply(self, connection, order, settlement, at):
        orders = table_of(OrderRow)
        connection.execute(
            update(orders).where(orders.c.id == order.id).values(state=settlement.order_state)
        )
        jobs = [
            NewJob(f"{uuid.uuid4()}", notification.value, order.id, {}, at)
            for notification in notifications_due(settlement.order_state)
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
    three, turn = [], asyncio.Lock()
    for _ in range(3):
        services = with_orders(new_services(), kind, recorded=recorded, turn=turn)
        payments = replace(services.payments, provider=provider)
        three.append(replace(services, payments=payments))
    webhook, browser, reconciler = three
    stored = await webhook.ordering.prepare(order_request())
    await webhook.payments.orders.schedule_check(stored.payment.id, webhook.clock.now())
    provider.set_state(stored, PaymentState.PAID)
    # The reconciler skips locked rows, so the webhook's update must have finished before.
    events = await PaymentWebhooks(webhook.payments).receive({}, stored.payment.reference.encode())
    await asyncio.gather(
        PaymentWebhooks(webhook.payments).process(events),
        browser.payments.refresh_by_number(stored.order.number),
        reconciler.payments.reconcile_due(),
    )
    assert len(provider.fetched) == 3
    return len(recorded), webhook


@both_databases
async def test_concurrent_webhook_return_and_reconciler_are_one_transition(new_services):
    # Source: docs/invariants.md I3, I4.
    transitions, services = await reconcile_three_times_at_once(new_services, Counting)
    assert transitions == 1
    assert await count(services.database, OutboxRow) == 3
    (order,) = await rows(services.database, OrderRow)
    assert order.state == OrderState.CONFIRMED


@both_databases
async def test_control_three_transitions_without_guard(new_services):
    """The negative control of the test above; the outbox's keys still deduplicate notifications."""
    transitions, services = await reconcile_three_times_at_once(
        new_services, WithoutTransitionGuard
    )
    assert transitions == 3
    assert await count(services.database, OutboxRow) == 3


@both_databases
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
            await processes[0].carts.prepare(order_request(), f"cart {number}"),
            PaymentState.PENDING,
        )
    clock.advance(minutes=20)
    for _ in range(2):
        await asyncio.gather(*(each.reconcile_due() for each in reconcilers))
    return Counter(provider.fetched)


@both_databases
async def test_concurrent_reconcilers_query_each_payment_once(processes, clock):
    asked = await queries_of_all_reconcilers(processes, clock, SqlOrders)
    assert sorted(asked.values()) == [1] * DUE


@both_databases
async def test_control_reconcilers_repeat_queries_without_lease(processes, clock):
    """The negative control of the test above."""
    asked = await queries_of_all_reconcilers(processes, clock, orders_without_lease())
    assert max(asked.values()) > 1


@both_databases
@pytest.mark.parametrize("late", [PaymentState.FAILED, PaymentState.CANCELLED], ids=str)
async def test_stale_answer_does_not_undo_payment(new_services, late):
    # Source: specification P1.10.
    current = await overtaken(new_services, SqlOrders, late)
    assert current.payment.state is PaymentState.PAID
    assert current.order.state is OrderState.CONFIRMED


@both_databases
async def test_control_stale_answer_undoes_payment_without_guard(new_services):
    """The negative control of the test above."""

    class WithoutTheGuardEither(SqlOrders):
        async def transition(self, payment, target, reason):
            await mark_unpaid(self._database, payment)
            return await super().transition(payment, target, reason)

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


WEBHOOKS = 50


async def deliver_fifty_webhooks(processes, kind):
    """Deliver one webhook fifty times to five processes that all query the provider first."""
    recorded = []
    barrier = asyncio.Barrier(PROCESSES)
    stored = await processes[0].ordering.prepare(order_request())
    await processes[0].checkouts.open(stored)
    await press(processes[0], stored)
    headers, body = signed_webhook(processes[0], stored.payment.reference)
    payments, turn = [], asyncio.Lock()
    for services in processes:
        counting = with_orders(services, kind, recorded=recorded, turn=turn)
        provider = QueryingTogether(services.payments.provider, barrier)
        payments.append(replace(counting.payments, provider=provider))
    await asyncio.gather(
        *(
            receive_webhook(payments[number % PROCESSES], headers, body)
            for number in range(WEBHOOKS)
        )
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


@both_databases
async def test_50_duplicate_webhooks_are_one_transition_and_three_jobs(processes):
    # Source: specification P1.8.
    assert await deliver_fifty_webhooks(processes, Counting) == 1
    assert await count(processes[0].database, OutboxRow) == 3
    await asyncio.gather(*(drain(services) for services in processes))
    assert len(mails(processes[0])) == 2
    assert len(calls(processes[0])) == 1


@both_databases
async def test_control_each_process_records_payment_without_guard(processes):
    """The negative control of the test above."""
    assert await deliver_fifty_webhooks(processes, WithoutTransitionGuard) >= PROCESSES


# Concurrent refunds of one payment


class AllSeeUnrefunded(SqlRefunds):
    """All callers see that the payment is not refunded before any of them marks the refund."""

    barrier: asyncio.Barrier

    async def begin(self, payment_id, entry_of, at, *, whole, part=None):
        assert await self.of_payment(payment_id) == []
        await meet(self.barrier)
        return await super().begin(payment_id, entry_of, at, whole=whole, part=part)


class WithoutCheckUnderLock(AllSeeUnrefunded):
    """Without the guard: the earlier state is used."""

    async def begin(self, payment_id, entry_of, at, *, whole, part=None):
        amount = from_paise(await paid_paise(self._database, payment_id))
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


async def paid_order(services):
    return await pay(services, await services.ordering.prepare(order_request()))


async def refund_by_all_operators(processes, stored, kind):
    """Refund the order from each process; return the refunded amounts in paise."""
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


@both_databases
async def test_concurrent_refunds_by_operators_are_one_refund(processes):
    # Source: specification P1.19.
    stored = await paid_order(processes[0])
    refunded = await refund_by_all_operators(processes, stored, AllSeeUnrefunded)
    assert refunded == [to_paise(stored.order.bill.online)]


@pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
async def test_control_refund_is_repeated_without_check_under_lock(processes):
    """The negative control of the test above; on PostgreSQL the refund numbers prevent it too."""
    stored = await paid_order(processes[0])
    refunded = await refund_by_all_operators(processes, stored, WithoutCheckUnderLock)
    assert refunded == [to_paise(stored.order.bill.online)] * PROCESSES
