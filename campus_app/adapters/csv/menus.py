"""Parsing of the rows of a menu."""

from collections.abc import Mapping

from campus_app.adapters.csv.cells import parse_amount
from campus_app.adapters.csv.rows import CsvRows, RowFault
from campus_app.domain.menu import NO_MARKS, DishMarks, InvalidCell, MenuItem, menu_item


def menu_items(
    read: CsvRows, marks: Mapping[str, DishMarks]
) -> tuple[list[MenuItem], list[RowFault]]:
    """Return the dishes of the rows, and the faulty rows."""
    items: dict[str, MenuItem] = {}
    faults: list[RowFault] = []
    for row in read.rows:
        try:
            price = _price(row.cells["price"], read.delimiter)
            of_dish = marks.get(row.cells["id"].strip(), NO_MARKS)
            item = menu_item({**row.cells, "price": price}, of_dish)
        except InvalidCell as error:
            faults.append(RowFault(row.number, error.column, error.reason))
            continue
        if item.id in items:
            faults.append(RowFault(row.number, "id", f"{item.id} is already taken above"))
            continue
        items[item.id] = item
    return list(items.values()), faults


def _price(cell: str, delimiter: str) -> str:
    try:
        return parse_amount(cell, delimiter=delimiter)
    except ValueError as error:
        raise InvalidCell("price", str(error)) from error
