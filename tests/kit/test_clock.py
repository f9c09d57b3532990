"""The clock, and times as milliseconds."""

import time
from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from kit.clock import SystemClock, from_ms, to_ms
from tests.helpers.builders import at


def test_system_clock_returns_utc():
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert before <= now <= datetime.now(UTC)
    assert now.tzinfo is UTC


def test_clock_that_was_set_starts_there_and_runs_on():
    # Source: specification R8.
    before = datetime.now(UTC)
    clock = SystemClock.starting_at(at(13))
    first = clock.now()
    second = clock.now()
    took = datetime.now(UTC) - before
    assert at(13) <= first <= second <= at(13) + took


def test_monotonic_does_not_depend_on_the_time_that_the_clock_shows():
    before = time.monotonic()
    seconds = SystemClock.starting_at(at(13)).monotonic()
    assert before <= seconds <= time.monotonic()


def test_clock_returns_utc_when_set_in_another_zone():
    assert SystemClock.starting_at(at(13)).now().utcoffset() == timedelta(0)


@given(
    st.datetimes(datetime(1970, 1, 2), datetime(2200, 1, 1), timezones=st.just(CAMPUS_TIME_ZONE))
)
def test_milliseconds_round_trip_to_the_same_time(moment):
    kept = from_ms(to_ms(moment))
    assert abs(kept - moment) <= timedelta(milliseconds=0.5)
    assert to_ms(kept) == to_ms(moment)
    assert kept.tzinfo is UTC
