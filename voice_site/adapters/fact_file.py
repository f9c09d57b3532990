"""The operator's file of facts about TARA; a faulty row hides its fact and no other."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Final

from kit.csv.rows import CsvRow, EmptyFile, RowFault, fault_of, read_rows
from kit.csv.text import UnreadableFile
from kit.translations import ENGLISH
from voice_site.domain.facts import NO_FACTS, FactName, Facts, InvalidFact, fact_values
from voice_site.translations import LANGUAGES

FILE: Final = "tara_facts.csv"
VALUE_COLUMNS: Final[Mapping[str, str]] = {
    code: "value" if code == ENGLISH else f"value_{code}" for code in LANGUAGES
}
"""The column of the values in each language."""
_FACT: Final = "fact"
_COLUMNS: Final = (_FACT, *VALUE_COLUMNS.values())


@dataclass(frozen=True)
class FactFile:
    """The content of the file: its facts, its number of valid rows, and its faults.

    The row of a fault is 0 if it concerns the whole file.
    """

    facts: Facts = NO_FACTS
    valid_rows: int = 0
    faults: tuple[RowFault, ...] = ()


def read_facts(folder: Path) -> FactFile | None:
    """Return the content of the folder's file; None without one, which hides all facts."""
    try:
        read = read_rows(folder / FILE, _COLUMNS)
    except FileNotFoundError:
        return None
    except (OSError, EmptyFile, UnreadableFile) as error:
        return FactFile(faults=(fault_of(error),))
    values: dict[FactName, dict[str, str]] = {}
    faults = [*read.faults, *_read_into(values, read.rows)]
    valid = len(read.rows) + len(read.faults) - len({fault.row for fault in faults})
    shown = {name: of_fact for name, of_fact in values.items() if of_fact}
    return FactFile(Facts(shown), valid, tuple(sorted(faults, key=lambda fault: fault.row)))


def _read_into(
    values: dict[FactName, dict[str, str]], rows: tuple[CsvRow, ...]
) -> Iterator[RowFault]:
    """Add the values of each row's fact, and yield the faults."""
    for row in rows:
        written = row.cells[_FACT].strip()
        try:
            name = FactName(written.casefold())
        except ValueError:
            yield RowFault(row.number, _FACT, _unknown(written))
            continue
        if name in values:
            yield RowFault(row.number, _FACT, f"{name.value} has a row above, which is shown")
            continue
        cells = {code: row.cells[column] for code, column in VALUE_COLUMNS.items()}
        try:
            values[name] = fact_values(name, cells)
        except InvalidFact as error:
            values[name] = {}
            yield RowFault(row.number, VALUE_COLUMNS[error.language], str(error))


def _unknown(written: str) -> str:
    similar = get_close_matches(written.casefold(), list(FactName), 1)
    hint = f"{similar[0]} is meant?" if similar else f"the facts are {', '.join(FactName)}"
    return f"{written!r} is no fact: {hint}"
