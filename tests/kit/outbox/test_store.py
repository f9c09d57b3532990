"""The outbox: leases, started and completed jobs, and when the next one is due."""

import asyncio
from collections import Counter
from datetime import timedelta

import pytest

from kit.background import cancel_and_wait
from kit.clock import from_ms
from kit.db.database import Database
from kit.db.errors import DatabaseUnavailable
from kit.outbox.models import OutboxRow
from kit.outbox.store import Outbox
from tests.helpers.clock import WEDNESDAY
from tests.helpers.outbox import LEASE_SECONDS, Recorder, add, job, run_batch, worker
from tests.helpers.tables import only_row, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio


async def test_claim_returns_due_jobs_in_the_order_of_their_time(outbox):
    await add(
        outbox,
        [
            job("third", after=timedelta(seconds=-1)),
            job("first", after=timedelta(seconds=-9)),
            job("second", after=timedelta(seconds=-1, milliseconds=-1)),
            job("later", after=timedelta(milliseconds=1)),
        ],
    )
    claimed = [await outbox.claim(1) for _ in range(4)]
    assert [[each.dedupe_key for each in jobs] for jobs in claimed] == [
        ["first"],
        ["second"],
        ["third"],
        [],
    ]


async def test_claim_leases_the_job_and_counts_the_attempt(outbox, database):
    await add(outbox, [job("a", number=1)])
    (claimed,) = await outbox.claim(1)
    assert (claimed.dedupe_key, claimed.topic, claimed.subject) == ("a", "mail", "the subject of a")
    assert (claimed.payload, claimed.attempts) == ({"number": 1}, 1)
    row = await only_row(database, OutboxRow)
    assert (row.state, row.attempts, row.lease_token) == ("leased", 1, claimed.lease_token)


async def test_job_is_claimed_again_only_after_its_lease_expired(outbox, clock):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS)
    assert await outbox.claim(1) == []
    clock.advance(milliseconds=1)
    (theirs,) = await outbox.claim(1)
    assert (theirs.id, theirs.attempts) == (mine.id, 2)
    assert theirs.lease_token != mine.lease_token


@pytest.mark.parametrize("end", ["done", "dead"])
async def test_job_is_never_claimed_again_when_it_is_done_or_dead(outbox, clock, end):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    ended = outbox.complete(claimed) if end == "done" else outbox.fail(claimed, "no such person")
    assert await ended
    clock.advance(days=365)
    assert await outbox.claim(1) == []


async def test_four_concurrent_workers_run_two_hundred_jobs_once_each(
    database_url, clock, outbox, database
):
    await add(outbox, [job(f"{number:03}") for number in range(200)])
    effect = Recorder()
    databases = [Database(database_url) for _ in range(4)]
    workers = [worker(Outbox(each, clock), clock, effect) for each in databases]

    async def empty(one):
        while await run_batch(one):
            pass

    await asyncio.gather(*(empty(one) for one in workers))
    assert Counter(effect.keys) == Counter(f"{number:03}" for number in range(200))
    assert {row.state for row in await rows(database, OutboxRow)} == {"done"}
    for each in databases:
        each.close()


async def test_two_workers_run_one_job_twice_without_the_lease(
    database_url, clock, outbox, database
):
    """Negative control of the test above."""

    class WithoutLease(Outbox):
        async def claim(self, limit):
            async with one_at_a_time:
                claimed = await super().claim(limit)
                for each in claimed:
                    await self.retry(each, "", 0)
            await meet(both_have_claimed)
            return claimed

        async def mark_started(self, _job, *, at_most_once):
            return not at_most_once

    one_at_a_time, both_have_claimed = asyncio.Lock(), asyncio.Barrier(2)
    await add(outbox, [job()])
    effect = Recorder()
    other = Database(database_url)
    first = worker(WithoutLease(database, clock), clock, effect)
    second = worker(WithoutLease(other, clock), clock, effect)
    await asyncio.gather(run_batch(first), run_batch(second))
    assert effect.keys == ["a", "a"]
    other.close()


# Starting and completing


async def test_mark_started_renews_the_lease(outbox, clock, database):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS - 1)
    assert await outbox.mark_started(claimed, at_most_once=True)
    row = await only_row(database, OutboxRow)
    assert from_ms(row.effect_started_at_ms) == clock.now()
    assert from_ms(row.lease_until_ms) == clock.now() + timedelta(seconds=LEASE_SECONDS)


@pytest.mark.parametrize("at_most_once", [False, True])
async def test_mark_started_refuses_when_the_lease_expired(outbox, clock, at_most_once):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS)
    assert not await outbox.mark_started(claimed, at_most_once=at_most_once)


async def test_mark_started_refuses_when_another_worker_holds_the_lease(outbox, clock):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    assert not await outbox.mark_started(mine, at_most_once=False)
    assert await outbox.mark_started(theirs, at_most_once=False)


async def test_mark_started_refuses_an_at_most_once_effect_that_had_started(outbox, clock):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    assert await outbox.mark_started(mine, at_most_once=True)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    assert not await outbox.mark_started(theirs, at_most_once=True)
    assert await outbox.mark_started(theirs, at_most_once=False)


async def test_job_is_unchanged_by_a_worker_that_lost_its_lease(outbox, clock, database):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    assert not await outbox.complete(mine)
    assert not await outbox.fail(mine, "gone")
    assert not await outbox.retry(mine, "later", 5)
    assert not await outbox.fail_unknown(mine)
    assert (await only_row(database, OutboxRow)).lease_token == theirs.lease_token
    assert await outbox.complete(theirs)


async def test_complete_refuses_only_the_job_whose_lease_was_lost(outbox, clock, database):
    await add(outbox, [job("lost")])
    (lost,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    await add(outbox, [job("mine")])
    (mine,) = await outbox.claim(1)
    assert await asyncio.gather(outbox.complete(lost), outbox.complete(mine)) == [False, True]
    held = {row.dedupe_key: row.lease_token for row in await rows(database, OutboxRow)}
    assert held == {"lost": theirs.lease_token, "mine": None}


async def test_complete_can_be_repeated_when_the_database_was_unavailable(database_url, clock):
    class Away(Database):
        is_away = False

        async def execute(self, statement, parameters=None):
            if self.is_away:
                raise DatabaseUnavailable
            return await super().execute(statement, parameters)

    database = Away(database_url)
    outbox = Outbox(database, clock)
    await add(outbox, [job("a"), job("b")])
    claimed = await outbox.claim(2)
    database.is_away = True
    failed = await asyncio.gather(
        *(outbox.complete(each) for each in claimed), return_exceptions=True
    )
    assert [type(error) for error in failed] == [DatabaseUnavailable] * 2
    database.is_away = False
    assert all(await asyncio.gather(*(outbox.complete(each) for each in claimed)))
    database.close()


async def test_fail_unknown_refuses_a_job_that_had_not_started(outbox):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    assert not await outbox.fail_unknown(claimed)
    assert await outbox.complete(claimed)


async def test_flush_waits_for_completions_whose_caller_was_cancelled(outbox, database):
    await add(outbox, [job("a"), job("b")])
    first, second = await outbox.claim(2)
    waiting = [asyncio.create_task(outbox.complete(first))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)  # the first completion is being written
    waiting.append(asyncio.create_task(outbox.complete(second)))
    await asyncio.sleep(0)
    await cancel_and_wait(*waiting)
    await outbox.flush()
    assert [row.state for row in await rows(database, OutboxRow)] == ["done", "done"]


# Next due


async def test_next_due_is_the_time_of_the_next_job(outbox):
    assert await outbox.next_due() is None
    await add(outbox, [job("a", after=timedelta(hours=2)), job("b", after=timedelta(hours=1))])
    assert await outbox.next_due() == WEDNESDAY + timedelta(hours=1)


async def test_next_due_is_the_expiry_of_a_lease_when_that_is_earlier(outbox):
    await add(outbox, [job("a"), job("b", after=timedelta(hours=2))])
    await outbox.claim(1)
    assert await outbox.next_due() == WEDNESDAY + timedelta(seconds=LEASE_SECONDS)
