"""How often an outside system is called."""

import asyncio
import time

import pytest

from campus_app.infrastructure.pace import NotYet, Spacing, TokenBucket, TokenBuckets
from tests.support.waiting import TICK_SECONDS

pytestmark = pytest.mark.anyio


class Hand:
    """A steady clock that is moved by hand."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def hand():
    return Hand()


def calls_of(bucket, hand, seconds):
    """Return when calls leave that come whenever they may."""
    moments, end = [], hand.now + seconds
    while hand.now < end:
        hand.now += bucket.reserve(patience_seconds=60)
        moments.append(hand.now)
    return moments


@pytest.mark.parametrize("most", [1, 4, 30, 100, 400])
def test_no_minute_holds_more_calls_than_are_granted(hand, most):
    moments = calls_of(TokenBucket.within_a_minute(most, hand), hand, 300)
    fullest = max(sum(1 for each in moments if start <= each < start + 60) for start in moments)
    assert fullest <= max(most, 2)
    assert len(moments) >= most * 300 / 60 * 0.7


def test_some_leave_at_once_and_the_rest_evenly(hand):
    bucket = TokenBucket.within_a_minute(40, hand)
    assert [bucket.reserve(10) for _ in range(11)] == [0.0] * 10 + [2.0]


def test_who_would_wait_too_long_takes_no_turn(hand):
    bucket = TokenBucket.within_a_minute(4, hand)
    assert bucket.reserve(0) == 0.0
    for _ in range(3):
        with pytest.raises(NotYet) as refused:
            bucket.reserve(5)
        assert refused.value.seconds == 20.0
    hand.now += 20
    assert bucket.reserve(0) == 0.0


def test_each_key_has_turns_of_its_own(hand):
    buckets = TokenBuckets(2, 3, hand)
    assert [buckets.reserve("a") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert buckets.reserve("b", turns=3) == 0.0


def test_a_key_is_remembered_until_its_turns_are_there_again(hand):
    buckets = TokenBuckets(2, 4, hand)
    buckets.reserve("a", turns=8)
    buckets.reserve("b")
    hand.now += 3
    assert buckets.reserve("a") == 0.0  # b is forgotten by now: it is as if it had never come
    assert len(buckets) == 1
    assert buckets.reserve("a", turns=2) == 0.5, "a has had the turns that came meanwhile"
    for number in range(100):
        buckets.reserve(f"{number}")
    hand.now += 9
    buckets.reserve("c")
    assert len(buckets) == 1


def test_a_rest_holds_everyone_up(hand):
    bucket = TokenBucket.within_a_minute(100, hand)
    bucket.rest(7)
    bucket.rest(3)
    with pytest.raises(NotYet) as refused:
        bucket.reserve(5)
    assert refused.value.seconds == 7.0
    hand.now += 7
    assert bucket.reserve(0) == 0.0


def test_as_many_as_are_stored_pass_at_once_and_the_others_wait_for_their_turn(hand):
    bucket = TokenBucket(10, 3, hand)
    waits = [bucket.reserve() for _ in range(6)]
    assert waits == pytest.approx([0, 0, 0, 0.1, 0.2, 0.3])


def test_the_store_fills_up_again_and_never_beyond(hand):
    bucket = TokenBucket(10, 3, hand)
    for _ in range(3):
        bucket.reserve()
    hand.now += 0.1
    assert [bucket.reserve() for _ in range(2)] == pytest.approx([0, 0.1])
    hand.now += 3_600
    assert [bucket.reserve() for _ in range(4)] == pytest.approx([0, 0, 0, 0.1])


async def test_a_turn_is_waited_for():
    bucket = TokenBucket.within_a_minute(4)
    bucket.rest(0.05)
    began = time.monotonic()
    await bucket.take(1)
    assert time.monotonic() - began >= 0.05 - TICK_SECONDS


def test_one_thing_waits_for_its_turn_and_another_does_not(hand):
    spacing = Spacing(3, hand)
    assert [spacing.reserve("a") for _ in range(3)] == [0.0, 3.0, 6.0]
    assert spacing.reserve("b") == 0.0
    hand.now += 9
    assert spacing.reserve("a") == 0.0


def test_what_was_long_ago_is_forgotten(hand):
    spacing = Spacing(3, hand)
    for number in range(1_000):
        spacing.reserve(str(number))
    hand.now += 6
    spacing.reserve("a")
    assert len(spacing._last) == 1


async def test_a_things_turn_is_waited_for():
    spacing = Spacing(0.05)
    began = time.monotonic()
    await asyncio.gather(spacing.turn("a"), spacing.turn("a"))
    assert time.monotonic() - began >= 0.05 - TICK_SECONDS
