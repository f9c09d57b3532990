"""The program that reads a restaurant's file, in a process of its own.

`sheet_files.py` starts it with limits, so that the server never loads pandas. It gets the file on
its standard input, and writes JSON to its standard output: name and rows of texts of its sheets, or
why it has none.
"""

import io
import json
import math
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

from campus_app.catalogue.csv.sheet_lines import listed_dishes
from kit.csv.text import UnreadableFile, text_from

MAXIMUM_ROWS: Final = 4000
"""2,000 dishes, and as many headings and empty rows."""
MAXIMUM_COLUMNS: Final = 60
MAXIMUM_CELL_CHARACTERS: Final = 1000
MAXIMUM_CHARACTERS: Final = 2 * 1024 * 1024
"""Of all cells: a workbook repeats a long text in a few bytes."""
MAXIMUM_SHEETS: Final = 20
_ZIP: Final = b"PK\x03\x04"
_OLD_WORKBOOK: Final = b"\xd0\xcf\x11\xe0"
_MOST_PARTS: Final = 500
_MOST_UNPACKED_BYTES: Final = 40 * 1024 * 1024
_DELIMITERS: Final = (",", ";", "\t", "|")
_SEPARATOR_LINE: Final = re.compile(r'"?sep=(.)"?\r?\n', re.IGNORECASE)
_LINES_TO_GUESS: Final = 50
_OTHER_FORMATS: Final = re.compile(
    r"\s*(<(!doctype|html|table|\?xml)|%PDF-|\{|\[\{)", re.IGNORECASE
)
"""How web pages, XML, PDF, RTF and JSON begin, which are text, but no table."""

TOO_LARGE: Final = "too_large"
TOO_SLOW: Final = "too_slow"
OLD_WORKBOOK: Final = "old_workbook"
UNREADABLE: Final = "unreadable"
EMPTY: Final = "empty"


class _Refused(Exception):
    """The file is not read; the text is the code of the reason."""


def sheets_of(raw: bytes) -> list[tuple[str, list[list[str]]]]:
    """Return name and rows of a workbook's visible sheets, the largest first.

    A CSV file, or pasted cells, are one sheet without a name. Of a workbook only stored values are
    read: no formula is computed, no macro run, no link opened. A sheet that is too large is left
    out if there is another.

    Raises:
        _Refused: If it cannot be read.
        UnreadableFile: If it is text in an unknown encoding.
    """
    if raw.startswith(_OLD_WORKBOOK):
        raise _Refused(OLD_WORKBOOK)
    is_workbook = raw.startswith(_ZIP)
    tables = _workbook_tables(raw) if is_workbook else [("", _csv_rows(text_from(raw)))]
    characters = _Characters()
    sheets = [(name, _without_empty_edges(table, characters)) for name, table in tables]
    sheets = [(name, rows) for name, rows in sheets if rows]
    if not sheets:
        raise _Refused(EMPTY)
    fitting = [(name, rows) for name, rows in sheets if _fits(rows)][:MAXIMUM_SHEETS]
    if not fitting:
        raise _Refused(TOO_LARGE)
    return sorted(fitting, key=lambda sheet: -len(sheet[1]) * len(sheet[1][0]))


def _fits(rows: list[list[str]]) -> bool:
    return len(rows) <= MAXIMUM_ROWS and max(map(len, rows)) <= MAXIMUM_COLUMNS


class _Characters:
    """Counts the characters of all cells; raises _Refused when there are too many."""

    def __init__(self) -> None:
        self._left = MAXIMUM_CHARACTERS

    def add(self, row: list[str]) -> list[str]:
        """Count the cells of a row; return it."""
        self._left -= sum(map(len, row))
        if self._left < 0:
            raise _Refused(TOO_LARGE)
        return row


def _csv_rows(text: str) -> Iterable[Iterable[Any]]:
    if _OTHER_FORMATS.match(text):
        raise _Refused(UNREADABLE)
    declared = _SEPARATOR_LINE.match(text)
    text = text[declared.end() :] if declared else text
    if not text.strip():
        raise _Refused(EMPTY)
    if not declared and (listed := listed_dishes(text)):
        return listed
    delimiter = declared[1] if declared else _delimiter(text)
    import pandas as pd  # noqa: PLC0415 - see above

    # pandas needs the width beforehand; a row with more cells than that is too large.
    width = max(MAXIMUM_COLUMNS, *(line.count(delimiter) for line in text.splitlines())) + 1
    if width > MAXIMUM_COLUMNS * 2:
        raise _Refused(TOO_LARGE)
    frame = pd.read_csv(
        io.StringIO(text),
        sep=delimiter,
        header=None,
        names=range(width),
        dtype=str,
        keep_default_na=False,
        nrows=MAXIMUM_ROWS + 1,
        skipinitialspace=True,
    )
    return frame.fillna("").to_numpy().tolist()


def _delimiter(text: str) -> str:
    """Return the delimiter that splits the most lines into the same number of cells."""
    lines = [line for line in text.splitlines()[:_LINES_TO_GUESS] if line.strip()]

    def regularity(delimiter: str) -> tuple[int, int]:
        counts = [_outside_quotes(line).count(delimiter) for line in lines]
        usual = max(set(counts) - {0}, key=counts.count, default=0)
        return counts.count(usual) if usual else 0, usual

    return max(_DELIMITERS, key=regularity)  # the first delimiter if several are equal


def _outside_quotes(line: str) -> str:
    return re.sub(r'"[^"]*"', "", line)


def _workbook_tables(raw: bytes) -> Iterator[tuple[str, Iterable[Iterable[Any]]]]:
    _require_small(raw)
    import pandas as pd  # noqa: PLC0415 - see above

    book: Any = pd.ExcelFile(io.BytesIO(raw), engine="calamine")
    shown = [sheet.name for sheet in book.book.sheets_metadata if _is_visible(sheet)]
    for name in shown or book.sheet_names:
        sheet = book.parse(name, header=None, dtype=object, na_filter=False, nrows=MAXIMUM_ROWS + 1)
        yield str(name), sheet.to_numpy().tolist()


def _is_visible(sheet: Any) -> bool:
    return str(sheet.visible).endswith("Visible") and str(sheet.typ).endswith("WorkSheet")


def _require_small(raw: bytes) -> None:
    """Check what the archive declares of its parts, before a part is unpacked."""
    try:
        parts = zipfile.ZipFile(io.BytesIO(raw)).infolist()
    except zipfile.BadZipFile as error:
        raise _Refused(UNREADABLE) from error
    unpacked = sum(part.file_size for part in parts)
    if len(parts) > _MOST_PARTS or unpacked > _MOST_UNPACKED_BYTES:
        raise _Refused(TOO_LARGE)


def _without_empty_edges(
    table: Iterable[Iterable[Any]], characters: _Characters
) -> list[list[str]]:
    """Return the rows that have a text, each up to the last column that has one."""
    rows = [characters.add([_text(cell) for cell in row]) for row in table]
    rows = [row for row in rows if any(row)]
    width = max((place for row in rows for place, cell in enumerate(row, 1) if cell), default=0)
    return [row[:width] for row in rows]


def _text(cell: Any) -> str:
    """Return a cell as a person would write it: 80.0 is `80`."""
    if isinstance(cell, bool):
        return "yes" if cell else "no"
    if isinstance(cell, float):
        return f"{cell:.10g}" if math.isfinite(cell) else ""
    if isinstance(cell, datetime):
        return cell.isoformat(" ", "minutes")
    return str(cell).strip()[:MAXIMUM_CELL_CHARACTERS]


def main() -> None:
    """Read the file, and write its sheets, or the reason, as JSON."""
    try:
        answer: dict[str, Any] = {"sheets": sheets_of(sys.stdin.buffer.read())}
    except _Refused as refused:
        answer = {"problem": str(refused)}
    except UnreadableFile as error:
        answer = {"problem": UNREADABLE, "reason": str(error)}
    except MemoryError:
        answer = {"problem": TOO_LARGE}
    except Exception:  # noqa: BLE001 - a parser of another's file may raise anything
        answer = {"problem": UNREADABLE}
    json.dump(answer, sys.stdout, ensure_ascii=True)


if __name__ == "__main__":
    main()
