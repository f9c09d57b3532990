"""Background tasks of the server: an idle process takes jobs of an overloaded one."""

import asyncio
from collections import Counter

import pytest

from campus_app import live
from kit.background import running
from kit.outbox.models import NewJob
from kit.outbox.worker import Effect, OutboxWorker
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.outbox import add
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.anyio, sqlite_only]

JOBS = 12


def jobs(count):
    return [NewJob(f"job {n}", "slow", f"{n}", {}, WEDNESDAY) for n in range(count)]


def worker(services, carry_out):
    return OutboxWorker(services.outbox, {"slow": Effect(carry_out)}, services.clock)


@pytest.fixture
def pair(new_services, redis):
    return new_services(redis_url=redis.url), new_services(redis_url=redis.url)


async def done_by_each(pair, *, is_helped):
    """Return how many jobs each process completed while the first one was blocked."""
    busy, idle = pair
    done, hands_are_full, may_go_on = Counter(), asyncio.Event(), asyncio.Event()

    async def slowly(_job):
        hands_are_full.set()
        await may_go_on.wait()
        done["busy"] += 1

    async def quickly(_job):
        done["idle"] += 1

    helping = (
        [live.publish_outbox_overload(busy), live.take_jobs_of_overloaded_processes(idle)]
        if is_helped
        else []
    )
    async with running(*helping, worker(busy, slowly).run()):
        await add(busy.outbox, jobs(1))
        await asyncio.wait_for(hands_are_full.wait(), 10)
        async with running(worker(idle, quickly).run()):
            await eventually(lambda: idle.outbox.is_idle, "the other one waits")
            await add(busy.outbox, jobs(JOBS))
            if is_helped:
                await eventually(lambda: done["idle"] == JOBS - 1, "the other one helps")
            may_go_on.set()
            await eventually(lambda: sum(done.values()) == JOBS, "everything is done")
    await busy.pubsub.close()
    await idle.pubsub.close()
    return done


async def test_idle_process_takes_jobs_of_overloaded_process(pair):
    assert await done_by_each(pair, is_helped=True) == {"idle": JOBS - 1, "busy": 1}


async def test_idle_process_takes_no_jobs_without_notification(pair):
    """The negative control of the test above: without the notification nothing is taken."""
    assert await done_by_each(pair, is_helped=False) == {"busy": JOBS}


async def test_worker_does_not_signal_overload_when_it_keeps_up(services):
    done = []

    async def quickly(job):
        done.append(job.dedupe_key)

    async with running(worker(services, quickly).run()):
        await eventually(lambda: services.outbox.is_idle, "the worker waits")
        await add(services.outbox, jobs(1))
        await eventually(lambda: bool(done), "it is done")
    assert done == ["job 0"]
    assert not services.outbox.overloaded.is_set()
