"""The rate limiter, and what counts as one address."""

import pytest

from kit.rate_limit import RateLimited, RateLimiter, rate_limit_key


class ManualTime:
    """Seconds that pass when a test says so."""

    def __init__(self):
        self.now = 1_000.0

    def __call__(self):
        return self.now


@pytest.fixture
def now():
    return ManualTime()


def permits_taken(limiter, now, seconds):
    """Return when permits are used by a caller who takes each as soon as it is free."""
    moments, end = [], now.now + seconds
    while now.now < end:
        now.now += limiter.reserve(max_wait_seconds=60)
        moments.append(now.now)
    return moments


@pytest.mark.parametrize("most", [1, 4, 30, 100, 400])
def test_within_a_minute_limits_permits_in_any_minute(now, most):
    moments = permits_taken(RateLimiter.within_a_minute(most, now=now), now, 300)
    fullest = max(sum(1 for each in moments if start <= each < start + 60) for start in moments)
    assert fullest <= max(most, 2)
    assert len(moments) >= most * 300 / 60 * 0.7


def test_reserve_grants_the_burst_at_once_and_the_rest_evenly(now):
    limiter = RateLimiter.within_a_minute(40, now=now)
    assert [limiter.reserve() for _ in range(12)] == pytest.approx([0.0] * 10 + [2.0, 4.0])


def test_reserve_takes_no_permit_when_the_wait_exceeds_the_maximum(now):
    limiter = RateLimiter.within_a_minute(4, now=now)
    assert limiter.reserve() == 0.0
    for _ in range(3):
        with pytest.raises(RateLimited) as raised:
            limiter.reserve(max_wait_seconds=5)
        assert raised.value.seconds == pytest.approx(20.0)
    now.now += 20
    assert limiter.reserve(max_wait_seconds=0) == 0.0


def test_permits_refill_up_to_the_burst(now):
    limiter = RateLimiter(10, 1, 3, now=now)
    for _ in range(3):
        limiter.reserve()
    now.now += 0.1
    assert [limiter.reserve() for _ in range(2)] == pytest.approx([0, 0.1])
    now.now += 3_600
    assert [limiter.reserve() for _ in range(4)] == pytest.approx([0, 0, 0, 0.1])


def test_reserve_waits_for_more_permits_than_the_burst(now):
    limiter = RateLimiter(10, 1, 3, now=now)
    assert limiter.seconds_until(8) == pytest.approx(0.5)
    assert limiter.reserve(permits=8) == pytest.approx(0.5)
    assert limiter.reserve() == pytest.approx(0.6)


def test_seconds_until_takes_no_permit(now):
    limiter = RateLimiter(10, 1, 3, now=now)
    assert [limiter.seconds_until(4) for _ in range(3)] == pytest.approx([0.1] * 3)
    assert limiter.reserve(permits=3) == 0.0


def test_reserve_counts_each_key_separately(now):
    limiter = RateLimiter(2, 1, 3, now=now)
    assert [limiter.reserve("a") for _ in range(4)] == [0.0, 0.0, 0.0, 0.5]
    assert limiter.reserve("b", 3) == 0.0


def test_key_is_deleted_when_all_its_permits_are_free(now):
    limiter = RateLimiter(2, 1, 4, now=now)
    for number in range(100):
        limiter.reserve(f"{number}")
    limiter.block(1, "blocked")
    assert len(limiter) == 101
    now.now += 9
    limiter.reserve("a", 8)
    assert len(limiter) == 1
    now.now += 3
    limiter.reserve("b")
    assert len(limiter) == 2, "a still owes permits"
    assert limiter.reserve("a") == 0.0


def test_block_grants_no_permit_until_it_ends(now):
    limiter = RateLimiter.within_a_minute(100, now=now)
    limiter.block(7)
    limiter.block(3)
    with pytest.raises(RateLimited) as raised:
        limiter.reserve(max_wait_seconds=5)
    assert raised.value.seconds == 7.0
    now.now += 7
    assert limiter.reserve(max_wait_seconds=0) == 0.0


def test_retry_after_is_positive_after_the_limit_of_a_minute(now):
    # Source: specification C3.19.
    limiter = RateLimiter(300, now=now)
    assert [limiter.retry_after("10.0.0.1") for _ in range(300)] == [0] * 300
    wait = limiter.retry_after("10.0.0.1")
    assert 1 <= wait <= 60
    now.now += wait
    assert limiter.retry_after("10.0.0.1") == 0


def test_rate_limit_key_is_the_network_of_an_ipv6_address():
    keys = {
        "2001:db8:1:2::7": "2001:db8:1:2::/64",
        "2001:db8:1:2:ffff::": "2001:db8:1:2::/64",
        "2001:db8:1:3::7": "2001:db8:1:3::/64",
        "::ffff:10.0.0.1": "10.0.0.1",
        "fe80::1%eth0": "fe80::/64",
    }
    others = ("10.0.0.1", "testclient", "10.0.0.1, 10.0.0.2", "a/b%c", "")
    keys |= {address: address for address in others}
    assert {address: rate_limit_key(address) for address in keys} == keys
