"""The menu of a file's content, or why the content cannot be used."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from campus_app.catalogue.csv.columns import MenuEffect
from campus_app.catalogue.csv.diet_marks import Marks
from campus_app.catalogue.csv.menus import menu_dishes
from campus_app.catalogue.csv.rows import rows_from
from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import COLUMNS, Menu
from campus_app.shared.rules.messages import MenuMessage
from kit.csv.rows import Effect, EmptyFile, RowFault, reason_of, summarised
from kit.csv.text import UnreadableFile

NOT_FOUND: Final = 404
UNREADABLE: Final = 500


class BrokenMenu(Exception):
    """A menu file that cannot be used, with the error for visitors and the reason for operators.

    `is_off_sale`: the file says that no dish is on sale, so that no earlier menu is sold either.
    """

    def __init__(
        self, message: str, status: int, reason: str, *, is_off_sale: bool = False
    ) -> None:
        super().__init__(reason)
        self.refusal = MenuUnavailable(message, status)
        self.is_off_sale = is_off_sale


def content_of(file: Path) -> bytes:
    """Return the content of a menu's file.

    Raises:
        BrokenMenu: If it cannot be read.
    """
    try:
        return file.read_bytes()
    except OSError as error:
        status = NOT_FOUND if isinstance(error, FileNotFoundError) else UNREADABLE
        message = MenuMessage.LOAD_FAILED.of(status=status)
        raise BrokenMenu(message, status, reason_of(error)) from error


def menu_of(restaurant_id: int, raw: bytes, marks: Marks) -> tuple[Menu, list[RowFault]]:
    """Return the menu of a file's content, and its faulty rows.

    Raises:
        BrokenMenu: If it has no dish that can be sold.
    """
    try:
        read = rows_from(raw, COLUMNS)
    except EmptyFile as error:
        raise BrokenMenu(MenuMessage.EMPTY, UNREADABLE, str(error)) from error
    except UnreadableFile as error:
        raise BrokenMenu(MenuMessage.UNREADABLE, UNREADABLE, reason_of(error)) from error
    if read.faults and not read.rows:
        first = read.faults[0]
        reason = f"row {first.row}: {first}"
        raise BrokenMenu(MenuMessage.UNREADABLE, UNREADABLE, f"no row can be read: {reason}")
    id_ = str(restaurant_id)
    dishes, faults = menu_dishes(read, marks.of_dishes.get(id_, {}))
    faults = sorted([*read.faults, *faults], key=lambda fault: fault.row)
    if not dishes:
        reason = f": row {faults[0].row}: {faults[0]}" if faults else ""
        is_off_sale = any(fault.effect is MenuEffect.NOT_ON_SALE for fault in faults)
        text = f"it has no dish{reason}"
        raise BrokenMenu(MenuMessage.NO_DISHES, UNREADABLE, text, is_off_sale=is_off_sale)
    return Menu(restaurant_id, tuple(dishes), marks.trending.get(id_, ())), faults


def require_sound(raw: bytes, menu: Menu, faults: Sequence[RowFault]) -> None:
    """Raise BrokenMenu for content that a good copy should not be replaced by."""
    if rows_from(raw, COLUMNS).is_cut_off:
        row = max(fault.row for fault in faults)
        raise BrokenMenu(MenuMessage.UNREADABLE, UNREADABLE, f"it ends within a row, {row}")
    left_out = [fault for fault in faults if fault.effect is Effect.ROW_LEFT_OUT]
    if len(left_out) > len(menu.dishes):
        raise _mostly_wrong(left_out)


def _mostly_wrong(faults: Sequence[RowFault]) -> BrokenMenu:
    """Return the error for a file with mostly faulty rows: the last good menu stays in use."""
    examples = "; ".join(f"row {each.row}: {each}" for each in summarised(faults)[:2])
    return BrokenMenu(MenuMessage.UNREADABLE, UNREADABLE, f"most rows are wrong: {examples}")
