"""When a page reconnects: a random part of two seconds, then at growing times, five times."""

from math import inf
from random import Random

import pytest

from kit.reflex.reconnection import (
    BACKOFF_MS,
    LONGEST_BACKOFF_MS,
    MOST_ATTEMPTS,
    SPREAD_MS,
    reconnect_seconds,
)

SAMPLES = 2_000


def samples(failed_attempts):
    rng = Random(1)
    return [reconnect_seconds(failed_attempts, rng) for _ in range(SAMPLES)]


def test_first_attempts_are_spread_evenly_over_two_seconds():
    delays, most = samples(0), SPREAD_MS / 1_000
    assert 0 <= min(delays) < max(delays) < most
    for quarter in range(4):
        bounds = most * quarter / 4, most * (quarter + 1) / 4
        count = sum(bounds[0] <= delay < bounds[1] for delay in delays)
        assert count == pytest.approx(SAMPLES / 4, rel=0.15)


@pytest.mark.parametrize("failed", range(1, MOST_ATTEMPTS))
def test_backoff_doubles_and_is_half_random(failed):
    delays, most = samples(failed), min(BACKOFF_MS * 2 ** (failed - 1), LONGEST_BACKOFF_MS) / 1_000
    assert 0.5 * most <= min(delays) < 0.52 * most
    assert 0.98 * most < max(delays) < most <= 10


def test_page_waits_for_the_visitor_after_five_failed_attempts():
    assert reconnect_seconds(MOST_ATTEMPTS - 1, Random(1)) < inf
    assert reconnect_seconds(MOST_ATTEMPTS, Random(1)) == inf
