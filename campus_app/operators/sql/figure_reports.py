"""How it goes: figures of a span of days, computed by a process of their own.

Source: specification 13.1 to 13.6.
"""

import asyncio
import json
import logging
import sys
from pathlib import Path
from typing import Final

from campus_app.operators.rules.figures import Figures, Span, figures_of
from kit.db.errors import DatabaseUnavailable

logger = logging.getLogger(__name__)

_PROGRAM: Final = "campus_app.operators.figures_program"
_SECONDS: Final = 60.0
_ENVIRONMENT: Final = {
    "OPENBLAS_NUM_THREADS": "1",
    "PYTHONPATH": str(Path(__file__).parents[3]),
    "PYTHONUTF8": "1",
}
"""Nothing of the server's: its secrets are not needed."""


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
            written = await _run(json.dumps(asked).encode())
        return figures_of(span, json.loads(written))


async def _run(asked: bytes) -> bytes:
    program = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", _PROGRAM),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
        env=_ENVIRONMENT,
    )
    try:
        async with asyncio.timeout(_SECONDS):
            written, said = await program.communicate(asked)
    except TimeoutError:
        raise DatabaseUnavailable(f"no figures within {_SECONDS:.0f} s") from None
    finally:
        if program.returncode is None:
            program.kill()
            await program.wait()
    if program.returncode:
        last = said.decode(errors="replace").strip().rpartition("\n")[2]
        logger.warning("the figures were not computed: %s", last)
        raise DatabaseUnavailable(last)
    return written
