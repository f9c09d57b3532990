"""Restaurants and menus from the CSV files under `data/`."""

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic
from typing import Final

from campus_app.adapters.csv.cells import parse_amount
from campus_app.adapters.csv.diet_marks import (
    SIDE_COLUMNS,
    MarkFiles,
    Marks,
    Stamp,
    reason_of,
    stamp_of,
)
from campus_app.adapters.csv.last_good import LastGoodCopies
from campus_app.adapters.csv.restaurants import RESTAURANT_COLUMNS, restaurant_from
from campus_app.adapters.csv.rows import CsvRows, EmptyFile, RowFault, rows_from, summarised
from campus_app.adapters.csv.text import UnreadableFile
from campus_app.domain.errors import MenuUnavailable
from campus_app.domain.menu import (
    COLUMNS,
    NO_MARKS,
    DishMarks,
    InvalidCell,
    Menu,
    MenuItem,
    menu_item,
)
from campus_app.domain.messages import MenuMessage
from campus_app.domain.restaurant import Restaurant

logger = logging.getLogger(__name__)

_NOT_FOUND, _UNREADABLE = 404, 500
RESTAURANTS: Final = "restaurants.csv"


class _Broken(Exception):
    """A menu file that cannot be used, with the error for visitors and the reason for operators."""

    def __init__(self, message: str, status: int, reason: str) -> None:
        super().__init__(reason)
        self.refusal = MenuUnavailable(message, status)


@dataclass(frozen=True)
class _Cached:
    """A menu, or the error for it, with the stamps of the files that it was read from."""

    stamp: tuple[Stamp, ...]
    menu: Menu | MenuUnavailable
    faults: tuple[RowFault, ...] = ()
    problem: str = ""
    """Why the file cannot be used; the menu is then the last good one."""
    good: bytes | None = None
    """The file content that the menu was read from."""
    trusted_until: float = 0.0

    def served(self) -> Menu:
        """Return the menu.

        Raises:
            MenuUnavailable: If there is none.
        """
        if isinstance(self.menu, MenuUnavailable):
            raise MenuUnavailable(self.menu.message, self.menu.status)
        return self.menu

    def sells(self, item_id: str) -> bool:
        """Whether the dish was on the menu."""
        return isinstance(self.menu, Menu) and item_id in self.menu.by_id


@dataclass(frozen=True)
class FileState:
    """Whether a data file is usable now."""

    name: str
    is_broken: bool
    """Unusable: the last good copy is used, or a side file's marks are missing."""
    rows_left_out: int


class CsvCatalogue:
    """Reads the restaurants once, and a menu again whenever its files change.

    Files are checked for changes every `check_interval_seconds`, since a stat call on each click
    costs more than pricing the cart. If a file is unusable, its last good content is served, from
    memory or from `last_good`.

    Raises:
        ValueError: If the restaurants' file is unusable and has no good copy.
        OSError: If it cannot be read and has no good copy.
    """

    def __init__(
        self,
        folder: Path,
        check_interval_seconds: float = 0.0,
        last_good: LastGoodCopies | None = None,
    ) -> None:
        self._folder = folder
        self._check_interval_seconds = check_interval_seconds
        self._last_good = last_good or LastGoodCopies()
        self._restaurants_problem = ""
        self._restaurants = {each.id: each for each in self._read_restaurants()}
        self._menus: dict[int, _Cached] = {}
        self._marks = MarkFiles(folder)
        self._files = {
            id_: (str(self._menu_file(id_)), *self._marks.files) for id_ in self._restaurants
        }

    def restaurants(self) -> Sequence[Restaurant]:
        return tuple(self._restaurants.values())

    def restaurant(self, restaurant_id: int) -> Restaurant | None:
        return self._restaurants.get(restaurant_id)

    def menu(self, restaurant_id: int) -> Menu:
        cached = self._menus.get(restaurant_id)
        now = monotonic()
        if cached is not None and now < cached.trusted_until:
            return cached.served()
        if restaurant_id not in self._restaurants:
            raise MenuUnavailable(MenuMessage.RESTAURANT_NOT_FOUND, _NOT_FOUND)
        stamp = tuple(map(stamp_of, self._files[restaurant_id]))
        if cached is None or cached.stamp != stamp:
            cached = self._read(restaurant_id, stamp, cached)
        cached = replace(cached, trusted_until=now + self._check_interval_seconds)
        self._menus[restaurant_id] = cached
        return cached.served()

    def sells(self, restaurant_id: int, item_id: str) -> bool:
        # The previous menu counts too, so that a removed dish can be taken out of a cart.
        cached = self._menus.get(restaurant_id)
        try:
            menu = self.menu(restaurant_id)
        except MenuUnavailable:
            return False
        return item_id in menu.by_id or (cached is not None and cached.sells(item_id))

    def _menu_file(self, restaurant_id: int) -> Path:
        return self._folder / f"menu_{restaurant_id}.csv"

    def faults(self, restaurant_id: int) -> Sequence[RowFault]:
        """Return the faulty rows that a menu leaves out.

        Raises:
            MenuUnavailable: If there is no menu to serve.
        """
        self.menu(restaurant_id)
        return self._menus[restaurant_id].faults

    def read_all(self) -> None:
        """Read every file, so that each has a good copy and problems are logged."""
        for _ in self.file_states():
            pass

    def file_states(self) -> Iterator[FileState]:
        """Yield the state of each file: restaurants, menus, side files."""
        yield FileState(RESTAURANTS, bool(self._restaurants_problem), 0)
        for id_ in self._restaurants:
            try:
                self.menu(id_)
            except MenuUnavailable:
                yield FileState(self._menu_file(id_).name, is_broken=True, rows_left_out=0)
            else:
                cached = self._menus[id_]
                yield FileState(self._menu_file(id_).name, bool(cached.problem), len(cached.faults))
        marks = self._marks.marks(tuple(map(stamp_of, self._marks.files)))
        for name in SIDE_COLUMNS:
            yield FileState(name, name in marks.problems, len(marks.faults.get(name, ())))

    def _read(
        self, restaurant_id: int, stamp: tuple[Stamp, ...], before: _Cached | None
    ) -> _Cached:
        marks = self._marks.marks(stamp[1:])
        file = self._menu_file(restaurant_id)
        try:
            raw = _content(file)
            menu, faults = _menu(restaurant_id, raw, marks)
            if len(faults) > len(menu.items) and self._good(file.name, before) is not None:
                raise _mostly_wrong(faults)
        except _Broken as broken:
            return self._last_good_menu(restaurant_id, stamp, before, broken)
        self._last_good.save(file.name, raw)
        known = summarised(before.faults) if before else []
        for fault in summarised(faults):
            if fault not in known:
                logger.warning("%s row %s left out: %s", file.name, fault.row, fault)
        return _Cached(stamp, menu, tuple(faults), good=raw)

    def _last_good_menu(
        self,
        restaurant_id: int,
        stamp: tuple[Stamp, ...],
        before: _Cached | None,
        broken: _Broken,
    ) -> _Cached:
        """Return the last good menu, from memory or from the copy, or else the error."""
        name = self._menu_file(restaurant_id).name
        good = self._good(name, before)
        menu: Menu | MenuUnavailable = broken.refusal
        faults: Sequence[RowFault] = ()
        if good is not None:
            with contextlib.suppress(_Broken):
                menu, faults = _menu(restaurant_id, good, self._marks.marks(stamp[1:]))
        if before is None or before.problem != str(broken):
            nothing = isinstance(menu, MenuUnavailable)
            sold = "nothing is on sale" if nothing else "the last good menu stays on sale"
            logger.warning("%s can't be used: %s; %s", name, broken, sold)
        return _Cached(stamp, menu, tuple(faults), str(broken), good)

    def _good(self, name: str, before: _Cached | None) -> bytes | None:
        return before.good if before and before.good is not None else self._last_good.read(name)

    def _read_restaurants(self) -> list[Restaurant]:
        file = self._folder / RESTAURANTS
        try:
            raw = file.read_bytes()
            restaurants = restaurants_in(raw)
        except (OSError, ValueError) as error:
            copy = self._last_good.read(RESTAURANTS)
            if copy is None:
                raise
            self._restaurants_problem = str(error)
            logger.warning("%s; the last good list of restaurants is used", error)
            return restaurants_in(copy)
        self._last_good.save(RESTAURANTS, raw)
        return restaurants


def _mostly_wrong(faults: Sequence[RowFault]) -> _Broken:
    """Return the error for a file with mostly faulty rows: the last good menu stays in use."""
    examples = "; ".join(f"row {each.row}: {each}" for each in summarised(faults)[:2])
    return _Broken(MenuMessage.UNREADABLE, _UNREADABLE, f"most rows are wrong: {examples}")


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as error:
        status = _NOT_FOUND if isinstance(error, FileNotFoundError) else _UNREADABLE
        message = MenuMessage.LOAD_FAILED.of(status=status)
        raise _Broken(message, status, reason_of(error)) from error


def _menu(restaurant_id: int, raw: bytes, marks: Marks) -> tuple[Menu, list[RowFault]]:
    """Return the menu of a file's content, and its faulty rows."""
    try:
        read = rows_from(raw, COLUMNS)
    except EmptyFile as error:
        raise _Broken(MenuMessage.EMPTY, _UNREADABLE, str(error)) from error
    except UnreadableFile as error:
        raise _Broken(MenuMessage.UNREADABLE, _UNREADABLE, reason_of(error)) from error
    if read.faults and not read.rows:
        first = read.faults[0]
        reason = f"row {first.row}: {first}"
        raise _Broken(MenuMessage.UNREADABLE, _UNREADABLE, f"no row can be read: {reason}")
    id_ = str(restaurant_id)
    items, faults = menu_items(read, marks.of_dishes.get(id_, {}))
    faults = sorted([*read.faults, *faults], key=lambda fault: fault.row)
    if not items:
        reason = f": row {faults[0].row}: {faults[0]}" if faults else ""
        raise _Broken(MenuMessage.NO_ITEMS, _UNREADABLE, f"it has no dish{reason}")
    return Menu(restaurant_id, tuple(items), marks.trending.get(id_, ())), faults


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


def restaurants_in(raw: bytes) -> list[Restaurant]:
    """Return the restaurants of a file's content; any faulty row is an error.

    Raises:
        ValueError: With the row and the reason.
    """
    try:
        read = rows_from(raw, RESTAURANT_COLUMNS)
    except UnreadableFile as error:
        raise ValueError(f"{RESTAURANTS} {reason_of(error)}") from error
    for fault in read.faults:
        raise ValueError(f"{RESTAURANTS} row {fault.row}: {fault}")
    restaurants: dict[int, Restaurant] = {}
    for row in read.rows:
        try:
            restaurant = restaurant_from(row.cells)
        except InvalidCell as error:
            raise ValueError(f"{RESTAURANTS} row {row.number}: {error}") from error
        if restaurant.id in restaurants:
            raise ValueError(f"{RESTAURANTS} row {row.number}: id {restaurant.id} is taken above")
        restaurants[restaurant.id] = restaurant
    if not restaurants:
        raise ValueError(f"{RESTAURANTS} names no restaurant")
    return list(restaurants.values())
