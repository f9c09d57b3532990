"""Restaurants and menus from the CSV files under `data/`."""

import logging
import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from campus_app.adapters.csv_restaurants import RESTAURANT_COLUMNS, restaurant_from
from campus_app.adapters.csv_rows import CsvRow, EmptyFile, RowFault, UnreadableFile, read_rows
from campus_app.domain.errors import MenuUnavailable
from campus_app.domain.menu import COLUMNS, Diet, Menu, MenuItem, WrongCell, menu_item
from campus_app.domain.messages import MenuMessage
from campus_app.domain.restaurant import Restaurant

logger = logging.getLogger(__name__)

_NOT_FOUND, _UNREADABLE = 404, 500
SIDE_COLUMNS = {
    "trending.csv": ("restaurant_id", "item_id"),
    "diet.csv": ("restaurant_id", "item_id", "diet"),
}


@dataclass(frozen=True)
class _Cached:
    """What was read of a menu's files as they were then: a menu, or why there is none."""

    stamp: tuple[int, ...]
    menu: Menu | MenuUnavailable
    faults: tuple[RowFault, ...] = ()
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


class CsvCatalogue:
    """Restaurants are read once; a menu whenever its files have changed.

    Files are looked at again after `look_every_seconds`: under thousands of clicks a second,
    asking the disk at each of them is dearer than pricing the cart.
    """

    def __init__(self, folder: Path, look_every_seconds: float = 0.0) -> None:
        self._folder = folder
        self._look_every_seconds = look_every_seconds
        self._restaurants = {
            restaurant.id: restaurant for restaurant in _restaurants(folder / "restaurants.csv")
        }
        self._menus: dict[int, _Cached] = {}
        self._files = {
            id_: (
                str(self.menu_file(id_)),
                str(folder / "trending.csv"),
                str(folder / "diet.csv"),
            )
            for id_ in self._restaurants
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
        stamp = self._stamp(restaurant_id)
        if cached is None or cached.stamp != stamp:
            cached = self._read(restaurant_id, stamp, cached)
        cached = replace(cached, trusted_until=now + self._look_every_seconds)
        self._menus[restaurant_id] = cached
        return cached.served()

    def sells(self, restaurant_id: int, item_id: str) -> bool:
        # While the file is there, what was read of it before will do: a dish that is sold no
        # more can still be taken out of the cart.
        cached = self._menus.get(restaurant_id)
        try:
            menu = self.menu(restaurant_id)
        except MenuUnavailable:
            return False
        return item_id in menu.by_id or (cached is not None and cached.sells(item_id))

    def menu_file(self, restaurant_id: int) -> Path:
        """Return where a restaurant's menu is kept."""
        return self._folder / f"menu_{restaurant_id}.csv"

    def faults(self, restaurant_id: int) -> Sequence[RowFault]:
        """Return the rows that a menu leaves out.

        Raises:
            MenuUnavailable: If the file as a whole can't be used.
        """
        return self._parse(restaurant_id)[1]

    def _stamp(self, restaurant_id: int) -> tuple[int, ...]:
        # Asked at every click: os.stat on ready names takes a third of what pathlib takes.
        try:
            stats = [os.stat(file) for file in self._files[restaurant_id]]  # noqa: PTH116
        except OSError as error:
            raise MenuUnavailable(
                MenuMessage.LOAD_FAILED.of(status=_NOT_FOUND), _NOT_FOUND
            ) from error
        # Whatever changes a file or who may read it changes its ctime; a copy may keep its mtime.
        return tuple(
            figure
            for stat in stats
            for figure in (stat.st_mtime_ns, stat.st_ctime_ns, stat.st_size)
        )

    def _read(self, restaurant_id: int, stamp: tuple[int, ...], before: _Cached | None) -> _Cached:
        try:
            items, faults = self._parse(restaurant_id)
            trending = tuple(self._listed("trending.csv", restaurant_id))
        except MenuUnavailable as error:
            logger.warning("menu_%s.csv can't be used: %s", restaurant_id, error.message)
            return _Cached(stamp, MenuUnavailable(error.message, error.status))
        for fault in faults:
            if before is None or fault not in before.faults:
                logger.warning("menu_%s.csv row %s left out: %s", restaurant_id, fault.row, fault)
        if items:
            return _Cached(stamp, Menu(restaurant_id, tuple(items), trending), tuple(faults))
        return _Cached(stamp, MenuUnavailable(MenuMessage.NO_ITEMS, _UNREADABLE), tuple(faults))

    def _parse(self, restaurant_id: int) -> tuple[list[MenuItem], list[RowFault]]:
        try:
            rows = read_rows(self.menu_file(restaurant_id), COLUMNS)
        except EmptyFile as error:
            raise MenuUnavailable(MenuMessage.EMPTY, _UNREADABLE) from error
        except OSError as error:
            raise MenuUnavailable(
                MenuMessage.LOAD_FAILED.of(status=_UNREADABLE), _UNREADABLE
            ) from error
        except UnreadableFile as error:
            raise MenuUnavailable(MenuMessage.UNREADABLE, _UNREADABLE) from error
        if rows.faults and not rows.rows:
            raise MenuUnavailable(MenuMessage.UNREADABLE, _UNREADABLE)
        items, faults = menu_items(rows.rows, self._listed("diet.csv", restaurant_id))
        return items, sorted([*rows.faults, *faults], key=lambda fault: fault.row)

    def _listed(self, name: str, restaurant_id: int) -> dict[str, str]:
        """Return a restaurant's rows of a side file: dish to what the last column says."""
        columns = SIDE_COLUMNS[name]
        try:
            rows = read_rows(self._folder / name, columns)
        except (OSError, EmptyFile, UnreadableFile) as error:
            raise MenuUnavailable(MenuMessage.UNREADABLE, _UNREADABLE) from error
        if rows.faults and not rows.rows:
            raise MenuUnavailable(MenuMessage.UNREADABLE, _UNREADABLE)
        return {
            row.cells["item_id"]: row.cells[columns[-1]]
            for row in rows.rows
            if row.cells["restaurant_id"] == str(restaurant_id)
        }


def menu_items(
    rows: Sequence[CsvRow], diets: Mapping[str, str]
) -> tuple[list[MenuItem], list[RowFault]]:
    """Return the dishes that rows describe, and what is wrong with the other rows."""
    items: dict[str, MenuItem] = {}
    faults: list[RowFault] = []
    for row in rows:
        try:
            item = menu_item(row.cells, _diet(diets.get(row.cells["id"].strip(), "")))
        except WrongCell as error:
            faults.append(RowFault(row.number, error.column, error.reason))
            continue
        if item.id in items:
            faults.append(RowFault(row.number, "id", f"{item.id} is already taken above"))
            continue
        items[item.id] = item
    return list(items.values()), faults


def _diet(mark: str) -> Diet | None:
    if not mark:
        return None
    try:
        return Diet(mark)
    except ValueError as error:
        raise WrongCell("diet", f"{mark!r} in diet.csv is neither veg nor non_veg") from error


def _restaurants(file: Path) -> Iterator[Restaurant]:
    """Yield the restaurants; one that makes no sense would be missing everywhere, so it stops us.

    Raises:
        ValueError: Saying which row is wrong and why.
    """
    read = read_rows(file, RESTAURANT_COLUMNS)
    for fault in read.faults:
        raise ValueError(f"{file.name} row {fault.row}: {fault}")
    seen: set[int] = set()
    for row in read.rows:
        try:
            restaurant = restaurant_from(row.cells)
        except WrongCell as error:
            raise ValueError(f"{file.name} row {row.number}: {error}") from error
        if restaurant.id in seen:
            raise ValueError(f"{file.name} row {row.number}: id {restaurant.id} is taken above")
        seen.add(restaurant.id)
        yield restaurant
