"""Rings in SQL: each once, each with its own call, and whoever waits for it is woken."""

import asyncio
from datetime import timedelta

import pytest

from campus_app.adapters.sql.call_attempts import SqlCallAttempts
from campus_app.domain.missed_call import CallAttempt, CallOutcome, CallReport, CallStatus
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
def begun(services, attempts):
    """Begins a attempt about a new order."""

    async def begun(token, number=1, **changes):
        order = (await services.ordering.prepare(order_request())).order
        values = {"restaurant_id": 1, "phone": "+919800000001", "started_at": WEDNESDAY} | changes
        attempt = CallAttempt(token=token, order_id=order.id, number=number, **values)
        assert await attempts.begin(attempt)
        return attempt

    return begun


async def test_a_ring_is_kept_as_it_was_begun(attempts, begun):
    attempt = await begun("one")
    assert await attempts.latest(attempt.order_id) == attempt
    assert await attempts.latest("another order") is None


async def test_the_same_ring_of_an_order_begins_once_whoever_asks(attempts, begun):
    first = await begun("one")
    again = [
        CallAttempt(f"token {n}", first.order_id, 1, 1, "+919800000001", WEDNESDAY)
        for n in range(6)
    ]
    assert await asyncio.gather(*(attempts.begin(attempt) for attempt in again)) == [False] * 6
    assert await attempts.latest(first.order_id) == first


async def test_the_newest_ring_of_an_order_is_its_last(attempts, begun):
    first = await begun("one")
    second = CallAttempt("two", first.order_id, 2, 1, "+919800000001", WEDNESDAY)
    assert await attempts.begin(second)
    assert await attempts.latest(first.order_id) == second


async def test_a_ring_that_is_withdrawn_may_begin_again(attempts, begun):
    attempt = await begun("one")
    await attempts.withdraw(attempt)
    assert await attempts.latest(attempt.order_id) is None
    assert await attempts.begin(attempt)


async def test_what_the_service_says_is_kept(attempts, begun):
    attempt = await begun("one")
    with_report = await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    assert with_report == await attempts.latest(attempt.order_id)
    assert (with_report.sid, with_report.status, with_report.sequence) == ("CA1", "no-answer", 3)
    assert (with_report.outcome, with_report.is_confirmed) == (CallOutcome.REACHED, True)


async def test_nothing_is_heard_of_a_ring_that_is_not_there(attempts):
    assert await attempts.record_status("unknown", NO_ANSWER, WEDNESDAY, is_confirmed=True) is None


async def test_a_confirmed_ring_hears_of_no_other_call(attempts, begun):
    attempt = await begun("one")
    await attempts.record_status("one", CallReport("CA0", None), WEDNESDAY, is_confirmed=True)
    assert await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=True) is None
    assert (await attempts.latest(attempt.order_id)).sid == "CA0"


async def test_a_call_that_only_looked_like_it_goes_to_the_ring_that_the_service_names(
    attempts, begun
):
    guessed, real = await begun("one"), await begun("two")
    assert await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=False)
    assert await attempts.record_status("two", NO_ANSWER, WEDNESDAY, is_confirmed=False) is None
    assert await attempts.record_status("two", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    assert await attempts.latest(guessed.order_id) == guessed
    assert (await attempts.latest(real.order_id)).sid == "CA1"


async def test_a_guess_takes_no_call_from_anybody(attempts, begun):
    real = await begun("one")
    await begun("two")
    await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    for is_confirmed in (False, True):
        assert (
            await attempts.record_status("two", NO_ANSWER, WEDNESDAY, is_confirmed=is_confirmed)
            is None
        )
    assert (await attempts.latest(real.order_id)).sid == "CA1"


async def test_two_rings_that_claim_a_call_in_the_same_instant_do_not_both_get_it(attempts, begun):
    both = [await begun(token) for token in ("one", "two")]
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


async def test_many_notices_at_once_lose_nothing(attempts, begun):
    attempt = await begun("one")
    words = [CallStatus.INITIATED, CallStatus.RINGING, CallStatus.CANCELED] * 4
    reports = [CallReport("CA1", word, number) for number, word in enumerate(words)]
    await asyncio.gather(
        *(attempts.record_status("one", report, WEDNESDAY, is_confirmed=True) for report in reports)
    )
    with_report = await attempts.latest(attempt.order_id)
    assert (with_report.status, with_report.has_rung, with_report.sequence) == (
        "canceled",
        True,
        11,
    )
    assert with_report.outcome is CallOutcome.REACHED


async def test_whoever_waits_for_how_a_ring_ends_is_woken_when_it_ends(services, attempts, begun):
    attempt = await begun("one")
    later = WEDNESDAY + timedelta(minutes=5)
    job = NewJob(f"call.vendor:{attempt.order_id}", "call.vendor", attempt.order_id, {}, later)
    await add(services.outbox, [job])
    services.outbox.wake.clear()
    await attempts.record_status(
        "one", CallReport("CA1", CallStatus.RINGING), WEDNESDAY, is_confirmed=True
    )
    assert (await services.outbox.next_due(), services.outbox.wake.is_set()) == (later, False)
    await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=True)
    assert (await services.outbox.next_due(), services.outbox.wake.is_set()) == (WEDNESDAY, True)


async def test_the_calls_to_a_restaurant_within_a_time_are_counted(attempts, begun):
    await begun("one", started_at=WEDNESDAY - timedelta(minutes=61))
    await begun("two", started_at=WEDNESDAY - timedelta(minutes=59))
    await begun("three")
    await begun("four", restaurant_id=2)
    assert await attempts.count(1, WEDNESDAY - timedelta(hours=1)) == 2


async def test_calls_that_belong_to_a_ring_are_claimed(attempts, begun):
    await begun("one")
    await attempts.record_status("one", NO_ANSWER, WEDNESDAY, is_confirmed=False)
    assert await attempts.unclaimed(["CA3", "CA1", "CA2"]) == ["CA3", "CA2"]
    assert await attempts.unclaimed([]) == []
