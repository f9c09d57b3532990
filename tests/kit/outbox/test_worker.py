"""The worker: how each outcome of an effect is recorded, retried or given up."""

import asyncio
import logging
from datetime import timedelta
from functools import partial

import pytest

from kit.clock import from_ms
from kit.outbox.errors import (
    ChannelDown,
    DeliveryPostponed,
    DeliveryRejected,
    OperatorNeeded,
    OutcomeAwaited,
)
from kit.outbox.models import OutboxRow
from kit.outbox.store import Outbox
from kit.outbox.worker import Effect, OutboxWorker
from tests.helpers.outbox import LEASE_SECONDS, Recorder, add, job, run_batch, worker
from tests.helpers.tables import only_row

pytestmark = pytest.mark.anyio


async def test_job_is_done_when_its_effect_succeeds(outbox, clock, database):
    await add(outbox, [job()])
    effect = Recorder()
    assert await run_batch(worker(outbox, clock, effect)) == 1
    row = await only_row(database, OutboxRow)
    assert (row.state, row.lease_token, row.last_error) == ("done", None, None)
    assert from_ms(row.done_at_ms) == clock.now()
    assert await run_batch(worker(outbox, clock, effect)) == 0


async def test_job_is_retried_when_its_delivery_is_postponed(outbox, clock, database):
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(DeliveryPostponed("busy"))))
    row = await only_row(database, OutboxRow)
    assert (row.state, row.last_error, row.effect_started_at_ms) == ("ready", "busy", None)
    clock.advance(seconds=2)
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect))
    assert effect.keys == ["a"]
    assert (await only_row(database, OutboxRow)).state == "done"


REPEATABLE, AT_MOST_ONCE = False, True
UNKNOWN = "outcome unknown, not repeated"


@pytest.mark.parametrize(
    ("error", "at_most_once", "state", "last_error"),
    [
        (DeliveryRejected("no such mailbox"), REPEATABLE, "dead", "no such mailbox"),
        pytest.param(
            DeliveryRejected("x" * 10_000), REPEATABLE, "dead", "x" * 200, id="a long message"
        ),
        (ValueError("Aarav's address is wrong"), REPEATABLE, "ready", "ValueError"),
        (None, AT_MOST_ONCE, "done", None),
        (DeliveryPostponed("engaged"), AT_MOST_ONCE, "ready", "engaged"),
        (DeliveryRejected("no such number"), AT_MOST_ONCE, "dead", "no such number"),
        (OSError("cut off"), AT_MOST_ONCE, "dead", UNKNOWN),
    ],
)
async def test_outcome_of_an_effect_is_recorded(
    outbox, clock, database, error, at_most_once, state, last_error
):
    # Source: specification P4.2.
    await add(outbox, [job()])
    await run_batch(worker(outbox, clock, Recorder(error), at_most_once=at_most_once))
    row = await only_row(database, OutboxRow)
    assert (row.state, row.last_error) == (state, last_error)


@pytest.mark.parametrize(
    ("at_most_once", "state", "last_error"),
    [(REPEATABLE, "ready", "TimeoutError"), (AT_MOST_ONCE, "dead", UNKNOWN)],
)
async def test_timeout_is_recorded(outbox, clock, database, at_most_once, state, last_error):
    async def effect(_job):
        await asyncio.Event().wait()

    await add(outbox, [job()])
    slow = worker(outbox, clock, effect, at_most_once=at_most_once, timeout_seconds=0.01)
    await run_batch(slow)
    row = await only_row(database, OutboxRow)
    assert (row.state, row.last_error) == (state, last_error)


async def test_job_of_an_unknown_topic_waits_for_a_release_that_knows_it(outbox, clock, database):
    await add(outbox, [job(topic="carrier pigeon")])
    await run_batch(worker(outbox, clock, Recorder()))
    row = await only_row(database, OutboxRow)
    reason = "no effect is registered for carrier pigeon"
    assert (row.state, row.attempts, row.last_error) == ("ready", 0, reason)
    clock.advance(seconds=60)
    pigeon = Recorder()
    await run_batch(OutboxWorker(outbox, {"carrier pigeon": Effect(pigeon)}, clock))
    assert pigeon.keys == ["a"]


@pytest.mark.parametrize("attempts", [1, 2, 5])
async def test_job_is_dead_after_the_maximum_of_attempts(outbox, clock, database, attempts):
    await add(outbox, [job()])
    effect = Recorder(DeliveryPostponed("busy"))
    retrying = worker(outbox, clock, effect, max_attempts=attempts)
    for _ in range(attempts + 3):
        await run_batch(retrying)
        clock.advance(minutes=10)
    row = await only_row(database, OutboxRow)
    assert len(effect.keys) == attempts
    assert (row.state, row.attempts, row.last_error) == ("dead", attempts, "busy")


async def test_no_attempt_is_counted_while_the_channel_is_down(outbox, clock, database):
    await add(outbox, [job()])
    effect = Recorder(ChannelDown("connection refused", 300))
    retrying = worker(outbox, clock, effect, max_attempts=2)
    for _ in range(24 * 12):
        await run_batch(retrying)
        row = await only_row(database, OutboxRow)
        wait = (from_ms(row.run_at_ms) - clock.now()).total_seconds()
        assert 300 <= wait <= 302
        assert (row.state, row.attempts, row.last_error) == (
            "ready",
            0,
            "channel down: connection refused",
        )
        clock.advance(seconds=302)
    effect.error = None
    await run_batch(retrying)
    assert (await only_row(database, OutboxRow)).state == "done"


async def test_no_attempt_is_counted_while_the_outcome_is_awaited(outbox, clock, database):
    await add(outbox, [job()])
    effect = Recorder(OutcomeAwaited("under way", 60))
    work = worker(outbox, clock, effect, max_attempts=1)
    for count in range(1, 4):
        await run_batch(work)
        row = await only_row(database, OutboxRow)
        assert (row.state, row.attempts, row.last_error) == ("ready", 0, "under way")
        assert (len(effect.keys), from_ms(row.run_at_ms) - clock.now()) == (
            count,
            timedelta(seconds=60),
        )
        clock.advance(seconds=60)
    effect.error = None
    await run_batch(work)
    row = await only_row(database, OutboxRow)
    assert (row.state, row.attempts) == ("done", 1)


async def test_backoff_grows_up_to_its_maximum_with_little_jitter(outbox, clock, database):
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
        run_at = from_ms((await only_row(database, OutboxRow)).run_at_ms)
        waits.append((run_at - clock.now()).total_seconds())
        clock.advance(seconds=31)
    for wait, longest in zip(waits, [2, 4, 8, 16, 30, 30, 30], strict=True):
        assert 0.89 * longest <= wait <= longest
    assert len(set(waits)) > 1


async def attempt_until_dead(outbox, clock, database, effect):
    """Run a job whenever it is due; return the hours until it is dead, and its attempts."""
    begin = clock.now()
    working = OutboxWorker(outbox, {"mail": effect}, clock)
    while (row := await only_row(database, OutboxRow)).state != "dead":
        clock.set(max(clock.now(), from_ms(row.run_at_ms)))
        await run_batch(working)
    return (clock.now() - begin).total_seconds() / 3_600, row.attempts


async def test_job_is_retried_for_a_day_when_it_is_always_postponed(outbox, clock, database):
    # Source: specification P4.17.
    await add(outbox, [job()])
    effect = Effect.retried_for_a_day(Recorder(DeliveryPostponed("greylisted")))
    hours, attempts = await attempt_until_dead(outbox, clock, database, effect)
    assert 24 <= hours <= 27
    assert attempts == 61


async def test_control_job_is_dead_within_minutes_when_eight_attempts_are_made(
    outbox, clock, database
):
    await add(outbox, [job()])
    effect = Effect(Recorder(DeliveryPostponed("greylisted")))
    hours, attempts = await attempt_until_dead(outbox, clock, database, effect)
    assert (hours < 0.1, attempts) == (True, 8)


async def test_job_waits_without_an_end_when_it_needs_an_operator(outbox, clock, database):
    # Source: specification P4.13.
    await add(outbox, [job()])
    effect = Recorder(OperatorNeeded("553 to MAIL"))
    working = OutboxWorker(outbox, {"mail": Effect.retried_for_a_day(effect)}, clock)
    waits = []
    for _ in range(300):  # six days
        await run_batch(working)
        row = await only_row(database, OutboxRow)
        assert (row.state, row.last_error) == ("ready", "needs an operator: 553 to MAIL")
        waits.append((from_ms(row.run_at_ms) - clock.now()).total_seconds())
        clock.set(from_ms(row.run_at_ms))
    assert waits[0] <= 10
    assert 1_600 <= min(waits[10:]) <= max(waits) <= 1_800
    effect.error = DeliveryPostponed("450 to RCPT")
    hours = 0.0
    while (row := await only_row(database, OutboxRow)).state == "ready":
        hours += (from_ms(row.run_at_ms) - clock.now()).total_seconds() / 3_600
        clock.set(from_ms(row.run_at_ms))
        await run_batch(working)
    assert hours >= 23  # most attempts are left for temporary refusals


async def test_failed_groups_unfinished_jobs_by_reason(outbox, clock):
    errors = {"a": DeliveryPostponed("450"), "b": DeliveryPostponed("450")}
    errors |= {"c": DeliveryRejected("550"), "d": OperatorNeeded("553")}

    async def effect(each):
        if error := errors.get(each.dedupe_key):
            raise error

    await add(outbox, [job(key) for key in "abcde"])
    await run_batch(worker(outbox, clock, effect))
    failed = await outbox.failed(["mail"])
    assert [(each.reason, each.is_waiting, each.count) for each in failed] == [
        ("450", True, 2),
        ("550", False, 1),
        ("needs an operator: 553", True, 1),
    ]
    assert all(each.next_run_at > clock.now() for each in failed if each.is_waiting)
    assert await outbox.failed(["call"]) == []


async def test_log_names_a_job_by_topic_and_subject_only(outbox, clock, caplog):
    with caplog.at_level(logging.DEBUG, "campus_app"):
        await add(outbox, [job(to="aarav@students.example")])
        await run_batch(worker(outbox, clock, Recorder(DeliveryRejected("no such mailbox"))))
    assert [record.getMessage() for record in caplog.records if "outbox" in record.name] == [
        "outbox: mail the subject of a rejected: no such mailbox"
    ]


# At most once


@pytest.mark.parametrize(
    ("at_most_once", "keys", "state", "last_error"),
    [(REPEATABLE, ["a"], "done", None), (AT_MOST_ONCE, [], "dead", UNKNOWN)],
)
async def test_effect_runs_again_after_its_worker_died_only_when_repeatable(
    outbox, clock, database, at_most_once, keys, state, last_error
):
    await add(outbox, [job()])
    (claimed,) = await outbox.claim(1)
    assert await outbox.mark_started(claimed, at_most_once=True)
    clock.advance(seconds=LEASE_SECONDS + 1)
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect, at_most_once=at_most_once))
    row = await only_row(database, OutboxRow)
    assert (effect.keys, row.state, row.last_error) == (keys, state, last_error)


async def test_at_most_once_effect_runs_when_its_worker_died_before_it(outbox, clock):
    await add(outbox, [job()])
    await outbox.claim(1)
    clock.advance(seconds=LEASE_SECONDS + 1)
    effect = Recorder()
    await run_batch(worker(outbox, clock, effect, at_most_once=True))
    assert effect.keys == ["a"]


# Lost leases


class LeaseLost:
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


async def run_when_the_first_of_two_workers_loses_its_lease(outbox, clock):
    effect = Recorder()
    await add(outbox, [job()])
    second = worker(outbox, clock, effect)
    first = worker(LeaseLost(outbox, clock, partial(run_batch, second)), clock, effect)
    await run_batch(first)
    return effect.keys


async def test_worker_skips_the_effect_when_its_lease_was_lost(outbox, clock):
    assert await run_when_the_first_of_two_workers_loses_its_lease(outbox, clock) == ["a"]


async def test_worker_repeats_the_effect_without_mark_started(database, clock):
    """Negative control of the test above."""

    class WithoutMarkStarted(Outbox):
        async def mark_started(self, _job, *, at_most_once):
            return not at_most_once

    outbox = WithoutMarkStarted(database, clock, lease_seconds=LEASE_SECONDS)
    assert await run_when_the_first_of_two_workers_loses_its_lease(outbox, clock) == ["a", "a"]


async def test_at_most_once_effect_is_left_to_the_worker_that_holds_the_lease(outbox, clock):
    effect = Recorder()
    await add(outbox, [job()])
    second = worker(outbox, clock, effect, at_most_once=True)
    losing = LeaseLost(outbox, clock, partial(run_batch, second))
    await run_batch(worker(losing, clock, effect, at_most_once=True))
    assert effect.keys == ["a"]
