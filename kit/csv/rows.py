"""The rows of a CSV file with their line numbers; a faulty row does not affect the others."""

import csv
import io
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any, Final

from kit.csv.text import UnreadableFile, text_from

_CACHED_TEXTS = 128
"""The parsed files of forty restaurants: the catalogue and the checks parse the same texts."""
_DELIMITERS: Final = (",", ";", "\t")
_SEPARATOR_LINE: Final = re.compile(r'"?sep=(.)"?', re.IGNORECASE)
"""The line before the header in which Excel declares the delimiter."""
_BROKEN_QUOTES = "a quotation mark is missing or one too many"
_CELLS = "{actual} cells where the header names {named}: put cells with commas in quotation marks"
_SINGLE_FAULTS: Final = 3
"""Up to this many faults of one column and one kind are listed singly, more as one."""
_VALUES: Final = re.compile(r"'[^']*'|\"[^\"]*\"|\d+")
"""The parts of a reason that differ between faults of one kind: cells in quotes, and numbers."""


class EmptyFile(ValueError):
    """The file does not even have a header."""


class Effect(StrEnum):
    """What a fault does to its row."""

    ROW_LEFT_OUT = "row left out"
    IGNORED = "ignored"
    """The row is used without the cell, or without the column."""


@dataclass(frozen=True)
class RowFault:
    """A fault of a row; `row` is its line number, counting the header and blank lines.

    `column` is empty if the fault concerns the whole row.
    """

    row: int
    column: str
    reason: str
    effect: str = Effect.ROW_LEFT_OUT
    """A member of `Effect`, or of an enumeration of the file's kind."""

    def __str__(self) -> str:
        return f"{self.column}: {self.reason}" if self.column else self.reason


@dataclass(frozen=True)
class CsvRow:
    """A row by its column names in lower case."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True)
class CsvRows:
    """The rows of a file, its faulty rows, and its delimiter."""

    rows: tuple[CsvRow, ...]
    faults: tuple[RowFault, ...]
    delimiter: str = ","
    is_cut_off: bool = False
    """Whether the file ends within a row, as if it was not written to its end."""
    header: tuple[str, ...] = ()
    """The column names as they are written, without spaces around them."""
    header_row: int = 1


@dataclass(frozen=True)
class _Record:
    number: int
    """The line on which it begins, from 1."""
    cells: list[str] | None
    """None if the quotation marks are not balanced."""


Renamed = tuple[tuple[str, str], ...]
"""Former names of columns, each with the present one."""


def read_rows(file: Path, columns: Sequence[str], renamed: Renamed = ()) -> CsvRows:
    """Return the rows of a file that has at least these columns.

    Raises:
        OSError: If it cannot be opened.
        EmptyFile: If it is empty.
        UnreadableFile: If it is not text, or a column is missing.
    """
    return rows_from(file.read_bytes(), columns, renamed)


def rows_from(raw: bytes, columns: Sequence[str], renamed: Renamed = ()) -> CsvRows:
    """Return the rows of a file's content; raises as `read_rows`, except OSError."""
    return _parsed_once(text_from(raw), tuple(columns), renamed)


def fault_of(error: OSError | EmptyFile | UnreadableFile) -> RowFault:
    """Return why a file is unusable, with the row if there is one, else 0."""
    if isinstance(error, OSError):
        return RowFault(0, "", error.strerror or type(error).__name__)
    return RowFault(error.row if isinstance(error, UnreadableFile) else 0, "", str(error))


def reason_of(error: OSError | EmptyFile | UnreadableFile) -> str:
    """Return why a file is unusable in one line, with the row if there is one."""
    fault = fault_of(error)
    return f"row {fault.row}: {fault}" if fault.row else str(fault)


def summarised(faults: Iterable[RowFault]) -> list[RowFault]:
    """Return the faults, with many of one column and one kind merged into one."""
    by_kind: dict[tuple[str, str], list[RowFault]] = {}
    for fault in faults:
        by_kind.setdefault((fault.column, _VALUES.sub("", fault.reason)), []).append(fault)
    summary: list[RowFault] = []
    for alike in by_kind.values():
        if len(alike) <= _SINGLE_FAULTS:
            summary += alike
            continue
        more = f"{alike[0].reason} (and {len(alike) - 1} more rows, up to row {alike[-1].row})"
        summary.append(replace(alike[0], reason=more))
    return sorted(summary, key=lambda fault: fault.row)


def parse_rows(text: str, columns: Sequence[str], renamed: Renamed = ()) -> CsvRows:
    """Return the rows of a text, which is not kept; raises as `rows_from`."""
    lines = io.StringIO(text, newline=None).read().split("\n")
    delimiter = _delimiter(lines, columns, renamed)
    records = list(_records(lines, delimiter))
    if not records:
        raise EmptyFile("the file is empty")
    header = records.pop(0)
    names = _names(header, renamed)
    missing = [column for column in columns if names.count(column) != 1]
    if missing:
        reason = f"the header does not name {', '.join(missing)} once"
        if not set(names) & set(columns):
            reason = f"this is not the header {','.join(columns)}"
        raise UnreadableFile(reason, header.number)
    rows, faults = list[CsvRow](), list[RowFault]()
    cells: list[str] | None = header.cells
    for record in records:
        cells = _fitted(record.cells, names, columns)
        if cells is None:
            faults.append(_fault(record, len(names)))
        else:
            rows.append(CsvRow(record.number, dict(zip(names, cells, strict=True))))
    # A file that was written to its end ends with a line break: its last line is empty.
    is_cut_off = cells is None and bool(lines[-1].strip())
    written = tuple(name.strip() for name in header.cells or ())
    return CsvRows(
        tuple(rows), tuple(faults), delimiter, is_cut_off, written, header_row=header.number
    )


_parsed_once = lru_cache(_CACHED_TEXTS)(parse_rows)


def _delimiter(lines: list[str], columns: Sequence[str], renamed: Renamed) -> str:
    """Return the declared delimiter, else the one with which the header names most of the columns.

    A line that declares one is emptied in `lines`: it is no row.
    """
    declared = _SEPARATOR_LINE.fullmatch(lines[0].strip())
    if declared and declared[1] in _DELIMITERS:
        lines[0] = ""
        return declared[1]

    def named(delimiter: str) -> int:
        header = next(_records(lines, delimiter), _Record(1, None))
        return len(set(columns) & set(_names(header, renamed)))

    return max(_DELIMITERS, key=named)  # the first one if several are equal


def column_name(written: str, renamed: Renamed = ()) -> str:
    """Return the present name of a column, whatever its case or its age."""
    name = written.strip().casefold()
    return dict(renamed).get(name, name)


def _names(header: _Record, renamed: Renamed) -> list[str]:
    return [column_name(written, renamed) for written in header.cells or ()]


def _fitted(
    cells: list[str] | None, names: Sequence[str], columns: Sequence[str]
) -> list[str] | None:
    """Return the cells padded or cut to the header's width; None if they do not fit.

    Spreadsheets add and drop empty cells at the end of a row.
    """
    if cells is None:
        return None
    width = len(names)
    while len(cells) > width and not cells[-1].strip():
        cells = cells[:-1]
    if len(cells) < width and not set(names[len(cells) :]) & set(columns):
        cells = [*cells, *[""] * (width - len(cells))]
    return cells if len(cells) == width else None


def _records(lines: Sequence[str], delimiter: str) -> Iterator[_Record]:
    """Split lines into records; after unbalanced quotation marks, restart at the next line."""
    reader, reader_start = _reader(lines, 0, delimiter), 0
    start = 0
    while start < len(lines):
        try:
            cells = next(reader)
            end = reader_start + reader.line_num  # a cell in quotation marks may span lines
        except csv.Error:
            cells, end = None, start + 1
            reader, reader_start = _reader(lines, end, delimiter), end
        if cells is None or any(cell.strip() for cell in cells):
            yield _Record(start + 1, cells)
        start = end


def _reader(lines: Sequence[str], start: int, delimiter: str) -> Any:
    rest = (f"{line}\n" for line in islice(lines, start, None))
    return csv.reader(rest, strict=True, delimiter=delimiter)


def _fault(record: _Record, width: int) -> RowFault:
    cells = record.cells
    reason = _BROKEN_QUOTES if cells is None else _CELLS.format(actual=len(cells), named=width)
    return RowFault(record.number, "", reason)
