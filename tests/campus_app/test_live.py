"""Background tasks of the server: an idle process takes jobs of an overloaded one."""

import asyncio
from collections import Counter
from dataclasses import replace

import pytest

from campus_app import live
from campus_app.shared.rules.constants import UNSEEN_SECONDS
from kit.background import running
from kit.db.errors import DatabaseUnavailable
from kit.outbox.models import NewJob, OutboxRow
from kit.outbox.worker import _MAX_CONCURRENT, Effect, OutboxWorker
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import pay
from tests.helpers.kitchens import enrol
from tests.helpers.outbox import add
from tests.helpers.tables import count
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.anyio, sqlite_only]

JOBS = _MAX_CONCURRENT + 12
"""So many that a process has its hands full, and some for another one."""


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
    done, may_go_on = Counter(), asyncio.Event()

    async def slowly(_job):
        done["begun"] += 1
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
        await add(busy.outbox, jobs(_MAX_CONCURRENT))
        await eventually(lambda: done["begun"] == _MAX_CONCURRENT, "it can begin no more")
        async with running(worker(idle, quickly).run()):
            await eventually(lambda: idle.outbox.is_idle, "the other one waits")
            await add(busy.outbox, jobs(JOBS))
            if is_helped:
                await eventually(
                    lambda: done["idle"] == JOBS - _MAX_CONCURRENT, "the other one helps"
                )
            may_go_on.set()
            await eventually(lambda: done["busy"] + done["idle"] == JOBS, "everything is done")
    await busy.pubsub.close()
    await idle.pubsub.close()
    return done["busy"], done["idle"]


async def test_idle_process_takes_jobs_of_overloaded_process(pair):
    assert await done_by_each(pair, is_helped=True) == (_MAX_CONCURRENT, JOBS - _MAX_CONCURRENT)


async def test_idle_process_takes_no_jobs_without_notification(pair):
    """The negative control of the test above: without the notification nothing is taken."""
    assert await done_by_each(pair, is_helped=False) == (JOBS, 0)


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


async def test_unseen_orders_are_reported_when_server_runs(services, clock):
    # Source: specification 10.29.
    await enrol(services)
    await pay(services, await services.ordering.prepare(order_request()))
    clock.advance(seconds=UNSEEN_SECONDS)

    async def is_reported():
        return await count(services.database, OutboxRow, topic="call.unseen") == 1

    async with running(live.report_unseen_orders(services)):
        await eventually(is_reported, "the order is reported")


async def test_report_of_unseen_orders_logs_when_database_does_not_answer(services, caplog):
    class Unavailable:
        async def unreported(self, _at):
            raise DatabaseUnavailable

    unseen_orders = replace(services.unseen_orders, store=Unavailable())
    async with running(live.report_unseen_orders(replace(services, unseen_orders=unseen_orders))):
        message = "unseen orders: the database did not answer"
        await eventually(lambda: message in caplog.messages, "it is logged")
