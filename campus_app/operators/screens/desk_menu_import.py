"""The events of a restaurant's file at the desk: it replaces the table, once all is answered."""

import base64
import binascii
from typing import Final

import reflex as rx

from campus_app.catalogue.csv.sheet_columns import IGNORED, TARGETS, SheetColumns
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_menu_draft import DeskMenuDraft
from campus_app.operators.screens.desk_menu_view import (
    SheetColumnRow,
    SheetView,
    sheet_columns,
    some_of,
)
from campus_app.shared.rules.constants import MAXIMUM_MENU_BYTES
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import DeskMenuMessage
from campus_app.shared.translations import t
from kit.text import normalize_text

UNITS: Final = ("rupees", "paise")
_PART_CHARACTERS: Final = 24_000
_MOST_PARTS: Final = MAXIMUM_MENU_BYTES * 4 // 3 // _PART_CHARACTERS + 2
_LONGEST_FILE_NAME: Final = 60
_CHOICES: Final = (IGNORED, *TARGETS)
_WHOLE: Final = 100


class DeskMenuImport(DeskMenuDraft, mixin=True):
    """The file that was read last, and which of its sheets is in the table."""

    sheet: SheetView = {}
    received: int = 0
    """How much of a file has arrived, in percent; 0 if none is on its way."""
    _sheets: list[tuple[str, list[list[str]]]] = []
    """Name and rows of the sheets of the file."""
    _header_row: int = -1
    _parts: list[str] = []
    _missing: list[str] = []
    """The dishes of the menu that the sheet does not name."""

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
            self._parts, self.received = [], 0
            return
        self._parts = [*self._parts, text] if place else [text]
        self.received = _WHOLE * (place + 1) // count
        if place + 1 == count:
            yield
            self.received = 0
            await self._read(normalize_text(name[-_LONGEST_FILE_NAME:]))

    @rx.event
    async def refuse_file(self):
        """Say that a file is too large to be sent."""
        if await self._entered(DeskArea.MENUS) is not None:
            self._say(problem=t(DeskMenuMessage.TOO_LARGE))

    @rx.event
    async def set_sheet(self, place: int):
        """Take another sheet of the file."""
        if await self._entered(DeskArea.MENUS) is None or type(place) is not int:
            return
        if 0 <= place < len(self._sheets):
            await self._understand(place)

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
        await self._import()

    @rx.event
    async def set_unit(self, unit: str):
        """Answer whether the prices of the sheet are rupees or paise."""
        if await self._entered(DeskArea.MENUS) is None or not self.sheet:
            return
        if unit in UNITS:
            self.sheet = {**self.sheet, "unit": unit}
            await self._import()

    @rx.event
    async def keep_missing(self):
        """Put the dishes into the table that are on the menu, but not in the sheet."""
        if await self._entered(DeskArea.MENUS) is None or (id_ := self._menu_id()) is None:
            return
        taken = {row["id"] for row in self._table}
        wanted = set(self._missing) - taken
        sold = wiring.services().menu_editing.table(id_)
        self._table = [*self._table, *(row for row in sold if row["id"] in wanted)]
        self._missing = []
        self.sheet = {**self.sheet, "missing": "", "missingCount": 0}
        await self._show_changes()

    def _forget_sheets(self) -> None:
        self._sheets, self._parts, self._missing = [], [], []
        self.received, self.sheet = 0, {}

    def _has_draft(self, restaurant_id: int) -> bool:
        is_asked = self._menu == restaurant_id and bool(self.sheet)
        return is_asked or super()._has_draft(restaurant_id)

    async def _read(self, name: str) -> None:
        """Read the file whose parts have arrived, and put it into the table if nothing is asked."""
        encoded, self._parts = "".join(self._parts), []
        try:
            raw = base64.b64decode(encoded, validate=True)
            sheets = await wiring.services().menu_editing.read(raw)
        except binascii.Error:
            return
        except OrderingError as error:
            self._say(problem=t(error.message))
            return
        self._sheets = [(each.name, [list(row) for row in each.rows]) for each in sheets]
        names = [normalize_text(each.name) for each in sheets]
        self.sheet = {"name": name, "sheets": names if len(names) > 1 else []}
        await self._understand(0)

    async def _understand(self, place: int) -> None:
        """Guess the columns of a sheet; put it into the table if nothing is asked."""
        self._say()
        rows = self._sheets[place][1]
        guessed = await wiring.services().menu_editing.guessed(rows)
        self._header_row = guessed.columns.header_row
        self.sheet = {
            **self.sheet,
            "place": place,
            "columns": sheet_columns(rows, guessed.columns),
            "unit": "" if guessed.may_be_paise else "rupees",
            "isUnitAsked": guessed.may_be_paise,
            "notAvailable": "",
            "lone": "",
            "missing": "",
            "missingCount": 0,
        }
        await self._import()

    async def _import(self) -> None:
        """Replace the table by the sheet's; without an answer about the unit, wait for it."""
        id_, unit = self._menu_id(), self.sheet.get("unit", "")
        if id_ is None or not unit:
            return
        targets = tuple(each["target"] for each in self.sheet.get("columns", []))
        try:
            table = await wiring.services().menu_editing.imported(
                id_,
                self._sheets[self.sheet.get("place", 0)][1],
                SheetColumns(self._header_row, targets),
                in_paise=unit == "paise",
            )
        except OrderingError as error:
            self._say(problem=t(error.message))
            return
        self._table, self._doubts, self._page = list(table.rows), dict(table.doubts), 0
        self._missing = [dish.id for dish in table.missing]
        self.sheet = {
            **self.sheet,
            "notAvailable": some_of(table.not_available),
            "lone": some_of(table.lone_headings),
            "missing": some_of([dish.name for dish in table.missing]),
            "missingCount": len(table.missing),
        }
        self._say(
            done=t("{count} dishes are read. Nothing is published yet.", count=len(table.rows))
        )
        await self._show_changes()
