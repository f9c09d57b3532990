"""Columns of the CSV files that the product does not read, and what their writers meant."""

import re
from collections.abc import Iterator, Mapping, Sequence
from difflib import get_close_matches
from enum import StrEnum
from typing import Final

from campus_app.catalogue.csv.rows import column_name
from campus_app.catalogue.rules.menu import COLUMNS, LOCAL_TEXTS
from campus_app.shared.translations import LANGUAGES
from kit.csv.rows import CsvRows, Effect, RowFault
from kit.translations import ENGLISH

LOCAL_COLUMNS: Final = tuple(
    f"{text}_{code}" for code in LANGUAGES if code != ENGLISH for text in LOCAL_TEXTS
)
"""The optional columns of a menu: its texts in the other languages of the product."""
MENU_COLUMNS: Final = (*COLUMNS, *LOCAL_COLUMNS)

_MINIMUM_SIMILARITY: Final = 0.75
_NO_LETTERS: Final = re.compile(r"[\W_]+")


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_OFF_SALE: Final = (
    "to take a dish off sale until the next opening, use 'ops sold-out' or the switch on the "
    "kitchen's board; for good, delete its row"
)
_ONE_PRICE: Final = "a dish has one price: write a row for each size, with an id of its own"
_ELSEWHERE: Final[Mapping[str, str]] = {
    "belongs into the column 'allergens' of diet.csv": "allergen allergens contains allergy",
    "belongs into the column 'spice' of diet.csv": "spice spicy spicelevel spicylevel heat",
    "belongs into diet.csv": "diet veg nonveg isveg vegnonveg vegetarian foodtype",
    "belongs into trending.csv": "trending bestseller popular recommended special",
    _ONE_PRICE: (
        "variant variants variation variations size sizes portion portions half full halfprice "
        "fullprice small medium large option options addon addons modifiers quantity qty"
    ),
}
"""What to do instead about columns of a menu, by their names without spaces and signs."""
_MEANT: Final[Mapping[str, str]] = {
    "name_hi": "hindi hindiname namehindi nameinhindi namehi hiname namehin हिंदी हिन्दी नाम",
    "category_hi": "hindicategory categoryhindi categoryinhindi hicategory श्रेणी",
    "description_hi": "hindidescription descriptionhindi descriptioninhindi hidescription विवरण",
    "allergens": "allergen allergy contains",
    "spice": "spicy spicelevel spicylevel heat",
    "upi_id": "upi upiid upiaddress vpa",
    "upi_merchant_code": "mcc merchantcode",
    "menu_images": "menuimage menuphotos photos",
}
"""Other names of optional columns."""

_AVAILABLE: Final = _words(
    "available availability isavailable availabletoday availablenow instock isinstock stock active "
    "isactive enabled isenabled onsale status visible published"
)
_UNAVAILABLE: Final = _words(
    "unavailable notavailable isunavailable soldout issoldout outofstock hidden disabled inactive"
)
_YES: Final = _words("yes y true t on x 1 ✓ ✔ हाँ हां")
_NO: Final = _words("no n false f off 0 ✗ ✘ nil none nahi नहीं closed")
_ZERO: Final = re.compile(r"0+([.,]0+)?", re.ASCII)


class MenuEffect(StrEnum):
    """What a fault does to a valid row of a menu."""

    NOT_ON_SALE = "dish not on sale"
    """The row says that its dish is not on sale."""


def unknown_columns(
    read: CsvRows, known: Sequence[str], elsewhere: Mapping[str, str] | None = None
) -> Iterator[RowFault]:
    """Yield a fault for each column that is not read, with the known column that is meant.

    `elsewhere` has what to do instead about a column, by its key.
    """
    header = [column_name(written) for written in read.header]
    for place, name in enumerate(header):
        if name in header[:place]:
            reason = "is named twice: the last one is read"
        elif name in known or not (name or _has_texts(read, name)):
            continue
        else:
            reason = (elsewhere or {}).get(column_key(name)) or _reason(name, known, header)
        yield RowFault(read.header_row, read.header[place], reason, Effect.IGNORED)


def _has_texts(read: CsvRows, name: str) -> bool:
    return any(row.cells[name].strip() for row in read.rows)


def menu_column_faults(read: CsvRows) -> list[RowFault]:
    """Return the faults of a menu's header."""
    return list(unknown_columns(read, MENU_COLUMNS, _MENU_ELSEWHERE))


def off_sale_fault(number: int, cells: Mapping[str, str]) -> RowFault | None:
    """Return the fault of a row that says in an unknown column that its dish is not on sale."""
    for column, cell in cells.items():
        if column not in MENU_COLUMNS and is_off_sale(column_key(column), cell):
            reason = f"{cell.strip()!r}: the dish is left out; {_OFF_SALE}"
            return RowFault(number, column, reason, MenuEffect.NOT_ON_SALE)
    return None


def is_off_sale(key: str, cell: str) -> bool:
    """Whether a cell, in a column with this key, says that its dish is not on sale."""
    value = cell.strip().casefold()
    says_unavailable = column_key(value) in _UNAVAILABLE
    if key in _UNAVAILABLE:
        return says_unavailable or value in _YES
    is_no = says_unavailable or value in _NO or _ZERO.fullmatch(value) is not None
    return key in _AVAILABLE and is_no


def availability_key(header: str) -> str:
    """Return the key of a column that says whether a dish is on sale, whatever else it says.

    `Sold out (Y/N)` is `soldout`; a header that names neither is `available`.
    """
    key = column_key(header)
    return next((word for word in sorted(_UNAVAILABLE) if word in key), "available")


def column_key(text: str) -> str:
    """Return a name without spaces and signs: `In-Stock` is `instock`."""
    return _NO_LETTERS.sub("", text.casefold())


def _by_word(words: Mapping[str, str]) -> dict[str, str]:
    return {
        column_key(word): meaning for meaning, listed in words.items() for word in listed.split()
    }


MEANT_BY_KEY: Final = _by_word(_MEANT)
"""The optional columns by their other names, as `column_key` returns them."""
_EXCEPT: Final = "is not read, except that a dish with {word!r} is left out: {hint}"
_MENU_ELSEWHERE: Final = (
    _by_word(_ELSEWHERE)
    | dict.fromkeys(_AVAILABLE, _EXCEPT.format(word="no", hint=_OFF_SALE))
    | dict.fromkeys(_UNAVAILABLE, _EXCEPT.format(word="yes", hint=_OFF_SALE))
)


def _reason(name: str, known: Sequence[str], header: Sequence[str]) -> str:
    missing = [each for each in known if each not in header]
    keys = [column_key(each) for each in missing]
    similar = get_close_matches(column_key(name), keys, 1, _MINIMUM_SIMILARITY)
    for column in missing:
        if column == MEANT_BY_KEY.get(column_key(name)) or column_key(column) in similar:
            return f"is not read: {column} is meant?"
    return f"is not read: the columns are {', '.join(known)}"
