"""What the desk's pages of menus show, as the browser gets it: all texts are ready."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, Final, TypedDict, cast

from campus_app.catalogue.api.catalogue import menu_sections
from campus_app.catalogue.csv.columns import LOCAL_COLUMNS
from campus_app.catalogue.csv.price_cells import PriceReading
from campus_app.catalogue.csv.sheet_columns import SheetColumns, SheetRows, samples_of, shown
from campus_app.catalogue.rules.menu import TRENDING
from campus_app.catalogue.rules.menu_difference import DishChange, MenuDifference
from campus_app.catalogue.rules.menu_version import MenuSource, VersionHead
from campus_app.catalogue.screens.menus_react import Section
from campus_app.catalogue.services.menu_editing import Preview
from campus_app.catalogue.services.menu_versions import CurrentMenu
from campus_app.operators.screens.desk_words import ListEnd, at
from campus_app.shared.rules import routes
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from kit.csv.rows import RowFault
from kit.text import gettext_noop, isolate

COLUMN_NAMES: Final[Mapping[str, str]] = {
    "name": gettext_noop("Name"),
    "price": gettext_noop("Price"),
    "category": gettext_noop("Category"),
    "description": gettext_noop("Description"),
    "diet": gettext_noop("Diet"),
    "allergens": gettext_noop("Allergens"),
    "spice": gettext_noop("Spice"),
    "trending": gettext_noop("Trending"),
    "name_hi": gettext_noop("Hindi name"),
    "category_hi": gettext_noop("Hindi category"),
    "description_hi": gettext_noop("Hindi description"),
    "id": gettext_noop("Id"),
    "available": gettext_noop("Available"),
}
"""The columns of a menu, and of a sheet."""


class MenuLine(TypedDict, total=False):
    """A menu in the list."""

    id: int
    name: str
    href: str
    source: str
    isOfDesk: bool
    dishes: int
    version: str
    at: str
    by: str
    note: str


class VersionRow(TypedDict):
    """A version in the history."""

    key: str
    at: str
    what: str
    by: str
    note: str


class DifferenceLine(TypedDict):
    """A dish, and what differs."""

    name: str
    what: str


class DifferenceGroup(TypedDict):
    """The dishes that differ in one way."""

    title: str
    count: int
    lines: list[DifferenceLine]


class DifferenceView(TypedDict, total=False):
    """What differs between two menus."""

    isSame: bool
    isReordered: bool
    groups: list[DifferenceGroup]


class MenuView(MenuLine, total=False):
    """The menu that is open: its line, its history, and what was changed in its file."""

    base: str
    history: list[VersionRow]
    historyEnd: ListEnd
    canUndo: bool
    canUseDesk: bool
    fileChanges: list[DifferenceGroup]
    isOutdated: bool
    isUnknown: bool


class DraftView(TypedDict, total=False):
    """The table as a whole."""

    count: int
    faults: int
    asked: int
    page: int
    pages: int
    isChanged: bool
    categories: list[str]


class PreviewView(DifferenceView, total=False):
    """What publishing the table would do; `whole` are the faults of no single row."""

    sections: list[Section]
    faults: int
    whole: list[str]


class DishRow(TypedDict):
    """A dish of the table; `faults` are the reasons by the columns."""

    id: str
    name: str
    price: str
    category: str
    description: str
    diet: str
    allergens: str
    spice: str
    name_hi: str
    category_hi: str
    description_hi: str
    isTrending: bool
    faults: dict[str, str]
    hasMoreFaults: bool
    asked: str
    options: list[str]
    changed: bool


class SheetColumnRow(TypedDict):
    """A column of a sheet that was read."""

    place: int
    header: str
    samples: str
    target: str


class SheetView(TypedDict, total=False):
    """The sheet that was read last; `unit` is empty until it is answered.

    `sheets` are the names of the file's sheets, if it has several; `place` is that of the one that
    is read.
    """

    name: str
    sheets: list[str]
    place: int
    columns: list[SheetColumnRow]
    unit: str
    isUnitAsked: bool
    notAvailable: str
    lone: str
    missing: str
    missingCount: int


def menu_line(current: CurrentMenu, name: str, now: datetime) -> MenuLine:
    """Return a menu's line in the list."""
    latest = current.latest
    is_of_desk = current.source is MenuSource.DESK
    return MenuLine(
        id=current.restaurant_id,
        name=name,
        href=routes.desk_menu(current.restaurant_id),
        source=t("Desk") if is_of_desk else t("File"),
        isOfDesk=is_of_desk,
        dishes=len(current.menu.dishes) if current.menu else 0,
        version=t("Version {number}", number=latest.number) if latest else "",
        at=at(latest.at, now) if latest else "",
        by=latest.author if latest else "",
        note=latest.note if latest else "",
    )


def version_row(head: VersionHead, now: datetime) -> VersionRow:
    """Return a version's line in the history."""
    return {
        "key": str(head.number),
        "at": at(head.at, now),
        "what": t("Back to the file")
        if head.is_file
        else t("Version {number}", number=head.number),
        "by": head.author,
        "note": head.note,
    }


def dish_row(
    row: Mapping[str, str],
    faults: Sequence[RowFault],
    reading: PriceReading | None,
    sold: Mapping[str, str] | None,
) -> DishRow:
    """Return a row of the table; `sold` is the same dish on the menu that is sold."""
    reasons = {each.column: each.reason for each in faults}
    if not row.get("price", ""):
        reasons["price"] = t("Write the price.")
    cells = {name: row.get(name, "") for name in _CELLS}
    return DishRow(
        **cells,  # pyright: ignore[reportArgumentType]
        isTrending=bool(row.get("trending", "")),
        faults=reasons,
        hasMoreFaults=bool(set(reasons) - {"name", "price", "category", "diet", "trending"}),
        asked=_asked(reading) if reading else "",
        options=list(reading.options) if reading else [],
        changed=sold is None or any(row.get(name, "") != sold.get(name, "") for name in row),
    )


_CELLS: Final = (
    *("id", "name", "price", "category", "description", "diet", "allergens", "spice"),
    *LOCAL_COLUMNS,
)


def _asked(reading: PriceReading) -> str:
    if not reading.written:
        return t("The sheet has no price.")
    return t("The sheet says “{words}”.", words=reading.written)


def sheet_columns(rows: SheetRows, columns: SheetColumns) -> list[SheetColumnRow]:
    """Return the columns of a sheet with what they are taken for."""
    header = rows[columns.header_row] if columns.header_row >= 0 else ()
    body = rows[columns.header_row + 1 :]
    return [
        SheetColumnRow(
            place=place,
            header=shown(header[place]) if place < len(header) else "",
            samples=" · ".join(samples_of(body, place)),
            target=target,
        )
        for place, target in enumerate(columns.targets)
    ]


def some_of(names: Sequence[str]) -> str:
    """Return names with dots between them, since many have commas; the rest of many is cut off."""
    return " · ".join([*map(isolate, names[:_NAMED]), *(["…"] if len(names) > _NAMED else [])])


_NAMED: Final = 40
_UNKNOWN: Final[DifferenceView] = {"isSame": False, "isReordered": False, "groups": []}


def preview_of(preview: Preview) -> PreviewView:
    """Return a preview: the menu as students see it, and what changes."""
    found = preview.difference
    return {
        "sections": [
            cast("Section", each.model_dump(by_alias=True) | {"name": _section_name(each.name)})
            for each in (menu_sections(preview.menu) if preview.menu else ())
        ],
        "faults": len(preview.faults),
        "whole": [each.reason for each in preview.faults if not each.row],
        **(difference_of(found) if found else _UNKNOWN),
    }


def _section_name(name: str) -> str:
    """Return a section's name; that of our own one is translated."""
    return t(TRENDING) if name == TRENDING else name


def difference_of(found: MenuDifference) -> DifferenceView:
    """Return a difference as groups of lines, each with a title."""
    other = [each for each in found.changed if each.fields]
    groups = (
        (t("New"), [(each.name, format_rupees(each.price)) for each in found.new]),
        (t("Gone"), [(each.name, format_rupees(each.price)) for each in found.gone]),
        (
            t("Dearer"),
            [
                (each.after.name, _prices(each.before.price, each.after.price))
                for each in found.dearer
            ],
        ),
        (
            t("Cheaper"),
            [
                (each.after.name, _prices(each.before.price, each.after.price))
                for each in found.cheaper
            ],
        ),
        (t("Changed"), [(each.after.name, _changes(each)) for each in other]),
    )
    return {
        "isSame": found.is_empty,
        "isReordered": found.is_reordered,
        "groups": [
            {
                "title": title,
                "count": len(lines),
                "lines": [{"name": name, "what": what} for name, what in lines],
            }
            for title, lines in groups
            if lines
        ],
    }


def _prices(before: Any, after: Any) -> str:
    by = after - before
    sign = "+" if by > 0 else ""
    return f"{format_rupees(before)} → {format_rupees(after)} ({sign}{format_rupees(by)})"


def _changes(change: DishChange) -> str:
    """Return the names of the fields; of the dish's name what it was before."""
    fields = [t(COLUMN_NAMES[each]) for each in change.fields]
    before = isolate(change.before.name)
    named = [t("Name, before: {name}", name=before)] if "name" in change.fields else []
    return ", ".join([*named, *fields[len(named) :]])
