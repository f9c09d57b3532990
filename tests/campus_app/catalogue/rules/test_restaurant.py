"""Opening hours for every minute of a week, and the status badges.

The reference model steps from each opening to its closing and collects the minutes of the week; it
shares no arithmetic with the domain.
"""

import time as time_of_machine
from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.catalogue.rules.restaurant import RestaurantState, restaurant_state

INDIA = ZoneInfo("Asia/Kolkata")
MONDAY = datetime(2026, 8, 24, tzinfo=INDIA)
MINUTES_A_WEEK = 7 * 24 * 60
WEEK = [(MONDAY + timedelta(minutes=minute)).astimezone(UTC) for minute in range(MINUTES_A_WEEK)]

clock = st.times().map(lambda at: at.replace(second=0, microsecond=0))
hours_of_a_day = st.builds(OpeningHours, clock, clock)
second_of_week = st.integers(0, MINUTES_A_WEEK * 60 - 1)


def hours(text):
    opens, closes = text.split("-")
    return OpeningHours(time.fromisoformat(opens), time.fromisoformat(closes))


def open_minutes(of):
    """Return the minutes of the week from each day's opening to the next closing."""
    passed = set()
    for midnight in range(0, MINUTES_A_WEEK, 1_440):
        minute = midnight + of.open.hour * 60 + of.open.minute
        while True:
            passed.add(minute % MINUTES_A_WEEK)
            minute += 1
            if minute % 1_440 == of.close.hour * 60 + of.close.minute:
                break
    return passed


def next_flip(is_open, minute):
    """Return the first later minute whose state differs from that of the minute before it."""
    for step in range(1, MINUTES_A_WEEK + 1):
        before, after = (minute + step - 1) % MINUTES_A_WEEK, (minute + step) % MINUTES_A_WEEK
        if (before in is_open) != (after in is_open):
            return minute + step
    return None


@pytest.mark.parametrize(
    "text",
    [
        *("10:30-20:30", "09:00-22:30", "07:00-21:00"),  # specification 9.35
        *("11:00-00:00", "00:00-06:00", "11:00-02:00", "17:00-07:30"),  # specification R2
        *("12:00-11:59", "23:59-00:00", "00:00-00:01", "23:59-00:01", "00:00-23:59"),
    ],
)
def test_is_open_at_every_minute_of_a_week(text):
    of = hours(text)
    expected = open_minutes(of)
    assert {minute for minute in range(MINUTES_A_WEEK) if of.is_open_at(WEEK[minute])} == expected
    flips = [
        minute
        for minute in range(MINUTES_A_WEEK)
        if (minute in expected) != ((minute - 1) % MINUTES_A_WEEK in expected)
    ]
    assert len(flips) == 14
    upcoming = iter([*flips, flips[0] + MINUTES_A_WEEK])
    flip = next(upcoming)
    for minute in range(MINUTES_A_WEEK):
        if minute >= flip:
            flip = next(upcoming)
        assert of.next_change(WEEK[minute]) == MONDAY + timedelta(minutes=flip)


@pytest.mark.parametrize("text", ["00:00-00:00", "12:00-12:00", "23:59-23:59"])
def test_next_change_of_hours_that_never_close_is_opening_time(text):
    of = hours(text)
    assert open_minutes(of) == set(range(MINUTES_A_WEEK))
    assert all(of.is_open_at(moment) for moment in WEEK)
    for moment in WEEK[::37]:
        change = of.next_change(moment)
        assert moment < change <= moment + timedelta(days=1)
        assert change.astimezone(INDIA).time() == of.open


@pytest.mark.parametrize(
    ("text", "now", "opening"),
    [
        ("10:30-20:30", "13:00", "10:30 tomorrow"),
        ("10:30-20:30", "23:00", "10:30 tomorrow"),
        ("10:30-20:30", "09:00", "10:30 today"),
        ("10:30-20:30", "10:30", "10:30 tomorrow"),
        ("17:00-07:30", "02:00", "17:00 today"),
        ("17:00-07:30", "18:00", "17:00 tomorrow"),
        ("00:00-00:00", "00:00", "00:00 tomorrow"),
    ],
)
def test_next_opening_is_strictly_later(text, now, opening):
    """Source: specification 10.20."""
    moment = MONDAY + timedelta(hours=int(now[:2]), minutes=int(now[3:]))
    found = hours(text).next_opening(moment.astimezone(ZoneInfo("UTC"))).astimezone(INDIA)
    day = "today" if found.date() == MONDAY.date() else "tomorrow"
    assert f"{found:%H:%M} {day}" == opening


@given(
    hours_of_a_day.filter(lambda of: of.open != of.close),
    second_of_week,
    st.integers(0, 999_999),
    st.sampled_from(["UTC", "Asia/Kolkata", "America/New_York", "Pacific/Kiritimati"]),
)
def test_next_change_is_next_flip_in_any_time_zone(of, second, microsecond, zone):
    moment = MONDAY + timedelta(seconds=second, microseconds=microsecond)
    expected = MONDAY + timedelta(minutes=next_flip(open_minutes(of), second // 60))
    change = of.next_change(moment.astimezone(ZoneInfo(zone)))
    assert change == expected
    assert change > moment
    assert of.is_open_at(change) != of.is_open_at(change - timedelta(microseconds=1))
    assert of.is_open_at(moment) == of.is_open_at(change - timedelta(microseconds=1))


@pytest.fixture
def zone_of_host(monkeypatch):
    """Sets the machine's time zone and restores it."""

    def moved(zone):
        monkeypatch.setenv("TZ", zone)
        time_of_machine.tzset()

    yield moved
    monkeypatch.undo()
    time_of_machine.tzset()


HOSTS = ["UTC", "America/New_York", "Asia/Kolkata", "Pacific/Kiritimati"]
NOON = datetime(2026, 8, 24, 6, 30, tzinfo=UTC)
"""12:00 on the campus."""


@pytest.mark.parametrize("zone", HOSTS)
def test_hours_are_in_campus_time_in_any_machine_zone(zone, zone_of_host):
    # Source: docs/invariants.md I12.
    zone_of_host(zone)
    assert hours("11:00-13:00").is_open_at(NOON)
    assert not hours("13:00-11:00").is_open_at(NOON)


def test_control_hours_depend_on_machine_zone_without_campus_zone(zone_of_host):
    def by_the_machine(of):
        return of.open <= NOON.astimezone().time() < of.close

    found = set()
    for zone in HOSTS:
        zone_of_host(zone)
        found.add(by_the_machine(hours("11:00-13:00")))
    assert found == {True, False}


@pytest.mark.parametrize(
    ("text", "moment", "closes"),
    [
        ("10:30-20:30", "10:29", None),
        ("10:30-20:30", "10:30", "20:30"),
        ("10:30-20:30", "20:29", "20:30"),
        ("10:30-20:30", "20:30", None),
        ("09:00-00:00", "23:59", "00:00"),
        ("17:00-07:30", "06:00", "07:30"),
        ("17:00-07:30", "18:00", "07:30"),
        ("08:00-08:00", "12:00", None),
    ],
)
def test_closes_at_returns_the_next_closing_time_while_open(text, moment, closes):
    at = datetime.combine(MONDAY.date(), time.fromisoformat(moment), INDIA)
    found = hours(text).closes_at(at)
    assert (found and f"{found:%H:%M}") == closes
    assert found is None or timedelta() < found - at < timedelta(days=1)


def test_hours_text_is_open_dash_close():
    for text in ("10:30-20:30", "09:00-00:00", "17:00-07:30"):
        assert str(hours(text)) == text


@pytest.mark.parametrize(
    ("moment", "is_forced_closed", "badge"),
    [
        pytest.param("12:00", False, "OPEN", id="4.2: OPEN within operating hours"),
        pytest.param("21:00", False, "CLOSED", id="4.2: else CLOSED"),
        pytest.param("12:00", True, "DELIVERY UNAVAILABLE", id="4.1: forced closed"),
        pytest.param("21:00", True, "DELIVERY UNAVAILABLE", id="4.1: forced and out of hours"),
    ],
)
def test_restaurant_state_is_one_of_three_badges(moment, is_forced_closed, badge):
    at = datetime.combine(MONDAY.date(), time.fromisoformat(moment), INDIA)
    state = restaurant_state(hours("10:30-20:30"), at, is_forced_closed=is_forced_closed)
    assert state is RestaurantState(badge)
