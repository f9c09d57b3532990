"""Concurrent jobs, and kill -9 at each step of a call: no phone attempts twice."""

import asyncio
import signal
from dataclasses import replace

import pytest

from campus_app.notifications.services.notifications import NotificationSender
from campus_app.notifications.sql.call_attempts import SqlCallAttempts
from kit.outbox.errors import OutcomeAwaited
from kit.outbox.worker import Effect, OutboxWorker
from tests.helpers.builders import order_request
from tests.helpers.crash import CALLED, CART
from tests.helpers.outbox import run_batch

pytestmark = pytest.mark.anyio

WORKERS = 8
AFTERWARDS = {
    "before the attempt is stored": (1, "success"),
    "after the attempt is stored": (0, "failed"),
    "after Twilio has accepted the call": (1, "success"),
    "after the call's SID is stored": (1, "success"),
}
"""The number of calls in the end, and the status of the order."""


class UnstoredCallAttempts(SqlCallAttempts):
    """Lets every job start a call and stores nothing."""

    async def latest(self, order_id, reason):
        return None

    async def begin(self, attempt):
        return True


def without_stored_attempts(services):
    return replace(
        services.missed_calls,
        attempts=UnstoredCallAttempts(services.database, services.outbox.wake.set),
    )


async def call_from_all_workers(scenario, caller):
    """Run concurrent jobs for one order; return how many calls they make."""
    services = scenario.services
    stored = await services.ordering.prepare(order_request())
    sender = NotificationSender(
        services.payments.orders,
        services.catalogue,
        services.mailer,
        caller,
        services.shortages,
        "",
    )
    barrier = asyncio.Barrier(WORKERS)

    async def one():
        await barrier.wait()
        with pytest.raises(OutcomeAwaited):
            await sender.call_vendor(stored.order.id)

    await asyncio.gather(*(one() for _ in range(WORKERS)))
    return len(scenario.fake.calls)


async def test_concurrent_jobs_for_one_order_make_one_call(scenario):
    assert await call_from_all_workers(scenario, scenario.services.missed_calls) == 1


async def test_control_every_job_calls_without_stored_attempt(scenario):
    """The negative control of the test above."""
    assert (
        await call_from_all_workers(scenario, without_stored_attempts(scenario.services)) == WORKERS
    )


@pytest.fixture
def crash(die, scenario):
    """Kills a process at a step of a call through the fake Twilio."""
    settings = scenario.services.settings
    harness = {"twilio": settings.twilio_base_url, "data": str(settings.data_dir)}
    return lambda step: asyncio.to_thread(die, step, **harness)


async def the_order(scenario):
    return await scenario.services.payments.orders.latest_of_cart(CART)


@pytest.mark.parametrize("step", CALLED)
async def test_phone_is_called_at_most_once_after_crash(crash, scenario, step):
    # Source: specification P1.20.
    assert await crash(step) == -signal.SIGKILL
    await scenario.run_due_jobs(seconds=61)
    for call in scenario.fake.calls.values():
        scenario.fake.move(call, "no-answer")
    await scenario.settle()
    shown = await scenario.status(await the_order(scenario))
    assert (len(scenario.fake.calls), shown) == AFTERWARDS[step]


async def test_webhook_is_stored_after_crash(crash, scenario):
    assert await crash("after Twilio has accepted the call") == -signal.SIGKILL
    scenario.fake.hides = 1
    await scenario.move_call(scenario.fake.only, "ringing", "no-answer")
    await scenario.run_due_jobs(seconds=61)
    shown = await scenario.status(await the_order(scenario))
    assert (len(scenario.fake.calls), shown) == (1, "success")


async def test_control_phone_is_called_again_after_crash_without_stored_attempt(crash, scenario):
    """The negative control of the two tests above."""
    assert await crash("after Twilio has accepted the call") == -signal.SIGKILL
    services = scenario.services
    sender = NotificationSender(
        services.payments.orders,
        services.catalogue,
        services.mailer,
        without_stored_attempts(services),
        services.shortages,
        "",
    )
    effects = {"call.vendor": Effect(lambda job: sender.call_vendor(job.subject))}
    scenario.clock.advance(seconds=61)
    await run_batch(OutboxWorker(services.outbox, effects, services.clock))
    assert len(scenario.fake.calls) == 2
