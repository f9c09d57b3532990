"""`ops hours` and `ops seats`. Source: specification 15.6."""

import pytest

from tests.helpers.databases import sqlite_only

pytestmark = sqlite_only


def test_hours_of_today_are_changed_shown_and_taken_back(run, services):
    shown = run("hours", "2", "--close", "12:30", "--json").json
    assert (shown["state"], shown["day"]) == ("CLOSED", "2026-11-18")
    assert (shown["hours"], shown["usualHours"]) == ("09:00-12:30", "09:00-00:00")
    assert run("hours", "2", "--open", "08:00", "--json").json["hours"] == "08:00-12:30"
    listed = run("restaurants", "--json").json["restaurants"][1]
    assert (listed["hours"], listed["hoursToday"]) == ("09:00-00:00", "08:00-12:30")
    assert "08:00-12:30 today" in run("restaurants").out
    out = run("hours", "2", "--usual").out
    assert "Kulhad Café is OPEN.\nHours of 2026-11-18: 09:00-00:00 (usually 09:00-00:00)." in out
    entries = run("audit", "--json").json["audit"]
    assert [(each["action"], each["details"]["after"]) for each in entries] == [
        ("restaurant.hours", "09:00-00:00"),
        ("restaurant.hours", "08:00-12:30"),
        ("restaurant.hours", "09:00-12:30"),
    ]


def test_seats_of_today_are_changed_and_taken_back(run):
    assert run("seats", "2", "10", "--json").json["seatsPerSlot"] == 10
    assert "Seats in each slot of today: 10 (usually 24)." in run("seats", "2", "10").out
    assert run("seats", "2", "--usual", "--json").json["seatsPerSlot"] == 24


@pytest.mark.parametrize(
    ("words", "code", "error"),
    [
        ("hours 2", 2, "choose --open or --close or both, or --usual"),
        ("hours 2 --usual --open 09:00", 2, "choose --open or --close or both, or --usual"),
        ("hours 2 --close 24:00", 2, "'24:00' is not a time like 18:00"),
        ("hours 3 --open 11:00 --close 10:00", 1, "10:00 is after the next day’s opening at 07:00"),
        ("hours 99 --close 18:00", 1, "There is no such restaurant."),
        ("seats 2", 2, "choose a number of seats, or --usual"),
        ("seats 2 10 --usual", 2, "choose a number of seats, or --usual"),
        ("seats 2 201", 2, "201 is not in the range"),
        ("seats 1 10", 1, "Pehla Food Point does not take reservations."),
    ],
)
def test_wrong_command_is_refused_and_says_why(run, words, code, error):
    done = run(*words.split())
    assert (done.code, error in done.err) == (code, True)
