"""A restaurant's sheet as rows of a menu's table. Source: specification 12.3 to 12.5."""

import re
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Final

from campus_app.catalogue.csv.columns import availability_key, column_key, is_off_sale
from campus_app.catalogue.csv.menu_tables import (
    NO_CATEGORY_TEXTS,
    TABLE_COLUMNS,
    TRENDING_COLUMN,
    CheckedTable,
    TableRow,
    category_texts,
    check_table,
    rows_of_menu,
)
from campus_app.catalogue.csv.price_cells import PriceReading, look_like_paise, read_price
from campus_app.catalogue.csv.sheet_columns import AVAILABLE, SheetColumns, SheetRows
from campus_app.catalogue.rules.dish_ids import NamedRow, dish_ids, name_key
from campus_app.catalogue.rules.menu import Dish, Menu
from campus_app.shared.rules.constants import MAXIMUM_MENU_CELL_CHARACTERS
from kit.text import normalize_text

_NO_CATEGORY: Final = "Menu"
_TEXTS: Final = tuple(each for each in TABLE_COLUMNS if each not in {"id", "price"})
_DIETS: Final = {
    "v": "veg",
    "vegetarian": "veg",
    "pureveg": "veg",
    "yes": "veg",
    "green": "veg",
    "nv": "non_veg",
    "nonveg": "non_veg",
    "nonvegetarian": "non_veg",
    "egg": "non_veg",
    "no": "non_veg",
    "red": "non_veg",
}
"""How restaurants write the diet mark; 'no' answers the column 'Veg'."""
_SPICES: Final = {"mild": "1", "low": "1", "medium": "2", "hot": "2", "veryhot": "3", "high": "3"}
_NO: Final = frozenset({"", "no", "n", "false", "0"})
_Line = tuple[str, dict[str, str]]
"""A line's text if it is a heading, else an empty text; and its cells by their meanings."""
_LIST_SEPARATOR: Final = re.compile(r"\s*[|,;/]\s*")


@dataclass(frozen=True)
class ImportedTable:
    """The rows of a sheet, with what must be asked."""

    rows: tuple[dict[str, str], ...]
    doubts: Mapping[str, PriceReading] = field(default_factory=dict[str, PriceReading])
    """The prices in doubt by the ids of their dishes; their cells are empty."""
    not_available: tuple[str, ...] = ()
    """The names of dishes that are left out, because the sheet says that they are not available."""
    lone_headings: tuple[str, ...] = ()
    """The rows with a single text that no dish follows: a remark, or a dish without a price."""
    missing: tuple[Dish, ...] = ()
    """The dishes of the current menu that the sheet does not name."""

    def checked(self, restaurant_id: int) -> CheckedTable:
        """Return the table's menu and faults."""
        return check_table(restaurant_id, self.rows)


def prices_look_like_paise(rows: SheetRows, columns: SheetColumns) -> bool:
    """Whether the prices of a sheet are rather paise, so that the unit must be asked."""
    cells = (_cells(row, columns.targets) for row in rows[columns.header_row + 1 :])
    return look_like_paise([each["price"] for each in cells if each.get("price", "")])


def import_table(
    rows: SheetRows, columns: SheetColumns, current: Menu, *, in_paise: bool = False
) -> ImportedTable:
    """Return the table of a sheet whose columns are known.

    Without a column of categories, a row with a single text is a heading, the category of the rows
    below it; an empty category is that of the row above, as in merged cells. What the sheet does
    not say of a dish of the current menu is kept.
    """
    lines = tuple(_lines(rows, columns))
    availability = _availability(rows, columns)
    listed = [(row, is_off_sale(availability, row.get(AVAILABLE, ""))) for row in _dishes(lines)]
    not_available = tuple(row["name"] for row, is_left_out in listed if is_left_out)
    sheet = [row for row, is_left_out in listed if not is_left_out]
    others = () if _header(rows, columns, "id") == "id" else current.by_id
    named = [_named(row, others) for row in sheet]
    ids = dish_ids(named, current.dishes)
    sold = rows_of_menu(current)
    known = {row["id"]: row for row in sold}
    categories = category_texts(sold)
    readings = {
        id_: read_price(row.get("price", ""), in_paise=in_paise)
        for id_, row in zip(ids, sheet, strict=True)
    }
    table = tuple(
        _table_row(id_, row, _known(known.get(id_, {}), row, categories), readings[id_].amount)
        for id_, row in zip(ids, sheet, strict=True)
    )
    doubts = {id_: each for id_, each in readings.items() if each.doubt}
    lone_headings = tuple(_lone_headings(lines))
    names = {name_key(name) for name in not_available}
    given = set(ids)
    missing = tuple(
        dish for dish in current.dishes if dish.id not in given and name_key(dish.name) not in names
    )
    return ImportedTable(_with_places(table), doubts, not_available, lone_headings, missing)


def _known(row: TableRow, sent: TableRow, categories: Mapping[str, TableRow]) -> TableRow:
    """Return what is known of a dish, with the names of the category in which it is sent."""
    category = sent.get("category", "").casefold()
    if not category or category == row.get("category", "").casefold():
        return row
    return {**row, **categories.get(category, NO_CATEGORY_TEXTS)}


def _dishes(lines: Iterable[_Line]) -> Iterator[dict[str, str]]:
    """Yield the cells of each dish by their meanings, with its category."""
    category = ""
    for heading, cells in lines:
        category = heading or cells.get("category", "") or category
        if not heading and cells.get("name", ""):
            yield cells | {"category": category}


def _lone_headings(lines: Iterable[_Line]) -> Iterator[str]:
    named = [line for line in lines if line[0] or line[1].get("name", "")]
    for (heading, _), (next_heading, _) in zip(named, [*named[1:], ("end", {})], strict=True):
        if heading and next_heading:
            yield heading


def _lines(rows: SheetRows, columns: SheetColumns) -> Iterator[_Line]:
    has_headings = "category" not in columns.targets
    for row in rows[columns.header_row + 1 :]:
        cells = _cells(row, columns.targets)
        yield _heading(row, cells) if has_headings else "", cells


def _cells(row: Sequence[str], targets: Sequence[str]) -> dict[str, str]:
    return {
        target: normalize_text(cell)[:MAXIMUM_MENU_CELL_CHARACTERS]
        for target, cell in zip(targets, row, strict=False)
        if target
    }


def _heading(row: Sequence[str], cells: Mapping[str, str]) -> str:
    """Return the text of a row that has no other: `STARTERS`; empty if it is a dish."""
    if cells.get("price", ""):
        return ""
    texts = list(islice((text for cell in row if (text := normalize_text(cell))), 2))
    return texts[0][:MAXIMUM_MENU_CELL_CHARACTERS] if len(texts) == 1 else ""


def _availability(rows: SheetRows, columns: SheetColumns) -> str:
    """Return the key of the column that says what is available; empty without such a column."""
    if AVAILABLE not in columns.targets:
        return ""
    return availability_key(_header(rows, columns, AVAILABLE))


def _header(rows: SheetRows, columns: SheetColumns, target: str) -> str:
    """Return the key of a column's header; empty without the column, or without a header."""
    if target not in columns.targets or columns.header_row < 0:
        return ""
    header, place = rows[columns.header_row], columns.targets.index(target)
    return column_key(header[place]) if place < len(header) else ""


def _named(row: TableRow, others: Container[str]) -> NamedRow:
    """Return the name of a row, and its id unless that may be a dish's by chance.

    `Item code` numbers the dishes of a till; `id` is our own column.
    """
    id_ = row.get("id", "")
    return NamedRow(row["name"], row.get("category", ""), "" if id_ in others else id_)


def _table_row(id_: str, row: TableRow, known: TableRow, price: str) -> dict[str, str]:
    cells = {column: table_text(column, row.get(column, "")) for column in _TEXTS}
    merged = {column: cell or known.get(column, "") for column, cell in cells.items()}
    return {
        **merged,
        "id": id_,
        "price": price,
        "category": merged["category"] or _NO_CATEGORY,
        # A sheet that has the column says who is trending, and nobody else is.
        TRENDING_COLUMN: (cells if TRENDING_COLUMN in row else known).get(TRENDING_COLUMN, ""),
    }


def table_text(column: str, cell: str) -> str:
    """Return a cell as the table writes it; an unknown cell stays, so that the checks report it."""
    key = column_key(cell)
    if column == "diet":
        return _DIETS.get(key, cell)
    if column == "spice":
        return _SPICES.get(key, cell)
    if column == "allergens":
        return "|".join(filter(None, _LIST_SEPARATOR.split(cell))).casefold()
    if column == TRENDING_COLUMN:
        is_place = _is_place(cell) and cell not in _NO
        return cell if is_place else "" if cell.casefold() in _NO else "1"
    return cell


def _is_place(cell: str) -> bool:
    return cell.isascii() and cell.isdigit()


def _with_places(table: tuple[dict[str, str], ...]) -> tuple[dict[str, str], ...]:
    """Number the trending dishes anew, in their order."""
    trending = [row for row in table if _is_place(row[TRENDING_COLUMN])]
    trending.sort(key=lambda row: int(row[TRENDING_COLUMN]))
    places = {row["id"]: str(place) for place, row in enumerate(trending, start=1)}
    return tuple(row | {TRENDING_COLUMN: places.get(row["id"], "")} for row in table)
