"""Limits of provider queries caused by visitors."""

from datetime import timedelta

import pytest

from campus_app.ordering.services.query_limits import QueryLimits
from kit.quota import Priority, Requester

ANONYMOUS = Requester(Priority.ANONYMOUS, "203.0.113.9")
CUSTOMER = Requester(Priority.KNOWN, "198.51.100.1")


@pytest.fixture
def limits(clock):
    return QueryLimits(clock, timedelta(seconds=3))


@pytest.mark.parametrize("requester", [ANONYMOUS, CUSTOMER], ids=["anonymous", "customer"])
def test_allows_is_false_when_last_answer_is_fresh(limits, clock, requester):
    limits.record_answer("order", clock.now())
    clock.advance(seconds=2.9)
    assert not limits.allows("order", requester)
    assert limits.allows("another order", requester)
    clock.advance(seconds=0.1)
    assert limits.allows("order", requester)


def test_allows_is_true_when_last_query_was_unanswered(limits):
    assert [limits.allows("order", CUSTOMER) for _ in range(2)] == [True, True]


def test_answers_are_removed_when_not_fresh(limits, clock):
    for number in range(1_000):
        limits.record_answer(f"{number}", clock.now())
        clock.advance(seconds=0.01)
    assert len(limits._answered_at) <= 300


def test_one_visit_of_return_page_is_within_limits(limits, clock):
    for _ in range(6):
        assert limits.allows("order", CUSTOMER)
        clock.advance(seconds=5)


def test_order_limit_refuses_and_recovers(limits, clock):
    assert [limits.allows("order", ANONYMOUS) for _ in range(8)] == [True] * 6 + [False] * 2
    clock.advance(seconds=10)
    assert [limits.allows("order", ANONYMOUS) for _ in range(2)] == [True, False]


def test_order_limit_recovers_in_time_when_the_clock_was_set_back(limits, clock):
    assert [limits.allows("order", ANONYMOUS) for _ in range(7)] == [True] * 6 + [False]
    clock.set(clock.now() - timedelta(hours=1))
    clock.advance(seconds=10)
    assert limits.allows("order", ANONYMOUS)


def test_anonymous_queries_do_not_consume_customer_limit_of_order(limits):
    for _ in range(100):
        limits.allows("order", ANONYMOUS)
    assert limits.allows("order", CUSTOMER)


def test_client_limit_affects_no_other_client(limits, clock):
    allowed = [limits.allows(f"{number}", ANONYMOUS) for number in range(200)]
    assert (sum(allowed), allowed[:60]) == (60, [True] * 60)
    assert limits.allows("200", CUSTOMER)
    clock.advance(seconds=0.5)
    assert limits.allows("201", ANONYMOUS)


def test_client_limit_allows_one_order_per_second(limits, clock):
    """A campus lunch is one order every three seconds."""
    for number in range(600):
        assert limits.allows(f"{number}", CUSTOMER)
        clock.advance(seconds=1)


def test_anonymous_queries_do_not_consume_customer_limit_of_address(limits):
    anonymous = Requester(Priority.ANONYMOUS, CUSTOMER.client)
    allowed = [limits.allows(f"order {number}", anonymous) for number in range(200)]
    assert not allowed[-1]
    assert limits.allows("the customer's order", CUSTOMER)


def test_allows_is_true_after_clock_is_set_back(limits, clock):
    limits.record_answer("order", clock.now())
    clock.advance(seconds=-60)
    assert limits.allows("order", CUSTOMER)
