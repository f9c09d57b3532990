"""The outbox: no effect is lost, none is begun by two, and some are never begun twice."""

import asyncio
import logging
import time
from collections import Counter
from datetime import timedelta
from functools import partial

import pytest
from sqlalchemy import update

from kit.background import cancel_and_wait, running
from kit.clock import SystemClock, from_ms
from kit.db.database import Database, DatabaseUnavailable
from kit.db.tables import table_of
from kit.outbox.errors import (
    ChannelDown,
    DeliveryPostponed,
    DeliveryRejected,
    OutcomeAwaited,
    OutcomeUnknown,
)
from kit.outbox.models import NewJob, OutboxRow, enqueue, requeue, run_now
from kit.outbox.store import Outbox
from kit.outbox.worker import (
    _AT_ONCE,
    _BATCH,
    _PATIENCE_SECONDS,
    _TAKEN_BY_OTHERS_SECONDS,
    Effect,
    OutboxWorker,
)
from tests.helpers.clock import WEDNESDAY
from tests.helpers.outbox import add, run_batch
from tests.helpers.tables import rows
from tests.helpers.waiting import eventually, meet

pytestmark = pytest.mark.anyio

LEASE_SECONDS = 60


@pytest.fixture
def outbox(database, clock):
    return Outbox(database, clock, lease_seconds=LEASE_SECONDS)


class Recorder:
    """An effect that notes its jobs, and may then fail."""

    def __init__(self, error=None):
        self.done = []
        self.error = error

    async def __call__(self, job):
        self.done.append(job.dedupe_key)
        if self.error is not None:
            raise self.error


def job(key="a", *, topic="mail", after=timedelta(0), **payload):
    return NewJob(key, topic, f"the subject of {key}", payload, WEDNESDAY + after)


def worker(outbox, clock, effect, **options):
    return OutboxWorker(outbox, {"mail": Effect(effect, **options)}, clock)


async def only_row(database):
    (row,) = await rows(database, OutboxRow)
    return row


# Enqueueing


async def test_a_job_that_is_enqueued_is_ready_and_says_what_it_is_about(outbox, database):
    await add(outbox, [job("a", dish="Café ☕", count=2)])
    row = await only_row(database)
    assert (row.topic, row.subject, row.payload) == (
        "mail",
        "the subject of a",
        {"dish": "Café ☕", "count": 2},
    )
    assert (row.state, row.attempts) == ("ready", 0)


async def test_the_same_key_twice_is_one_job_and_the_first_stays(outbox, database):
    await add(outbox, [job("a", number=1)])
    await add(outbox, [job("a", number=2), job("b")])
    assert [(row.dedupe_key, row.payload) for row in await rows(database, OutboxRow)] == [
        ("a", {"number": 1}),
        ("b", {}),
    ]


async def test_a_job_that_is_done_is_not_enqueued_again(outbox, database, clock):
    await add(outbox, [job()])
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect))
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, effect))
    assert effect.done == ["a"]


async def test_nothing_to_enqueue_is_no_error(outbox, database):
    await add(outbox, [])
    assert await rows(database, OutboxRow) == []


async def test_a_job_leaves_with_the_transaction_that_caused_it(outbox, database):
    def work(connection):
        enqueue(connection, [job()])
        raise LookupError("the cause fell through")

    with pytest.raises(LookupError):
        await database.write(work)
    assert await rows(database, OutboxRow) == []


# Claiming


async def test_a_claim_takes_what_is_due_in_the_order_in_which_it_is_due(outbox):
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


async def test_a_claim_takes_no_more_than_it_is_asked_for(outbox):
    await add(outbox, [job(f"{number}") for number in range(5)])
    assert [len(await outbox.claim(2)) for _ in range(4)] == [2, 2, 1, 0]


async def test_a_claim_carries_the_job_and_counts_the_attempt(outbox, database):
    await add(outbox, [job("a", number=1)])
    (claimed,) = await outbox.claim(1)
    assert (claimed.dedupe_key, claimed.topic, claimed.subject) == ("a", "mail", "the subject of a")
    assert (claimed.payload, claimed.attempts) == ({"number": 1}, 1)
    row = await only_row(database)
    assert (row.state, row.attempts, row.lease_token) == ("leased", 1, claimed.lease_token)


async def test_a_job_is_nobody_elses_until_its_lease_is_over(outbox, clock):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS)
    assert await outbox.claim(1) == []
    clock.advance(milliseconds=1)
    (theirs,) = await outbox.claim(1)
    assert (theirs.id, theirs.attempts) == (mine.id, 2)
    assert theirs.lease_token != mine.lease_token


@pytest.mark.parametrize("end", ["done", "dead"])
async def test_a_job_that_has_ended_is_never_claimed_again(outbox, clock, end):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    ended = outbox.done(claimed) if end == "done" else outbox.dead(claimed, "no such person")
    assert await ended
    clock.advance(days=365)
    assert await outbox.claim(1) == []


class Watched(Database):
    """A database that counts its changes, and may be away."""

    changes = 0
    is_away = False

    async def change(self, statement, values=None):
        self.changes += 1
        if self.is_away:
            raise DatabaseUnavailable
        return await super().change(statement, values)


@pytest.fixture
def watched(database_url):
    database = Watched(database_url)
    yield database
    database.close()


async def test_jobs_that_end_while_others_are_written_down_are_written_down_together(
    watched, clock, database
):
    outbox = Outbox(watched, clock)
    await add(outbox, [job(f"{number}") for number in range(20)])
    claimed = await outbox.claim(20)
    watched.changes = 0
    assert all(await asyncio.gather(*(outbox.done(each) for each in claimed)))
    assert watched.changes == 1
    assert {row.state for row in await rows(database, OutboxRow)} == {"done"}
    assert {row.lease_token for row in await rows(database, OutboxRow)} == {None}


async def test_what_another_holds_is_not_written_down_with_the_others(outbox, clock, database):
    await add(outbox, [job("lost")])
    (lost,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    await add(outbox, [job("mine")])
    (mine,) = await outbox.claim(1)
    assert await asyncio.gather(outbox.done(lost), outbox.done(mine)) == [False, True]
    held = {row.dedupe_key: row.lease_token for row in await rows(database, OutboxRow)}
    assert held == {"lost": theirs.lease_token, "mine": None}


async def test_whoever_was_to_be_written_down_together_learns_that_it_failed(watched, clock):
    outbox = Outbox(watched, clock)
    await add(outbox, [job("a"), job("b")])
    claimed = await outbox.claim(2)
    watched.is_away = True
    failed = await asyncio.gather(*(outbox.done(each) for each in claimed), return_exceptions=True)
    assert [type(error) for error in failed] == [DatabaseUnavailable] * 2
    watched.is_away = False
    assert all(await asyncio.gather(*(outbox.done(each) for each in claimed)))


async def test_whoever_no_longer_waits_does_not_keep_the_others_from_being_written_down(outbox):
    await add(outbox, [job("a"), job("b")])
    first, second = (asyncio.create_task(outbox.done(each)) for each in await outbox.claim(2))
    await asyncio.sleep(0)
    first.cancel()
    assert await second
    assert await outbox.claim(2) == []


async def test_two_hundred_jobs_are_each_done_once_by_four_processes_at_once(
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
    assert Counter(effect.done) == Counter(f"{number:03}" for number in range(200))
    assert {row.state for row in await rows(database, OutboxRow)} == {"done"}
    for each in databases:
        each.close()


async def test_without_the_lease_two_processes_do_one_job(database_url, clock, outbox, database):
    """The negative control of the test above."""

    class WithoutLease(Outbox):
        async def claim(self, limit):
            async with one_at_a_time:
                claimed = await super().claim(limit)
                for each in claimed:
                    await self.retry(each, "", 0)
            await meet(both_have_claimed)
            return claimed

        async def fence(self, _job, *, at_most_once):
            return not at_most_once

    one_at_a_time, both_have_claimed = asyncio.Lock(), asyncio.Barrier(2)
    await add(outbox, [job()])
    effect = Recorder()
    other = Database(database_url)
    first = worker(WithoutLease(database, clock), clock, effect)
    second = worker(WithoutLease(other, clock), clock, effect)
    await asyncio.gather(run_batch(first), run_batch(second))
    assert effect.done == ["a", "a"]
    other.close()


# Fencing


async def test_an_effect_begins_within_its_lease_and_renews_it(outbox, clock, database):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS - 1)
    assert await outbox.fence(claimed, at_most_once=True)
    row = await only_row(database)
    assert from_ms(row.effect_started_at_ms) == clock.now()
    assert from_ms(row.lease_until_ms) == clock.now() + timedelta(seconds=LEASE_SECONDS)


@pytest.mark.parametrize("at_most_once", [False, True])
async def test_an_effect_does_not_begin_once_its_lease_is_over(outbox, clock, at_most_once):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS)
    assert not await outbox.fence(claimed, at_most_once=at_most_once)


async def test_an_effect_does_not_begin_when_another_holds_the_lease(outbox, clock):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    assert not await outbox.fence(mine, at_most_once=False)
    assert await outbox.fence(theirs, at_most_once=False)


async def test_what_may_happen_once_at_most_is_not_begun_twice(outbox, clock):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    assert await outbox.fence(mine, at_most_once=True)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    assert not await outbox.fence(theirs, at_most_once=True)
    assert await outbox.fence(theirs, at_most_once=False)


async def test_a_worker_that_slept_through_its_lease_changes_nothing(outbox, clock, database):
    await add(outbox, [job()])
    (mine,) = await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    (theirs,) = await outbox.claim(1)
    assert not await outbox.done(mine)
    assert not await outbox.dead(mine, "gone")
    assert not await outbox.retry(mine, "later", 5)
    assert not await outbox.fail_unknown(mine)
    assert (await only_row(database)).lease_token == theirs.lease_token
    assert await outbox.done(theirs)


class Oversleeping:
    """An outbox whose worker loses its lease between the claim and the effect."""

    def __init__(self, outbox, clock, meanwhile):
        self._outbox = outbox
        self._clock = clock
        self._meanwhile = meanwhile

    async def claim(self, limit):
        claimed = await self._outbox.claim(limit)
        self._clock.advance(seconds=LEASE_SECONDS + 1)
        await self._meanwhile()
        return claimed

    def __getattr__(self, name):
        return getattr(self._outbox, name)


async def done_when_the_first_of_two_workers_oversleeps(outbox, clock):
    effect = Recorder()
    await add(outbox, [job()])
    second = worker(outbox, clock, effect)
    first = worker(Oversleeping(outbox, clock, partial(run_batch, second)), clock, effect)
    await run_batch(first)
    return effect.done


async def test_a_worker_that_slept_through_its_lease_does_not_repeat_the_effect(outbox, clock):
    assert await done_when_the_first_of_two_workers_oversleeps(outbox, clock) == ["a"]


async def test_without_the_fence_a_worker_that_slept_repeats_the_effect(database, clock):
    """The negative control of the test above."""

    class WithoutFence(Outbox):
        async def fence(self, _job, *, at_most_once):
            return not at_most_once

    outbox = WithoutFence(database, clock, lease_seconds=LEASE_SECONDS)
    assert await done_when_the_first_of_two_workers_oversleeps(outbox, clock) == ["a", "a"]


# What becomes of an effect


async def test_an_effect_that_happens_is_acknowledged(outbox, clock, database):
    await add(outbox, [job()])
    effect = Recorder()
    assert await run_batch(worker(outbox, clock, effect)) == 1
    row = await only_row(database)
    assert (row.state, row.lease_token, row.last_error) == ("done", None, None)
    assert from_ms(row.done_at_ms) == clock.now()
    assert await run_batch(worker(outbox, clock, effect)) == 0


async def test_an_effect_that_is_rejected_is_given_up_at_once(outbox, clock, database):
    await add(outbox, [job()])
    effect = Recorder(DeliveryRejected("no such mailbox"))
    await run_batch(worker(outbox, clock, effect))
    row = await only_row(database)
    assert (row.state, row.last_error) == ("dead", "no such mailbox")


async def test_an_effect_that_is_postponed_is_tried_again_later(outbox, clock, database):
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(DeliveryPostponed("busy"))))
    row = await only_row(database)
    assert (row.state, row.last_error, row.effect_started_at_ms) == ("ready", "busy", None)
    clock.advance(seconds=2)
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect))
    assert effect.done == ["a"]
    assert (await only_row(database)).state == "done"


async def test_an_effect_that_fails_otherwise_is_tried_again_and_its_words_are_not_kept(
    outbox, clock, database
):
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(ValueError("Aarav's address is wrong"))))
    row = await only_row(database)
    assert (row.state, row.last_error) == ("ready", "ValueError")


async def test_an_error_that_is_long_is_cut(outbox, clock, database):
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(DeliveryRejected("x" * 10_000))))
    assert len((await only_row(database)).last_error) == 200


async def test_a_job_that_nobody_carries_out_is_given_up_and_says_so(outbox, clock, database):
    await add(outbox, [job(topic="carrier pigeon")])
    await run_batch(worker(outbox, clock, Recorder()))
    row = await only_row(database)
    assert (row.state, row.last_error) == ("dead", "nobody carries out carrier pigeon")


async def test_one_job_that_fails_does_not_hold_up_the_others(outbox, clock, database):
    async def effect(each):
        if each.dedupe_key == "b":
            raise DeliveryRejected("no")

    await add(outbox, [job("a"), job("b"), job("c")])
    await run_batch(worker(outbox, clock, effect))
    assert [row.state for row in await rows(database, OutboxRow)] == ["done", "dead", "done"]


async def test_an_effect_that_takes_too_long_is_broken_off_and_tried_again(outbox, clock, database):
    async def effect(_job):
        await asyncio.Event().wait()

    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, effect, timeout_seconds=0.01))
    row = await only_row(database)
    assert (row.state, row.last_error) == ("ready", "TimeoutError")


@pytest.mark.parametrize("attempts", [1, 2, 5])
async def test_an_effect_is_given_up_after_so_many_attempts(outbox, clock, database, attempts):
    await add(outbox, [job()])
    effect = Recorder(DeliveryPostponed("busy"))
    patient = worker(outbox, clock, effect, max_attempts=attempts)
    for _ in range(attempts + 3):
        await run_batch(patient)
        clock.advance(minutes=10)
    row = await only_row(database)
    assert len(effect.done) == attempts
    assert (row.state, row.attempts, row.last_error) == ("dead", attempts, "busy")


async def test_a_transport_that_is_away_for_a_day_uses_up_no_attempt(outbox, clock, database):
    await add(outbox, [job()])
    effect = Recorder(ChannelDown("the line is cut", 300))
    patient = worker(outbox, clock, effect, max_attempts=2)
    for _ in range(24 * 12):
        await run_batch(patient)
        row = await only_row(database)
        wait = (from_ms(row.run_at_ms) - clock.now()).total_seconds()
        assert 300 <= wait <= 302
        assert (row.state, row.attempts, row.last_error) == (
            "ready",
            0,
            "channel down: the line is cut",
        )
        clock.advance(seconds=302)
    effect.error = None
    await run_batch(patient)
    assert (await only_row(database)).state == "done"


async def test_start_runs_waiting_jobs_at_once_when_their_transport_was_down(
    outbox, clock, database
):
    down, busy = Recorder(ChannelDown("the line is cut", 300)), Recorder(DeliveryPostponed("busy"))
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
    # A refusal of one job alone is no sign of a transport: its attempts count, and its time stands.
    assert states == {"down": "done", "busy": "ready"}


async def test_run_waiting_leaves_jobs_alone_when_they_are_new_dead_or_of_another_topic(
    outbox, clock, database
):
    later = timedelta(seconds=300)
    await add(
        outbox,
        [
            job("waits"),
            job("given up"),
            job("other", topic="call"),
            job("new", after=later),
        ],
    )
    failing = {
        "mail": Effect(Recorder(ChannelDown("cut", 300)), channel="mail"),
        "call": Effect(Recorder(ChannelDown("cut", 300))),
    }
    work = OutboxWorker(outbox, failing, clock)
    await run_batch(work)
    await database.write(
        lambda connection: connection.execute(
            update(OutboxRow)
            .where(table_of(OutboxRow).c.dedupe_key == "given up")
            .values(state="dead")
        )
    )
    before = {row.dedupe_key: row for row in await rows(database, OutboxRow)}
    assert await work.run_waiting("mail") == 1
    after = {row.dedupe_key: row for row in await rows(database, OutboxRow)}
    assert from_ms(after["waits"].run_at_ms) == clock.now()
    assert after["waits"].attempts == before["waits"].attempts
    for key in ("given up", "other", "new"):
        assert after[key] == before[key]
    assert await work.run_waiting("mail") == 0


async def test_an_effect_that_is_under_way_is_asked_again_and_uses_up_no_attempt(
    outbox, clock, database
):
    await add(outbox, [job()])
    effect = Recorder(OutcomeAwaited("under way", 60))
    work = worker(outbox, clock, effect, max_attempts=1)
    for count in range(1, 4):
        await run_batch(work)
        row = await only_row(database)
        assert (row.state, row.attempts, row.last_error) == ("ready", 0, "under way")
        assert (len(effect.done), from_ms(row.run_at_ms) - clock.now()) == (
            count,
            timedelta(seconds=60),
        )
        clock.advance(seconds=60)
    effect.error = None
    await run_batch(work)
    row = await only_row(database)
    assert (row.state, row.attempts) == ("done", 1)


async def test_an_effect_whose_outcome_nobody_knows_is_given_up_and_not_revived(
    outbox, clock, database
):
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(OutcomeUnknown())))
    assert (await only_row(database)).state == "dead"
    requeued = await database.write(
        lambda connection: requeue(connection, "the subject of a", ["mail"], clock.now())
    )
    assert requeued == []


@pytest.mark.parametrize("error", [OutcomeAwaited("under way", 600), OutcomeUnknown()])
async def test_a_job_looks_again_as_soon_as_there_is_news(outbox, clock, database, error):
    await add(outbox, [job("a"), job("b")])
    effect = Recorder(error)
    work = worker(outbox, clock, effect)
    await run_batch(work)
    await database.write(lambda connection: run_now(connection, "a", clock.now()))
    effect.error = None
    await run_batch(work)
    assert sorted(effect.done) == ["a", "a", "b"]


@pytest.mark.parametrize("end", ["done", "leased"])
async def test_news_change_nothing_about_a_job_that_is_done_or_being_done(
    outbox, clock, database, end
):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    if end == "done":
        await outbox.done(claimed)
    await database.write(lambda connection: run_now(connection, "a", clock.now()))
    assert (await only_row(database)).state == end
    assert await outbox.claim(1) == []


async def test_the_time_between_attempts_grows_within_its_bounds(outbox, clock, database):
    # Source: specification P4.4.
    await add(outbox, [job()])
    hopeless = worker(
        outbox,
        clock,
        Recorder(DeliveryPostponed("busy")),
        max_attempts=99,
        first_retry_seconds=2,
        max_retry_seconds=30,
    )
    waits = []
    for _ in range(7):
        await run_batch(hopeless)
        run_at = from_ms((await only_row(database)).run_at_ms)
        waits.append((run_at - clock.now()).total_seconds())
        clock.advance(seconds=31)
    for wait, longest in zip(waits, [2, 4, 8, 16, 30, 30, 30], strict=True):
        assert 0 <= wait <= longest
    assert len(set(waits)) > 1


# Once at most


@pytest.mark.parametrize(
    ("error", "state", "last_error"),
    [
        pytest.param(None, "done", None, id="it happens"),
        pytest.param(
            DeliveryPostponed("engaged"), "ready", "engaged", id="it certainly did not happen"
        ),
        pytest.param(DeliveryRejected("no such number"), "dead", "no such number", id="it can't"),
        pytest.param(
            OSError("cut off"), "dead", "outcome unknown, not repeated", id="nobody knows"
        ),
    ],
)
async def test_what_may_happen_once_at_most_is_repeated_only_if_it_certainly_did_not_happen(
    outbox, clock, database, error, state, last_error
):
    # Source: specification P4.2.
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(error), at_most_once=True))
    row = await only_row(database)
    assert (row.state, row.last_error) == (state, last_error)


async def test_what_may_happen_once_at_most_is_not_repeated_after_a_time_out(
    outbox, clock, database
):
    async def effect(_job):
        await asyncio.Event().wait()

    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, effect, at_most_once=True, timeout_seconds=0.01))
    row = await only_row(database)
    assert (row.state, row.last_error) == ("dead", "outcome unknown, not repeated")


async def begun_by_a_worker_that_died(outbox, clock):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    assert await outbox.fence(claimed, at_most_once=True)
    clock.advance(seconds=LEASE_SECONDS + 1)


async def test_what_a_dead_worker_had_begun_is_buried_if_it_may_happen_once_at_most(
    outbox, clock, database
):
    await begun_by_a_worker_that_died(outbox, clock)
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect, at_most_once=True))
    row = await only_row(database)
    assert effect.done == []
    assert (row.state, row.last_error) == ("dead", "outcome unknown, not repeated")


async def test_what_a_dead_worker_had_begun_is_done_again_if_it_may_repeat(outbox, clock, database):
    await begun_by_a_worker_that_died(outbox, clock)
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect))
    assert effect.done == ["a"]
    assert (await only_row(database)).state == "done"


async def test_what_a_dead_worker_had_only_claimed_is_done_even_if_it_may_happen_once_at_most(
    outbox, clock
):
    await add(outbox, [job()])
    await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect, at_most_once=True))
    assert effect.done == ["a"]


async def test_a_job_that_was_not_begun_is_not_buried(outbox):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    assert not await outbox.fail_unknown(claimed)
    assert await outbox.done(claimed)


async def test_what_may_happen_once_at_most_and_lost_its_lease_is_left_to_the_other_worker(
    outbox, clock
):
    effect = Recorder()
    await add(outbox, [job()])
    second = worker(outbox, clock, effect, at_most_once=True)
    first = worker(
        Oversleeping(outbox, clock, partial(run_batch, second)),
        clock,
        effect,
        at_most_once=True,
    )
    await run_batch(first)
    assert effect.done == ["a"]


# Waking up


async def test_an_empty_outbox_says_that_nothing_is_due(outbox):
    assert await outbox.next_due() is None


async def test_the_outbox_says_when_the_next_job_wants_to_run(outbox):
    await add(outbox, [job("a", after=timedelta(hours=2)), job("b", after=timedelta(hours=1))])
    assert await outbox.next_due() == WEDNESDAY + timedelta(hours=1)


async def test_the_outbox_says_when_a_lease_runs_out(outbox):
    await add(outbox, [job("a"), job("b", after=timedelta(hours=2))])
    await outbox.claim(1)
    assert await outbox.next_due() == WEDNESDAY + timedelta(seconds=LEASE_SECONDS)


async def test_a_job_that_another_is_claiming_is_not_asked_for_without_end(database, clock):
    """What is due and can't be had would otherwise keep a processor busy."""
    asked = 0

    class InOtherHands(Outbox):
        async def claim(self, _limit):
            nonlocal asked
            asked += 1
            return []

    outbox = InOtherHands(database, clock)
    await add(outbox, [job()])
    began = time.monotonic()
    async with running(OutboxWorker(outbox, {}, clock).run()):
        await eventually(lambda: asked > 5, "it is asked for again")
    assert asked <= 1 + (time.monotonic() - began) / _TAKEN_BY_OTHERS_SECONDS


async def test_a_worker_wakes_up_for_a_job_that_is_added(outbox, clock):
    effect = Recorder()
    async with running(worker(outbox, clock, effect).run()):
        async with asyncio.timeout(4):  # an idle worker looks again after 5 s
            for number in range(6):
                await add(outbox, [job(f"{number}")])
                await eventually(lambda n=number: len(effect.done) == n + 1, "the job is done")


async def test_a_worker_carries_out_what_is_already_there_when_it_starts(outbox, clock):
    effect = Recorder()
    await add(outbox, [job(f"{number}") for number in range(11)])
    async with running(worker(outbox, clock, effect).run()):
        await eventually(lambda: len(effect.done) == 11, "all jobs are done")


async def test_effects_that_take_long_hold_up_no_others(outbox, clock):
    ended, effect = asyncio.Event(), Recorder()

    async def ring(_job):
        await ended.wait()

    mails_and_calls = OutboxWorker(outbox, {"mail": Effect(effect), "call": Effect(ring)}, clock)
    async with running(mails_and_calls.run()):
        await add(outbox, [job(f"call {number}", topic="call") for number in range(_BATCH)])
        await add(outbox, [job(f"{number}") for number in range(_BATCH)])
        async with asyncio.timeout(4):
            await eventually(lambda: len(effect.done) == _BATCH, "all mails are sent")
        ended.set()


async def test_no_more_effects_than_that_are_under_way_at_once(outbox, clock):
    begun, ended = 0, asyncio.Event()

    async def ring(_job):
        nonlocal begun
        begun += 1
        await ended.wait()

    await add(outbox, [job(f"{number}") for number in range(_AT_ONCE + 1)])
    async with running(worker(outbox, clock, ring).run()):
        await eventually(lambda: begun == _AT_ONCE, "as many as may have begun")
        await asyncio.sleep(2 * _PATIENCE_SECONDS)
        assert begun == _AT_ONCE
        ended.set()
        await eventually(lambda: begun == _AT_ONCE + 1, "then the last one begins")


async def test_effects_under_way_end_with_the_worker(outbox, clock):
    begun, ended = asyncio.Event(), asyncio.Event()

    async def ring(_job):
        begun.set()
        try:
            await asyncio.sleep(60)
        finally:
            ended.set()

    await add(outbox, [job()])
    async with running(worker(outbox, clock, ring).run()):
        await begun.wait()
        await asyncio.sleep(2 * _PATIENCE_SECONDS)
    assert ended.is_set()


async def test_what_is_being_written_down_when_the_server_ends_is_waited_for(outbox, database):
    await add(outbox, [job("a"), job("b")])
    first, second = await outbox.claim(2)
    waiting = [asyncio.create_task(outbox.done(first))]
    await asyncio.sleep(0)
    await asyncio.sleep(0)  # its statement is under way, and the next one has to wait for it
    waiting.append(asyncio.create_task(outbox.done(second)))
    await asyncio.sleep(0)
    await cancel_and_wait(*waiting)
    await outbox.flush()
    assert [row.state for row in await rows(database, OutboxRow)] == ["done", "done"]


async def test_an_acknowledgement_that_the_database_loses_is_no_end_of_the_worker(
    database, clock, caplog
):
    class Losing(Outbox):
        async def done(self, _job):
            raise DatabaseUnavailable("gone")

    outbox, effect = Losing(database, clock), Recorder()
    async with running(worker(outbox, clock, effect).run()):
        for name in "ab":
            await add(outbox, [job(name)])
            await eventually(lambda n=name: n in effect.done, "the job is done")
    assert "the database did not answer" in caplog.text


async def test_a_worker_comes_back_when_the_next_job_is_due(database):
    clock = SystemClock.starting_at(WEDNESDAY)
    outbox = Outbox(database, clock)
    effect = Recorder()
    async with running(worker(outbox, clock, effect).run()):
        await add(outbox, [job(after=timedelta(milliseconds=150))])
        async with asyncio.timeout(4):
            await eventually(lambda: effect.done == ["a"], "the job is done")


async def test_a_database_that_was_away_does_not_end_the_worker(database, clock, caplog):
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
        await eventually(lambda: effect.done == ["a"], "the job is done")


async def test_the_log_names_a_job_by_its_topic_and_subject_alone(outbox, clock, caplog):
    with caplog.at_level(logging.DEBUG, "campus_app"):
        await add(outbox, [job(to="aarav@students.example")])
        await run_batch(worker(outbox, clock, Recorder(DeliveryRejected("no such mailbox"))))
    assert [record.getMessage() for record in caplog.records if "outbox" in record.name] == [
        "outbox: mail the subject of a rejected: no such mailbox"
    ]
