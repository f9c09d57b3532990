"""How it goes: figures of a span of days, computed by a process of their own.

Source: specification 13.1 to 13.6.
"""

import asyncio
import json
import logging
from typing import Final

from campus_app.operators.rules.figures import Figures, Span, figures_of
from kit.db.errors import DatabaseUnavailable
from kit.limited_program import Limits, ProgramFailed, answer_of

logger = logging.getLogger(__name__)

_PROGRAM: Final = "campus_app.operators.figures_program"
_LIMITS: Final = Limits(
    seconds=60, memory_bytes=4 * 1024**3, output_bytes=16 * 1024**2, writes_files=True
)
"""SQLite writes where its readers are."""


class FigureReports:
    """Starts the program, for one report at a time: each takes a processor and 150 MB."""

    def __init__(self, database_url: str) -> None:
        self._database_url = database_url
        self._permit = asyncio.Semaphore(1)

    async def of(self, span: Span) -> Figures:
        """Return the figures of a span of days, beside as many days before.

        Raises:
            DatabaseUnavailable: If the program fails, or takes longer than 60 s.
        """
        asked = {"database": self._database_url, "first": f"{span.first}", "last": f"{span.last}"}
        async with self._permit:
            try:
                written = await answer_of(_PROGRAM, json.dumps(asked).encode(), _LIMITS)
            except ProgramFailed as error:
                logger.warning("the figures were not computed: %s", error)
                raise DatabaseUnavailable(str(error)) from error
        return figures_of(span, json.loads(written))
