"""Days in a sentence: relative, by weekday, by date."""

import re
from collections.abc import Callable, Iterator
from datetime import date, timedelta

from voice_site.domain.talk.grammar import Token, Tokens
from voice_site.domain.talk.lexicon import MONTHS, PARTS, WEEKDAYS
from voice_site.domain.talk.tokens import Found

_AHEAD = {"TODAY": 0, "TONIGHT": 0, "TOMORROW": 1, "OVERMORROW": 2}
_WEEK_DAYS = 7
_FURTHEST_DAYS = 366
_WEEKDAYS = tuple(WEEKDAYS)
_MONTHS = tuple(MONTHS)
_ONE = ("a", "ek", "एक", "1")
_YEAR = re.compile(r"20\d\d")
_Match = tuple[date, int]
"""A day, and the index of the token after it."""


def find_days(tokens: Tokens, today: date) -> list[Found]:
    """Return the days of a sentence, as ISO dates at the words that say them."""
    found: list[Found] = []
    at = 0
    while at < len(tokens):
        match = next(filter(None, (rule(tokens, at, today) for rule in _RULES)), None)
        if match:
            day, after = match
            found.append(Found(day.isoformat(), tokens[at].start, tokens[after - 1].end))
        at = match[1] if match else at + 1
    return found


def weekday_after(today: date, name: str, *, next_week: bool = False) -> date:
    """Return the first such weekday after today, or that of the week that begins next Monday."""
    ahead = (_WEEKDAYS.index(name) - today.weekday()) % _WEEK_DAYS
    if next_week:
        monday = today + timedelta(_WEEK_DAYS - today.weekday())
        return monday + timedelta(_WEEKDAYS.index(name))
    return today + timedelta(ahead or _WEEK_DAYS)


def _relative(tokens: Tokens, at: int, today: date) -> _Match | None:
    token = tokens[at]
    if token.means("THIS") and tokens[at + 1].means(*PARTS):
        return today, at + 1
    ahead = _AHEAD.get(token.value) if token.kind == "time" else None
    return None if ahead is None else (today + timedelta(ahead), at + 1)


def _weekday(tokens: Tokens, at: int, today: date) -> _Match | None:
    is_next = tokens[at].means("NEXT")
    day = at + 1 if is_next else at
    if is_next and tokens[day].means("WEEK"):
        day += 1
        while tokens[day].kind == "word":
            day += 1
    if tokens[day].kind != "day" or tokens[day - 1].means("LAST"):
        return None
    after = day + 1
    if tokens[after].means("NEXT") and tokens[after + 1].means("WEEK"):
        is_next, after = True, after + 2
    return weekday_after(today, tokens[day].value, next_week=is_next), after


def _counted(tokens: Tokens, at: int, today: date) -> _Match | None:
    """Read `in three days`, `do din baad`, `a week from today`."""
    begins = at + 1 if tokens[at].means("IN") else at
    number = tokens.number(begins)
    if number is None and (tokens[begins].value in _ONE or tokens[begins].means("WEEK")):
        number = 1, begins + (not tokens[begins].means("WEEK"))
    if number is None:
        return None
    count, unit = number
    days = _WEEK_DAYS if tokens[unit].means("WEEK") else 1
    is_later = tokens[unit + 1].means("LATER")
    if not tokens[unit].means("WEEK", "DAYS") or not (is_later or begins > at):
        return None
    if count * days > _FURTHEST_DAYS:
        return None
    return today + timedelta(count * days), unit + 1 + is_later


def _of_month(tokens: Tokens, at: int, today: date) -> _Match | None:
    """Read `3rd December`, `December 3`, `तीन दिसंबर`."""
    if tokens[at].kind == "month":
        day = _day_number(tokens, at + 1)
        month, after = tokens[at], day[1] if day else at
    else:
        day = _day_number(tokens, at)
        after = day[1] if day else at
        if tokens[after].kind == "word" and tokens[after + 1].kind == "month":  # 3rd of December
            after += 1
        month, after = tokens[after], after + 1
    if day is None or month.kind != "month":
        return None
    year = tokens[after]
    if year.kind == "digits" and _YEAR.fullmatch(year.value):
        return _checked(int(year.value), _month(month), day[0], after + 1)
    return _next_date(today, _month(month), day[0], after)


def _of_this_month(tokens: Tokens, at: int, today: date) -> _Match | None:
    """Read `the 30th`, `30 tareekh`."""
    is_before = tokens[at].means("DATE")
    day = _day_number(tokens, at + is_before)
    if day is None:
        return None
    number, after = day
    is_date = is_before or tokens[after].means("DATE")
    if tokens[at].kind != "nth" and not is_date:
        return None
    after += tokens[after].means("DATE")
    months = ((today.month - 1 + ahead) for ahead in range(12))
    dates = (_date(today.year + each // 12, each % 12 + 1, number) for each in months)
    return next(((each, after) for each in dates if each and each >= today), None)


def _written(tokens: Tokens, at: int, today: date) -> _Match | None:
    """Read `3/12`, `3-12-2026`, `2026-12-03`."""
    if tokens[at].kind != "date":
        return None
    parts = [int(part) for part in re.split("[/-]", tokens[at].value)]
    if len(parts) == 2:
        return _next_date(today, parts[1], parts[0], at + 1)
    if parts[0] > 31:
        return _checked(parts[0], parts[1], parts[2], at + 1)
    return _checked(parts[2] + (2000 if parts[2] < 100 else 0), parts[1], parts[0], at + 1)


_RULES: tuple[Callable[[Tokens, int, date], _Match | None], ...] = (
    _counted,
    _relative,
    _weekday,
    _of_month,
    _of_this_month,
    _written,
)


def _day_number(tokens: Tokens, at: int) -> tuple[int, int] | None:
    token = tokens[at]
    if token.kind == "nth":
        return int(token.value[:-2]), at + 1
    if token.kind == "ordinal":
        return int(token.value), at + 1
    return tokens.number(at)


def _month(token: Token) -> int:
    return _MONTHS.index(token.value) + 1


def _next_date(today: date, month: int, day: int, after: int) -> _Match | None:
    dates: Iterator[date | None] = (_date(today.year + ahead, month, day) for ahead in (0, 1))
    return next(((each, after) for each in dates if each and each >= today), None)


def _checked(year: int, month: int, day: int, after: int) -> _Match | None:
    found = _date(year, month, day)
    return (found, after) if found else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day)
    except ValueError:
        return None
