"""The events of a menu's table at the desk, and of the sheets that are read into it.

The table is the page's alone: nothing is stored before it is published.
"""

import base64
import binascii
from typing import Any, Final

import reflex as rx

from campus_app.catalogue.csv.price_cells import PriceReading
from campus_app.catalogue.csv.sheet_columns import IGNORED, TARGETS, SheetColumns
from campus_app.catalogue.rules.dish_ids import new_dish_id
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import DeskEntry
from campus_app.operators.screens.desk_menu_view import (
    DishRow,
    DraftView,
    PreviewView,
    SheetColumnRow,
    SheetView,
    dish_row,
    preview_of,
    sheet_columns,
)
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import (
    MAXIMUM_DISHES,
    MAXIMUM_MENU_BYTES,
    MAXIMUM_MENU_CELL_CHARACTERS,
)
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import DeskMenuMessage
from campus_app.shared.translations import t
from kit.text import normalize_text

EDITED: Final = (
    *("name", "price", "category", "description", "diet", "allergens", "spice"),
    "name_hi",
)
"""The cells that people write; the others are made."""
UNITS: Final = ("rupees", "paise")
_ROWS_A_PAGE: Final = 100
_NEW: Final = "new-"
"""How the id of a dish begins that has no name yet."""
_PART_CHARACTERS: Final = 24_000
_MOST_PARTS: Final = MAXIMUM_MENU_BYTES * 4 // 3 // _PART_CHARACTERS + 2
_LONGEST_FILE_NAME: Final = 60


class DeskMenuDraft(DeskEntry, mixin=True):
    """The table of one menu, one page of its rows, and the sheet that was read last."""

    draft_rows: list[DishRow] = []
    draft: DraftView = {}
    sheet: SheetView = {}
    menu_preview: PreviewView = {}
    _table: list[dict[str, str]] = []
    _doubts: dict[str, PriceReading] = {}
    _base: str = ""
    """The menu on which the table was edited."""
    _page: int = 0
    _sheet_rows: list[list[str]] = []
    _header_row: int = -1
    _parts: list[str] = []

    @rx.event
    async def set_cell(self, dish_id: str, column: str, value: str):
        """Write a cell of the table."""
        if await self._entered(DeskArea.MENUS) is None or column not in EDITED:
            return
        if isinstance(value, str) and len(value) <= MAXIMUM_MENU_CELL_CHARACTERS:
            self._write(dish_id, column, normalize_text(value))

    @rx.event
    async def set_trending(self, dish_id: str, is_trending: bool):
        """Show a dish in Trending, after the others there, or take it out."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        places = [int(row["trending"]) for row in self._table if row["trending"].isdigit()]
        place = max(places, default=0) + 1
        self._write(dish_id, "trending", str(place) if is_trending is True else "")

    @rx.event
    async def add_dish(self):
        """Add an empty row, and show it."""
        if await self._entered(DeskArea.MENUS) is None or len(self._table) >= MAXIMUM_DISHES:
            return
        taken = {row["id"] for row in self._table}
        category = self._table[-1]["category"] if self._table else ""
        id_ = next(
            id_
            for number in range(1, MAXIMUM_DISHES + 1)
            if (id_ := f"{_NEW}{number}") not in taken
        )
        row = dict.fromkeys((*EDITED, "trending"), "") | {"id": id_, "category": category}
        self._table = [*self._table, row]
        self._page = (len(self._table) - 1) // _ROWS_A_PAGE
        self._show_draft()

    @rx.event
    async def remove_dish(self, dish_id: str):
        """Take a dish off the table."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        self._table = [row for row in self._table if row["id"] != dish_id]
        self._doubts = {id_: each for id_, each in self._doubts.items() if id_ != dish_id}
        self._show_draft()

    @rx.event
    async def turn_page(self, step: int):
        """Show the next or the previous rows of a long table."""
        if await self._entered(DeskArea.MENUS) is None or type(step) is not int:
            return
        self._page += 1 if step > 0 else -1
        self._show_draft()

    @rx.event
    async def preview_menu(self):
        """Show the table as students see it, and what it changes."""
        if await self._entered(DeskArea.MENUS) is None or (id_ := self._menu_id()) is None:
            return
        preview = wiring.services().menu_editing.preview(id_, self._table)
        self.menu_preview = preview_of(preview)

    @rx.event
    async def receive_part(self, name: str, place: int, count: int, text: str):
        """Take a part of a file; the last one reads it."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        is_valid = (
            isinstance(name, str)
            and type(place) is int
            and type(count) is int
            and isinstance(text, str)
            and 0 <= place < count <= _MOST_PARTS
            and len(text) <= _PART_CHARACTERS
        )
        if not is_valid or (place and place != len(self._parts)):
            self._parts = []
            return
        self._parts = [*self._parts, text] if place else [text]
        if place + 1 == count:
            await self._read(normalize_text(name[-_LONGEST_FILE_NAME:]))

    @rx.event
    async def refuse_file(self):
        """Say that a file is too large to be sent."""
        if await self._entered(DeskArea.MENUS) is not None:
            self._say(problem=t(DeskMenuMessage.TOO_LARGE))

    @rx.event
    async def set_target(self, place: int, target: str):
        """Take a column of the sheet for another one, and read the sheet anew."""
        if await self._entered(DeskArea.MENUS) is None or not self.sheet:
            return
        if type(place) is not int or target not in _CHOICES:
            return
        columns: list[SheetColumnRow] = []
        for each in self.sheet.get("columns", []):
            others = IGNORED if each["target"] == target else each["target"]
            columns.append({**each, "target": target if each["place"] == place else others})
        self.sheet = {**self.sheet, "columns": columns}
        self._import()

    @rx.event
    async def set_unit(self, unit: str):
        """Answer whether the prices of the sheet are rupees or paise."""
        if await self._entered(DeskArea.MENUS) is None or not self.sheet:
            return
        if unit in UNITS:
            self.sheet = {**self.sheet, "unit": unit}
            self._import()

    async def _read(self, name: str) -> None:
        """Read the file whose parts have arrived, and put it into the table if nothing is asked."""
        encoded, self._parts = "".join(self._parts), []
        try:
            raw = base64.b64decode(encoded, validate=True)
            read = await wiring.services().menu_editing.read(raw)
        except binascii.Error:
            return
        except OrderingError as error:
            self._say(problem=t(error.message))
            return
        self._say()
        self._sheet_rows, self._header_row = (
            [list(row) for row in read.rows],
            read.columns.header_row,
        )
        self.sheet = {
            "name": name,
            "columns": sheet_columns(read.rows, read.columns),
            "unit": "" if read.may_be_paise else "rupees",
            "isUnitAsked": read.may_be_paise,
            "notAvailable": "",
            "lone": "",
        }
        self._import()

    def _import(self) -> None:
        """Replace the table by the sheet's; without an answer about the unit, wait for it."""
        id_, unit = self._menu_id(), self.sheet.get("unit", "")
        if id_ is None or not unit:
            return
        targets = tuple(each["target"] for each in self.sheet.get("columns", []))
        try:
            table = wiring.services().menu_editing.imported(
                id_,
                self._sheet_rows,
                SheetColumns(self._header_row, targets),
                in_paise=unit == "paise",
            )
        except OrderingError as error:
            self._say(problem=t(error.message))
            return
        self._table, self._doubts, self._page = list(table.rows), dict(table.doubts), 0
        self.sheet = {
            **self.sheet,
            "notAvailable": ", ".join(table.not_available),
            "lone": ", ".join(table.lone_headings),
        }
        self._say(
            done=t("{count} dishes are read. Nothing is published yet.", count=len(table.rows))
        )
        self._show_draft()

    def _start_draft(self, restaurant_id: int) -> None:
        """Begin with the menu that is sold."""
        services = wiring.services()
        self._table = services.menu_editing.table(restaurant_id)
        self._base = services.menu_versions.current(restaurant_id).base
        self._doubts, self._sheet_rows, self._parts, self._page = {}, [], [], 0
        self.sheet = {}
        self._show_draft()

    def _write(self, dish_id: str, column: str, value: str) -> None:
        taken = {row["id"] for row in self._table}
        table: list[dict[str, str]] = []
        for row in self._table:
            if row["id"] != dish_id:
                table.append(row)
                continue
            changed = row | {column: value}
            if column == "name" and value and dish_id.startswith(_NEW):
                changed["id"] = new_dish_id(value, taken | self._sold_ids())
            table.append(changed)
        self._table = table
        if column == "price" and value:
            self._doubts = {id_: each for id_, each in self._doubts.items() if id_ != dish_id}
        self._show_draft()

    def _sold_ids(self) -> set[str]:
        id_ = self._menu_id()
        return {row["id"] for row in wiring.services().menu_editing.table(id_)} if id_ else set()

    def _show_draft(self) -> None:
        """Show the page of the table, its faults, and what is asked."""
        id_ = self._menu_id()
        if id_ is None:
            return
        editing = wiring.services().menu_editing
        faults = editing.preview(id_, self._table).faults
        sold = {row["id"]: row for row in editing.table(id_)}
        pages = max(1, -(-len(self._table) // _ROWS_A_PAGE))
        self._page = min(max(self._page, 0), pages - 1)
        start = self._page * _ROWS_A_PAGE
        by_row: dict[int, list[Any]] = {}
        for each in faults:
            by_row.setdefault(each.row, []).append(each)
        self.draft_rows = [
            dish_row(row, by_row.get(number, ()), self._doubts.get(row["id"]), sold.get(row["id"]))
            for number, row in enumerate(self._table, start=1)
            if start < number <= start + _ROWS_A_PAGE
        ]
        self.draft = {
            "count": len(self._table),
            "faults": len({each.row for each in faults}),
            "asked": len(self._doubts),
            "page": self._page + 1,
            "pages": pages,
            "isChanged": list(sold.values()) != self._table,
            "categories": list(dict.fromkeys(row["category"] for row in self._table)),
        }
        self.menu_preview = {}

    def _menu_id(self) -> int | None:
        """Return the restaurant of the address; None if it names none."""
        text = self.router.url.path.rstrip("/").rpartition("/")[2]
        id_ = routes.parse_restaurant_id(text)
        known = wiring.services().catalogue.restaurant(id_) if id_ is not None else None
        return known.id if known else None


_CHOICES: Final = (IGNORED, *TARGETS)
