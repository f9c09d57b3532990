"""Times of day and numbers of orders, in words and digits."""

from voice_site.domain.talk.grammar import Tokens
from voice_site.domain.talk.times import find_orders, find_parts, find_times
from voice_site.domain.talk.tokens import words_of


def times(sentence, *, is_asked=False):
    words = words_of(sentence)
    tokens = Tokens(words)
    return [each.value for each in find_times(tokens, find_parts(tokens, words), is_asked=is_asked)]


def orders(sentence, *, is_asked=True):
    return [each.value for each in find_orders(Tokens(words_of(sentence)), is_asked=is_asked)]


TIMES = {
    "00:00": ["12 am"],
    "06:30": ["half past six in the morning"],
    "08:50": ["ten to nine"],
    "09:30": ["9.30"],
    "10:00": ["10 a.m.", "subah 10"],
    "10:15": ["सवा दस बजे"],
    "11:15": ["quarter past eleven", "eleven fifteen"],
    "12:00": ["12 pm", "noon"],
    "13:30": ["dedh baje"],
    "14:00": ["दोपहर २ बजे", "do baje"],
    "14:15": ["2:15"],
    "14:30": ["ढाई बजे"],
    "16:20": ["twenty past four", "char bees"],
    "17:00": ["at 5", "5pm", "1700 hours", "shaam ko 5 baje"],
    "17:30": ["five thirty", "saadhe paanch", "साढ़े पाँच"],
    "17:45": ["quarter to six", "paune chhe baje"],
    "18:30": ["half past six"],
    "18:45": ["18:45"],
    "20:00": ["8 in the evening"],
}


def test_find_times_reads_every_way_to_say_a_time():
    expected = {sentence: [time] for time, sentences in TIMES.items() for sentence in sentences}
    assert {sentence: times(sentence) for sentence in expected} == expected


def test_find_times_returns_none_when_no_time_is_meant():
    others = ("four seven one two", "at 25 baje", "half", "dedh", "9:75", "3 days")
    for sentence in ("five", "60 percent", *others):
        assert times(sentence) == [], sentence
    assert times("five", is_asked=True) == ["17:00"]


def test_good_morning_is_no_part_of_the_day():
    words = words_of("good morning, tomorrow evening")
    assert [each.value for each in find_parts(Tokens(words), words)] == ["evening"]


NUMBERS = {
    "4712": [
        *("4712", "4 7 1 2", "4-7-1-2", "four seven one two", "forty seven twelve"),
        *("चार सात एक दो", "४७१२", "saintalis barah", "सैंतालीस बारह"),
    ],
    "90341": ["#90341"],
    "401793": ["40-17-93"],
    "5512": ["double five one two"],
    "0007": ["triple 0 seven"],
    "1200": ["twelve hundred"],
    "38114": ["38 114"],
    "7124": ["saat ek do char"],
    "0512": ["0512"],
    "551921": ["pachpan unnis ikkis"],
}


def test_find_orders_reads_every_way_to_say_a_number():
    expected = {sentence: [number] for number, each in NUMBERS.items() for sentence in each}
    expected |= {"3-12-2026": [], "sat ek do char": []}
    assert {sentence: orders(sentence) for sentence in expected} == expected


def test_find_orders_returns_none_when_it_is_no_order():
    for sentence in ("471", "9876543210", "47 12", "95 percent", "1700 hours"):
        assert orders(sentence, is_asked=False) == [], sentence
