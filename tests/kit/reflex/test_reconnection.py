"""When a page reconnects: a random part of two seconds, then growing random times."""

from random import Random

import pytest

from kit.reflex.reconnection import (
    BACKOFF_MS,
    LONGEST_BACKOFF,
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


@pytest.mark.parametrize("failed", [1, 3, LONGEST_BACKOFF])
def test_backoff_is_half_to_one_and_a_half_times_its_mean(failed):
    delays, mean = samples(failed), BACKOFF_MS / 1_000 * failed
    assert 0.5 * mean <= min(delays) < 0.55 * mean
    assert 1.45 * mean < max(delays) < 1.5 * mean


def test_backoff_stops_growing_after_ten_failed_attempts():
    assert samples(LONGEST_BACKOFF) == samples(LONGEST_BACKOFF + 5)
