"""Orders that no kitchen device has marked as seen: one warning, and one more missed call.

Source: specification 10.29.
"""

import asyncio
import logging
import signal
import uuid
from dataclasses import replace

import pytest

from campus_app.kitchen.sql.unseen_orders import SqlUnseenOrders
from campus_app.notifications.rules.missed_call import CallReason
from campus_app.notifications.sql.call_attempts import SqlCallAttempts
from campus_app.notifications.sql.tables import CallAttemptRow
from campus_app.operators.rules.order_admin import OrderFilter, OrderQuery
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.notification import MissedCallStatus
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.constants import UNSEEN_SECONDS
from kit.outbox.errors import OUTCOME_UNKNOWN, OutcomeAwaited
from kit.outbox.models import JobState, NewJob, OutboxRow, enqueue_new
from kit.outbox.worker import Effect, OutboxWorker
from tests.fakes.twilio import Fault
from tests.helpers.builders import at, order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.crash import CALLED
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import calls, drain, pay, settle_down
from tests.helpers.kitchens import (
    OPERATOR,
    WITHOUT_BOARD,
    enrol,
    pay_without_board,
    press_on_board,
)
from tests.helpers.outbox import run_batch
from tests.helpers.tables import count, execute, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

LOST = Fault(drops=True, executes_first=True)
NEVER_RUNG = "failed"
WORKERS = 8


async def place_paid(services, **changes):
    """Store and pay an order, and run its notifications."""
    stored = await pay(services, await services.ordering.prepare(order_request(**changes)))
    await drain(services)
    return stored


async def unseen_numbers(services):
    page = await services.operations.order_admin.list_orders(
        OrderQuery(limit=10, only=OrderFilter.UNSEEN)
    )
    totals = await services.operations.order_admin.totals(services.clock.now())
    assert totals.orders_unseen == page.total == len(page.lines)
    return [line.number for line in page.lines]


async def report(services):
    await services.unseen_orders.report_due()
    await drain(services)


async def job_of(services, stored):
    """Return the outbox row of the second call; None if there is none."""
    found = await rows(
        services.database, OutboxRow, subject=stored.order.id, topic=CallReason.UNSEEN.value
    )
    return found[0] if found else None


@pytest.fixture
def warnings(caplog):
    """Returns the ids of the orders of the warnings since the last call."""

    def warnings():
        records = [each for each in caplog.records if each.name.endswith("unseen_orders")]
        for each in records:
            assert each.levelno == logging.WARNING
            assert each.getMessage() == f"kitchen: order {each.subject} is unseen after 5 minutes"
        caplog.clear()
        return [each.subject for each in records]

    return warnings


# One warning and one call


async def test_unseen_order_is_reported_and_called_once_after_5_minutes(services, clock, warnings):
    await enrol(services)
    stored = await place_paid(services)
    clock.advance(seconds=UNSEEN_SECONDS - 1)
    await report(services)
    assert (await unseen_numbers(services), len(calls(services)), warnings()) == ([], 1, [])
    clock.advance(seconds=1)
    for _ in range(3):
        await report(services)
    assert await unseen_numbers(services) == [stored.order.number]
    assert warnings() == [stored.order.id]
    first, second = calls(services)
    assert second == first | {"at": clock.now().isoformat()}
    assert (await job_of(services, stored)).state == JobState.DONE
    await settle_down(services, clock)
    await report(services)
    assert (len(calls(services)), warnings()) == (2, [])


async def test_unseen_order_stays_confirmed_and_due_until_a_day_later(services, clock):
    await enrol(services)
    stored = await place_paid(services)
    clock.set(WEDNESDAY)
    clock.advance(days=1, seconds=-1)
    await report(services)
    assert await unseen_numbers(services) == [stored.order.number]
    clock.advance(seconds=1)
    assert await unseen_numbers(services) == []
    (order,) = await rows(services.database, OrderRow)
    assert order.state == OrderState.CONFIRMED


# Which orders are unseen


@pytest.mark.parametrize("reason", WITHOUT_BOARD)
async def test_order_is_not_unseen_when_kitchen_uses_no_board(services, clock, warnings, reason):
    stored = await pay_without_board(services, clock, reason)
    await drain(services)
    clock.advance(seconds=UNSEEN_SECONDS)
    await report(services)
    assert (await unseen_numbers(services), warnings()) == ([], [])
    assert (await job_of(services, stored), len(calls(services))) == (None, 1)


@pytest.mark.parametrize("target", [*CookingState][1:], ids=str)
async def test_order_is_not_unseen_when_kitchen_has_pressed(services, clock, warnings, target):
    device = (await enrol(services)).device
    stored = await place_paid(services)
    assert await press_on_board(services, device, stored.order.id, target)
    clock.advance(seconds=UNSEEN_SECONDS)
    await report(services)
    assert (await unseen_numbers(services), warnings(), len(calls(services))) == ([], [], 1)


async def test_order_is_unseen_again_when_press_is_undone(services, clock):
    device = (await enrol(services)).device
    stored = await place_paid(services)
    sent, seen = CookingState.SENT, CookingState.SEEN
    assert await press_on_board(services, device, stored.order.id, seen)
    clock.advance(seconds=30)
    assert await press_on_board(services, device, stored.order.id, sent, saw=seen)
    clock.advance(seconds=UNSEEN_SECONDS)
    assert await unseen_numbers(services) == [stored.order.number]


async def test_unpaid_and_refunded_orders_are_not_unseen(services, clock, warnings):
    await enrol(services)
    await services.ordering.prepare(order_request())
    refunded = await place_paid(services)
    await services.operations.refund(refunded.order.id, OPERATOR, force=True)
    clock.advance(seconds=UNSEEN_SECONDS)
    await report(services)
    assert (await unseen_numbers(services), warnings(), len(calls(services))) == ([], [], 1)


# Between the report and the call


@pytest.mark.parametrize("change", ["seen", "refunded"])
async def test_kitchen_is_not_called_when_order_changes_after_report(services, clock, change):
    device = (await enrol(services)).device
    stored = await place_paid(services)
    clock.advance(seconds=UNSEEN_SECONDS)
    await services.unseen_orders.report_due()
    if change == "seen":
        assert await press_on_board(services, device, stored.order.id, CookingState.SEEN)
    else:
        await services.operations.refund(stored.order.id, OPERATOR, force=True)
    await drain(services)
    assert ((await job_of(services, stored)).state, len(calls(services))) == (JobState.DONE, 1)


@sqlite_only
async def test_kitchen_is_not_called_outside_its_hours(services, clock, warnings):
    await enrol(services)
    clock.set(at(20, 26))
    stored = await place_paid(services)
    clock.set(at(20, 31))
    await report(services)
    assert warnings() == [stored.order.id]
    assert ((await job_of(services, stored)).state, len(calls(services))) == (JobState.DONE, 1)


async def test_kitchen_is_called_when_operator_has_closed_it_meanwhile(services, clock):
    await enrol(services)
    await place_paid(services)
    await services.statuses.set_override(1, is_open=False, message="No gas", by=OPERATOR)
    clock.advance(seconds=UNSEEN_SECONDS)
    await report(services)
    assert len(calls(services)) == 2


async def test_kitchen_is_not_called_again_while_first_call_is_to_come(services, clock):
    await enrol(services)
    stored = await pay(services, await services.ordering.prepare(order_request()))
    clock.advance(seconds=UNSEEN_SECONDS)
    await execute(
        services.database,
        "UPDATE outbox SET run_at_ms = run_at_ms + 600000 WHERE topic = 'call.vendor'",
    )
    await report(services)
    assert (await job_of(services, stored)).state == JobState.DONE
    await settle_down(services, clock)
    assert len(calls(services)) == 1


# Through the telephone service


@pytest.fixture
async def unseen(scenario):
    """An order whose first call has rung, and which is unseen for five minutes."""
    await enrol(scenario.services)
    stored = await scenario.paid()
    await scenario.move_call(scenario.fake.only, "ringing", "no-answer")
    scenario.clock.advance(seconds=UNSEEN_SECONDS)
    return stored


@pytest.mark.parametrize(
    ("status", "state"), [("no-answer", JobState.DONE), ("failed", JobState.DEAD)]
)
async def test_second_call_is_made_once_whatever_its_outcome(scenario, unseen, status, state):
    await report(scenario.services)
    assert len(scenario.fake.calls) == 2
    await scenario.move_call(scenario.fake.newest, status)
    await scenario.settle()
    await report(scenario.services)
    assert len(scenario.fake.calls) == 2
    assert (await job_of(scenario.services, unseen)).state == state
    assert await scenario.status(unseen) == MissedCallStatus.SUCCESS


@pytest.mark.parametrize("fault", [None, LOST], ids=["answered", "response is lost"])
async def test_second_call_is_followed_when_order_is_seen_meanwhile(scenario, unseen, fault):
    scenario.fake.fail_next("create", *([fault] if fault else []))
    await report(scenario.services)
    device = (await enrol(scenario.services)).device
    assert await press_on_board(scenario.services, device, unseen.order.id, CookingState.SEEN)
    await scenario.run_due_jobs(seconds=10)
    assert (await job_of(scenario.services, unseen)).state == JobState.READY
    await scenario.move_call(scenario.fake.newest, "ringing", "no-answer")
    assert (await job_of(scenario.services, unseen)).state == JobState.DONE
    await scenario.settle()
    assert len(scenario.fake.calls) == 2


async def test_missed_call_status_is_that_of_first_call(scenario):
    await enrol(scenario.services)
    stored = await scenario.paid()
    for _ in range(2):
        await scenario.move_call(scenario.fake.newest, "failed")
        await scenario.run_due_jobs(seconds=21)
    assert (await scenario.status(stored), len(scenario.fake.calls)) == (NEVER_RUNG, 2)
    scenario.clock.advance(seconds=UNSEEN_SECONDS)
    await report(scenario.services)
    assert len(scenario.fake.calls) == 3
    await scenario.move_call(scenario.fake.newest, "ringing", "no-answer")
    assert await scenario.status(stored) == NEVER_RUNG
    assert (await job_of(scenario.services, stored)).state == JobState.DONE


async def test_second_call_is_not_repeated_when_its_response_is_lost(scenario, unseen):
    scenario.fake.fail_next("create", LOST)
    scenario.fake.hides = 1_000
    await report(scenario.services)
    await scenario.settle()
    job = await job_of(scenario.services, unseen)
    assert (job.state, job.last_error) == (JobState.DEAD, OUTCOME_UNKNOWN)
    assert len(scenario.fake.calls) == 2
    retried = await scenario.services.operations.retry_notifications(unseen.order.id, OPERATOR)
    await scenario.settle()
    assert (list(retried), len(scenario.fake.calls)) == ([], 2)


async def test_second_call_is_made_once_after_telephone_outage(scenario, unseen):
    busy = Fault(503, 20503)
    scenario.fake.fail_next("create", busy, busy)
    await report(scenario.services)
    await scenario.settle()
    assert len(scenario.fake.calls) == 2
    (attempt,) = await rows(
        scenario.services.database, CallAttemptRow, number=CallReason.UNSEEN.first_number
    )
    deadline_ms = unseen.payment.paid_at.timestamp() * 1000 + 600_000
    assert attempt.started_at_ms < deadline_ms


async def test_second_call_is_not_made_10_minutes_after_payment(scenario, unseen):
    scenario.clock.advance(seconds=UNSEEN_SECONDS)
    await report(scenario.services)
    job = await job_of(scenario.services, unseen)
    assert job.last_error == "too late: the call would be of no use any more"
    assert len(scenario.fake.calls) == 1


async def test_restaurant_that_refuses_calls_is_not_called_again(open_twilio, warnings):
    async with open_twilio(missed_calls_unwanted_by="1") as scenario:
        await enrol(scenario.services)
        stored = await scenario.paid()
        scenario.clock.advance(seconds=UNSEEN_SECONDS)
        await report(scenario.services)
        assert warnings() == [stored.order.id]
        assert await unseen_numbers(scenario.services) == [stored.order.number]
        job = await job_of(scenario.services, stored)
        assert job.last_error == "the restaurant does not want to be called"
        assert scenario.fake.calls == {}


async def test_second_calls_leave_half_of_hourly_limit_to_first_calls(open_twilio):
    async with open_twilio(missed_calls_per_restaurant_hour=4) as scenario:
        await enrol(scenario.services)
        for _ in range(2):
            await scenario.paid()
            await scenario.move_call(scenario.fake.newest, "no-answer")
        scenario.clock.advance(seconds=UNSEEN_SECONDS)
        await report(scenario.services)
        assert len(scenario.fake.calls) == 2
        for _ in range(3):
            await scenario.paid()
        assert len(scenario.fake.calls) == 4


# Races


class AllReadFirst(SqlUnseenOrders):
    """All processes find the order before any of them reports it."""

    barrier: asyncio.Barrier

    async def unreported(self, at):
        found = await super().unreported(at)
        await meet(self.barrier)
        return found


class WithoutUniqueKey(AllReadFirst):
    """Without the guard: each job has a key of its own."""

    async def report(self, order_id, at):
        job = NewJob(f"{order_id} {uuid.uuid4()}", CallReason.UNSEEN, order_id, {}, at)
        return await self._database.write(lambda connection: enqueue_new(connection, job))


async def report_by_all(processes, clock, kind):
    """Report one unseen order from each process."""
    await enrol(processes[0])
    await place_paid(processes[0])
    clock.advance(seconds=UNSEEN_SECONDS)
    barrier = asyncio.Barrier(len(processes))
    reporting = []
    for services in processes:
        store = kind(services.database, services.outbox.notify)
        store.barrier = barrier
        reporting.append(replace(services.unseen_orders, store=store).report_due())
    await asyncio.gather(*reporting)
    jobs = await count(processes[0].database, OutboxRow, topic=CallReason.UNSEEN.value)
    await asyncio.gather(*(drain(services) for services in processes))
    return jobs


async def test_concurrent_processes_report_an_order_once(processes, clock, warnings):
    assert await report_by_all(processes, clock, AllReadFirst) == 1
    assert (len(warnings()), len(calls(processes[0]))) == (1, 2)


async def test_control_each_process_reports_order_without_unique_key(processes, clock, warnings):
    """The negative control of the test above."""
    assert await report_by_all(processes, clock, WithoutUniqueKey) == len(processes)
    assert (len(warnings()), len(calls(processes[0]))) == (len(processes), 1 + len(processes))


class UnstoredSecondAttempts(SqlCallAttempts):
    """Without the guard: every job starts a second call and stores nothing."""

    async def latest(self, order_id, reason):
        return None

    async def begin(self, attempt):
        return True


async def call_again_from_all_workers(scenario, stored, attempts):
    """Run concurrent jobs of one unseen order; return how many calls they make."""
    caller = replace(scenario.services.missed_calls, attempts=attempts)
    unseen_orders = replace(scenario.services.unseen_orders, caller=caller)
    barrier = asyncio.Barrier(WORKERS)

    async def one():
        await barrier.wait()
        with pytest.raises(OutcomeAwaited):
            await unseen_orders.call_again(stored.order.id)

    before = len(scenario.fake.calls)
    await asyncio.gather(*(one() for _ in range(WORKERS)))
    return len(scenario.fake.calls) - before


async def test_concurrent_jobs_make_one_second_call(scenario, unseen):
    attempts = scenario.services.missed_calls.attempts
    assert await call_again_from_all_workers(scenario, unseen, attempts) == 1


async def test_control_each_job_makes_second_call_without_attempt(scenario, unseen):
    """The negative control of the test above."""
    attempts = UnstoredSecondAttempts(scenario.services.database, lambda: None)
    assert await call_again_from_all_workers(scenario, unseen, attempts) == WORKERS


# Crashes


@pytest.fixture
def crash(die, scenario):
    """Kills a process at a step of the second call through the fake Twilio."""
    settings = scenario.services.settings
    harness = {"twilio": settings.twilio_base_url, "data": str(settings.data_dir)}
    return lambda step: asyncio.to_thread(die, step, calls_again=True, **harness)


@sqlite_only
@pytest.mark.parametrize(
    ("step", "expected"),
    [
        ("after the unseen order is reported", 1),
        ("after the jobs are claimed", 1),
        *zip(CALLED, (1, 0, 1, 1), strict=True),
    ],
)
async def test_second_call_is_made_at_most_once_after_crash(
    crash, scenario, unseen, step, expected
):
    assert await crash(step) == -signal.SIGKILL
    scenario.clock.advance(seconds=61)
    await report(scenario.services)
    for call in scenario.fake.calls.values():
        if call.status == "queued":
            scenario.fake.move(call, "no-answer")
    await scenario.settle()
    assert len(scenario.fake.calls) == 1 + expected
    assert await scenario.status(unseen) == MissedCallStatus.SUCCESS


async def test_control_second_call_is_repeated_after_crash_without_attempt(crash, scenario, unseen):
    """The negative control of the test above."""
    assert await crash("after Twilio has accepted the call") == -signal.SIGKILL
    services = scenario.services
    attempts = UnstoredSecondAttempts(services.database, lambda: None)
    caller = replace(services.missed_calls, attempts=attempts)
    unseen_orders = replace(services.unseen_orders, caller=caller)
    effects = {"call.unseen": Effect(lambda job: unseen_orders.call_again(job.subject))}
    scenario.clock.advance(seconds=61)
    await run_batch(OutboxWorker(services.outbox, effects, services.clock))
    assert len(scenario.fake.calls) == 3


@sqlite_only
@pytest.mark.parametrize(
    ("step", "expected"),
    [("before the effect of call.unseen", 0), ("after the effect of call.unseen", 1)],
)
async def test_outbox_folder_gets_second_call_at_most_once_after_crash(
    die, services, clock, step, expected
):
    await enrol(services)
    await place_paid(services)
    clock.advance(seconds=UNSEEN_SECONDS)
    assert await asyncio.to_thread(die, step, calls_again=True) == -signal.SIGKILL
    clock.advance(seconds=61)
    await report(services)
    await settle_down(services, clock)
    assert len(calls(services)) == 1 + expected


@sqlite_only
async def test_call_again_does_nothing_when_order_is_unknown(services):
    await services.unseen_orders.call_again("unknown")
    assert calls(services) == []
