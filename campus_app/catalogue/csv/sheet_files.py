"""Reads a file that a restaurant sends, in a process with limits. Source: specification 12.3."""

import asyncio
import json
from dataclasses import dataclass
from typing import Final

from campus_app.catalogue.csv import sheet_reader
from campus_app.shared.rules.constants import MAXIMUM_MENU_BYTES
from kit.limited_program import Failure, Limits, ProgramFailed, answer_of

_SECONDS: Final = 8.0
"""Including the wait for others: an event that takes ten seconds loses its session's lock."""
_AT_ONCE: Final = 2
"""How many files a process reads at once: each takes up to a gigabyte."""
_LIMITS: Final = Limits(_SECONDS, memory_bytes=1024**3, output_bytes=32 * 1024**2)
_PROBLEMS: Final = {
    Failure.TOO_SLOW: sheet_reader.TOO_SLOW,
    Failure.NOT_STARTED: sheet_reader.TOO_SLOW,
}
"""Any other failure means that the program has exceeded one of its limits."""


class UnreadableSheet(Exception):
    """A file is not read; `problem` is a code of `sheet_reader`, `reason` may say more."""

    def __init__(self, problem: str, reason: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.reason = reason


@dataclass(frozen=True)
class Sheet:
    """A sheet of a workbook; a CSV file is a sheet without a name. The rows have equal length."""

    name: str
    rows: tuple[tuple[str, ...], ...]


class SheetFiles:
    """Reads CSV files of any dialect, pasted cells, and workbooks (XLSX, ODS)."""

    def __init__(self, seconds: float = _SECONDS) -> None:
        self._seconds = seconds
        self._permits = asyncio.Semaphore(_AT_ONCE)

    async def sheets(self, raw: bytes) -> tuple[Sheet, ...]:
        """Return the sheets of a file, at least one, the largest first.

        Formulas are their last values.

        Raises:
            UnreadableSheet: If it is too large, no sheet, or takes too long.
        """
        if len(raw) > MAXIMUM_MENU_BYTES:
            raise UnreadableSheet(sheet_reader.TOO_LARGE)
        try:
            deadline = asyncio.get_running_loop().time() + self._seconds
            async with asyncio.timeout_at(deadline):
                await self._permits.acquire()
            try:
                written = await answer_of(sheet_reader.__name__, raw, _LIMITS, deadline)
            finally:
                self._permits.release()
        except TimeoutError:
            raise UnreadableSheet(sheet_reader.TOO_SLOW) from None
        except ProgramFailed as error:
            problem = _PROBLEMS.get(error.failure, sheet_reader.TOO_LARGE)
            raise UnreadableSheet(problem) from None
        answer = json.loads(written)
        if "sheets" not in answer:
            raise UnreadableSheet(answer["problem"], answer.get("reason", ""))
        return tuple(Sheet(name, tuple(map(tuple, rows))) for name, rows in answer["sheets"])
