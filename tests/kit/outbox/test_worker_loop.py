"""The worker's loop: when it looks for jobs, what it limits, and what it survives."""

import asyncio
import time
from datetime import timedelta

import pytest

from kit.background import running
from kit.clock import SystemClock
from kit.db.errors import DatabaseUnavailable
from kit.outbox.errors import (
    ChannelDown,
    DeliveryPostponed,
)
from kit.outbox.models import OutboxRow
from kit.outbox.store import Outbox
from kit.outbox.worker import (
    _BATCH_SECONDS,
    _BATCH_SIZE,
    _CONTENTION_SECONDS,
    _MAX_CONCURRENT,
    Effect,
    OutboxWorker,
)
from tests.helpers.clock import WEDNESDAY
from tests.helpers.outbox import Recorder, add, job, run_batch, worker
from tests.helpers.tables import rows
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio


async def test_worker_runs_existing_jobs_when_it_starts(outbox, clock):
    effect = Recorder()
    await add(outbox, [job(f"{number}") for number in range(11)])
    async with running(worker(outbox, clock, effect).run()):
        await eventually(lambda: len(effect.keys) == 11, "all jobs are done")


async def test_worker_runs_jobs_of_a_channel_that_was_down_when_it_starts(outbox, clock, database):
    down, busy = (
        Recorder(ChannelDown("connection refused", 300)),
        Recorder(DeliveryPostponed("busy")),
    )
    await add(outbox, [job("down"), job("busy", topic="call")])
    effects = {
        "mail": Effect(down),
        "call": Effect(busy, first_retry_seconds=600.0),
    }
    await run_batch(OutboxWorker(outbox, effects, clock))
    down.error = busy.error = None
    async with running(OutboxWorker(outbox, effects, clock).run()):

        async def is_done():
            return "done" in {row.state for row in await rows(database, OutboxRow)}

        await eventually(is_done, "the job that waited for its transport")
    states = {row.dedupe_key: row.state for row in await rows(database, OutboxRow)}
    # A postponed delivery says nothing about the channel: the job keeps its time.
    assert states == {"down": "done", "busy": "ready"}


async def test_worker_runs_a_job_at_once_when_it_is_enqueued(outbox, clock):
    effect = Recorder()
    async with running(worker(outbox, clock, effect).run()):
        async with asyncio.timeout(20):  # an idle worker polls every 5 s: five times
            for number in range(6):
                await add(outbox, [job(f"{number}")])
                await eventually(lambda n=number: len(effect.keys) == n + 1, "the job is done")


async def test_worker_runs_a_job_when_it_becomes_due(database):
    clock = SystemClock.starting_at(WEDNESDAY)
    outbox = Outbox(database, clock)
    effect = Recorder()
    async with running(worker(outbox, clock, effect).run()):
        async with asyncio.timeout(12):  # an idle worker polls every 5 s
            for number in range(4):
                soon = clock.now() - WEDNESDAY + timedelta(milliseconds=150)
                await add(outbox, [job(f"{number}", after=soon)])
                await eventually(lambda n=number: len(effect.keys) == n + 1, "the job is done")


async def test_worker_pauses_when_another_claims_the_due_jobs(database, clock):
    """Without the pause the worker would poll in a busy loop."""
    claims = 0

    class ClaimedElsewhere(Outbox):
        async def claim(self, _limit):
            nonlocal claims
            claims += 1
            return []

    outbox = ClaimedElsewhere(database, clock)
    await add(outbox, [job()])
    start = time.monotonic()
    async with running(OutboxWorker(outbox, {}, clock).run()):
        await eventually(lambda: claims > 5, "it is claimed again")
    assert claims <= 1 + (time.monotonic() - start) / _CONTENTION_SECONDS


async def test_slow_effects_do_not_block_others(outbox, clock):
    ended, effect = asyncio.Event(), Recorder()

    async def call(_job):
        await ended.wait()

    mails_and_calls = OutboxWorker(outbox, {"mail": Effect(effect), "call": Effect(call)}, clock)
    async with running(mails_and_calls.run()):
        await add(outbox, [job(f"call {number}", topic="call") for number in range(_BATCH_SIZE)])
        await add(outbox, [job(f"{number}") for number in range(_BATCH_SIZE)])
        await eventually(lambda: len(effect.keys) == _BATCH_SIZE, "all mails are sent")
        ended.set()


async def test_worker_runs_at_most_the_maximum_of_concurrent_effects(outbox, clock):
    started, ended = 0, asyncio.Event()

    async def call(_job):
        nonlocal started
        started += 1
        await ended.wait()

    await add(outbox, [job(f"{number}") for number in range(_MAX_CONCURRENT + 1)])
    async with running(worker(outbox, clock, call).run()):
        await eventually(lambda: started == _MAX_CONCURRENT, "the maximum has started")
        await asyncio.sleep(2 * _BATCH_SECONDS)
        assert started == _MAX_CONCURRENT
        ended.set()
        await eventually(lambda: started == _MAX_CONCURRENT + 1, "the last one starts")


async def test_effects_are_cancelled_when_the_worker_is(outbox, clock):
    started, ended = asyncio.Event(), asyncio.Event()

    async def call(_job):
        started.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    await add(outbox, [job()])
    async with running(worker(outbox, clock, call).run()):
        await started.wait()
        await asyncio.sleep(2 * _BATCH_SECONDS)
    assert ended.is_set()


async def test_worker_goes_on_when_a_completion_cannot_be_stored(database, clock, caplog):
    class Losing(Outbox):
        async def complete(self, _job):
            raise DatabaseUnavailable("gone")

    outbox, effect = Losing(database, clock), Recorder()
    async with running(worker(outbox, clock, effect).run()):
        for name in "ab":
            await add(outbox, [job(name)])
            await eventually(lambda n=name: n in effect.keys, "the job is done")
    assert "the database did not answer" in caplog.text


async def test_worker_goes_on_when_the_database_was_unavailable(database, clock, caplog):
    class Away(Outbox):
        is_away = True

        async def next_due(self):
            if self.is_away:
                raise DatabaseUnavailable("connection refused")
            return await super().next_due()

    outbox = Away(database, clock)
    effect = Recorder()
    async with running(worker(outbox, clock, effect).run()):
        await eventually(lambda: "did not answer" in caplog.text, "the worker notices")
        outbox.is_away = False
        await add(outbox, [job()])
        await eventually(lambda: effect.keys == ["a"], "the job is done")
