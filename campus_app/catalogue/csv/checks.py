"""Checks of every file in `data/`, whether or not the product could start with it."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from campus_app.catalogue.csv.columns import menu_column_faults, unknown_columns
from campus_app.catalogue.csv.diet_marks import OPTIONAL_SIDE_COLUMNS, SIDE_COLUMNS, dish_marks_in
from campus_app.catalogue.csv.last_good import LastGoodCopies
from campus_app.catalogue.csv.menu_images import (
    PriceDifference,
    missing_images,
    pictured_prices,
    price_differences,
)
from campus_app.catalogue.csv.menus import menu_dishes
from campus_app.catalogue.csv.restaurants import (
    ALL_RESTAURANT_COLUMNS,
    RESTAURANT_COLUMNS,
    RESTAURANTS,
    InvalidRow,
    restaurant_from,
)
from campus_app.catalogue.csv.rows import read_rows
from campus_app.catalogue.rules.menu import COLUMNS, Menu
from kit.csv.rows import CsvRow, CsvRows, Effect, EmptyFile, RowFault, fault_of, summarised
from kit.csv.text import UnreadableFile

_NO_ROW = "no row of the file can be used"
_STAYS = "{reason}; the last good copy, of {written:%d %b %Y %H:%M}, stays in use"


@dataclass(frozen=True)
class FileFault:
    """A fault of a file; `row` is 0 if it concerns the whole file."""

    file: str
    row: int
    column: str
    reason: str


@dataclass(frozen=True)
class CheckedFile:
    """The result of a file's check: its number of valid rows, and its faults."""

    name: str
    valid_rows: int
    faults: tuple[FileFault, ...]


def file_faults(name: str, faults: Iterable[RowFault]) -> list[FileFault]:
    """Return the faults of a file's rows, with many faults of one kind merged into one."""
    return [FileFault(name, each.row, each.column, each.reason) for each in summarised(faults)]


def check_files(
    folder: Path, last_good: LastGoodCopies | None = None, images: Path | None = None
) -> Iterator[CheckedFile]:
    """Yield the result of each file: restaurants, menus, side files.

    `images` is the folder of the restaurants' pictures. If a file is unusable and `last_good` has
    a copy of it, the fault says so. An unusable file has a single fault, and references to it are
    not checked.
    """
    checker = _Checker(folder, last_good or LastGoodCopies())
    restaurants = checker.check(
        RESTAURANTS, RESTAURANT_COLUMNS, lambda read: _restaurant_faults(read, images)
    )
    yield restaurants.file
    dishes: dict[str, set[str] | None] = {}
    for id_ in _menu_ids(folder, restaurants.rows):
        menu = checker.check(f"menu_{id_}.csv", COLUMNS, _menu_faults)
        dishes[id_] = {row.cells["id"].strip() for row in menu.valid_rows} or None
        yield menu.file
    for name, columns in SIDE_COLUMNS.items():
        known = (*columns, *OPTIONAL_SIDE_COLUMNS.get(name, ()))
        yield checker.check(name, columns, partial(_side_faults, known=known, dishes=dishes)).file


def find_price_differences(
    folder: Path, published: Mapping[int, Menu] | None = None
) -> list[PriceDifference]:
    """Return the dishes whose price differs from the picture of the original menu.

    `published` are the menus that do not come from their files, by restaurant. Unreadable menus are
    skipped: their faults are reported by `check_files`.
    """
    pictured = pictured_prices(folder)
    differences: list[PriceDifference] = []
    for restaurant_id in sorted({int(id_) for id_, _ in pictured if id_.isdigit()}):
        menu = (published or {}).get(restaurant_id) or _menu_of_file(folder, restaurant_id)
        differences += price_differences(menu, pictured) if menu else []
    return differences


def _menu_of_file(folder: Path, restaurant_id: int) -> Menu | None:
    try:
        rows = read_rows(folder / f"menu_{restaurant_id}.csv", COLUMNS)
    except (OSError, EmptyFile, UnreadableFile):
        return None
    return Menu(restaurant_id, tuple(menu_dishes(rows, {})[0]))


def _menu_ids(folder: Path, restaurants: Sequence[CsvRow]) -> list[str]:
    """Return the ids of existing and expected menus, even of restaurants with faults."""
    ids = (row.cells["id"].strip() for row in restaurants)
    listed = {id_ for id_ in ids if id_.isascii() and id_.isdigit()}
    there = {file.stem.removeprefix("menu_") for file in folder.glob("menu_*.csv")}
    return sorted(listed | there, key=lambda id_: (len(id_), id_))


@dataclass(frozen=True)
class _Checked:
    file: CheckedFile
    rows: tuple[CsvRow, ...] = ()
    valid_rows: tuple[CsvRow, ...] = ()


@dataclass(frozen=True)
class _Checker:
    folder: Path
    last_good: LastGoodCopies

    def check(
        self, name: str, columns: tuple[str, ...], faults_of: Callable[[CsvRows], list[RowFault]]
    ) -> _Checked:
        """Return the result of a file's check, its rows, and those that are valid."""
        try:
            read = read_rows(self.folder / name, columns)
        except (OSError, EmptyFile, UnreadableFile) as error:
            fault = fault_of(error)
            reason = self._with_copy(name, fault.reason)
            return _Checked(CheckedFile(name, 0, (FileFault(name, fault.row, "", reason),)))
        row_faults = sorted([*read.faults, *faults_of(read)], key=lambda fault: fault.row)
        faults = file_faults(name, row_faults)
        faulty = {fault.row for fault in row_faults if fault.effect is Effect.ROW_LEFT_OUT}
        valid = tuple(row for row in read.rows if row.number not in faulty)
        if not valid:
            faults.append(FileFault(name, 0, "", self._with_copy(name, _NO_ROW)))
        return _Checked(CheckedFile(name, len(valid), tuple(faults)), read.rows, valid)

    def _with_copy(self, name: str, reason: str) -> str:
        written = self.last_good.saved_at(name)
        return _STAYS.format(reason=reason, written=written) if written else reason


def _restaurant_faults(read: CsvRows, images: Path | None) -> list[RowFault]:
    faults = list(unknown_columns(read, ALL_RESTAURANT_COLUMNS))
    seen: set[int] = set()
    for row in read.rows:
        image = row.cells["image"].strip()
        if images and image and not (images / image).is_file():
            reason = f"there is no {image} in assets/images"
            faults.append(RowFault(row.number, "image", reason))
        try:
            restaurant = restaurant_from(row.cells)
        except InvalidRow as error:
            faults += [RowFault(row.number, each.column, each.reason) for each in error.cells]
            continue
        if restaurant.id in seen:
            reason = f"{restaurant.id} is already taken above"
            faults.append(RowFault(row.number, "id", reason))
        seen.add(restaurant.id)
        faults += [
            RowFault(
                row.number, "menu_images", f"there is no {file} in assets/menus/{restaurant.id}"
            )
            for file in missing_images(restaurant)
        ]
    return faults


def _menu_faults(read: CsvRows) -> list[RowFault]:
    return menu_column_faults(read) + menu_dishes(read, {})[1]


def _side_faults(
    read: CsvRows, known: Sequence[str], dishes: Mapping[str, set[str] | None]
) -> list[RowFault]:
    mark_faults = dish_marks_in(read)[1] if read.rows and "diet" in read.rows[0].cells else []
    return (
        list(unknown_columns(read, known))
        + mark_faults
        + [
            RowFault(row.number, column, reason)
            for row in read.rows
            for column, reason in _side_reasons(row.cells, dishes)
        ]
    )


def _side_reasons(
    cells: Mapping[str, str], dishes: Mapping[str, set[str] | None]
) -> Iterator[tuple[str, str]]:
    restaurant_id, dish_id = cells["restaurant_id"].strip(), cells["dish_id"].strip()
    on_menu = dishes.get(restaurant_id, set[str]())
    if restaurant_id not in dishes:
        yield "restaurant_id", f"{restaurant_id!r} is no restaurant"
    elif on_menu is not None and dish_id not in on_menu:
        yield "dish_id", f"{dish_id!r} is not on the menu of restaurant {restaurant_id}"
