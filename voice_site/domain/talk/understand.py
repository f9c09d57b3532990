"""From a sentence to an intent and slots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Final

from voice_site.domain.talk import lexicon, topics
from voice_site.domain.talk.days import find_days
from voice_site.domain.talk.grammar import Tokens
from voice_site.domain.talk.intents import Hearing, Intent, intent_of
from voice_site.domain.talk.names import find_names, is_known
from voice_site.domain.talk.times import find_orders, find_parts, find_times
from voice_site.domain.talk.tokens import (
    DEVANAGARI,
    Found,
    Vocabulary,
    Word,
    folded,
    vocabulary_words,
    words_of,
)

_DOCTORS = Vocabulary(lexicon.DOCTORS)
_COURSES = Vocabulary(lexicon.COURSES)
_TALK = Vocabulary(topics.TALK)
_TOPICS = {topic: Vocabulary({topic: words}) for topic, words in topics.TOPICS.items()}
_NUMBER_FRAMES = Vocabulary({"NUMBER_IS": topics.NAME_FRAMES["NUMBER_IS"]})
_HINDI = vocabulary_words(topics.HINDI)
_ENGLISH = vocabulary_words(topics.ENGLISH)
_LEAST_ENGLISH = 2
_CLINIC_SLOTS = ("doctor", "day", "time", "part", "name")
SLOTS: Final[Mapping[Intent, Sequence[str]]] = {
    Intent.APPOINTMENT: _CLINIC_SLOTS,
    Intent.VISIT: ("day", "time", "part", "name"),
    Intent.FEES: ("course", "name"),
    Intent.HOSTEL: ("course", "name"),
    Intent.ADMISSION: ("course", "name"),
    Intent.ORDER_STATUS: ("number",),
    Intent.INFORM: (*_CLINIC_SLOTS, "course", "number"),
    Intent.CORRECT: (*_CLINIC_SLOTS, "course", "number"),
}
"""The slots that a sentence of each intent can fill; those of other intents fill none."""


class Expected(StrEnum):
    """What the last reply asked for."""

    NOTHING = ""
    TIME = "time"
    NAME = "name"
    NUMBER = "number"
    DAY = "day"
    DOCTOR = "doctor"
    COURSE = "course"


@dataclass(frozen=True)
class Understood:
    """What a sentence says."""

    intent: Intent
    slots: Mapping[str, str] = field(default_factory=dict[str, str])
    """`day` as an ISO date, `time` as HH:MM, `part` of the day if no time is said, `doctor`,
    `course`, the order's `number`, and the `name` as it was said."""
    language: str = ""
    """'en', 'hi', or empty for a sentence like `Dr Rao, 4712`, which is either."""
    is_any: bool = False
    """Whether any choice will do: `koi bhi doctor`."""


def understand(sentence: str, now: datetime, expected: Expected = Expected.NOTHING) -> Understood:
    """Return what a sentence says.

    Args:
        sentence: In English, Hindi or both.
        now: The time by which `tomorrow` is understood.
        expected: What the last reply asked for.
    """
    words = words_of(sentence)
    talk = _TALK.find(words)
    phrases = [each for each in talk if each.end - each.start > 1]
    found = [(topic, _apart(each.find(words), phrases)) for topic, each in _TOPICS.items()]
    spots = {topic: places for topic, places in found if places}
    asks_number = bool(
        expected is Expected.NUMBER or "ORDER" in spots or _NUMBER_FRAMES.find(words)
    )
    slots, spans, denied = _slots(words, now, expected, talk, asks_number=asks_number)
    said = {at for span in spans for at in range(span.start, span.end)}
    unknown = sum(not is_known(word) for at, word in enumerate(words) if at not in said)
    hearing = Hearing(
        topics=frozenset(spots),
        talk=tuple(talk),
        slots=frozenset(slots),
        expected=str(expected),
        has_denied=denied,
        unknown=unknown,
        words=len(words),
        is_title_only=_is_title_only(spots.get("CLINIC", []), words),
    )
    intent = intent_of(hearing)
    kept = SLOTS.get(intent, ())
    return Understood(
        intent,
        {name: value for name, value in slots.items() if name in kept},
        language_of(words),
        any(each.value == "ANY" for each in talk),
    )


def _slots(
    words: list[Word], now: datetime, expected: Expected, talk: list[Found], *, asks_number: bool
) -> tuple[dict[str, str], list[Found], bool]:
    """Return the values by slot, where they stand, and whether one was denied (`not Friday`)."""
    tokens = Tokens(words)
    names = find_names(words, is_asked=expected is Expected.NAME)
    days = find_days(tokens, now.date())
    parts = find_parts(tokens, words)
    orders = find_orders(tokens, is_asked=asks_number)
    times = find_times(tokens, parts, is_asked=expected is Expected.TIME)
    candidates = {
        "name": names,
        "day": days,
        "time": _apart(times, [*days, *(orders if asks_number else ())]),
        "number": _apart(orders, [*days, *(() if asks_number else times)]),
        "part": _apart(parts, names),
        "doctor": _apart(_DOCTORS.find(words), names),
        "course": _apart(_COURSES.find(words), names),
    }
    values: dict[str, str] = {}
    spans: list[Found] = []
    has_denied = False
    for slot, places in candidates.items():
        spans += places
        meant = [each for each in places if not _is_denied(each, words, talk)]
        if len(meant) < len(places):
            has_denied = True
        if meant:
            values[slot] = meant[0].value
    if "time" in values:
        values.pop("part", None)
    # `Mera naam Rohit hai, Rohan nahi`: the other name is no value, so that it has no place.
    if any(each.value in ("NOT", "NAHI") and each.start > names[0].end for each in talk if names):
        has_denied = True
    return values, spans, has_denied


def _apart(places: Sequence[Found], others: Sequence[Found]) -> list[Found]:
    """Return the places that have no word in common with the others."""
    return [
        each
        for each in places
        if all(each.end <= other.start or other.end <= each.start for other in others)
    ]


def _is_denied(place: Found, words: Sequence[Word], talk: Sequence[Found]) -> bool:
    """Whether a value is the one that is not meant: `not Friday`, `kal nahi`, `ki jagah`."""
    start = place.start
    while start and words[start - 1].plain in ("dr", "doctor", "on", "at", "with", "the", "for"):
        start -= 1
    end = place.end
    while end < len(words) and words[end].plain in ("को", "ko", "से", "se", "baje", "बजे"):
        end += 1
    return any(
        (each.end == start and each.value in ("NOT", "INSTEAD_OF"))
        or (each.start == end and each.value in ("NAHI", "KI_JAGAH"))
        for each in talk
    )


def _is_title_only(places: Sequence[Found], words: list[Word]) -> bool:
    """Whether the clinic is meant by no more than the title of a doctor: `Dr Rao`."""
    doctors = {each.start for each in _DOCTORS.find(words)}
    return all(each.end in doctors for each in places)


def language_of(words: Sequence[Word]) -> str:
    """Return the language of a sentence: 'en', 'hi', or empty if its words are of either."""
    if any(DEVANAGARI.search(word.plain) for word in words):
        return "hi"
    if any(word.plain in _HINDI or folded(word.plain) in _HINDI for word in words):
        return "hi"
    is_english = sum(word.plain in _ENGLISH for word in words) >= _LEAST_ENGLISH
    return "en" if is_english else ""
