"""What the columns of a restaurant's sheet mean: guessed from header and cells, then corrected.

Source: specification 12.4.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

from campus_app.catalogue.csv.columns import LOCAL_COLUMNS, MEANT_BY_KEY, column_key
from campus_app.catalogue.csv.price_cells import read_price
from kit.text import normalize_text

SheetRows = Sequence[Sequence[str]]

AVAILABLE: Final = "available"
IGNORED: Final = ""
TARGETS: Final = (
    *("name", "price", "category", "description", "diet", "allergens", "spice", "trending"),
    *LOCAL_COLUMNS,
    *("id", AVAILABLE),
)
"""What a column of a sheet can be, besides IGNORED."""

_WORDS: Final[Mapping[str, str]] = {
    "name": (
        "name item itemname dish dishname menuitem items dishes product productname particulars "
        "particular title food fooditem nameofitem nameofdish itemdescription variety"
    ),
    "price": (
        "price rate amount sellingprice saleprice unitprice dineinprice deliveryprice onlineprice "
        "itemprice itemrate priceinrs rateinrs priceininr rs inr rupees cost charges "
        "full fullprice value mrp"
    ),
    "category": (
        "category categories itemcategory menucategory section group itemgroup subcategory course "
        "heading cuisine type"
    ),
    "description": "description desc details itemdetails about ingredients remarks",
    "diet": "diet veg vegnonveg vegornonveg isveg foodtype vegtype dietary vegetarian",
    "allergens": "allergens",
    "spice": "spice",
    "trending": "trending bestseller bestsellers popular recommended special",
    "id": "id dishid itemid itemcode code sku",
    AVAILABLE: (
        "available availability availabilitystatus isavailable instock stock active enabled "
        "onsale status soldout unavailable notavailable outofstock hidden"
    ),
} | {column: column.replace("_", "") for column in LOCAL_COLUMNS}
"""The words for each meaning, the likeliest first."""
_MEANINGS: Final = {
    word: (target, place)
    for target, words in _WORDS.items()
    for place, word in enumerate(words.split())
}
_IN_BRACKETS: Final = re.compile(r"\([^)]*\)|\[[^]]*]|[/(].*")
_CURRENCY: Final = re.compile(r"₹|\brs\b\.?|\binr\b", re.IGNORECASE)
_DIETS: Final = frozenset({"veg", "nonveg", "v", "nv", "vegetarian", "nonvegetarian", "egg"})
_HEADER_ROWS: Final = 20
"""Within how many rows the header is looked for: an address and a logo may stand above it."""
_EXACT, _IN_PART, _SIMILAR = 3, 2, 1
_MINIMUM_SIMILARITY: Final = 0.85
_MOSTLY: Final = 0.6
_SAMPLES: Final = 3
_SAMPLE_CHARACTERS: Final = 60
_LONGEST_HEADER: Final = 60
"""A longer text names no column."""
_ROWS_TO_GUESS: Final = 200


@dataclass(frozen=True)
class SheetColumns:
    """The row of the header, from 0, or -1; and what each column is guessed to be."""

    header_row: int
    targets: tuple[str, ...]


@dataclass(frozen=True)
class _Meaning:
    target: str
    score: int
    place: int


def guess_columns(rows: SheetRows) -> SheetColumns:
    """Return what the columns of a sheet are, each meaning at most once."""
    header_row = _header_row(rows)
    body = rows[header_row + 1 :][:_ROWS_TO_GUESS]
    width = max(map(len, rows), default=0)
    targets = [IGNORED] * width
    if header_row >= 0:
        for place, meaning in _best(rows[header_row], body):
            targets[place] = meaning.target
    _guess_from_cells(targets, body)
    return SheetColumns(header_row, tuple(targets))


def samples_of(rows: SheetRows, column: int) -> tuple[str, ...]:
    """Return the first different texts of a column, as they can be shown."""
    texts = (shown(row[column]) for row in rows[:_ROWS_TO_GUESS] if column < len(row))
    return tuple(dict.fromkeys(filter(None, texts)))[:_SAMPLES]


def shown(cell: str) -> str:
    """Return a cell on one line, without invisible characters; a long cell is cut off."""
    text = normalize_text(cell[: _SAMPLE_CHARACTERS * 2])
    return text if len(text) <= _SAMPLE_CHARACTERS else f"{text[:_SAMPLE_CHARACTERS]}…"


def _header_row(rows: SheetRows) -> int:
    """Return the first row that names most meanings; -1 if no row names a dish or a price."""
    best, found = 1, -1
    for number, row in enumerate(rows[:_HEADER_ROWS]):
        meanings = [each for cell in row if (each := _meaning(cell)) and each.score > _SIMILAR]
        targets = {each.target for each in meanings}
        if targets & {"name", "price"} and len(targets) > best:
            best, found = len(targets), number
    return found


def _best(header: Sequence[str], body: SheetRows) -> list[tuple[int, _Meaning]]:
    """Return the columns whose headers have a meaning: for each meaning the likeliest column."""
    chosen: dict[str, tuple[int, _Meaning]] = {}
    for place, cell in enumerate(header):
        meaning = _meaning(cell)
        if meaning is None:
            continue
        if column_key(cell) == "type" and _are_diets(samples_of(body, place)):
            meaning = _Meaning("diet", _EXACT, 0)
        known = chosen.get(meaning.target)
        if known is None or (-meaning.score, meaning.place) < (-known[1].score, known[1].place):
            chosen[meaning.target] = place, meaning
    return list(chosen.values())


def _meaning(cell: str) -> _Meaning | None:
    """Return what a header's cell names: `Rate (Rs.)` is a price; None if it is unknown."""
    if len(cell) > _LONGEST_HEADER:
        return None
    for text, score in _readings(cell):
        if text in MEANT_BY_KEY and MEANT_BY_KEY[text] in TARGETS:
            return _Meaning(MEANT_BY_KEY[text], score, 0)
        if text in _MEANINGS:
            return _Meaning(_MEANINGS[text][0], score, _MEANINGS[text][1])
    key = column_key(cell)
    similar = get_close_matches(key, _MEANINGS, 1, _MINIMUM_SIMILARITY) if len(key) > 3 else []
    return _Meaning(*_swapped(_MEANINGS[similar[0]], _SIMILAR)) if similar else None


def _swapped(meaning: tuple[str, int], score: int) -> tuple[str, int, int]:
    return meaning[0], score, meaning[1]


def _readings(cell: str) -> Iterator[tuple[str, int]]:
    yield column_key(cell), _EXACT
    yield column_key(_IN_BRACKETS.sub("", cell)), _IN_PART
    yield column_key(_CURRENCY.sub("", _IN_BRACKETS.sub("", cell))), _IN_PART


def _are_diets(samples: Sequence[str]) -> bool:
    return bool(samples) and all(column_key(each) in _DIETS for each in samples)


def _guess_from_cells(targets: list[str], body: SheetRows) -> None:
    """Find the columns of prices and names that the header does not name."""
    free = [place for place, target in enumerate(targets) if target == IGNORED]
    if "price" not in targets:
        prices = [place for place in free if _share_of_prices(body, place) >= _MOSTLY]
        if prices:
            targets[prices[-1]] = "price"  # what is counted stands before what it costs
            free.remove(prices[-1])
    if "name" not in targets:
        names = [place for place in free if _different_texts(body, place)]
        if names:
            targets[max(names, key=lambda place: _different_texts(body, place))] = "name"


def _share_of_prices(body: SheetRows, place: int) -> float:
    cells = [row[place] for row in body if place < len(row) and row[place].strip()]
    if not cells or cells == [str(number) for number in range(1, len(cells) + 1)]:
        return 0.0
    return sum(bool(read_price(cell).amount) for cell in cells) / len(cells)


def _different_texts(body: SheetRows, place: int) -> int:
    texts = {row[place] for row in body if place < len(row)}
    return sum(any(map(str.isalpha, text)) for text in texts)
