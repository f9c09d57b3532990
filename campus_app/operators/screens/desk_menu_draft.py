"""The events of a menu's table at the desk.

The table is the session's, and is stored for a day: a session in memory ends with its process.
Nobody is sold anything of it before it is published.
"""

from typing import Any, Final

import reflex as rx

from campus_app.catalogue.csv.columns import LOCAL_COLUMNS
from campus_app.catalogue.csv.menu_tables import with_cell
from campus_app.catalogue.csv.price_cells import PriceReading
from campus_app.catalogue.csv.sheet_imports import table_text
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_entry import DeskEntry, device_at_desk
from campus_app.operators.screens.desk_menu_view import (
    DishRow,
    DraftView,
    PreviewView,
    dish_row,
    preview_of,
)
from campus_app.operators.sql.menu_drafts import MenuDraft
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import MAXIMUM_DISHES, MAXIMUM_MENU_CELL_CHARACTERS
from kit.text import normalize_text

EDITED: Final = (
    *("name", "price", "category", "description", "diet", "allergens", "spice"),
    *LOCAL_COLUMNS,
)
"""The cells that people write; the others are made."""
_ROWS_A_PAGE: Final = 100
_NEW: Final = "+"
"""How the id of a new dish begins; it gets another one, made of its name, when it is published."""


class DeskMenuDraft(DeskEntry, mixin=True):
    """The table of one menu, and one page of its rows."""

    draft_rows: list[DishRow] = []
    draft: DraftView = {}
    menu_preview: PreviewView = {}
    _table: list[dict[str, str]] = []
    _doubts: dict[str, PriceReading] = {}
    _menu: int = 0
    """The restaurant whose menu is edited; 0 for none."""
    _base: str = ""
    """The menu on which the table was edited."""
    _page: int = 0
    _is_changed: bool = False
    """Whether the table is not the menu that is sold."""

    @rx.event
    async def set_cell(self, dish_id: str, column: str, value: str):
        """Write a cell of the table."""
        if await self._entered(DeskArea.MENUS) is None or column not in EDITED:
            return
        if isinstance(value, str) and len(value) <= MAXIMUM_MENU_CELL_CHARACTERS:
            await self._write(dish_id, column, table_text(column, normalize_text(value)))

    @rx.event
    async def set_trending(self, dish_id: str, is_trending: bool):
        """Show a dish in Trending, after the others there, or take it out."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        places = [int(row["trending"]) for row in self._table if row["trending"].isdecimal()]
        place = max(places, default=0) + 1
        await self._write(dish_id, "trending", str(place) if is_trending is True else "")

    @rx.event
    async def add_dish(self):
        """Add an empty row, and show it."""
        if await self._entered(DeskArea.MENUS) is None or len(self._table) >= MAXIMUM_DISHES:
            return
        numbers = [int(row["id"][1:]) for row in self._table if row["id"].startswith(_NEW)]
        id_ = f"{_NEW}{max(numbers, default=0) + 1}"
        last = self._table[-1] if self._table else {}
        of_category = {name: cell for name, cell in last.items() if name.startswith("category")}
        row = dict.fromkeys((*EDITED, "trending"), "") | of_category | {"id": id_}
        self._table = [*self._table, row]
        self._page = (len(self._table) - 1) // _ROWS_A_PAGE
        await self._show_changes()

    @rx.event
    async def remove_dish(self, dish_id: str):
        """Take a dish off the table."""
        if await self._entered(DeskArea.MENUS) is None:
            return
        self._table = [row for row in self._table if row["id"] != dish_id]
        self._decide(dish_id)
        await self._show_changes()

    @rx.event
    async def turn_page(self, step: int):
        """Show the next or the previous rows of a long table."""
        if await self._entered(DeskArea.MENUS) is None or type(step) is not int:
            return
        self._page += 1 if step > 0 else -1
        await self._show_draft()

    @rx.event
    async def show_fault(self):
        """Show the next page of the table, or the first one, that has a fault."""
        if await self._entered(DeskArea.MENUS) is None or (id_ := self._menu_id()) is None:
            return
        preview = await wiring.services().menu_editing.preview(id_, self._table)
        pages = sorted({(each.row - 1) // _ROWS_A_PAGE for each in preview.faults if each.row})
        if pages:
            self._page = next((page for page in pages if page > self._page), pages[0])
            await self._show_draft()

    @rx.event
    async def preview_menu(self):
        """Show the table as students see it, and what it changes."""
        if await self._entered(DeskArea.MENUS) is None or (id_ := self._menu_id()) is None:
            return
        preview = await wiring.services().menu_editing.preview(id_, self._table)
        self.menu_preview = preview_of(preview)

    async def _start_draft(self, restaurant_id: int) -> None:
        """Begin with the menu that is sold."""
        services = wiring.services()
        self._menu = restaurant_id
        self._table = services.menu_editing.table(restaurant_id)
        self._base = services.menu_versions.current(restaurant_id).base
        self._doubts, self._page = {}, 0
        self._forget_sheets()
        await self._show_draft()

    async def _go_on(self, restaurant_id: int) -> bool:
        """Go on with the table of this menu that was not published; False if there is none."""
        if self._has_draft(restaurant_id):
            await self._show_draft()
            return True
        services, device = wiring.services(), await device_at_desk()
        if device is None:
            return False
        now = services.clock.now()
        draft = await services.menu_drafts.find(device.id, restaurant_id, now)
        if draft is None:
            return False
        self._menu, self._base, self._page = restaurant_id, draft.base, 0
        self._table, self._doubts = list(draft.rows), dict(draft.doubts)
        self._forget_sheets()
        await self._show_draft()
        return True

    async def _drop_draft(self, restaurant_id: int) -> None:
        """Begin with the menu that is sold, and forget what was not published."""
        if device := await device_at_desk():
            await wiring.services().menu_drafts.delete(device.id, restaurant_id)
        await self._start_draft(restaurant_id)

    def _has_draft(self, restaurant_id: int) -> bool:
        """Whether there is a table of this menu that is not the one that is sold."""
        return self._menu == restaurant_id and self._is_changed

    def _kept(self) -> dict[str, object]:
        """Keep a table that is not published until another menu is opened."""
        names = ("_menu", "_table", "_doubts", "_base", "_page", "_is_changed")
        own = {name: getattr(self, name) for name in names} if self._is_changed else {}
        return super()._kept() | own

    def _forget_sheets(self) -> None:
        """Drop what was read for the table; see `desk_menu_import.py`."""

    async def _write(self, dish_id: str, column: str, value: str) -> None:
        self._table = with_cell(self._table, dish_id, column, value)
        if column == "price" and value:
            self._decide(dish_id)
        await self._show_changes()

    def _decide(self, dish_id: str) -> None:
        """Ask no more for the price of a dish."""
        self._doubts = {id_: each for id_, each in self._doubts.items() if id_ != dish_id}

    async def _show_draft(self) -> None:
        """Show the page of the table, its faults, and what is asked."""
        id_ = self._menu_id()
        if id_ is None:
            return
        editing = wiring.services().menu_editing
        preview = await editing.preview(id_, self._table)
        table = editing.table(id_)
        sold = {row["id"]: row for row in table}
        pages = max(1, -(-len(self._table) // _ROWS_A_PAGE))
        self._page = min(max(self._page, 0), pages - 1)
        shown = slice(self._page * _ROWS_A_PAGE, (self._page + 1) * _ROWS_A_PAGE)
        by_row: dict[int, list[Any]] = {}
        for each in preview.faults:
            by_row.setdefault(each.row, []).append(each)
        self.draft_rows = [
            dish_row(row, by_row.get(number, ()), self._doubts.get(row["id"]), sold.get(row["id"]))
            for number, row in list(enumerate(self._table, start=1))[shown]
        ]
        self._is_changed = table != self._table
        self.draft = {
            "count": len(self._table),
            "faults": len({each.row for each in preview.faults}),
            "asked": len(self._doubts),
            "page": self._page + 1,
            "pages": pages,
            "isChanged": self._is_changed,
            "categories": list(dict.fromkeys(row["category"] for row in self._table)),
        }
        self.menu_preview = {}

    async def _show_changes(self) -> None:
        """Show the table, and store it; one that is the menu that is sold needs no storing."""
        await self._show_draft()
        services, device = wiring.services(), await device_at_desk()
        if device is None or not self._menu:
            return
        drafts = services.menu_drafts
        if self._is_changed:
            draft = MenuDraft(self._base, self._table, self._doubts)
            await drafts.store(device.id, self._menu, draft, services.clock.now())
        else:
            await drafts.delete(device.id, self._menu)

    def _menu_id(self) -> int | None:
        """Return the restaurant of the address; None if it names none."""
        text = self.router.url.path.rstrip("/").rpartition("/")[2]
        id_ = routes.parse_restaurant_id(text)
        known = wiring.services().catalogue.restaurant(id_) if id_ is not None else None
        return known.id if known else None
