"""A menu as a table of texts: what the desk edits, and what a published version stores as CSV.

The columns of `menu_{id}.csv`, of `diet.csv` and of `trending.csv` are beside each other, so that a
version is a whole menu. The parsers and the checks are those of the files.
"""

import csv
import io
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from campus_app.catalogue.csv.columns import LOCAL_COLUMNS
from campus_app.catalogue.csv.diet_marks import MARK_READERS
from campus_app.catalogue.csv.menus import menu_dishes
from campus_app.catalogue.csv.rows import parse_rows
from campus_app.catalogue.rules.menu import COLUMNS, Dish, DishMarks, Menu
from campus_app.shared.rules.constants import MAXIMUM_DISHES, MAXIMUM_MENU_BYTES
from kit.csv.rows import CsvRow, CsvRows, Effect, RowFault

TableRow = Mapping[str, str]
"""The cells of a dish by the columns; a missing cell is empty."""

TRENDING_COLUMN: Final = "trending"
TABLE_COLUMNS: Final = (*COLUMNS, *MARK_READERS, TRENDING_COLUMN, *LOCAL_COLUMNS)
NO_CATEGORY_TEXTS: Final = {each: "" for each in LOCAL_COLUMNS if each.startswith("category_")}
"""The columns of a category's names in other languages, all empty."""


@dataclass(frozen=True)
class CheckedTable:
    """A table's menu, None if no dish can be sold; and its faults.

    `row` of a fault is the row of the table from 1 (`check_table`), or the line of the CSV with its
    header (`check_csv`); 0 is the whole table.
    """

    menu: Menu | None
    faults: tuple[RowFault, ...]


def rows_of_menu(menu: Menu) -> list[dict[str, str]]:
    """Return a menu as the rows of its table."""
    places = {id_: str(place) for place, id_ in enumerate(dict.fromkeys(menu.trending), start=1)}
    return [_row_of(dish, places.get(dish.id, "")) for dish in menu.dishes]


def check_table(restaurant_id: int, rows: Sequence[TableRow]) -> CheckedTable:
    """Check a table as `check-menus` checks the files, and for its size."""
    cells = [{column: row.get(column, "") for column in TABLE_COLUMNS} for row in rows]
    numbered = tuple(CsvRow(number, each) for number, each in enumerate(cells, start=1))
    checked = _checked(restaurant_id, CsvRows(numbered, (), header=TABLE_COLUMNS))
    return replace(checked, faults=(*_size_faults(rows), *checked.faults))


def with_cell(
    rows: Sequence[TableRow], dish_id: str, column: str, text: str
) -> list[dict[str, str]]:
    """Return a table with another text in the cell of a dish.

    A category has one name in each language: the dish takes the names of its new category, and a
    name that is written for one dish is written for all of its category.
    """
    dish = next((row for row in rows if row["id"] == dish_id), None)
    if dish is None:
        return [dict(row) for row in rows]
    changed = {**dish, column: text}
    if column == "category" and text.casefold() != dish["category"].casefold():
        changed |= category_texts(rows).get(text.casefold(), NO_CATEGORY_TEXTS)
    is_for_all = column in NO_CATEGORY_TEXTS
    table: list[dict[str, str]] = []
    for row in rows:
        if row["id"] == dish_id:
            table.append(changed)
        elif is_for_all and row["category"].casefold() == dish["category"].casefold():
            table.append({**row, column: text})
        else:
            table.append(dict(row))
    return table


def category_texts(rows: Sequence[TableRow]) -> dict[str, dict[str, str]]:
    """Return the names of each category in other languages, by its name without case."""
    texts: dict[str, dict[str, str]] = {}
    for row in rows:
        known = texts.setdefault(row["category"].casefold(), dict(NO_CATEGORY_TEXTS))
        known |= {column: known[column] or row.get(column, "") for column in NO_CATEGORY_TEXTS}
    return texts


def csv_of_rows(rows: Sequence[TableRow]) -> str:
    """Return the rows of a table as CSV with a header."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(TABLE_COLUMNS)
    writer.writerows([row.get(column, "") for column in TABLE_COLUMNS] for row in rows)
    return text.getvalue()


def rows_of_csv(text: str) -> list[dict[str, str]]:
    """Return the rows of a table's CSV; an empty text has no rows.

    Raises:
        UnreadableFile: If the text is not such a CSV.
    """
    return [row.cells for row in parse_rows(text, COLUMNS).rows] if text else []


def check_csv(restaurant_id: int, text: str) -> CheckedTable:
    """Return the menu of a table's CSV, and its faults by line.

    Raises:
        EmptyFile: If the text is empty.
        UnreadableFile: If the text is not such a CSV.
    """
    return _checked(restaurant_id, parse_rows(text, COLUMNS))


def _row_of(dish: Dish, place: str) -> dict[str, str]:
    return {
        "id": dish.id,
        "name": dish.name,
        "description": dish.description,
        "price": str(dish.price).removesuffix(".00"),
        "category": dish.category,
        "diet": dish.marks.diet or "",
        "allergens": "|".join(dish.marks.allergens),
        "spice": str(dish.marks.spice.value) if dish.marks.spice else "",
        TRENDING_COLUMN: place,
        **{column: _local_text(dish, column) for column in LOCAL_COLUMNS},
    }


def _local_text(dish: Dish, column: str) -> str:
    """Return what a dish has in a column like `name_hi`."""
    field, code = column.rsplit("_", 1)
    return getattr(dish.texts_in(code), field)


def _checked(restaurant_id: int, read: CsvRows) -> CheckedTable:
    marks: dict[str, DishMarks] = {}
    places: dict[str, int] = {}
    faults = list(read.faults)
    for row in read.rows:
        id_ = row.cells["id"].strip()
        marks[id_], mark_faults = _marks_of(row)
        try:
            place = _place(row.cells.get(TRENDING_COLUMN, ""))
        except ValueError as error:
            faults.append(RowFault(row.number, TRENDING_COLUMN, str(error), Effect.IGNORED))
            place = 0
        faults += mark_faults
        if place:
            places[id_] = place
    dishes, dish_faults = menu_dishes(read, marks)
    listed = sorted((places[each.id], each.id) for each in dishes if each.id in places)
    trending = tuple(id_ for _, id_ in listed)
    faults = sorted([*faults, *dish_faults], key=lambda fault: fault.row)
    menu = Menu(restaurant_id, tuple(dishes), trending) if dishes else None
    return CheckedTable(menu, tuple(faults))


def _marks_of(row: CsvRow) -> tuple[DishMarks, list[RowFault]]:
    faults: list[RowFault] = []
    read: dict[str, Any] = {}
    for column, parse in MARK_READERS.items():
        cell = row.cells.get(column, "")
        try:
            read |= {column: parse(cell)} if cell.strip() else {}
        except ValueError as error:
            faults.append(RowFault(row.number, column, str(error), Effect.IGNORED))
    return DishMarks(**read), faults


def _place(cell: str) -> int:
    """Return a dish's place in Trending, from 1; 0 if it is not there."""
    text = cell.strip()
    if not text:
        return 0
    # The slice keeps a huge number from being parsed.
    if not (text.isascii() and text.isdigit() and 1 <= int(text[:9]) <= MAXIMUM_DISHES):
        raise ValueError(f"{text!r} is not a place in Trending like 1")
    return int(text)


def _size_faults(rows: Sequence[TableRow]) -> Iterator[RowFault]:
    if not rows:
        yield RowFault(0, "", "there is no dish")
    if len(rows) > MAXIMUM_DISHES:
        yield RowFault(0, "", f"{len(rows)} dishes: at most {MAXIMUM_DISHES} can be published")
    elif len(csv_of_rows(rows).encode()) > MAXIMUM_MENU_BYTES:
        yield RowFault(0, "", f"the menu has more than {MAXIMUM_MENU_BYTES} bytes")
