"""Facts about TARA that buyers ask for and that only its operator knows: a value, or hidden."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from kit.csv.damage import damage_of, is_no_value
from kit.text import normalize_text
from kit.translations import ENGLISH

LONGEST: Final = 300
"""The maximum number of characters of a value."""
_PRICE: Final = re.compile(r"(?:₹|Rs\.?)?\s*(?P<rupees>\d{1,6}(?:\.\d{1,2})?)", re.ASCII)


class FactName(StrEnum):
    """The facts, by their names in the file."""

    INTERACTION = "interaction"
    ONE_MORE_BASE = "one_more_base"
    ONE_MORE_PRO = "one_more_pro"
    GST = "gst"
    SET_UP = "set_up"
    GO_LIVE = "go_live"
    SYSTEMS = "systems"
    TELEPHONY = "telephony"
    NUMBERS = "numbers"
    CONCURRENCY = "concurrency"
    HOSTING = "hosting"
    HAND_OVER = "hand_over"
    NOTICE = "notice"


PRICES: Final = frozenset({FactName.ONE_MORE_BASE, FactName.ONE_MORE_PRO})
"""The facts whose value is an amount in rupees, the same in every language."""


class InvalidFact(ValueError):
    """A value that must not be shown; `language` is the one of the cell."""

    def __init__(self, language: str, reason: str) -> None:
        super().__init__(reason)
        self.language = language


@dataclass(frozen=True)
class Facts:
    """The facts that have a value, each in every language of the page."""

    values: Mapping[FactName, Mapping[str, str]]

    def value(self, name: FactName, language: str) -> str:
        """Return a fact's value, empty if the fact is hidden."""
        values = self.values.get(name, {})
        return values.get(language) or values.get(ENGLISH, "")


NO_FACTS: Final = Facts({})


def fact_values(name: FactName, cells: Mapping[str, str]) -> dict[str, str]:
    """Return the values of a fact by language, out of its cells; none for empty cells.

    Raises:
        InvalidFact: If a value must not be shown, or is missing in one of the languages.
    """
    values = {language: normalize_text(cell) for language, cell in cells.items()}
    if not any(values.values()):
        return {}
    if name in PRICES:
        return {ENGLISH: _price(values)}
    for language, value in values.items():
        if reason := _reason(value):
            raise InvalidFact(language, reason)
    return values


def _reason(value: str) -> str:
    """Return why a text must not be shown; empty if it may."""
    if not value:
        return "is empty, but another language has a value: the fact is shown in all or in none"
    if is_no_value(value):
        return f"{value!r} is no value: leave the cells empty, and the fact is hidden"
    if len(value) > LONGEST:
        return f"has {len(value)} characters, at most {LONGEST} are shown"
    return damage_of(value)


def _price(values: Mapping[str, str]) -> str:
    """Return an amount as the page shows it, `₹12` or `₹12.50`; of equal cells one suffices."""
    first, *others = dict.fromkeys(filter(None, values.values()))
    language = next(code for code, value in values.items() if value)
    match = _PRICE.fullmatch(first)
    if match is None or not Decimal(match["rupees"]):
        raise InvalidFact(language, f"{first!r} is no amount in rupees, such as 12.50")
    if others:
        other = next(code for code, value in values.items() if value == others[0])
        raise InvalidFact(other, f"{others[0]!r} is another amount than {first!r}")
    amount = Decimal(match["rupees"])
    return f"₹{amount:.0f}" if amount == amount.to_integral_value() else f"₹{amount:.2f}"
