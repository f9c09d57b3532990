"""What a language model says that a sentence means: nothing of it is believed unchecked."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import cast

from kit.text import normalize_text
from voice_site.domain.talk.intents import Intent
from voice_site.domain.talk.lexicon import COURSES, DOCTORS, PARTS
from voice_site.domain.talk.tokens import words_of
from voice_site.domain.talk.understand import SLOTS, Understood, language_of

_LONGEST_NAME = 60
_FURTHEST_DAYS = 366
_ORDER = re.compile(r"\d{4,8}", re.ASCII)
_TIME = re.compile(r"(?:[01]\d|2[0-3]):[0-5]\d", re.ASCII)


def read_interpretation(told: object, sentence: str, today: date) -> Understood | None:
    """Return a model's answer, `{"intent": ..., "slots": {...}}`, if its intent is known.

    Invalid slots, and those that sentences of the intent do not have, are left out. The language
    is that of the sentence.
    """
    members = _members(told)
    intent = members.get("intent")
    if not isinstance(intent, str) or intent not in set(Intent):
        return None
    given = _members(members.get("slots"))
    known = Intent(intent)
    checked = {name: _checked(name, given.get(name), today) for name in SLOTS.get(known, ())}
    kept = {name: value for name, value in checked.items() if value}
    if "time" in kept:
        kept.pop("part", None)
    return Understood(known, kept, language_of(words_of(sentence)))


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _checked(name: str, value: object, today: date) -> str:
    """Return a slot's value if it is valid, else an empty text."""
    if not isinstance(value, str):
        return ""
    if name == "name":
        return normalize_text(value[:_LONGEST_NAME])
    if name == "day":
        return _day(value, today)
    if name in ("time", "number"):
        form = _TIME if name == "time" else _ORDER
        return value if form.fullmatch(value) else ""
    known = {"doctor": DOCTORS, "course": COURSES, "part": set(PARTS.values())}[name]
    return value if value in known else ""


def _day(value: str, today: date) -> str:
    try:
        day = date.fromisoformat(value)
    except ValueError:
        return ""
    return day.isoformat() if today <= day <= today + timedelta(_FURTHEST_DAYS) else ""
