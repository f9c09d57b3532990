"""The texts of an offer, made out of its data, in the visitor's language.

Source: specification 14.6.
"""

from collections.abc import Sequence
from datetime import date, time, timedelta
from typing import Final

from campus_app.ordering.rules.offers import Offer, OneFree, Weekday
from campus_app.shared.rules.constants import MINIMUM_ORDER
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from kit.translations import date_words, hour_words

_A_MONDAY: Final = date(2026, 11, 16)
_EVERY_DAY: Final = len(Weekday)
_TWO_DAYS: Final = 2
_TENTH: Final = 10
_EARLIEST_EVENING: Final = time(17)


def subtitle(offer: Offer) -> str:
    """Return what an offer gives, and at which hours: '10% off, 6PM to 12AM'."""
    if not isinstance(offer.benefit, OneFree):
        percent = offer.benefit.percent
        if offer.is_all_day:
            return t("{percent}% off, all day", percent=percent)
        return t("{percent}% off, {hours}", percent=percent, hours=hours(offer))
    free = t("Buy one get one free")
    return free if offer.is_all_day else f"{free}, {hours(offer)}"


def description(offer: Offer, restaurant: str) -> str:
    """Return a sentence about where and when an offer holds, and one about what it gives."""
    return f"{_where_and_when(offer, restaurant)} {gift(offer)}"


def timing(offer: Offer) -> str:
    """Return the days and hours of an offer: 'Saturday, 6PM to 12AM'."""
    days = t("Every day") if len(offer.weekdays) == _EVERY_DAY else _days(offer.weekdays)
    words = t("{days}, all day", days=days) if offer.is_all_day else f"{days}, {hours(offer)}"
    first, last = (day and date_words(day, "d MMMM y") for day in (offer.first_day, offer.last_day))
    if first and last:
        return t("{timing}, from {first} to {last}", timing=words, first=first, last=last)
    if first:
        return t("{timing}, from {first}", timing=words, first=first)
    return t("{timing}, until {last}", timing=words, last=last) if last else words


def hours(offer: Offer) -> str:
    """Return the hours of an offer: '6PM to 12AM'."""
    return t("{begins} to {ends}", begins=hour_words(offer.begins), ends=hour_words(offer.ends))


def terms(offer: Offer) -> list[str]:
    """Return the terms of an offer."""
    by_itself = t("The cart takes it off by itself. No code, no coupon.")
    minimum = format_rupees(max(offer.minimum, MINIMUM_ORDER))
    if isinstance(offer.benefit, OneFree):
        return [
            t("Of every two units of the same item, one is free."),
            by_itself,
            t("What is left to pay must reach the {minimum} minimum.", minimum=minimum),
        ]
    return [
        t("Minimum order {minimum}.", minimum=minimum),
        by_itself,
        t("Offers and the pre-reservation discount do not add up: the larger one counts."),
    ]


def day_label(offer: Offer) -> str:
    """Return the days of an offer as its picture shows them: 'WEDNESDAY'."""
    count = len(offer.weekdays)
    if count == _EVERY_DAY:
        return t("EVERY DAY")
    if count > _TWO_DAYS:
        return t("{count} DAYS A WEEK", count=count)
    words = _days(offer.weekdays, "EEEE" if count == 1 else "EEE", " · ")
    return words.upper()


def figure(offer: Offer) -> tuple[str, str]:
    """Return the large print of an offer's picture, and the small print; empty without one."""
    return ("1+1", "") if isinstance(offer.benefit, OneFree) else (str(offer.benefit.percent), "%")


def _days(weekdays: Sequence[Weekday], pattern: str = "EEEE", between: str = ", ") -> str:
    return between.join(date_words(_A_MONDAY + timedelta(days=day), pattern) for day in weekdays)


def _where_and_when(offer: Offer, restaurant: str) -> str:
    names = {"restaurant": restaurant, "day": _days(offer.weekdays)}
    if len(offer.weekdays) == _EVERY_DAY:
        names["day"] = t("day")
    if offer.is_all_day:
        return t("At {restaurant}, every {day}, all day.", **names)
    if offer.begins >= _EARLIEST_EVENING and offer.ends == time(0):
        return t("At {restaurant}, every {day} evening.", **names)
    return t("At {restaurant}, every {day}, {hours}.", hours=hours(offer), **names)


def gift(offer: Offer) -> str:
    """Return a sentence about what an offer gives."""
    percent = offer.benefit.percent
    if isinstance(offer.benefit, OneFree):
        return t("Buy two of the same dish, pay for one.")
    if percent == _TENTH:
        return t("A tenth off everything you order.")
    return t("{percent}% off everything you order.", percent=percent)
