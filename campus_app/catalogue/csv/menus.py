"""Parsing of the rows of a menu."""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import Final

from campus_app.catalogue.csv.cells import parse_amount
from campus_app.catalogue.csv.columns import LOCAL_COLUMNS, off_sale_fault
from campus_app.catalogue.rules.menu import (
    NO_MARKS,
    Dish,
    DishMarks,
    InvalidCell,
    is_trending,
    menu_dish,
    with_merged_categories,
)
from kit.csv.damage import damage_of, is_no_value
from kit.csv.rows import CsvRow, CsvRows, Effect, RowFault

_NO_CATEGORY = "{cell!r} is not a category: write the name of the tab that the dish belongs to"
_NEEDED: Final = ("name", "category")
"""The texts without which a dish is not sold."""
_OPTIONAL: Final = ("description", *LOCAL_COLUMNS)
_TWO_NAMES = "{name!r} is not shown: {category!r} is {first!r} in a row above"


def menu_dishes(read: CsvRows, marks: Mapping[str, DishMarks]) -> tuple[list[Dish], list[RowFault]]:
    """Return the dishes of the rows, and the faults.

    A damaged name or category leaves out the dish, another damaged text only itself. A dish that
    the file says is not on sale is left out and reported as a fault.
    """
    dishes: dict[str, Dish | None] = {}
    faults: list[RowFault] = []
    local_categories: dict[tuple[str, str], str] = {}
    for row in read.rows:
        cleaned, cell_faults = _without_damaged_cells(row)
        faults += cell_faults
        try:
            dish = _dish(cleaned.cells, read.delimiter, marks)
        except InvalidCell as error:
            faults.append(RowFault(row.number, error.column, error.reason))
            continue
        if dish.id in dishes:
            faults.append(RowFault(row.number, "id", f"{dish.id} is already taken above"))
            continue
        off_sale = off_sale_fault(row.number, row.cells)
        faults += [off_sale] if off_sale else []
        dishes[dish.id] = None if off_sale else dish  # None: not sold, but its id is taken
        faults += [] if off_sale else _category_faults(row.number, dish, local_categories)
    return list(with_merged_categories(filter(None, dishes.values()))), faults


def _category_faults(
    number: int, dish: Dish, first: dict[tuple[str, str], str]
) -> Iterator[RowFault]:
    """Yield a fault for each second name that a category gets in a language.

    `first` has the names of the rows above, by category and language; this row's are added.
    """
    for code, texts in dish.local.items():
        if not texts.category:
            continue
        known = first.setdefault((dish.category.casefold(), code), texts.category)
        if known != texts.category:
            reason = _TWO_NAMES.format(name=texts.category, category=dish.category, first=known)
            yield RowFault(number, f"category_{code}", reason, Effect.IGNORED)


def _without_damaged_cells(row: CsvRow) -> tuple[CsvRow, list[RowFault]]:
    """Return a row whose damaged optional texts are empty, and the faults of these."""
    damaged = {name: _optional_damage(name, row.cells.get(name, "")) for name in _OPTIONAL}
    faults = [
        RowFault(row.number, name, reason, Effect.IGNORED)
        for name, reason in damaged.items()
        if reason
    ]
    emptied = {fault.column: "" for fault in faults}
    return replace(row, cells=row.cells | emptied), faults


def _optional_damage(column: str, cell: str) -> str:
    text = cell.strip()
    if column.startswith("category_") and text and (is_no_value(text) or is_trending(text)):
        return _NO_CATEGORY.format(cell=text)
    return damage_of(cell)


def _dish(cells: Mapping[str, str], delimiter: str, marks: Mapping[str, DishMarks]) -> Dish:
    for name in _NEEDED:
        if reason := damage_of(cells[name]):
            raise InvalidCell(name, reason)
    if is_no_value(cells["category"]):
        raise InvalidCell("category", _NO_CATEGORY.format(cell=cells["category"].strip()))
    price = _price(cells["price"], delimiter)
    dish_marks = marks.get(cells["id"].strip(), NO_MARKS)
    return menu_dish({**cells, "price": price}, dish_marks)


def _price(cell: str, delimiter: str) -> str:
    try:
        return parse_amount(cell, delimiter=delimiter)
    except ValueError as error:
        raise InvalidCell("price", str(error)) from error
