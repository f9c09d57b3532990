"""The break of a transport that is away: how long it is, and what ends it."""

import pytest

from kit.breaker import Breaker
from kit.outbox.errors import ChannelDown


@pytest.fixture
def breaker(clock):
    return Breaker(clock, 5.0, 300.0)


def test_each_break_is_twice_as_long_as_the_last_up_to_the_longest(breaker, clock):
    breaks = []
    for _ in range(8):
        breaks.append(breaker.failed("away").seconds)
        clock.advance(seconds=breaks[-1])
    assert breaks == [5, 10, 20, 40, 80, 160, 300, 300]


def test_a_hundred_that_fail_together_make_a_break_no_longer(breaker, clock):
    assert breaker.failed("away").seconds == 5
    clock.advance(seconds=2)
    assert {breaker.failed("away").seconds for _ in range(99)} == {3}
    clock.advance(seconds=3)
    breaker.check()
    assert breaker.failed("away").seconds == 10


def test_what_only_an_operator_mends_makes_a_break_longer(breaker, clock):
    breaker.failed("away")
    assert breaker.failed("the account is refused", at_once_for_long=True).seconds == 300
    clock.advance(seconds=299)
    with pytest.raises(ChannelDown, match="the account is refused"):
        breaker.check()


def test_one_that_works_ends_all_breaks(breaker):
    breaker.failed("away")
    breaker.worked()
    breaker.check()
    assert not breaker.has_failed
    assert breaker.failed("away").seconds == 5
