"""Other hours of single days: a table, and a model that knows nothing of the domain's arithmetic.

The usual hours alone are in test_restaurant.py. Source: specification 15.1 to 15.3.
"""

from datetime import date, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from campus_app.catalogue.rules.opening_hours import DayHours, OpeningHours
from campus_app.catalogue.rules.restaurant import RestaurantDay
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from tests.helpers.builders import RESTAURANT, at

WEDNESDAY = date(2026, 11, 18)
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)
clocks = st.times().map(lambda each: each.replace(second=0, microsecond=0))
usual_hours = st.builds(OpeningHours, clocks, clocks)
minutes = st.integers(-3 * 1440, 4 * 1440)


def hours(text, **days):
    """Return usual hours, and other hours of days of November: `d18="09:00-18:00"`."""
    opens, closes = map(time.fromisoformat, text.split("-"))
    others = [
        DayHours(WEDNESDAY.replace(day=int(name[1:])), *map(time.fromisoformat, other.split("-")))
        for name, other in days.items()
    ]
    return OpeningHours(opens, closes, tuple(others))


@pytest.mark.parametrize(
    ("usual", "today", "now", "is_open", "change", "day"),
    [
        # The golden table of the specification.
        ("09:00-00:00", "09:00-18:00", at(17, 59), True, at(18), 18),
        ("09:00-00:00", "09:00-18:00", at(18), False, at(9, day=19), 18),
        ("07:00-21:00", "11:00-21:00", at(8), False, at(11), 18),
        ("07:00-21:00", "07:00-23:30", at(23), True, at(23, 30), 18),
        ("07:00-21:00", "07:00-02:00", at(1, day=19), True, at(2, day=19), 18),
        ("07:00-21:00", "07:00-02:00", at(2, day=19), False, at(7, day=19), 19),
        ("17:00-07:30", "17:00-03:00", at(1, day=19), True, at(3, day=19), 18),
        ("17:00-07:30", "17:00-03:00", at(3, day=19), False, at(17, day=19), 18),
        ("17:00-07:30", "17:00-03:00", at(7, 30, day=19), False, at(17, day=19), 19),
        ("17:00-07:30", "05:00-23:00", at(7, 30), True, at(23), 18),
        ("17:00-07:30", "05:00-23:00", at(7, day=19), False, at(17, day=19), 18),
        ("00:00-00:00", "00:00-18:00", at(19), False, at(0, day=19), 18),
        ("00:00-00:00", "10:00-00:00", at(9), False, at(10), 18),
    ],
)
def test_day_with_other_hours_opens_closes_and_ends(usual, today, now, is_open, change, day):
    of = hours(usual, d18=today)
    assert of.is_open_at(now) is is_open
    assert of.next_change(now) == change
    assert of.closes_at(now) == (change if is_open else None)
    assert of.day_at(now).day == day


@pytest.mark.parametrize(
    ("usual", "today", "is_so"),
    [
        ("07:00-21:00", "11:00-10:00", True),  # swapped, most likely
        ("07:00-21:00", "07:00-07:00", False),
        ("17:00-07:30", "17:00-16:59", False),
        ("17:00-07:30", "20:00-19:00", True),
        ("00:00-00:00", "10:00-00:00", False),
        ("00:00-00:00", "10:00-00:01", True),
        ("09:00-00:00", "09:02-09:01", True),
    ],
)
def test_hours_that_last_beyond_the_next_days_opening_are_found(usual, today, is_so):
    (other,) = hours("00:00-00:00", d18=today).days
    assert hours(usual).meets_next_day(other) is is_so


def test_hours_until_the_next_days_opening_do_not_close_between():
    of = hours("07:00-21:00", d18="11:00-07:00")
    assert of.closes_at(at(23)) == at(21, day=19)
    assert of.last_opening(at(12, day=19)) == at(7)
    assert hours("00:00-00:00", d18="10:00-00:00").closes_at(at(12)) is None


def test_board_keeps_orders_when_the_opening_is_moved_after_them():
    of = hours("07:00-21:00", d18="11:00-21:00")
    assert of.last_opening(at(9)) == of.last_opening(at(12)) == at(7)
    assert of.next_opening(at(9)) == at(11)


def open_minutes(of):
    """Return the minutes since Wednesday's midnight at which it is open, of twelve days."""
    opened = set()
    for number in range(-6, 7):
        day = of.on(WEDNESDAY + number * DAY)
        minute = number * 1440 + day.open.hour * 60 + day.open.minute
        while True:
            opened.add(minute)
            minute += 1
            if minute % 1440 == day.close.hour * 60 + day.close.minute:
                break
    return opened


def moment(minute):
    return datetime.combine(WEDNESDAY, time(0), CAMPUS_TIME_ZONE) + minute * MINUTE


@given(usual_hours, st.lists(clocks, min_size=2, max_size=4), minutes)
def test_hours_of_days_match_the_model_of_minutes(usual, others, minute):
    pairs = zip(others[::2], others[1::2], strict=False)
    days = (DayHours(WEDNESDAY + n * DAY, *pair) for n, pair in enumerate(pairs))
    of = OpeningHours(usual.open, usual.close, tuple(days))
    opened, now = open_minutes(of), moment(minute)
    assert of.is_open_at(now) is (minute in opened)
    later = range(minute + 1, minute + 2 * 1440)
    flips = [each for each in later if (each in opened) != (each - 1 in opened)]
    if flips:
        assert of.next_change(now) == moment(flips[0])
        assert of.is_open_at(of.next_change(now)) != of.is_open_at(now)
    openings = [each for each in flips if each in opened]
    if openings:
        assert of.next_opening(now) == moment(openings[0])
    closings = [each for each in flips if each not in opened]
    if minute in opened and closings:
        assert of.closes_at(now) == moment(closings[0])


@given(usual_hours, clocks, clocks, minutes)
def test_other_hours_count_on_their_day_alone(usual, opens, closes, minute):
    other = DayHours(WEDNESDAY, opens, closes)
    of, now = OpeningHours(usual.open, usual.close, (other,)), moment(minute)
    if of.day_at(now) > WEDNESDAY or now < moment(0):
        assert of.is_open_at(now) is usual.is_open_at(now)
        assert of.other_hours(now) == ""
    if of.day_at(now) > WEDNESDAY and usual.open != usual.close:
        assert of.next_change(now) == usual.next_change(now)
        assert of.open_from(now) == usual.open_from(now)
    assert of.day_at(now) in {now.date(), now.date() - DAY}
    if of.is_open_at(now) and not usual.is_open_at(now):
        assert of.day_at(now) == WEDNESDAY


@given(usual_hours, minutes)
def test_usual_hours_of_a_day_change_nothing(usual, minute):
    same = DayHours(WEDNESDAY, usual.open, usual.close)
    of, now = OpeningHours(usual.open, usual.close, (same,)), moment(minute)
    for name in ("is_open_at", "next_change", "next_opening", "last_opening", "closes_at"):
        assert getattr(of, name)(now) == getattr(usual, name)(now)
    assert (of.other_hours(now), of.other_opening(now)) == ("", "")
    assert of.day_at(now) == usual.day_at(now)
    assert not usual.meets_next_day(same)


@pytest.mark.parametrize(
    ("now", "shown", "opens"),
    [
        (at(23, day=17), "", "11:00"),
        (at(8), "11:00-21:00", "11:00"),
        (at(12), "11:00-21:00", ""),
        (at(22), "11:00-21:00", ""),
        (at(0, day=19), "", ""),
    ],
)
def test_texts_are_only_given_where_they_differ(now, shown, opens):
    of = hours("07:00-21:00", d18="11:00-21:00")
    assert (of.other_hours(now), of.other_opening(now)) == (shown, opens)


def test_restaurant_has_seats_of_a_day_and_the_usual_ones_otherwise():
    ours = RestaurantDay(1, WEDNESDAY, seats=10)
    theirs = RestaurantDay(2, WEDNESDAY, time(9), time(18), 3)
    found = RESTAURANT.with_days([ours, theirs])
    assert (found.seats_on(WEDNESDAY), found.seats_on(WEDNESDAY + DAY)) == (10, 0)
    assert found.hours == RESTAURANT.hours
    assert found.with_days([]) == RESTAURANT
