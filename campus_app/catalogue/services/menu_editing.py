"""Editing a menu at the desk: reading what a restaurant sends, checking and comparing a table.

Work that takes longer for a longer table runs in threads: 2,000 dishes take 0.1 s.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from campus_app.catalogue.csv import sheet_reader
from campus_app.catalogue.csv.menu_tables import TableRow, check_table, rows_of_menu
from campus_app.catalogue.csv.sheet_columns import SheetColumns, SheetRows, guess_columns
from campus_app.catalogue.csv.sheet_files import Sheet, SheetFiles, UnreadableSheet
from campus_app.catalogue.csv.sheet_imports import (
    ImportedTable,
    import_table,
    prices_look_like_paise,
)
from campus_app.catalogue.rules.dish_ids import with_dish_ids
from campus_app.catalogue.rules.menu import Menu
from campus_app.catalogue.rules.menu_difference import MenuDifference, menu_difference
from campus_app.catalogue.services.menu_versions import MenuVersions
from campus_app.shared.rules.constants import MAXIMUM_DISHES
from campus_app.shared.rules.errors import Invalid
from campus_app.shared.rules.messages import DeskMenuMessage
from kit.csv.rows import RowFault

_PROBLEMS: Final = {
    sheet_reader.TOO_LARGE: DeskMenuMessage.TOO_LARGE,
    sheet_reader.TOO_SLOW: DeskMenuMessage.TOO_SLOW,
    sheet_reader.OLD_WORKBOOK: DeskMenuMessage.OLD_WORKBOOK,
    sheet_reader.EMPTY: DeskMenuMessage.EMPTY,
}


@dataclass(frozen=True)
class GuessedColumns:
    """The guessed meaning of each column; `may_be_paise`: ask for the unit of the prices."""

    columns: SheetColumns
    may_be_paise: bool


@dataclass(frozen=True)
class Preview:
    """What publishing a table would do; no menu and no difference if no dish of it can be sold."""

    rows: Sequence[TableRow]
    """The table with an id for each dish."""
    menu: Menu | None
    faults: Sequence[RowFault]
    difference: MenuDifference | None


class MenuEditing:
    """The use cases of the desk before a menu is published; nothing is stored."""

    def __init__(self, versions: MenuVersions, files: SheetFiles) -> None:
        self._versions = versions
        self._files = files

    def table(self, restaurant_id: int) -> list[dict[str, str]]:
        """Return the table of the menu that is sold; empty if no menu is sold.

        Raises:
            NotFound: If there is no such restaurant.
        """
        menu = self._versions.current(restaurant_id).menu
        return rows_of_menu(menu) if menu else []

    async def read(self, raw: bytes) -> Sequence[Sheet]:
        """Read a CSV file, pasted cells, or a workbook: its sheets, the largest first.

        Raises:
            Invalid: `unreadable_sheet`, with the reason.
        """
        try:
            return await self._files.sheets(raw)
        except UnreadableSheet as error:
            message = _PROBLEMS.get(error.problem, DeskMenuMessage.UNREADABLE)
            raise Invalid(message, code="unreadable_sheet") from error

    async def guessed(self, rows: SheetRows) -> GuessedColumns:
        """Return the guessed meaning of each column of a sheet."""

        def work() -> GuessedColumns:
            columns = guess_columns(rows)
            return GuessedColumns(columns, prices_look_like_paise(rows, columns))

        return await asyncio.to_thread(work)

    async def imported(
        self, restaurant_id: int, rows: SheetRows, columns: SheetColumns, *, in_paise: bool
    ) -> ImportedTable:
        """Return the table of a sheet whose columns are chosen.

        Raises:
            NotFound: If there is no such restaurant.
            Invalid: If the name or the price has no column, or there are no or too many dishes.
        """
        if not {"name", "price"} <= set(columns.targets):
            raise Invalid(DeskMenuMessage.NEEDS_COLUMNS)
        current = self._versions.current(restaurant_id).menu or Menu(restaurant_id, ())
        table = await asyncio.to_thread(import_table, rows, columns, current, in_paise=in_paise)
        if len(table.rows) > MAXIMUM_DISHES:
            raise Invalid(DeskMenuMessage.TOO_LARGE)
        if not table.rows:
            raise Invalid(DeskMenuMessage.EMPTY)
        return table

    async def preview(self, restaurant_id: int, rows: Sequence[TableRow]) -> Preview:
        """Return what publishing a table would do.

        A row without a valid id is a new dish and gets an id made of its name.

        Raises:
            NotFound: If there is no such restaurant.
        """
        current = self._versions.current(restaurant_id).menu

        def work() -> Preview:
            named = with_dish_ids(rows, current.by_id if current else ())
            checked = check_table(restaurant_id, named)
            found = menu_difference(current, checked.menu) if checked.menu else None
            return Preview(named, checked.menu, checked.faults, found)

        return await asyncio.to_thread(work)
