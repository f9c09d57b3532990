"""Looking through every file of `data/`, whether or not the product could start with it."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from campus_app.adapters.csv_catalogue import SIDE_COLUMNS, menu_items
from campus_app.adapters.csv_restaurants import RESTAURANT_COLUMNS, restaurant_from
from campus_app.adapters.csv_rows import (
    CsvRow,
    CsvRows,
    EmptyFile,
    RowFault,
    UnreadableFile,
    read_rows,
)
from campus_app.domain.menu import COLUMNS, Diet, WrongCell

_RESTAURANTS = "restaurants.csv"
_MARKS = {diet.value for diet in Diet}


@dataclass(frozen=True)
class FileFault:
    """What is wrong with a file; `row` is 0 where that is the file as a whole."""

    file: str
    row: int
    column: str
    reason: str


@dataclass(frozen=True)
class CheckedFile:
    """A file that was looked through: how many rows are sound, and what the others lack."""

    name: str
    sound_rows: int
    faults: tuple[FileFault, ...]


def check_files(folder: Path) -> Iterator[CheckedFile]:
    """Yield what is found in each file: the restaurants, each menu, the two side files."""
    restaurants, rows = _look(folder / _RESTAURANTS, RESTAURANT_COLUMNS, _restaurant_faults)
    yield restaurants
    dishes: dict[str, set[str]] = {}
    for id_ in _menu_ids(folder, rows):
        checked, rows = _look(folder / f"menu_{id_}.csv", COLUMNS, _menu_faults)
        dishes[id_] = {row.cells["id"].strip() for row in rows}
        yield checked
    for name, columns in SIDE_COLUMNS.items():
        yield _look(folder / name, columns, lambda rows: _side_faults(rows, dishes))[0]


def _menu_ids(folder: Path, restaurants: Sequence[CsvRow]) -> list[str]:
    """Return whose menus there are or should be, even where the list of restaurants is broken."""
    listed = {row.cells["id"].strip() for row in restaurants}
    there = {file.stem.removeprefix("menu_") for file in folder.glob("menu_*.csv")}
    return sorted(listed | there, key=lambda id_: (len(id_), id_))


def _look(
    file: Path, columns: tuple[str, ...], faults_of: Callable[[CsvRows], list[RowFault]]
) -> tuple[CheckedFile, tuple[CsvRow, ...]]:
    try:
        read = read_rows(file, columns)
    except OSError as error:
        return _unusable(file.name, error.strerror or type(error).__name__), ()
    except (EmptyFile, UnreadableFile) as error:
        return _unusable(file.name, str(error)), ()
    found = sorted([*read.faults, *faults_of(read)], key=lambda fault: fault.row)
    faults = [FileFault(file.name, fault.row, fault.column, fault.reason) for fault in found]
    faulty = {fault.row for fault in faults}
    sound = tuple(row for row in read.rows if row.number not in faulty)
    if not sound:
        faults.append(FileFault(file.name, 0, "", "no row of the file can be used"))
    return CheckedFile(file.name, len(sound), tuple(faults)), sound


def _unusable(name: str, reason: str) -> CheckedFile:
    return CheckedFile(name, 0, (FileFault(name, 0, "", reason),))


def _restaurant_faults(read: CsvRows) -> list[RowFault]:
    faults: list[RowFault] = []
    seen: set[int] = set()
    for row in read.rows:
        try:
            id_ = restaurant_from(row.cells).id
        except WrongCell as error:
            faults.append(RowFault(row.number, error.column, error.reason))
            continue
        if id_ in seen:
            faults.append(RowFault(row.number, "id", f"{id_} is already taken above"))
        seen.add(id_)
    return faults


def _menu_faults(read: CsvRows) -> list[RowFault]:
    return menu_items(read.rows, {})[1]


def _side_faults(read: CsvRows, dishes: Mapping[str, set[str]]) -> list[RowFault]:
    return [
        RowFault(row.number, column, reason)
        for row in read.rows
        for column, reason in _side_reasons(row.cells, dishes)
    ]


def _side_reasons(
    cells: Mapping[str, str], dishes: Mapping[str, set[str]]
) -> Iterator[tuple[str, str]]:
    restaurant_id, item_id = cells["restaurant_id"], cells["item_id"]
    if restaurant_id not in dishes:
        yield "restaurant_id", f"{restaurant_id!r} is no restaurant"
    elif item_id not in dishes[restaurant_id]:
        yield "item_id", f"{item_id!r} is not on the menu of restaurant {restaurant_id}"
    if "diet" in cells and cells["diet"] not in _MARKS:
        yield "diet", f"{cells['diet']!r} is neither veg nor non_veg"
