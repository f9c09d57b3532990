"""A folder whose files stand for what would have gone out: mails, calls."""

import contextlib
import secrets
from collections.abc import Callable
from functools import partial
from pathlib import Path

from kit.crew import Crew, each_by_itself

_TOGETHER = 16


# One for all folders: threads that wait for one interpreter cost it more than what they write.
_writer = Crew(1, "outbox-folder", each_by_itself, _TOGETHER)


class OutboxFolder:
    """Writes off the event loop, in the order in which it is asked to; made when it is needed.

    Raises:
        OSError: If it can't be written.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def put(self, name: str, content: bytes) -> None:
        """Write a whole file, in place of the one of that name."""
        await _writer.run(partial(self._with_folder, partial(self._put, name, content)))

    async def append(self, name: str, line: str) -> None:
        """Add a line to a file."""
        await _writer.run(partial(self._with_folder, partial(self._append, name, line)))

    def _with_folder(self, write: Callable[[], None]) -> None:
        try:
            write()
        except FileNotFoundError:
            self._path.mkdir(parents=True, exist_ok=True)
            write()

    def _put(self, name: str, content: bytes) -> None:
        # Only whole files appear: a reader, or a crash, never meets half of one.
        part = self._path / f".{secrets.token_hex(8)}.part"
        try:
            part.write_bytes(content)
            part.replace(self._path / name)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()
            raise

    def _append(self, name: str, line: str) -> None:
        with (self._path / name).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
