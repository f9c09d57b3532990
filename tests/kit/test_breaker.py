"""The circuit breaker: its states, its open times, and what closes it."""

import pytest

from kit.breaker import CircuitBreaker, CircuitState


class Refused(Exception):
    """The error of a refused call."""

    def __init__(self, reason, seconds):
        super().__init__(reason)
        self.seconds = seconds


@pytest.fixture
def breaker(clock):
    return CircuitBreaker(5.0, 300.0, Refused, clock.monotonic)


def test_breaker_is_half_open_after_its_open_time_and_closed_after_success(breaker, clock):
    states = [breaker.state]
    breaker.record_failure("down")
    states.append(breaker.state)
    clock.advance(seconds=5)
    states.append(breaker.state)
    breaker.record_success()
    states.append(breaker.state)
    assert states == [
        CircuitState.CLOSED,
        CircuitState.OPEN,
        CircuitState.HALF_OPEN,
        CircuitState.CLOSED,
    ]


def test_record_failure_doubles_open_time_up_to_the_longest(breaker, clock):
    seconds = []
    for _ in range(8):
        seconds.append(breaker.record_failure("down").seconds)
        clock.advance(seconds=seconds[-1])
    assert seconds == [5, 10, 20, 40, 80, 160, 300, 300]


def test_record_failure_does_not_extend_open_time_when_already_open(breaker, clock):
    assert breaker.record_failure("down").seconds == 5
    clock.advance(seconds=2)
    assert {breaker.record_failure("down").seconds for _ in range(99)} == {3}
    clock.advance(seconds=3)
    breaker.check()
    assert breaker.record_failure("down").seconds == 10


def test_record_failure_uses_longest_open_time_when_it_needs_an_operator(breaker, clock):
    breaker.record_failure("down")
    refused = breaker.record_failure("the account is refused", needs_operator=True)
    assert refused.seconds == 300
    clock.advance(seconds=299)
    with pytest.raises(Refused, match="the account is refused"):
        breaker.check()


@pytest.mark.parametrize("close", [CircuitBreaker.record_success, CircuitBreaker.reset])
def test_closing_admits_calls_and_restarts_with_the_first_open_time(breaker, close):
    breaker.record_failure("down")
    close(breaker)
    breaker.check()
    assert breaker.state is CircuitState.CLOSED
    assert breaker.record_failure("down").seconds == 5
