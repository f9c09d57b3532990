"""The ids of dishes that a restaurant sends: kept where names match, else made of the name.

Source: specification 12.4.
"""

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Final
from zlib import crc32

from campus_app.catalogue.rules.menu import MAXIMUM_ID_CHARACTERS, Dish, is_dish_id

_MARK_CATEGORIES: Final = ("Mc", "Mn")
_OPTIONAL_MARKS: Final = frozenset([*map(chr, range(0x300, 0x370)), "\u093c"])
"""Accents of Latin letters, and the nukta: writers leave them out."""
_APOSTROPHES: Final = re.compile("['’]")
_WORD: Final = re.compile(r"[a-z0-9]+", re.ASCII)
_SUFFIX_CHARACTERS: Final = 5
"""Kept free in a slug for the number of a second dish of the same name."""


@dataclass(frozen=True)
class NamedRow:
    """The name and category of a dish that is sent, and its id if it has one."""

    name: str
    category: str = ""
    id: str = ""


def name_key(name: str) -> str:
    """Return what two spellings of a name share: `Mac & Cheese` and `mac and cheese`.

    Case, spaces, punctuation, accents and nuktas do not count; vowel signs of Indian scripts do.
    """
    decomposed = unicodedata.normalize("NFKD", name.replace("&", " and ")).casefold()
    kept = (
        each
        for each in unicodedata.normalize("NFKD", decomposed)
        if each not in _OPTIONAL_MARKS
        and (each.isalnum() or unicodedata.category(each) in _MARK_CATEGORIES)
    )
    return "".join(kept) or name.strip()


def slug(name: str) -> str:
    """Return an id made of a name: `Paneer Tikka (6 pcs)` is `paneer-tikka-6-pcs`.

    A name without Latin letters or digits gets a checksum, which is the same each time.
    """
    latin = unicodedata.normalize("NFKD", _APOSTROPHES.sub("", name.replace("&", " and ")))
    words = _WORD.findall(latin.encode("ascii", "ignore").decode().lower())
    text = "-".join(words)[: MAXIMUM_ID_CHARACTERS - _SUFFIX_CHARACTERS].strip("-")
    return text or f"dish-{crc32(name_key(name).encode()):08x}"


def dish_ids(rows: Sequence[NamedRow], current: Sequence[Dish]) -> list[str]:
    """Return an id for each row; no two are the same.

    In this order: the id of the current dish of the same name and category; of the same name; the
    row's own id; an id made of the name, but never the id of a current dish of another name: a
    cart may still contain that dish.
    """
    ids = _Ids(rows)
    for key_of in (_name_and_category, _name):
        known: dict[object, list[str]] = {}
        for dish in current:
            known.setdefault(key_of(dish), []).append(dish.id)
        ids.give(lambda row, known=known, key_of=key_of: known.get(key_of(row), ()))
    ids.give(lambda row: [row.id] if is_dish_id(row.id) else [])
    reserved = {dish.id for dish in current}
    ids.give(lambda row: (id_ for id_ in _slugs(row.name) if id_ not in reserved))
    return [ids.given[place] for place in range(len(rows))]


def with_dish_ids(
    rows: Sequence[Mapping[str, str]], reserved: Collection[str]
) -> list[dict[str, str]]:
    """Return the rows of a table; a row without a valid id gets an id made of its name.

    No other row has this id, and it is not in `reserved`.
    """
    taken = {*reserved, *(row["id"] for row in rows)}
    named: list[dict[str, str]] = []
    for row in rows:
        id_ = row["id"]
        if not is_dish_id(id_):
            id_ = next(each for each in _slugs(row["name"]) if each not in taken)
            taken.add(id_)
        named.append({**row, "id": id_})
    return named


class _Ids:
    """The ids that the rows have so far, by their places."""

    def __init__(self, rows: Sequence[NamedRow]) -> None:
        self._rows = rows
        self._taken: set[str] = set()
        self.given: dict[int, str] = {}

    def give(self, candidates: Callable[[NamedRow], Iterable[str]]) -> None:
        """Give each row without an id its first candidate that no other row has."""
        for place, row in enumerate(self._rows):
            free = (id_ for id_ in candidates(row) if id_ not in self._taken)
            if place not in self.given and (id_ := next(iter(free), "")):
                self.given[place] = id_
                self._taken.add(id_)


def _name(dish: NamedRow | Dish) -> object:
    return name_key(dish.name)


def _name_and_category(dish: NamedRow | Dish) -> object:
    return name_key(dish.name), name_key(dish.category)


def _slugs(name: str) -> Iterator[str]:
    first = slug(name)
    yield first
    for number in count(2):
        yield f"{first}-{number}"
