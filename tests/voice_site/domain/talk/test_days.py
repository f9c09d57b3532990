"""Days in English, in Hindi, and in both."""

from datetime import date

import pytest

from voice_site.domain.talk.days import find_days, weekday_after
from voice_site.domain.talk.grammar import Tokens
from voice_site.domain.talk.tokens import words_of

WEDNESDAY = date(2026, 11, 25)


def days(sentence, today=WEDNESDAY):
    return [each.value for each in find_days(Tokens(words_of(sentence)), today)]


@pytest.mark.parametrize(
    ("sentence", "day"),
    [
        ("today", "2026-11-25"),
        ("aaj", "2026-11-25"),
        ("this evening", "2026-11-25"),
        ("kal", "2026-11-26"),
        ("कल", "2026-11-26"),
        ("day after tomorrow", "2026-11-27"),
        ("parson", "2026-11-27"),
        ("परसों", "2026-11-27"),
        ("Friday", "2026-11-27"),
        ("shukravaar ko", "2026-11-27"),
        ("शुक्रवार", "2026-11-27"),
        ("Wednesday", "2026-12-02"),
        ("next Friday", "2026-12-04"),
        ("Friday next week", "2026-12-04"),
        ("next week on Friday", "2026-12-04"),
        ("agle somvar", "2026-11-30"),
        ("अगले सोमवार", "2026-11-30"),
        ("in three days", "2026-11-28"),
        ("do din baad", "2026-11-27"),
        ("दो दिन बाद", "2026-11-27"),
        ("a week from today", "2026-12-02"),
        ("ek hafte baad", "2026-12-02"),
        ("2 weeks from now", "2026-12-09"),
        ("3 December", "2026-12-03"),
        ("3rd of December", "2026-12-03"),
        ("December 3rd", "2026-12-03"),
        ("third december 2027", "2027-12-03"),
        ("तीन दिसंबर", "2026-12-03"),
        ("the 30th", "2026-11-30"),
        ("24 tareekh", "2026-12-24"),
        ("३० तारीख", "2026-11-30"),
        ("the 31st", "2026-12-31"),
        ("3/12", "2026-12-03"),
        ("3-12-2026", "2026-12-03"),
        ("3/12/26", "2026-12-03"),
        ("2026-12-03", "2026-12-03"),
        ("5 January", "2027-01-05"),
    ],
)
def test_find_days_reads_every_way_to_say_a_day(sentence, day):
    assert days(sentence) == [day]


@pytest.mark.parametrize(
    "sentence",
    [
        "last Friday",
        "31 February",
        "31/02",
        "2026-13-01",
        "may I come",
        "5 days",
        "9999 days later",
    ],
)
def test_find_days_returns_none_when_no_day_is_meant(sentence):
    assert days(sentence) == []


def test_find_days_keeps_the_order_of_the_sentence():
    assert days("Friday or Saturday") == ["2026-11-27", "2026-11-28"]


@pytest.mark.parametrize("ahead", range(7))
def test_weekday_after_is_within_a_week_and_not_today(ahead):
    found = weekday_after(date(2026, 11, 23 + ahead), "monday")
    assert (found.weekday(), 1 <= (found - date(2026, 11, 23 + ahead)).days <= 7) == (0, True)
