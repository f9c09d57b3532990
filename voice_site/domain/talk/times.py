"""Times of day in a sentence, and the numbers of orders."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from voice_site.domain.talk.grammar import NUMERIC, Tokens
from voice_site.domain.talk.lexicon import PARTS
from voice_site.domain.talk.tokens import Found, Word

_NOON = 12
_LAST_AFTERNOON_HOUR = 7
"""Without a part of the day, hours up to this one are those after noon."""
_OFFSETS = {"PLUS_HALF": 30, "PLUS_QUARTER": 15, "LESS_QUARTER": -15}
_HALVES = {"ONE_AND_HALF": 90, "TWO_AND_HALF": 150}
_SHORTEST_ORDER, _LONGEST_ORDER = 4, 8
_SPOKEN_MINUTES = range(10, 60, 5)
"""Other numbers beside an hour are digits of an order."""


@dataclass(frozen=True)
class _Clock:
    """A time on the dial, before it is known whether it is before or after noon."""

    minutes: int
    after: int
    is_sure: bool = True
    """Whether the words alone say that it is a time, as `half past five` do and `five` does not."""


def find_parts(tokens: Tokens, words: Sequence[Word]) -> list[Found]:
    """Return the parts of the day; 'good morning' is none."""
    return [
        Found(PARTS[token.value], token.start, token.end)
        for token in map(tokens.__getitem__, range(len(tokens)))
        if token.means(*PARTS) and (token.start == 0 or words[token.start - 1].plain != "good")
    ]


def find_times(tokens: Tokens, parts: Sequence[Found], *, is_asked: bool) -> list[Found]:
    """Return the times of a sentence, as HH:MM.

    Args:
        tokens: The tokens of the sentence.
        parts: Its parts of the day.
        is_asked: Whether a time was asked for: then a bare number is one.
    """
    found: list[Found] = []
    at = 0
    while at < len(tokens):
        clock = next(filter(None, (rule(tokens, at) for rule in _RULES)), None)
        if clock and (clock.is_sure or is_asked or _is_marked(tokens, at, clock.after, parts)):
            time, after = _resolved(tokens, clock, parts)
            if time:
                found.append(Found(time, tokens[at].start, tokens[after - 1].end))
            at = after
        else:
            at += 1
    return found


def _is_marked(tokens: Tokens, at: int, after: int, parts: Sequence[Found]) -> bool:
    """Whether the words beside a number say that it is a time."""
    if tokens[after].means("PERCENT", "DAYS", "WEEK", "HUNDRED") or tokens[after].kind in NUMERIC:
        return False
    before = tokens[at - 1]
    is_after_part = any(tokens[at].start - 2 <= part.end <= tokens[at].start for part in parts)
    is_before_part = any(part.start - 2 <= tokens[after - 1].end <= part.start for part in parts)
    return before.means("AT") or is_after_part or is_before_part


def _resolved(tokens: Tokens, clock: _Clock, parts: Sequence[Found]) -> tuple[str, int]:
    """Return the time, empty if there is none such, and the index of the token after it."""
    after = clock.after + tokens[clock.after].means("OCLOCK")
    minutes, half = clock.minutes, tokens[after]
    hour = minutes // 60
    if half.means("AM", "PM"):
        after += 1
        minutes += 60 * ((12 if half.means("PM") else 0) - (12 if hour == _NOON else 0))
    elif hour < _NOON and _is_after_noon(hour, {part.value for part in parts}):
        minutes += 12 * 60
    is_time = 0 <= minutes < 24 * 60
    return (f"{minutes // 60:02}:{minutes % 60:02}" if is_time else ""), after


def _is_after_noon(hour: int, parts: set[str]) -> bool:
    if "morning" in parts:
        return False
    if "evening" in parts:
        return True
    return 1 <= hour <= _LAST_AFTERNOON_HOUR


def _written(tokens: Tokens, at: int) -> _Clock | None:
    """Read `10:30`, `9.30`, `1700 hours`."""
    token = tokens[at]
    if token.kind == "clock":
        hours, minutes = map(int, token.value.replace(".", ":").split(":"))
    elif token.kind == "digits" and len(token.value) == 4 and tokens[at + 1].means("OCLOCK"):
        hours, minutes = int(token.value[:2]), int(token.value[2:])
    else:
        return None
    return _Clock(hours * 60 + minutes, at + 1) if minutes < 60 else None


def _named(tokens: Tokens, at: int) -> _Clock | None:
    """Read `noon`, `dedh baje`, `saadhe paanch`."""
    token = tokens[at]
    if token.means("NOON"):
        return _Clock(_NOON * 60, at + 1)
    if token.means(*_HALVES) and tokens[at + 1].means("OCLOCK"):
        return _Clock(_HALVES[token.value], at + 1)
    number = tokens.number(at + 1) if token.means(*_OFFSETS) else None
    if number and number[0] <= _NOON:
        return _Clock(number[0] * 60 + _OFFSETS[token.value], number[1])
    return None


def _spoken(tokens: Tokens, at: int) -> _Clock | None:
    """Read `half past four`, `quarter to six`, `twenty past four`."""
    token, minutes, middle = tokens[at], 0, at + 1
    if token.means("HALF", "QUARTER"):
        minutes = 30 if token.means("HALF") else 15
    elif number := tokens.number(at):
        minutes, middle = number
    sign = {"PAST": 1, "TO": -1}.get(tokens[middle].value, 0)
    hour = tokens.number(middle + 1) if sign and minutes else None
    if hour is None or hour[0] > _NOON or minutes > 30 or minutes % 5:
        return None
    return _Clock(hour[0] * 60 + sign * minutes, hour[1])


def _hour(tokens: Tokens, at: int) -> _Clock | None:
    """Read `five`, `five thirty`, `5 pm`, `पाँच बजे`."""
    number = tokens.number(at)
    if number is None or number[0] > 23 or tokens[at - 1].kind in NUMERIC:
        return None
    hour, after = number
    minutes = tokens.number(after)
    is_pair = minutes is not None and minutes[0] in _SPOKEN_MINUTES and hour <= _NOON
    if minutes and is_pair and tokens[minutes[1]].kind not in NUMERIC:
        return _Clock(hour * 60 + minutes[0], minutes[1])
    is_sure = tokens[after].means("OCLOCK", "AM", "PM")
    return _Clock(hour * 60, after, is_sure=is_sure)


_RULES: tuple[Callable[[Tokens, int], _Clock | None], ...] = (_written, _named, _spoken, _hour)


def find_orders(tokens: Tokens, *, is_asked: bool) -> list[Found]:
    """Return the numbers of orders, of 4 to 8 digits, however they are said.

    `is_asked`: whether the sentence is about an order, or the number was asked for; if not, only
    a number in digits counts, or one that is read out digit by digit.
    """
    found: list[Found] = []
    at = 0
    while at < len(tokens):
        digits, after = _run(tokens, at)
        is_order = is_asked or after - at > 2 or _has_long_number(tokens, at, after)
        is_order = is_order and not tokens[after].means("PERCENT", "OCLOCK")
        if is_order and _SHORTEST_ORDER <= len(digits) <= _LONGEST_ORDER:
            found.append(Found(digits, tokens[at].start, tokens[after - 1].end))
        at = max(after, at + 1)
    return found


def _has_long_number(tokens: Tokens, at: int, after: int) -> bool:
    return any(len(tokens[each].value) >= _SHORTEST_ORDER for each in range(at, after))


def _run(tokens: Tokens, at: int) -> tuple[str, int]:
    """Return the digits of the numbers that follow each other from here, and where they end."""
    digits, repeat = "", 1
    while True:
        token, number = tokens[at], tokens.number(at)
        if token.means("DOUBLE", "TRIPLE"):
            repeat, at = (2 if token.means("DOUBLE") else 3), at + 1
        elif token.kind == "digits":
            digits, repeat, at = digits + token.value * repeat, 1, at + 1
        elif number:
            digits, repeat, at = digits + str(number[0]) * repeat, 1, number[1]
        elif token.means("HUNDRED") and digits:
            digits, at = digits + "00", at + 1
        else:
            return digits, at
