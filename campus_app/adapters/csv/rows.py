"""The rows of a CSV file with the lines they stand on: one that can't be read costs no other."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from campus_app.adapters.csv.text import UnreadableFile, text_from

_TEXTS = 128
"""All files of forty restaurants: the same texts are read for the catalogue and its checks."""
_DELIMITERS: Final = (",", ";", "\t")
_SEPARATOR_LINE: Final = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
"""How Excel is told which one it is, in a line before the header."""
_BROKEN_QUOTES = "a quotation mark is missing or one too many"
_CELLS = "{found} cells where the header names {named}: put cells with commas in quotation marks"
_SINGLE_FAULTS: Final = 3
"""So many faults of one column are named one by one; more are one mistake made many times."""


class EmptyFile(ValueError):
    """A file without so much as a header."""


@dataclass(frozen=True)
class RowFault:
    """What is wrong with a row; `row` is its line, the header's the first, blank ones counted.

    `column` is empty where the row as a whole makes no sense.
    """

    row: int
    column: str
    reason: str

    def __str__(self) -> str:
        return f"{self.column}: {self.reason}" if self.column else self.reason


@dataclass(frozen=True)
class CsvRow:
    """A row by its columns, whose names are in lower case."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True)
class CsvRows:
    """What could be read of a file, what could not, and what separates its cells."""

    rows: tuple[CsvRow, ...]
    faults: tuple[RowFault, ...]
    delimiter: str = ","


@dataclass(frozen=True)
class _Record:
    number: int
    cells: list[str] | None
    """None where the quotation marks do not pair."""


def read_rows(file: Path, columns: Sequence[str]) -> CsvRows:
    """Return the rows of a file that has at least these columns.

    Raises:
        OSError: If it can't be opened.
        EmptyFile: If there is nothing in it.
        UnreadableFile: If it is no text, or a column is missing.
    """
    return rows_from(file.read_bytes(), columns)


def rows_from(raw: bytes, columns: Sequence[str]) -> CsvRows:
    """Return the rows of a file's content; raises what `read_rows` does, but for OSError."""
    return _parsed(text_from(raw), tuple(columns))


def summarised(faults: Iterable[RowFault]) -> list[RowFault]:
    """Return faults with those of a column in one where they are many: that is one mistake."""
    by_column: dict[str, list[RowFault]] = {}
    for fault in faults:
        by_column.setdefault(fault.column, []).append(fault)
    summary: list[RowFault] = []
    for column, found in by_column.items():
        if len(found) <= _SINGLE_FAULTS:
            summary += found
            continue
        first, others = found[0], len(found) - 1
        more = f"{first.reason} (and {others} more rows, up to row {found[-1].row})"
        summary.append(RowFault(first.row, column, more))
    return sorted(summary, key=lambda fault: fault.row)


@lru_cache(_TEXTS)
def _parsed(text: str, columns: tuple[str, ...]) -> CsvRows:
    lines = io.StringIO(text, newline=None).read().split("\n")
    delimiter = _delimiter(lines, columns)
    records = list(_records(lines, delimiter))
    if not records:
        raise EmptyFile("the file is empty")
    header = records.pop(0)
    names = _names(header)
    missing = [column for column in columns if names.count(column) != 1]
    if missing:
        reason = f"the header does not name {', '.join(missing)} once"
        if not set(names) & set(columns):
            reason = f"this is not the header {','.join(columns)}"
        raise UnreadableFile(reason, header.number)
    rows, faults = list[CsvRow](), list[RowFault]()
    for record in records:
        cells = _fitted(record.cells, names, columns)
        if cells is None:
            faults.append(_fault(record, len(names)))
        else:
            rows.append(CsvRow(record.number, dict(zip(names, cells, strict=True))))
    return CsvRows(tuple(rows), tuple(faults), delimiter)


def _delimiter(lines: list[str], columns: Sequence[str]) -> str:
    """Return what separates the cells: that with which the header names most of the columns."""
    told = _SEPARATOR_LINE.fullmatch(lines[0].strip())
    if told and told[1] in _DELIMITERS:
        lines[0] = ""
        return told[1]

    def named(delimiter: str) -> int:
        header = next(_records(lines, delimiter), _Record(1, None))
        return len(set(columns) & set(_names(header)))

    return max(_DELIMITERS, key=named)  # the first of equals


def _names(header: _Record) -> list[str]:
    return [name.strip().casefold() for name in header.cells or ()]


def _fitted(
    cells: list[str] | None, names: Sequence[str], columns: Sequence[str]
) -> list[str] | None:
    """Return as many cells as the header has: spreadsheets add and drop empty ones at the end."""
    if cells is None:
        return None
    width = len(names)
    while len(cells) > width and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) < width and not set(names[len(cells) :]) & set(columns):
        cells = [*cells, *[""] * (width - len(cells))]
    return cells if len(cells) == width else None


def _records(lines: Sequence[str], delimiter: str) -> Iterator[_Record]:
    """Split lines; after quotation marks that do not pair, begin again on the next line."""
    first, reader = 0, _reader(lines, 0, delimiter)
    start = 0
    while start < len(lines):
        try:
            cells = next(reader)
            end = first + reader.line_num
        except csv.Error:
            cells, end = None, start + 1
            first, reader = end, _reader(lines, end, delimiter)
        if cells is None or any(cell.strip() for cell in cells):
            yield _Record(start + 1, cells)
        start = end


def _reader(lines: Sequence[str], start: int, delimiter: str) -> Any:
    rest = (f"{line}\n" for line in islice(lines, start, None))
    return csv.reader(rest, strict=True, delimiter=delimiter)


def _fault(record: _Record, width: int) -> RowFault:
    found = record.cells
    reason = _BROKEN_QUOTES if found is None else _CELLS.format(found=len(found), named=width)
    return RowFault(record.number, "", reason)
