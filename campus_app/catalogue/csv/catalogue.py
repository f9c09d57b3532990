"""Restaurants and menus from the CSV files under `data/`, or as they are published at the desk."""

import contextlib
import logging
import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import monotonic, sleep
from typing import Final
from zlib import crc32

from campus_app.catalogue.csv.diet_marks import SIDE_COLUMNS, MarkFiles, Marks
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.catalogue.csv.menu_files import (
    NOT_FOUND,
    UNREADABLE,
    BrokenMenu,
    content_of,
    menu_of,
    require_sound,
)
from campus_app.catalogue.csv.menu_tables import check_csv
from campus_app.catalogue.csv.restaurants import RESTAURANTS, restaurants_in
from campus_app.catalogue.csv.stamps import UNSETTLED, SettledStamps, Stamp, stamp_of
from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.catalogue.rules.menu import Menu
from campus_app.catalogue.rules.restaurant import Restaurant, RestaurantDay
from campus_app.shared.rules.messages import MenuMessage
from kit.csv.rows import Effect, EmptyFile, RowFault, summarised
from kit.csv.text import UnreadableFile

logger = logging.getLogger(__name__)

_CHECK_SECONDS: Final = 0.05
_MOST_CHECKS: Final = 100
_MOST_NAMES_BEFORE: Final = 10_000
"""How many dishes of earlier menus have a name: each version may have 2,000 others."""


@dataclass(frozen=True)
class _Cached:
    """A menu, or the error for it, with the stamps of the files that it was read from."""

    stamp: tuple[Stamp, ...]
    menu: Menu | MenuUnavailable
    faults: tuple[RowFault, ...] = ()
    problem: str = ""
    """Why the file cannot be used; the menu is then its last good copy."""
    good: bytes | None = None
    """The file content that the menu was read from."""
    names_before: Mapping[str, str] = field(default_factory=dict[str, str])
    """The names of dishes that this process has read earlier, by their ids."""
    revision: str = ""
    """Depends on the content that the menu was read from, in each process alike."""
    trusted_until: float = 0.0

    def served(self) -> Menu:
        """Return the menu.

        Raises:
            MenuUnavailable: If there is no menu to serve.
        """
        if isinstance(self.menu, MenuUnavailable):
            raise MenuUnavailable(self.menu.message, self.menu.status)
        return self.menu

    def sells(self, dish_id: str) -> bool:
        """Whether the dish was on the menu."""
        return isinstance(self.menu, Menu) and dish_id in self.menu.by_id


@dataclass(frozen=True)
class PublishedMenu:
    """A menu that was published at the desk, or the error for it."""

    menu: Menu | MenuUnavailable
    faults: tuple[RowFault, ...] = ()


def published_menu(restaurant_id: int, content: str) -> PublishedMenu:
    """Return the menu of a published table, which was checked before."""
    try:
        checked = check_csv(restaurant_id, content)
    except (EmptyFile, UnreadableFile):
        logger.exception("the published menu of restaurant %s can't be read", restaurant_id)
        return PublishedMenu(MenuUnavailable(MenuMessage.UNREADABLE, UNREADABLE))
    menu = checked.menu or MenuUnavailable(MenuMessage.NO_DISHES, UNREADABLE)
    return PublishedMenu(menu, checked.faults)


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
    memory or from `last_good`. `stamps` says when a changed file counts.

    Raises:
        ValueError: If the restaurants' file is unusable and has no good copy.
        OSError: If it cannot be read and has no good copy.
    """

    def __init__(
        self,
        folder: Path,
        check_interval_seconds: float = 0.0,
        last_good: LastGoodCopies | None = None,
        stamps: SettledStamps | None = None,
    ) -> None:
        self._folder = folder
        self._stamps = stamps or SettledStamps()
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
        """Return all restaurants, by id."""
        return tuple(self._restaurants.values())

    def restaurant(self, restaurant_id: int) -> Restaurant | None:
        """Return one restaurant, or None if no restaurant has this id."""
        return self._restaurants.get(restaurant_id)

    def use_days(self, days: Iterable[RestaurantDay]) -> bool:
        """Let the restaurants have other hours and seats on these days; return whether that is new.

        Source: specification 15.1.
        """
        before, all_days = self._restaurants, tuple(days)
        self._restaurants = {id_: each.with_days(all_days) for id_, each in before.items()}
        return self._restaurants != before

    def menu(self, restaurant_id: int) -> Menu:
        """Return the current menu of a restaurant.

        Raises:
            MenuUnavailable: If its file is missing, empty or unreadable, or has no dish.
        """
        cached = self._menus.get(restaurant_id)
        now = monotonic()
        if cached is not None and now < cached.trusted_until:
            return cached.served()
        if restaurant_id not in self._restaurants:
            raise MenuUnavailable(MenuMessage.RESTAURANT_NOT_FOUND, NOT_FOUND)
        stamp = tuple(map(self._stamps.stamp, self._files[restaurant_id]))
        if cached is None or cached.stamp != stamp:
            cached = self._read(restaurant_id, stamp, cached)
        cached = replace(cached, trusted_until=now + self._check_interval_seconds)
        self._menus[restaurant_id] = cached
        return cached.served()

    def use_published(self, restaurant_id: int, published: PublishedMenu, revision: str) -> None:
        """Serve a published menu instead of the file's.

        `revision` is a text that no other version has. Source: specification 12.1.
        """
        before = self._menus.get(restaurant_id)
        menu, faults = published.menu, published.faults
        good = before.good if before else None
        names = _names_before(before)
        self._menus[restaurant_id] = _Cached((), menu, faults, "", good, names, revision, math.inf)

    def use_file(self, restaurant_id: int) -> None:
        """Serve the file of a menu again."""
        cached = self._menus.get(restaurant_id)
        if cached:
            self._menus[restaurant_id] = replace(cached, stamp=(), trusted_until=0.0)

    def file_menu(self, restaurant_id: int) -> Menu | None:
        """Return the menu of a file, also if another one is published; None if it is unusable."""
        marks = self._marks.marks(tuple(map(self._stamps.stamp, self._marks.files)))
        with contextlib.suppress(BrokenMenu):
            return menu_of(restaurant_id, content_of(self._menu_file(restaurant_id)), marks)[0]
        return None

    def sells(self, restaurant_id: int, dish_id: str) -> bool:
        """Whether a dish is on a restaurant's menu, or was when the menu was last read."""
        # The previous menu counts too, so that a removed dish can be taken out of a cart.
        cached = self._menus.get(restaurant_id)
        try:
            menu = self.menu(restaurant_id)
        except MenuUnavailable:
            return False
        return dish_id in menu.by_id or (cached is not None and cached.sells(dish_id))

    def revision(self, restaurant_id: int) -> str:
        """Return a text that changes with a menu, after which pages fetch it again.

        Every process has the same one for the same menu, so that a page that connects to another
        process, or to a new one, fetches a menu if it has changed, and only then.
        """
        with contextlib.suppress(MenuUnavailable):
            self.menu(restaurant_id)
        cached = self._menus.get(restaurant_id)
        return cached.revision if cached else ""

    def name_before(self, restaurant_id: int, dish_id: str) -> str:
        """Return the name that a dish had on an earlier menu; empty if it is not known."""
        cached = self._menus.get(restaurant_id)
        return cached.names_before.get(dish_id, "") if cached else ""

    def _menu_file(self, restaurant_id: int) -> Path:
        return self._folder / f"menu_{restaurant_id}.csv"

    def faults(self, restaurant_id: int) -> Sequence[RowFault]:
        """Return the faults of a menu, most of which leave out a row.

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
                left_out = sum(each.effect is not Effect.IGNORED for each in cached.faults)
                yield FileState(self._menu_file(id_).name, bool(cached.problem), left_out)
        marks = self._marks.marks(tuple(map(self._stamps.stamp, self._marks.files)))
        for name in SIDE_COLUMNS:
            yield FileState(name, name in marks.problems, len(marks.faults.get(name, ())))

    def _read(
        self, restaurant_id: int, stamp: tuple[Stamp, ...], before: _Cached | None
    ) -> _Cached:
        marks = self._marks.marks(stamp[1:])
        file = self._menu_file(restaurant_id)
        is_settled = stamp[0] != UNSETTLED
        try:
            raw = self._settled_content(file, is_settled=is_settled)
            if before is not None and stamp_of(str(file)) != stamp[0]:
                return before  # it was written while it was read
            menu, faults = menu_of(restaurant_id, raw, marks)
            if self._good(file.name, before) is not None:
                require_sound(raw, menu, faults)
        except BrokenMenu as broken:
            return self._last_good_menu(restaurant_id, stamp, before, broken)
        if is_settled:
            self._last_good.save(file.name, raw)
        _log_new_faults(file.name, faults, before)
        names, revision = _names_before(before), _revision(restaurant_id, raw, marks)
        return _Cached(stamp, menu, tuple(faults), "", raw, names, revision)

    def _settled_content(self, file: Path, *, is_settled: bool) -> bytes:
        """Return a file's content; while it is being written its last good copy, if it has one."""
        copy = None if is_settled else self._last_good.read(file.name)
        return content_of(file) if copy is None else copy

    def _last_good_menu(
        self,
        restaurant_id: int,
        stamp: tuple[Stamp, ...],
        before: _Cached | None,
        broken: BrokenMenu,
    ) -> _Cached:
        """Return the last good menu, from memory or from the copy, or else the error."""
        name = self._menu_file(restaurant_id).name
        good = None if broken.is_off_sale else self._good(name, before)
        menu: Menu | MenuUnavailable = broken.refusal
        faults: Sequence[RowFault] = ()
        marks = self._marks.marks(stamp[1:])
        if good is not None:
            with contextlib.suppress(BrokenMenu):
                menu, faults = menu_of(restaurant_id, good, marks)
        if before is None or before.problem != str(broken):
            nothing = isinstance(menu, MenuUnavailable)
            sold = "nothing is on sale" if nothing else "the last good menu stays on sale"
            logger.warning("%s can't be used: %s; %s", name, broken, sold)
        names, revision = _names_before(before), _revision(restaurant_id, good, marks)
        return _Cached(stamp, menu, tuple(faults), str(broken), good, names, revision)

    def _good(self, name: str, before: _Cached | None) -> bytes | None:
        return before.good if before and before.good is not None else self._last_good.read(name)

    def _wait_until_still(self, file: Path) -> None:
        """Wait for a file that is being written; the restaurants are read once, at the start."""
        for _ in range(_MOST_CHECKS):
            if not self._stamps.is_young(str(file)):
                return
            sleep(_CHECK_SECONDS)

    def _read_restaurants(self) -> list[Restaurant]:
        file = self._folder / RESTAURANTS
        self._wait_until_still(file)
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


def _revision(restaurant_id: int, content: bytes | None, marks: Marks) -> str:
    id_ = str(restaurant_id)
    used_marks = marks.trending.get(id_, ()), marks.of_dishes.get(id_, {})
    return f"{crc32(repr((content, used_marks)).encode()):x}"


def _names_before(before: _Cached | None) -> Mapping[str, str]:
    if before is None or isinstance(before.menu, MenuUnavailable):
        return before.names_before if before else {}
    names = {**before.names_before, **{dish.id: dish.name for dish in before.menu.dishes}}
    return dict(list(names.items())[-_MOST_NAMES_BEFORE:])


def _log_new_faults(name: str, faults: Sequence[RowFault], before: _Cached | None) -> None:
    known = summarised(before.faults) if before else []
    for fault in summarised(faults):
        if fault not in known:
            left_out = "ignored in part" if fault.effect is Effect.IGNORED else "left out"
            logger.warning("%s row %s %s: %s", name, fault.row, left_out, fault)
