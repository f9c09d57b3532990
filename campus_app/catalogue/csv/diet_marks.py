"""The side files `trending.csv` and `diet.csv`; their faults never remove a dish."""

import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from campus_app.catalogue.csv.rows import read_rows
from campus_app.catalogue.csv.stamps import Stamp
from campus_app.catalogue.rules.menu import Allergen, Diet, DishMarks, Spice
from kit.csv.rows import CsvRow, CsvRows, EmptyFile, RowFault, reason_of, summarised
from kit.csv.text import UnreadableFile

logger = logging.getLogger(__name__)

TRENDING: Final = "trending.csv"
DIET: Final = "diet.csv"
SIDE_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {
    TRENDING: ("restaurant_id", "dish_id"),
    DIET: ("restaurant_id", "dish_id", "diet"),
}
OPTIONAL_SIDE_COLUMNS: Final[Mapping[str, tuple[str, ...]]] = {DIET: ("allergens", "spice")}

_SEPARATOR: Final = "|"


@dataclass(frozen=True)
class Marks:
    """The content of the side files by restaurant id and dish id."""

    trending: Mapping[str, tuple[str, ...]]
    of_dishes: Mapping[str, Mapping[str, DishMarks]]
    problems: Mapping[str, str]
    """The reason for each unusable file."""
    faults: Mapping[str, tuple[RowFault, ...]]


@dataclass
class MarkFiles:
    """Both side files of a folder, read again whenever a file changes."""

    folder: Path
    _stamp: tuple[Stamp, ...] = ()
    _marks: Marks = field(default_factory=lambda: Marks({}, {}, {}, {}))

    def __post_init__(self) -> None:
        self.files = tuple(str(self.folder / name) for name in SIDE_COLUMNS)

    def marks(self, stamp: tuple[Stamp, ...]) -> Marks:
        """Return the marks; `stamp` is the current stamp of `files`."""
        if stamp != self._stamp:
            self._marks, self._stamp = self._read(), stamp
        return self._marks

    def _read(self) -> Marks:
        rows: dict[str, CsvRows] = {}
        problems: dict[str, str] = {}
        for name, columns in SIDE_COLUMNS.items():
            try:
                rows[name] = read_rows(self.folder / name, columns)
            except (OSError, EmptyFile, UnreadableFile) as error:
                problems[name] = reason_of(error)
                if self._marks.problems.get(name) != problems[name]:
                    logger.warning(
                        "%s can't be used, its marks are missing: %s", name, problems[name]
                    )
        of_dishes, faults = dish_marks_in(rows.get(DIET, CsvRows((), ())))
        faults_by_file = {
            name: (*read.faults, *(faults if name == DIET else ())) for name, read in rows.items()
        }
        self._log_new_faults(faults_by_file)
        return Marks(
            trending_in(rows.get(TRENDING, CsvRows((), ()))), of_dishes, problems, faults_by_file
        )

    def _log_new_faults(self, faults_by_file: Mapping[str, tuple[RowFault, ...]]) -> None:
        for name, faults in faults_by_file.items():
            known = summarised(self._marks.faults.get(name, ()))
            for fault in summarised(faults):
                if fault not in known:
                    logger.warning("%s row %s is no mark: %s", name, fault.row, fault)


def trending_in(read: CsvRows) -> dict[str, tuple[str, ...]]:
    """Return the trending dish ids of each restaurant, in file order."""
    listed: dict[str, dict[str, None]] = {}
    for row in read.rows:
        dishes = listed.setdefault(row.cells["restaurant_id"].strip(), {})
        dishes[row.cells["dish_id"].strip()] = None
    return {id_: tuple(dishes) for id_, dishes in listed.items()}


def dish_marks_in(read: CsvRows) -> tuple[dict[str, dict[str, DishMarks]], list[RowFault]]:
    """Return the marks of each dish, and the faulty rows; `allergens` and `spice` are optional.

    A dish with both diets gets neither, since only the kitchen knows which is wrong. A faulty cell
    leaves the others of its row.
    """
    of_dishes: dict[str, dict[str, DishMarks]] = {}
    contradicted: list[tuple[str, str]] = []
    faults: list[RowFault] = []
    for row in read.rows:
        id_, dish_id = row.cells["restaurant_id"].strip(), row.cells["dish_id"].strip()
        marks, of_row = _marks_of(row)
        faults += of_row
        if marks.diet is None:
            continue
        known = of_dishes.setdefault(id_, {}).setdefault(dish_id, marks)
        if known.diet is not marks.diet:
            faults.append(RowFault(row.number, "diet", f"{dish_id} has the other mark above"))
            contradicted.append((id_, dish_id))
    for id_, dish_id in contradicted:
        of_dishes[id_].pop(dish_id, None)
    return of_dishes, faults


def _marks_of(row: CsvRow) -> tuple[DishMarks, list[RowFault]]:
    """Return the marks of a row without its faulty cells, and the faults of these."""
    faults: list[RowFault] = []
    read: dict[str, Any] = {}
    for column, parse in MARK_READERS.items():
        try:
            read[column] = parse(row.cells.get(column, ""))
        except ValueError as error:
            faults.append(RowFault(row.number, column, str(error)))
    return DishMarks(**read), faults


def diet_mark(cell: str) -> Diet:
    """Parse a diet mark: `veg`, `Veg`, `Non-Veg`, `non veg`.

    Raises:
        ValueError: If it is neither.
    """
    word = cell.strip().casefold().replace("-", "_").replace(" ", "_")
    try:
        return Diet("non_veg" if word == "nonveg" else word)
    except ValueError as error:
        raise ValueError(f"{cell!r} is neither veg nor non_veg") from error


def allergens_from(cell: str) -> tuple[Allergen, ...]:
    """Parse allergens, `milk|nuts`, in the order in which labels declare them; empty for none.

    Raises:
        ValueError: If an allergen is unknown.
    """
    words = {word.strip().casefold() for word in cell.split(_SEPARATOR) if word.strip()}
    unknown = sorted(words - set(Allergen))
    if unknown:
        raise ValueError(f"{unknown[0]!r} is none of {', '.join(Allergen)}")
    return tuple(each for each in Allergen if each.value in words)


def spice_from(cell: str) -> Spice:
    """Parse how hot a dish is, 1 to 3; empty for unknown.

    Raises:
        ValueError: If it is anything else.
    """
    text = cell.strip()
    if not text:
        return Spice.UNKNOWN
    if text not in {"1", "2", "3"}:
        raise ValueError(f"{cell!r} is not 1 (mild), 2 (hot) or 3 (very hot)")
    return Spice(int(text))


MARK_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "diet": diet_mark,
    "allergens": allergens_from,
    "spice": spice_from,
}
"""The parsers of a dish's marks, by the columns."""
