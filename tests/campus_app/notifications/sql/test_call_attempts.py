"""Call attempts in SQL: uniqueness, assignment of calls, and waking of the outbox."""

import asyncio
from datetime import timedelta

import pytest

from campus_app.notifications.rules.missed_call import (
    CallAttempt,
    CallOutcome,
    CallReason,
    CallReport,
    CallStatus,
)
from campus_app.notifications.sql.call_attempts import SqlCallAttempts
from kit.outbox.models import NewJob
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.outbox import add

pytestmark = pytest.mark.anyio

NO_ANSWER = CallReport("CA1", CallStatus.NO_ANSWER, 3)


@pytest.fixture
def attempts(services):
    return SqlCallAttempts(services.database, services.outbox.wake.set)


@pytest.fixture
def start_attempt(services, attempts):
    """Starts an attempt for a new order."""

    async def start_attempt(token, number=1, **changes):
        order = (await services.ordering.prepare(order_request())).order
        values = {"restaurant_id": 1, "phone": "+919800000001", "started_at": WEDNESDAY} | changes
        attempt = CallAttempt(token=token, order_id=order.id, number=number, **values)
        assert await attempts.begin(attempt)
        return attempt

    return start_attempt


async def test_begin_succeeds_once_per_order_and_number(attempts, start_attempt):
    first = await start_attempt("one")
    again = [
        CallAttempt(f"token {n}", first.order_id, 1, 1, "+919800000001", WEDNESDAY)
        for n in range(6)
    ]
    assert await asyncio.gather(*(attempts.begin(attempt) for attempt in again)) == [False] * 6
    assert await attempts.latest(first.order_id) == first


async def test_latest_returns_attempt_of_the_reason(attempts, start_attempt):
    unseen = await start_attempt("unseen", 101)
    assert await attempts.latest(unseen.order_id) is None
    assert await attempts.latest(unseen.order_id, CallReason.UNSEEN) == unseen
    first = CallAttempt("one", unseen.order_id, 1, 1, "+919800000001", WEDNESDAY)
    assert await attempts.begin(first)
    assert await attempts.latest(unseen.order_id) == first
    assert await attempts.latest(unseen.order_id, CallReason.UNSEEN) == unseen


async def test_begin_succeeds_again_after_withdraw(attempts, start_attempt):
    attempt = await start_attempt("one")
    await attempts.withdraw(attempt)
    assert await attempts.latest(attempt.order_id) is None
    assert await attempts.begin(attempt)


async def test_record_status_stores_report(attempts, start_attempt):
    attempt = await start_attempt("one")
    stored = await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    assert stored == await attempts.latest(attempt.order_id)
    assert (stored.sid, stored.status, stored.sequence) == ("CA1", "no-answer", 3)
    assert (stored.outcome, stored.is_confirmed) == (CallOutcome.REACHED, True)
    other = CallReport("CA0", None)
    assert await attempts.record_status("one", other, WEDNESDAY, is_confirmed=True) is None
    assert await attempts.latest(attempt.order_id) == stored


async def test_record_status_moves_matched_call_to_confirmed_attempt(attempts, start_attempt):
    guessed, real = await start_attempt("one"), await start_attempt("two")
    assert await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=False)
    assert await attempts.record_status("two", NO_ANSWER, WEDNESDAY, is_confirmed=False) is None
    assert await attempts.record_status("two", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    assert await attempts.latest(guessed.order_id) == guessed
    assert (await attempts.latest(real.order_id)).sid == "CA1"


async def test_record_status_keeps_call_of_confirmed_attempt(attempts, start_attempt):
    real = await start_attempt("one")
    await start_attempt("two")
    await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    for is_confirmed in (False, True):
        assert (
            await attempts.record_status("two", NO_ANSWER, WEDNESDAY, is_confirmed=is_confirmed)
            is None
        )
    assert (await attempts.latest(real.order_id)).sid == "CA1"


async def test_concurrent_record_status_gives_call_to_one_attempt(attempts, start_attempt):
    both = [await start_attempt(token) for token in ("one", "two")]
    await asyncio.gather(
        *(
            attempts.record_status(attempt.token, NO_ANSWER, WEDNESDAY, is_confirmed=False)
            for attempt in both
        )
    )
    assert sorted([(await attempts.latest(attempt.order_id)).sid for attempt in both]) == [
        "",
        "CA1",
    ]


async def test_concurrent_record_status_loses_no_report(attempts, start_attempt):
    attempt = await start_attempt("one")
    words = [CallStatus.INITIATED, CallStatus.RINGING, CallStatus.CANCELED] * 4
    reports = [CallReport("CA1", word, number) for number, word in enumerate(words)]
    await asyncio.gather(
        *(attempts.record_status("one", report, WEDNESDAY, is_confirmed=True) for report in reports)
    )
    stored_attempt = await attempts.latest(attempt.order_id)
    assert (stored_attempt.status, stored_attempt.has_rung, stored_attempt.sequence) == (
        "canceled",
        True,
        11,
    )
    assert stored_attempt.outcome is CallOutcome.REACHED


@pytest.mark.parametrize(("number", "topic"), [(2, "call.vendor"), (101, "call.unseen")])
async def test_record_status_wakes_outbox_when_attempt_is_final(
    services, attempts, start_attempt, number, topic
):
    attempt = await start_attempt("one", number)
    later = WEDNESDAY + timedelta(minutes=5)
    jobs = [
        NewJob(f"{reason}:{attempt.order_id}", reason, attempt.order_id, {}, later)
        for reason in CallReason
    ]
    await add(services.outbox, jobs)
    services.outbox.wake.clear()
    await attempts.record_status(
        "one", CallReport("CA1", CallStatus.RINGING), WEDNESDAY, is_confirmed=True
    )
    assert (await services.outbox.next_due(), services.outbox.wake.is_set()) == (later, False)
    await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    assert (await services.outbox.next_due(), services.outbox.wake.is_set()) == (WEDNESDAY, True)
    assert [each.topic for each in await services.outbox.claim(10)] == [topic]


async def test_count_returns_calls_to_restaurant_since_time(attempts, start_attempt):
    await start_attempt("one", started_at=WEDNESDAY - timedelta(minutes=61))
    await start_attempt("two", started_at=WEDNESDAY - timedelta(minutes=59))
    await start_attempt("three")
    await start_attempt("four", restaurant_id=2)
    assert await attempts.count(1, WEDNESDAY - timedelta(hours=1)) == 2


async def test_unclaimed_omits_calls_of_attempts(attempts, start_attempt):
    await start_attempt("one")
    await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=False)
    assert await attempts.unclaimed(["CA3", "CA1", "CA2"]) == ["CA3", "CA2"]
    assert await attempts.unclaimed([]) == []


async def test_count_without_call_counts_attempts_to_the_phone_in_the_time(attempts, start_attempt):
    await start_attempt("found")
    await attempts.record_status("found", NO_ANSWER, WEDNESDAY, is_confirmed=False)
    since, until = WEDNESDAY - timedelta(seconds=35), WEDNESDAY + timedelta(seconds=35)
    for token, started_at in (("first", since), ("last", until)):
        await start_attempt(token, started_at=started_at)
    await start_attempt("earlier", started_at=since - timedelta(seconds=1))
    await start_attempt("later", started_at=until + timedelta(seconds=1))
    await start_attempt("other phone", phone="+919800000002")
    assert await attempts.count_without_call("+919800000001", since, until) == 2
