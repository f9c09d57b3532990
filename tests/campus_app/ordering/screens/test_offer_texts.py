"""The texts of offers, made out of their data. Source: specification 14.6."""

from datetime import date, time

import pytest

from campus_app.ordering.rules.offers import OFFERS, Offer, OneFree, PercentOff, Weekday
from campus_app.ordering.screens import offer_texts
from campus_app.shared.rules.money import rupees
from kit.translations import use_locale

WEDNESDAY, SATURDAY = OFFERS
RESTAURANT = "Kulhad Café"


def offer(**changes):
    fields = {"id": "o", "title": "Offer", "restaurant_id": 1, "benefit": PercentOff(15)}
    return Offer(**(fields | {"weekdays": (Weekday.FRIDAY,)} | changes))


def texts(found, language="en"):
    with use_locale(language):
        return [
            offer_texts.subtitle(found),
            offer_texts.description(found, RESTAURANT),
            offer_texts.timing(found),
            offer_texts.day_label(found),
            *offer_texts.terms(found),
        ]


def test_texts_of_the_wednesday_offer():
    assert texts(WEDNESDAY) == [
        "Buy one get one free",
        "At Kulhad Café, every Wednesday, all day. Buy two of the same dish, pay for one.",
        "Wednesday, all day",
        "WEDNESDAY",
        "Of every two units of the same item, one is free.",
        "The cart takes it off by itself. No code, no coupon.",
        "What is left to pay must reach the ₹200 minimum.",
    ]
    assert texts(WEDNESDAY, "hi") == [
        "एक खरीदें, एक मुफ़्त पाएँ",
        "Kulhad Café में, हर बुधवार, पूरे दिन। एक ही डिश दो लें, पैसे एक के दें।",
        "बुधवार, पूरे दिन",
        "बुधवार",
        "एक ही डिश की हर दो प्लेट में से एक मुफ़्त।",
        "कार्ट इसे खुद घटा देता है। न कोई कोड, न कूपन।",
        "छूट के बाद बची रकम कम से कम ₹200 होनी चाहिए।",
    ]


def test_texts_of_the_saturday_offer():
    assert texts(SATURDAY) == [
        "10% off, 6PM to 12AM",
        "At Kulhad Café, every Saturday evening. A tenth off everything you order.",
        "Saturday, 6PM to 12AM",
        "SATURDAY",
        "Minimum order ₹200.",
        "The cart takes it off by itself. No code, no coupon.",
        "Offers and the pre-reservation discount do not add up: the larger one counts.",
    ]
    assert texts(SATURDAY, "hi") == [
        "10% छूट, शाम 6 से रात 12 बजे",
        "Kulhad Café में, हर शनिवार शाम। पूरे ऑर्डर पर 10% की छूट।",
        "शनिवार, शाम 6 से रात 12 बजे",
        "शनिवार",
        "मिनिमम ऑर्डर ₹200।",
        "कार्ट इसे खुद घटा देता है। न कोई कोड, न कूपन।",
        "ऑफ़र और टेबल रिज़र्व करने की छूट साथ नहीं मिलतीं: जो ज़्यादा हो, वही मिलती है।",
    ]


@pytest.mark.parametrize(
    ("begins", "ends", "words"),
    [
        (time(1), time(2), "1AM to 2AM"),
        (time(11), time(12), "11AM to 12PM"),
        (time(12, 30), time(13), "12:30PM to 1PM"),
        (time(23), time(0, 30), "11PM to 12:30AM"),
    ],
)
def test_hours_are_those_of_a_clock_with_twelve(begins, ends, words):
    assert offer_texts.hours(offer(begins=begins, ends=ends)) == words


@pytest.mark.parametrize(
    ("changes", "timing", "label"),
    [
        ({}, "Friday, all day", "FRIDAY"),
        ({"weekdays": tuple(Weekday)}, "Every day, all day", "EVERY DAY"),
        (
            {"weekdays": (Weekday.MONDAY, Weekday.FRIDAY), "begins": time(14), "ends": time(17)},
            "Monday, Friday, 2PM to 5PM",
            "MON · FRI",
        ),
        (
            {"weekdays": tuple(Weekday)[:5]},
            "Monday, Tuesday, Wednesday, Thursday, Friday, all day",
            "5 DAYS A WEEK",
        ),
        (
            {"first_day": date(2026, 12, 1), "last_day": date(2026, 12, 24)},
            "Friday, all day, from 1 December 2026 to 24 December 2026",
            "FRIDAY",
        ),
        ({"first_day": date(2026, 12, 1)}, "Friday, all day, from 1 December 2026", "FRIDAY"),
        ({"last_day": date(2026, 12, 24)}, "Friday, all day, until 24 December 2026", "FRIDAY"),
    ],
)
def test_timing_names_days_hours_and_dates(changes, timing, label):
    found = offer(**changes)
    assert (offer_texts.timing(found), offer_texts.day_label(found)) == (timing, label)


@pytest.mark.parametrize(
    ("changes", "subtitle", "sentence"),
    [
        ({}, "15% off, all day", "every Friday, all day. 15% off everything you order."),
        (
            {"weekdays": tuple(Weekday), "begins": time(9), "ends": time(11)},
            "15% off, 9AM to 11AM",
            "every day, 9AM to 11AM. 15% off everything you order.",
        ),
        (
            {"benefit": OneFree(every=2), "begins": time(18)},
            "Buy one get one free, 6PM to 12AM",
            "every Friday evening. Buy two of the same dish, pay for one.",
        ),
    ],
)
def test_description_says_when_and_what(changes, subtitle, sentence):
    shown = texts(offer(**changes))
    assert shown[:2] == [subtitle, f"At {RESTAURANT}, {sentence}"]


def test_terms_name_the_minimum_of_the_offer():
    assert "Minimum order ₹300." in texts(offer(minimum=rupees(300)))


def test_figure_is_the_percentage_or_one_and_one():
    assert [offer_texts.figure(each) for each in OFFERS] == [("1+1", ""), ("10", "%")]
