"""Days in English, in Hindi, and in both."""

from datetime import date

from voice_site.domain.talk.days import find_days, weekday_after
from voice_site.domain.talk.grammar import Tokens
from voice_site.domain.talk.tokens import words_of

WEDNESDAY = date(2026, 11, 25)


def days(sentence, today=WEDNESDAY):
    return [each.value for each in find_days(Tokens(words_of(sentence)), today)]


DAYS = {
    "2026-11-25": ["today", "aaj", "this evening"],
    "2026-11-26": ["kal", "कल"],
    "2026-11-27": [
        *("day after tomorrow", "parson", "परसों", "Friday", "shukravaar ko", "शुक्रवार"),
        *("do din baad", "दो दिन बाद"),
    ],
    "2026-11-28": ["in three days"],
    "2026-11-30": ["agle somvar", "अगले सोमवार", "the 30th", "३० तारीख"],
    "2026-12-02": ["Wednesday", "a week from today", "ek hafte baad"],
    "2026-12-03": [
        *("3 December", "3rd of December", "December 3rd", "तीन दिसंबर", "3/12", "3-12-2026"),
        *("3/12/26", "2026-12-03"),
    ],
    "2026-12-04": ["next Friday", "Friday next week", "next week on Friday"],
    "2026-12-09": ["2 weeks from now"],
    "2026-12-24": ["24 tareekh"],
    "2026-12-31": ["the 31st"],
    "2027-01-05": ["5 January"],
    "2027-12-03": ["third december 2027"],
}


def test_find_days_reads_every_way_to_say_a_day():
    expected = {sentence: [day] for day, sentences in DAYS.items() for sentence in sentences}
    assert {sentence: days(sentence) for sentence in expected} == expected


def test_find_days_finds_nothing_when_no_day_is_meant():
    impossible = ("31 February", "31/02", "2026-13-01", "9999 days later")
    for sentence in ("last Friday", *impossible, "may I come", "5 days"):
        assert days(sentence) == [], sentence


def test_find_days_keeps_the_order_of_the_sentence():
    assert days("Friday or Saturday") == ["2026-11-27", "2026-11-28"]


def test_weekday_after_is_within_a_week_and_not_today():
    for day in range(23, 30):
        found = weekday_after(date(2026, 11, day), "monday")
        assert (found.weekday(), 1 <= (found - date(2026, 11, day)).days <= 7) == (0, True)
