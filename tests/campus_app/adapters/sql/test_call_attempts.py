"""Rings in SQL: each once, each with its own call, and whoever waits for it is woken."""

import asyncio
from datetime import timedelta

import pytest

from campus_app.adapters.sql.call_attempts import SqlRings
from campus_app.domain.missed_call import CallReport, CallStatus, Ring, RingOutcome
from kit.outbox.models import NewJob
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.outbox import add

pytestmark = pytest.mark.anyio

NO_ANSWER = CallReport("CA1", CallStatus.NO_ANSWER, 3)


@pytest.fixture
def rings(services):
    return SqlRings(services.database, services.outbox.wake.set)


@pytest.fixture
def begun(services, rings):
    """Begins a ring about a new order."""

    async def begun(token, number=1, **changes):
        order = (await services.ordering.prepare(order_request())).order
        values = {"restaurant_id": 1, "phone": "+919800000001", "begun_at": WEDNESDAY} | changes
        ring = Ring(token=token, order_id=order.id, number=number, **values)
        assert await rings.begin(ring)
        return ring

    return begun


async def test_a_ring_is_kept_as_it_was_begun(rings, begun):
    ring = await begun("one")
    assert await rings.last(ring.order_id) == ring
    assert await rings.last("another order") is None


async def test_the_same_ring_of_an_order_begins_once_whoever_asks(rings, begun):
    first = await begun("one")
    again = [Ring(f"token {n}", first.order_id, 1, 1, "+919800000001", WEDNESDAY) for n in range(6)]
    assert await asyncio.gather(*(rings.begin(ring) for ring in again)) == [False] * 6
    assert await rings.last(first.order_id) == first


async def test_the_newest_ring_of_an_order_is_its_last(rings, begun):
    first = await begun("one")
    second = Ring("two", first.order_id, 2, 1, "+919800000001", WEDNESDAY)
    assert await rings.begin(second)
    assert await rings.last(first.order_id) == second


async def test_a_ring_that_is_withdrawn_may_begin_again(rings, begun):
    ring = await begun("one")
    await rings.withdraw(ring)
    assert await rings.last(ring.order_id) is None
    assert await rings.begin(ring)


async def test_what_the_service_says_is_kept(rings, begun):
    ring = await begun("one")
    heard = await rings.hear("one", NO_ANSWER, WEDNESDAY, is_certain=True)
    assert heard == await rings.last(ring.order_id)
    assert (heard.sid, heard.status, heard.sequence) == ("CA1", "no-answer", 3)
    assert (heard.outcome, heard.is_confirmed) == (RingOutcome.REACHED, True)


async def test_nothing_is_heard_of_a_ring_that_is_not_there(rings):
    assert await rings.hear("unknown", NO_ANSWER, WEDNESDAY, is_certain=True) is None


async def test_a_confirmed_ring_hears_of_no_other_call(rings, begun):
    ring = await begun("one")
    await rings.hear("one", CallReport("CA0", None), WEDNESDAY, is_certain=True)
    assert await rings.hear("one", NO_ANSWER, WEDNESDAY, is_certain=True) is None
    assert (await rings.last(ring.order_id)).sid == "CA0"


async def test_a_call_that_only_looked_like_it_goes_to_the_ring_that_the_service_names(
    rings, begun
):
    guessed, real = await begun("one"), await begun("two")
    assert await rings.hear("one", NO_ANSWER, WEDNESDAY, is_certain=False)
    assert await rings.hear("two", NO_ANSWER, WEDNESDAY, is_certain=False) is None
    assert await rings.hear("two", NO_ANSWER, WEDNESDAY, is_certain=True)
    assert await rings.last(guessed.order_id) == guessed
    assert (await rings.last(real.order_id)).sid == "CA1"


async def test_a_guess_takes_no_call_from_anybody(rings, begun):
    real = await begun("one")
    await begun("two")
    await rings.hear("one", NO_ANSWER, WEDNESDAY, is_certain=True)
    for is_certain in (False, True):
        assert await rings.hear("two", NO_ANSWER, WEDNESDAY, is_certain=is_certain) is None
    assert (await rings.last(real.order_id)).sid == "CA1"


async def test_two_rings_that_claim_a_call_in_the_same_instant_do_not_both_get_it(rings, begun):
    both = [await begun(token) for token in ("one", "two")]
    await asyncio.gather(
        *(rings.hear(ring.token, NO_ANSWER, WEDNESDAY, is_certain=False) for ring in both)
    )
    assert sorted([(await rings.last(ring.order_id)).sid for ring in both]) == ["", "CA1"]


async def test_many_notices_at_once_lose_nothing(rings, begun):
    ring = await begun("one")
    words = [CallStatus.INITIATED, CallStatus.RINGING, CallStatus.CANCELED] * 4
    reports = [CallReport("CA1", word, number) for number, word in enumerate(words)]
    await asyncio.gather(
        *(rings.hear("one", report, WEDNESDAY, is_certain=True) for report in reports)
    )
    heard = await rings.last(ring.order_id)
    assert (heard.status, heard.has_rung, heard.sequence) == ("canceled", True, 11)
    assert heard.outcome is RingOutcome.REACHED


async def test_whoever_waits_for_how_a_ring_ends_is_woken_when_it_ends(services, rings, begun):
    ring = await begun("one")
    later = WEDNESDAY + timedelta(minutes=5)
    job = NewJob(f"call.vendor:{ring.order_id}", "call.vendor", ring.order_id, {}, later)
    await add(services.outbox, [job])
    services.outbox.wake.clear()
    await rings.hear("one", CallReport("CA1", CallStatus.RINGING), WEDNESDAY, is_certain=True)
    assert (await services.outbox.next_due(), services.outbox.wake.is_set()) == (later, False)
    await rings.hear("one", NO_ANSWER, WEDNESDAY, is_certain=True)
    assert (await services.outbox.next_due(), services.outbox.wake.is_set()) == (WEDNESDAY, True)


async def test_the_calls_to_a_restaurant_within_a_time_are_counted(rings, begun):
    await begun("one", begun_at=WEDNESDAY - timedelta(minutes=61))
    await begun("two", begun_at=WEDNESDAY - timedelta(minutes=59))
    await begun("three")
    await begun("four", restaurant_id=2)
    assert await rings.count(1, WEDNESDAY - timedelta(hours=1)) == 2


async def test_calls_that_belong_to_a_ring_are_claimed(rings, begun):
    await begun("one")
    await rings.hear("one", NO_ANSWER, WEDNESDAY, is_certain=False)
    assert await rings.unclaimed(["CA3", "CA1", "CA2"]) == ["CA3", "CA2"]
    assert await rings.unclaimed([]) == []
