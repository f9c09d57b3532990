"""The rows of a CSV file with the lines they stand on: one that can't be read costs no other."""

import csv
import io
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice
from pathlib import Path
from typing import Any

import pandas as pd

_TEXTS = 16
"""All files of eight restaurants: what every menu needs is read for each of them."""
_BROKEN_QUOTES = "a quotation mark is missing or one too many"
_CELLS = "{found} cells where the header names {named}: put cells with commas in quotation marks"


class EmptyFile(ValueError):
    """A file without so much as a header."""


class UnreadableFile(ValueError):
    """A file that is no text, or whose header is not the one that is wanted."""


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
    """A row by its columns."""

    number: int
    cells: dict[str, str]


@dataclass(frozen=True)
class CsvRows:
    """What could be read of a file, and what could not."""

    rows: tuple[CsvRow, ...]
    faults: tuple[RowFault, ...]


@dataclass(frozen=True)
class _Record:
    number: int
    text: str
    cells: list[str] | None
    """None where the quotation marks do not pair."""


def read_rows(file: Path, columns: Sequence[str]) -> CsvRows:
    """Return the rows of a file that has at least these columns.

    Raises:
        OSError: If it can't be opened.
        EmptyFile: If there is nothing in it.
        UnreadableFile: If it is no text, or a column is missing.
    """
    try:
        text = file.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError as error:
        raise UnreadableFile("the file is no text in UTF-8") from error
    return _parsed(text, tuple(columns))


@lru_cache(_TEXTS)
def _parsed(text: str, columns: tuple[str, ...]) -> CsvRows:
    records = list(_records(text))
    if not records:
        raise EmptyFile("the file is empty")
    names = [name.strip() for name in records.pop(0).cells or ()]
    missing = [column for column in columns if names.count(column) != 1]
    if missing:
        raise UnreadableFile(f"the header does not name {', '.join(missing)} once")
    width = len(names)
    sound = [record for record in records if len(record.cells or ()) == width]
    faults = [_fault(each, width) for each in records if len(each.cells or ()) != width]
    return CsvRows(tuple(_rows(names, sound)), tuple(faults))


def _records(text: str) -> Iterator[_Record]:
    """Split a text; after quotation marks that do not pair, begin again on the next line."""
    lines = io.StringIO(text, newline=None).read().split("\n")
    first, reader = 0, _reader(lines, 0)
    start = 0
    while start < len(lines):
        try:
            cells = next(reader)
            end = first + reader.line_num
        except csv.Error:
            cells, end = None, start + 1
            first, reader = end, _reader(lines, end)
        if cells is None or any(cell.strip() for cell in cells):
            yield _Record(start + 1, "\n".join(lines[start:end]), cells)
        start = end


def _reader(lines: Sequence[str], start: int) -> Any:
    return csv.reader((f"{line}\n" for line in islice(lines, start, None)), strict=True)


def _rows(names: Sequence[str], sound: Sequence[_Record]) -> list[CsvRow]:
    if not sound:
        return []
    try:
        frame = pd.read_csv(
            io.StringIO("\n".join(record.text for record in sound)),
            header=None,
            names=range(len(names)),
            dtype=str,
            keep_default_na=False,
            skip_blank_lines=False,
        )
    except pd.errors.ParserError as error:
        raise UnreadableFile("the rows can't be told apart") from error
    return [
        CsvRow(record.number, dict(zip(names, map(str, cells), strict=True)))
        for record, cells in zip(sound, frame.itertuples(index=False), strict=True)
    ]


def _fault(record: _Record, width: int) -> RowFault:
    found = record.cells
    reason = _BROKEN_QUOTES if found is None else _CELLS.format(found=len(found), named=width)
    return RowFault(record.number, "", reason)
