"""How it goes: figures of a span of days, computed by a process of their own.

Source: specification 13.1 to 13.6.
"""

import asyncio
import contextlib
import json
import logging
from collections.abc import Callable
from typing import Final

from campus_app.operators.rules.figures import Figures, Span, figures_of
from kit.db.errors import DatabaseUnavailable
from kit.limited_program import Failure, Limits, ProgramFailed, WaitingProgram, answer_of

logger = logging.getLogger(__name__)

_PROGRAM: Final = "campus_app.operators.figures_program"
_LIMITS: Final = Limits(
    seconds=60, memory_bytes=4 * 1024**3, output_bytes=16 * 1024**2, writes_files=True
)
"""SQLite writes where its readers are."""
_CHECK_SECONDS: Final = 5.0
"""How long a page of the desk is open before the program is started for it."""


class FigureReports:
    """Starts the program, for one report at a time: each takes two processors and 200 MB."""

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
        self._permit = asyncio.Semaphore(1)
        self._ready: WaitingProgram | None = None
        self._is_reported = asyncio.Event()

    async def keep_ready(self, is_wanted: Callable[[], bool]) -> None:
        """Keep a program started while somebody may want a report: its imports take a second."""
        try:
            while True:
                if not self._permit.locked():  # what a report takes is enough at a time
                    await self._check(is_wanted())
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(_CHECK_SECONDS):
                        await self._is_reported.wait()
                self._is_reported.clear()
        finally:
            await self._check(is_wanted=False)

    async def _check(self, is_wanted: bool) -> None:
        """Start a program where one is wanted, and end one that is not, or has ended by itself."""
        program = self._ready
        if program is not None and (program.has_ended or not is_wanted):
            if program.has_ended:
                logger.warning("the program of the figures ended while it waited")
            self._ready = None
            await program.end()
        if is_wanted and self._ready is None:
            self._ready = WaitingProgram(_PROGRAM, _LIMITS)

    async def of(self, span: Span) -> Figures:
        """Return the figures of a span of days, beside as many days before.

        Raises:
            DatabaseUnavailable: If the program fails, or takes longer than 60 s.
        """
        asked = {"database": self._database_url, "first": f"{span.first}", "last": f"{span.last}"}
        async with self._permit:
            try:
                written = await self._answer_to(json.dumps(asked).encode())
            except ProgramFailed as error:
                logger.warning("the figures were not computed: %s", error)
                raise DatabaseUnavailable(str(error)) from error
            finally:
                self._is_reported.set()
        return figures_of(span, json.loads(written))

    async def _answer_to(self, asked: bytes) -> bytes:
        program, self._ready = self._ready, None
        if program is not None:
            try:
                return await program.answer_of(asked)
            except ProgramFailed as error:
                if error.failure is not Failure.UNASKED:
                    raise
            finally:
                await program.end()
        return await answer_of(_PROGRAM, asked, _LIMITS)
