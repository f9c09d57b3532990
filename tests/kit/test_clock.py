"""The one clock, and how tables keep its moments."""

from datetime import UTC, datetime, timedelta

from hypothesis import given
from hypothesis import strategies as st

from campus_app.domain.constants import CAMPUS_TIME_ZONE
from kit.clock import SystemClock, from_ms, to_ms
from tests.helpers.builders import at


def test_the_clock_reads_the_machines_time_in_utc():
    before = datetime.now(UTC)
    now = SystemClock().now()
    assert before <= now <= datetime.now(UTC)
    assert now.tzinfo is UTC


def test_a_clock_that_was_set_starts_there_and_keeps_running():
    # Source: specification R8.
    before = datetime.now(UTC)
    clock = SystemClock.starting_at(at(13))
    first = clock.now()
    second = clock.now()
    took = datetime.now(UTC) - before
    assert at(13) <= first <= second <= at(13) + took


def test_a_clock_that_was_set_reads_utc_whatever_zone_it_was_set_in():
    assert SystemClock.starting_at(at(13)).now().utcoffset() == timedelta(0)


@given(
    st.datetimes(datetime(1970, 1, 2), datetime(2200, 1, 1), timezones=st.just(CAMPUS_TIME_ZONE))
)
def test_a_moment_comes_back_from_a_table_as_it_was_to_the_millisecond(moment):
    kept = from_ms(to_ms(moment))
    assert abs(kept - moment) <= timedelta(milliseconds=0.5)
    assert to_ms(kept) == to_ms(moment)
    assert kept.tzinfo is UTC
