"""Many at once, and kill -9 at each step of a call: no phone attempts twice."""

import asyncio
import signal
from dataclasses import replace

import pytest

from campus_app.adapters.sql.call_attempts import SqlCallAttempts
from campus_app.services.notifications import NotificationSender
from kit.outbox.errors import OutcomeAwaited
from kit.outbox.worker import Effect, OutboxWorker
from tests.helpers.builders import order_request
from tests.helpers.crash import CALLED, CART
from tests.helpers.outbox import run_batch

pytestmark = pytest.mark.anyio

EVERYBODY = 8
AFTERWARDS = {
    "before the attempt is noted": (1, "success"),
    "after the attempt is noted": (0, "failed"),
    "after Twilio has taken the call": (1, "success"),
    "after the name of the call is kept": (1, "success"),
}
"""How often the phone was called in the end, and what the order shows."""


class CarelessRings(SqlCallAttempts):
    """Lets everybody begin, and keeps nothing."""

    async def last(self, order_id):
        return None

    async def begin(self, attempt):
        return True


def careless(services):
    return replace(
        services.missed_calls, attempts=CarelessRings(services.database, services.outbox.wake.set)
    )


async def rung_by_everybody(telephone, caller):
    """Let many attempt about one order at the same moment; return how many calls that makes."""
    services = telephone.services
    stored = await services.ordering.prepare(order_request())
    told = NotificationSender(
        services.payments.orders, services.catalogue, services.mailer, caller, ""
    )
    together = asyncio.Barrier(EVERYBODY)

    async def one():
        await together.wait()
        with pytest.raises(OutcomeAwaited):
            await told.call_vendor(stored.order.id)

    await asyncio.gather(*(one() for _ in range(EVERYBODY)))
    return len(telephone.fake.calls)


async def test_many_who_ring_at_once_about_an_order_make_one_call(telephone):
    assert await rung_by_everybody(telephone, telephone.services.missed_calls) == 1


async def test_were_no_ring_noted_everybody_would_call(telephone):
    """The negative control of the test above."""
    assert await rung_by_everybody(telephone, careless(telephone.services)) == EVERYBODY


@pytest.fixture
def crash(die, telephone):
    """Lets a process die on the way of a call through our Twilio."""
    settings = telephone.services.settings
    world = {"twilio": settings.twilio_base_url, "data": str(settings.data_dir)}
    return lambda step: asyncio.to_thread(die, step, **world)


async def the_order(telephone):
    return await telephone.services.payments.orders.latest_of_cart(CART)


@pytest.mark.parametrize("step", CALLED)
async def test_whoever_dies_on_the_way_of_a_call_nobody_calls_twice(crash, telephone, step):
    # Source: specification P1.20.
    assert await crash(step) == -signal.SIGKILL
    await telephone.work(seconds=61)
    for call in telephone.fake.calls.values():
        telephone.fake.move(call, "no-answer")
    await telephone.settle()
    shown = await telephone.status(await the_order(telephone))
    assert (len(telephone.fake.calls), shown) == AFTERWARDS[step]


async def test_a_process_that_dies_loses_no_notice_that_comes_afterwards(crash, telephone):
    assert await crash("after Twilio has taken the call") == -signal.SIGKILL
    telephone.fake.hides = 1
    await telephone.goes(telephone.fake.only, "ringing", "no-answer")
    await telephone.work(seconds=61)
    shown = await telephone.status(await the_order(telephone))
    assert (len(telephone.fake.calls), shown) == (1, "success")


async def test_were_no_ring_noted_the_phone_would_be_called_again_after_a_death(crash, telephone):
    """The negative control of the two tests above."""
    assert await crash("after Twilio has taken the call") == -signal.SIGKILL
    services = telephone.services
    told = NotificationSender(
        services.payments.orders, services.catalogue, services.mailer, careless(services), ""
    )
    effects = {"call.vendor": Effect(lambda job: told.call_vendor(job.subject))}
    telephone.clock.advance(seconds=61)
    await run_batch(OutboxWorker(services.outbox, effects, services.clock))
    assert len(telephone.fake.calls) == 2
