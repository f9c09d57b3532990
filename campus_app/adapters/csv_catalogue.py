"""Restaurants and menus from the CSV files under `data/`."""

import logging
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from time import monotonic

import pandas as pd

from campus_app.domain.campus import Campus
from campus_app.domain.errors import MenuUnavailable
from campus_app.domain.menu import COLUMNS, Diet, Menu, MenuItem, menu_item
from campus_app.domain.messages import MenuMessage
from campus_app.domain.restaurant import OpeningHours, Restaurant

logger = logging.getLogger(__name__)

_NOT_FOUND, _UNREADABLE = 404, 500
_FIRST_ROW = 2
_LIST_SEPARATOR = "|"
_NO_TABLE = (pd.errors.EmptyDataError, pd.errors.ParserError)


@dataclass(frozen=True)
class MenuFault:
    """A row that is left out of its menu, and why."""

    row: int
    reason: str


@dataclass(frozen=True)
class _Cached:
    stamp: tuple[int, ...]
    menu: Menu
    trusted_until: float


def _rows(file: Path) -> list[dict[str, str]]:
    frame = pd.read_csv(file, dtype=str, keep_default_na=False, encoding="utf-8-sig")
    rows = frame.to_dict("records")  # pyright: ignore[reportUnknownMemberType]
    return [{str(key): str(value) for key, value in row.items()} for row in rows]


def _restaurant(row: Mapping[str, str]) -> Restaurant:
    return Restaurant(
        id=int(row["id"]),
        name=row["name"],
        categories=tuple(row["categories"].split(_LIST_SEPARATOR)),
        rating=row["rating"],
        delivery_minutes=row["delivery_time"],
        image=row["image"],
        tags=tuple(row["tags"].split(_LIST_SEPARATOR)),
        vendor_email=row["vendor_email"],
        vendor_phone=row["vendor_phone"],
        hours=OpeningHours(time.fromisoformat(row["open"]), time.fromisoformat(row["close"])),
        campuses=frozenset(Campus(name) for name in row["campuses"].split(_LIST_SEPARATOR)),
        takes_reservations=row["takes_reservations"] == "true",
        seats_per_slot=int(row["seats_per_slot"]),
    )


class CsvCatalogue:
    """Restaurants are read once; a menu whenever its files have changed.

    Files are looked at again after `look_every_seconds`: under thousands of clicks a second,
    asking the disk at each of them is dearer than pricing the cart.
    """

    def __init__(self, folder: Path, look_every_seconds: float = 0.0) -> None:
        self._folder = folder
        self._look_every_seconds = look_every_seconds
        self._restaurants = {
            restaurant.id: restaurant
            for restaurant in map(_restaurant, _rows(folder / "restaurants.csv"))
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
            return cached.menu
        if restaurant_id not in self._restaurants:
            raise MenuUnavailable(MenuMessage.RESTAURANT_NOT_FOUND, _NOT_FOUND)
        stamp = self._stamp(restaurant_id)
        if cached is not None and cached.stamp == stamp:
            menu = cached.menu
        else:
            menu = self._read(restaurant_id)
        self._menus[restaurant_id] = _Cached(stamp, menu, now + self._look_every_seconds)
        return menu

    def sells(self, restaurant_id: int, item_id: str) -> bool:
        # While the file is there, what was read of it before will do: a dish that is sold no
        # more can still be taken out of the cart.
        cached = self._menus.get(restaurant_id)
        try:
            menu = self.menu(restaurant_id)
        except MenuUnavailable:
            return False
        return item_id in menu.by_id or (cached is not None and item_id in cached.menu.by_id)

    def menu_file(self, restaurant_id: int) -> Path:
        """Return where a restaurant's menu is kept."""
        return self._folder / f"menu_{restaurant_id}.csv"

    def faults(self, restaurant_id: int) -> Sequence[MenuFault]:
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
                MenuMessage.LOAD_FAILED.format(status=_NOT_FOUND), _NOT_FOUND
            ) from error
        return tuple(figure for stat in stats for figure in (stat.st_mtime_ns, stat.st_size))

    def _read(self, restaurant_id: int) -> Menu:
        items, faults = self._parse(restaurant_id)
        for fault in faults:
            logger.warning(
                "menu_%s.csv row %s left out: %s", restaurant_id, fault.row, fault.reason
            )
        if not items:
            raise MenuUnavailable(MenuMessage.NO_ITEMS, _UNREADABLE)
        trending = tuple(self._listed("trending.csv", restaurant_id))
        return Menu(restaurant_id, tuple(items), trending)

    def _parse(self, restaurant_id: int) -> tuple[list[MenuItem], list[MenuFault]]:
        try:
            rows = _rows(self.menu_file(restaurant_id))
        except pd.errors.EmptyDataError as error:
            raise MenuUnavailable(MenuMessage.EMPTY, _UNREADABLE) from error
        except OSError as error:
            raise MenuUnavailable(
                MenuMessage.LOAD_FAILED.format(status=_UNREADABLE), _UNREADABLE
            ) from error
        except (pd.errors.ParserError, UnicodeDecodeError) as error:
            raise MenuUnavailable(MenuMessage.UNREADABLE, _UNREADABLE) from error
        if rows and not set(COLUMNS) <= rows[0].keys():
            raise MenuUnavailable(MenuMessage.UNREADABLE, _UNREADABLE)
        return self._items(rows, self._listed("diet.csv", restaurant_id))

    def _items(
        self, rows: Sequence[Mapping[str, str]], diets: Mapping[str, str]
    ) -> tuple[list[MenuItem], list[MenuFault]]:
        items: dict[str, MenuItem] = {}
        faults: list[MenuFault] = []
        for number, row in enumerate(rows, _FIRST_ROW):
            diet = diets.get(row["id"].strip())
            try:
                item = menu_item(row, Diet(diet) if diet else None)
            except ValueError as error:
                faults.append(MenuFault(number, str(error)))
                continue
            if item.id in items:
                faults.append(MenuFault(number, f"id: {item.id} is already taken above"))
                continue
            items[item.id] = item
        return list(items.values()), faults

    def _listed(self, name: str, restaurant_id: int) -> dict[str, str]:
        """Return a restaurant's rows of a side file: dish to what the last column says."""
        try:
            return {
                row["item_id"]: list(row.values())[-1]
                for row in _rows(self._folder / name)
                if row["restaurant_id"] == str(restaurant_id)
            }
        except (KeyError, OSError, UnicodeDecodeError, *_NO_TABLE) as error:
            raise MenuUnavailable(MenuMessage.UNREADABLE, _UNREADABLE) from error
