"""Times of day and numbers of orders, in words and digits."""

import pytest

from voice_site.domain.talk.grammar import Tokens
from voice_site.domain.talk.times import find_orders, find_parts, find_times
from voice_site.domain.talk.tokens import words_of


def times(sentence, *, is_asked=False):
    words = words_of(sentence)
    tokens = Tokens(words)
    return [each.value for each in find_times(tokens, find_parts(tokens, words), is_asked=is_asked)]


def orders(sentence, *, is_asked=True):
    return [each.value for each in find_orders(Tokens(words_of(sentence)), is_asked=is_asked)]


@pytest.mark.parametrize(
    ("sentence", "time"),
    [
        ("at 5", "17:00"),
        ("5pm", "17:00"),
        ("10 a.m.", "10:00"),
        ("12 am", "00:00"),
        ("12 pm", "12:00"),
        ("half past six", "18:30"),
        ("half past six in the morning", "06:30"),
        ("quarter to six", "17:45"),
        ("quarter past eleven", "11:15"),
        ("twenty past four", "16:20"),
        ("ten to nine", "08:50"),
        ("five thirty", "17:30"),
        ("eleven fifteen", "11:15"),
        ("9.30", "09:30"),
        ("2:15", "14:15"),
        ("18:45", "18:45"),
        ("1700 hours", "17:00"),
        ("noon", "12:00"),
        ("8 in the evening", "20:00"),
        ("shaam ko 5 baje", "17:00"),
        ("subah 10", "10:00"),
        ("saadhe paanch", "17:30"),
        ("साढ़े पाँच", "17:30"),
        ("सवा दस बजे", "10:15"),
        ("paune chhe baje", "17:45"),
        ("dedh baje", "13:30"),
        ("ढाई बजे", "14:30"),
        ("दोपहर २ बजे", "14:00"),
        ("do baje", "14:00"),
        ("char bees", "16:20"),
    ],
)
def test_find_times_reads_every_way_to_say_a_time(sentence, time):
    assert times(sentence) == [time]


@pytest.mark.parametrize(
    "sentence",
    ["five", "60 percent", "four seven one two", "at 25 baje", "half", "dedh", "9:75", "3 days"],
)
def test_find_times_returns_none_when_no_time_is_meant(sentence):
    assert times(sentence) == []


def test_bare_number_is_a_time_when_a_time_was_asked_for():
    assert times("five", is_asked=True) == ["17:00"]


def test_good_morning_is_no_part_of_the_day():
    words = words_of("good morning, tomorrow evening")
    assert [each.value for each in find_parts(Tokens(words), words)] == ["evening"]


@pytest.mark.parametrize(
    ("sentence", "number"),
    [
        ("4712", "4712"),
        ("#90341", "90341"),
        ("4 7 1 2", "4712"),
        ("4-7-1-2", "4712"),
        ("40-17-93", "401793"),
        ("3-12-2026", ""),
        ("four seven one two", "4712"),
        ("forty seven twelve", "4712"),
        ("double five one two", "5512"),
        ("triple 0 seven", "0007"),
        ("twelve hundred", "1200"),
        ("38 114", "38114"),
        ("चार सात एक दो", "4712"),
        ("४७१२", "4712"),
        ("sat ek do char", ""),
        ("saat ek do char", "7124"),
        ("0512", "0512"),
        ("saintalis barah", "4712"),
        ("सैंतालीस बारह", "4712"),
        ("pachpan unnis ikkis", "551921"),
    ],
)
def test_find_orders_reads_every_way_to_say_a_number(sentence, number):
    assert orders(sentence) == ([number] if number else [])


@pytest.mark.parametrize("sentence", ["471", "9876543210", "47 12", "95 percent", "1700 hours"])
def test_find_orders_returns_none_when_it_is_no_order(sentence):
    assert orders(sentence, is_asked=False) == []
