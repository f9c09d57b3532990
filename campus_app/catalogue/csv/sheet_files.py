"""Reads a file that a restaurant sends, in a process with limits. Source: specification 12.3."""

import asyncio
import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from campus_app.catalogue.csv import sheet_reader
from campus_app.shared.rules.constants import MAXIMUM_MENU_BYTES

_SECONDS: Final = 8.0
"""Including the wait for others: an event that takes ten seconds loses its session's lock."""
_AT_ONCE: Final = 2
"""How many files a process reads at once: each takes up to a gigabyte."""
_ROOT: Final = Path(__file__).parents[3]
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1"}
"""Nothing of the server's: it has secrets. Threads would reserve memory."""


class UnreadableSheet(Exception):
    """A file is not read; `problem` is a code of `sheet_reader`, `reason` may say more."""

    def __init__(self, problem: str, reason: str = "") -> None:
        super().__init__(problem)
        self.problem = problem
        self.reason = reason


@dataclass(frozen=True)
class Sheet:
    """A sheet of a workbook; a CSV file is one without a name. The rows have equal length."""

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
                answer = await _answer(raw, deadline)
            finally:
                self._permits.release()
        except (TimeoutError, OSError):  # or no process can be started now
            raise UnreadableSheet(sheet_reader.TOO_SLOW) from None
        except ValueError:  # it was ended by one of its limits
            raise UnreadableSheet(sheet_reader.TOO_LARGE) from None
        if "sheets" not in answer:
            raise UnreadableSheet(answer["problem"], answer.get("reason", ""))
        return tuple(Sheet(name, tuple(map(tuple, rows))) for name, rows in answer["sheets"])


async def _answer(raw: bytes, deadline: float) -> dict[str, Any]:
    # Not within the time limit: a start that is cancelled would leave its process.
    reader = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", sheet_reader.__name__),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.DEVNULL,
        env=_ENVIRONMENT,
        cwd=_ROOT,
    )
    try:
        async with asyncio.timeout_at(deadline):
            written, _ = await reader.communicate(raw)
        return json.loads(written)
    finally:
        if reader.returncode is None:
            reader.kill()
            await reader.wait()
