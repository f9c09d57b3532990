"""The outbox table: enqueueing in a transaction, requeueing, running jobs now."""

from datetime import timedelta

import pytest
from sqlalchemy import update

from kit.clock import from_ms
from kit.db.tables import table_of
from kit.outbox.errors import (
    ChannelDown,
    OutcomeAwaited,
    OutcomeUnknown,
)
from kit.outbox.models import OutboxRow, enqueue, enqueue_new, requeue, run_now
from kit.outbox.worker import (
    Effect,
    OutboxWorker,
)
from tests.helpers.outbox import Recorder, add, job, run_batch, worker
from tests.helpers.tables import only_row, rows

pytestmark = pytest.mark.anyio


async def test_enqueue_stores_a_ready_job_with_subject_and_payload(outbox, database):
    await add(outbox, [])
    await add(outbox, [job("a", dish="Café ☕", count=2)])
    row = await only_row(database, OutboxRow)
    assert (row.topic, row.subject, row.payload) == (
        "mail",
        "the subject of a",
        {"dish": "Café ☕", "count": 2},
    )
    assert (row.state, row.attempts) == ("ready", 0)


async def test_enqueue_keeps_the_first_job_when_the_key_exists(outbox, database):
    await add(outbox, [job("a", number=1)])
    await add(outbox, [job("a", number=2), job("b")])
    assert [(row.dedupe_key, row.payload) for row in await rows(database, OutboxRow)] == [
        ("a", {"number": 1}),
        ("b", {}),
    ]


async def test_enqueue_ignores_a_job_when_its_key_is_done(outbox, clock):
    await add(outbox, [job()])
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect))
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, effect))
    assert effect.keys == ["a"]


async def test_enqueue_new_is_false_when_the_key_exists(outbox, database):
    async def is_new(key):
        return await database.write(lambda connection: enqueue_new(connection, job(key)))

    assert [await is_new(key) for key in ("a", "b", "a")] == [True, True, False]
    assert [each.dedupe_key for each in await outbox.claim(10)] == ["a", "b"]


async def test_enqueue_is_undone_when_its_transaction_is_rolled_back(outbox, database):
    def work(connection):
        enqueue(connection, [job()])
        raise LookupError("the cause fell through")

    with pytest.raises(LookupError):
        await database.write(work)
    assert await rows(database, OutboxRow) == []


async def test_run_waiting_skips_jobs_that_are_new_dead_or_of_another_topic(
    outbox, clock, database
):
    later = timedelta(seconds=300)
    others = [job("given up"), job("other", topic="call"), job("new", after=later)]
    await add(outbox, [job("waits"), *others])
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


async def test_requeue_skips_a_job_when_its_outcome_is_unknown(outbox, clock, database):
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(OutcomeUnknown())))
    assert (await only_row(database, OutboxRow)).state == "dead"
    requeued = await database.write(
        lambda connection: requeue(connection, "the subject of a", ["mail"], clock.now())
    )
    assert requeued == []


async def test_requeue_runs_a_job_whose_transport_is_down_once(outbox, clock, database):
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(ChannelDown("no answer", 300))))
    for requeued in (["mail"], []):
        clock.advance(seconds=1)
        assert requeued == await database.write(
            lambda connection: requeue(connection, "the subject of a", ["mail"], clock.now())
        )


@pytest.mark.parametrize("error", [OutcomeAwaited("under way", 600), OutcomeUnknown()])
async def test_run_now_runs_a_job_that_waits_or_is_dead(outbox, clock, database, error):
    await add(outbox, [job("a"), job("b")])
    effect = Recorder(error)
    work = worker(outbox, clock, effect)
    await run_batch(work)
    await database.write(lambda connection: run_now(connection, "a", clock.now()))
    effect.error = None
    await run_batch(work)
    assert sorted(effect.keys) == ["a", "a", "b"]


@pytest.mark.parametrize("end", ["done", "leased"])
async def test_run_now_leaves_a_job_alone_when_it_is_done_or_leased(outbox, clock, database, end):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    if end == "done":
        await outbox.complete(claimed)
    await database.write(lambda connection: run_now(connection, "a", clock.now()))
    assert (await only_row(database, OutboxRow)).state == end
    assert await outbox.claim(1) == []
