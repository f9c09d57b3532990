"""Table reservations: twelve slots, one bookable day, one to eight guests."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.domain.reservation import (
    SLOTS,
    bookable_date,
    is_party,
    is_slot_open,
    slot_named,
)

INDIA = ZoneInfo("Asia/Kolkata")
TODAY, TOMORROW = date(2026, 8, 24), date(2026, 8, 25)
NAMES = [
    "12:00",
    "12:30",
    "13:00",
    "13:30",
    "14:00",
    "14:30",
    "15:00",
    "15:30",
    "16:00",
    "16:30",
    "17:00",
    "17:30",
]


def campus(clock):
    return datetime.combine(TODAY, time.fromisoformat(clock), INDIA)


def open_slots(day, moment):
    return [f"{slot:%H:%M}" for slot in SLOTS if is_slot_open(slot, day, moment)]


def test_the_slots_are_the_specifications_twelve():
    assert [f"{slot:%H:%M}" for slot in SLOTS] == NAMES


@pytest.mark.parametrize("size", [pytest.param(1, id="spec 5: from 1"), 2, 7, 8])
def test_one_to_eight_guests_are_a_party(size):
    assert is_party(size) is True


@pytest.mark.parametrize("size", [0, 9, -1, True, 1.0, "2", None, 10**30])
def test_anything_else_is_no_party(size):
    assert is_party(size) is False


@pytest.mark.parametrize("name", NAMES)
def test_a_slot_is_found_by_its_name(name):
    assert slot_named(name) == time.fromisoformat(name)


@pytest.mark.parametrize(
    "text", ["", "11:30", "18:00", "12:15", "12:00:00", "9:00", " 12:00", "noon", "१२:००"]
)
def test_any_other_text_names_no_slot(text):
    assert slot_named(text) is None


@pytest.mark.parametrize(
    ("clock", "day"),
    [
        pytest.param("00:00", TODAY, id="midnight"),
        pytest.param("17:29:59.999999", TODAY, id="just before the last slot"),
        pytest.param("17:30", TOMORROW, id="DECISIONS R7: no slot of today is left"),
        pytest.param("23:59", TOMORROW, id="the end of the day"),
    ],
)
def test_tomorrow_is_offered_when_today_is_over(clock, day):
    assert bookable_date(campus(clock)) == day
    assert bookable_date(campus(clock).astimezone(UTC)) == day


def test_the_bookable_day_is_the_campus_day():
    assert bookable_date(datetime(2026, 8, 24, 18, 29, tzinfo=UTC)) == date(2026, 8, 25)
    assert bookable_date(datetime(2026, 8, 24, 18, 30, tzinfo=UTC)) == date(2026, 8, 25)
    assert bookable_date(datetime(2026, 8, 25, 12, 0, tzinfo=UTC)) == date(2026, 8, 26)
    assert bookable_date(datetime(2026, 12, 31, 12, 0, tzinfo=UTC)) == date(2027, 1, 1)


@pytest.mark.parametrize(
    ("clock", "day", "names"),
    [
        pytest.param("09:00", TODAY, NAMES, id="the whole day lies ahead"),
        pytest.param("11:59:59", TODAY, NAMES, id="a second before the first slot"),
        pytest.param("12:00", TODAY, NAMES[1:], id="spec 5: past slots for today are disabled"),
        pytest.param("14:10", TODAY, NAMES[5:], id="in the afternoon"),
        pytest.param("17:29:59", TODAY, ["17:30"], id="a second before the last slot"),
        pytest.param("17:30", TODAY, [], id="today is over"),
        pytest.param("17:30", TOMORROW, NAMES, id="DECISIONS R7: tomorrow's are offered"),
        pytest.param("23:59:59", TOMORROW, NAMES, id="a second before tomorrow"),
        pytest.param("14:10", TOMORROW, [], id="DECISIONS R7: not while today has slots"),
        pytest.param("14:10", TODAY - timedelta(days=1), [], id="yesterday"),
        pytest.param("17:30", TODAY + timedelta(days=2), [], id="the day after tomorrow"),
    ],
)
def test_a_slot_is_open_until_it_begins(clock, day, names):
    assert open_slots(day, campus(clock)) == names
    assert open_slots(day, campus(clock).astimezone(UTC)) == names


@given(st.datetimes(datetime(2024, 1, 1), datetime(2030, 1, 1), timezones=st.just(UTC)))
def test_there_is_always_exactly_one_day_with_open_slots_and_they_lie_ahead(moment):
    around = [moment.astimezone(INDIA).date() + timedelta(days=days) for days in (-2, -1, 0, 1, 2)]
    days = [day for day in around if open_slots(day, moment)]
    assert days == [bookable_date(moment)]
    for slot in SLOTS:
        lies_ahead = datetime.combine(days[0], slot, INDIA) > moment
        assert is_slot_open(slot, days[0], moment) == lies_ahead
