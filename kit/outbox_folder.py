"""A folder of files that development uses in place of sent mails and placed calls."""

import asyncio
import contextlib
import secrets
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

# One thread: files are written in the order of the calls.
_thread = ThreadPoolExecutor(1, "outbox-folder")


class OutboxFolder:
    """Writes files in a thread, in the order of the calls; creates the folder when it is missing.

    Raises:
        OSError: By `put` and `append`, if the folder is not writable.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    async def put(self, name: str, content: bytes) -> None:
        """Write a file atomically, replacing the one of the same name."""
        await self._in_thread(self._put, name, content)

    async def append(self, name: str, line: str) -> None:
        """Append a line to a file."""
        await self._in_thread(self._append, name, line)

    async def _in_thread(self, write: Callable[..., None], *arguments: Any) -> None:
        await asyncio.get_running_loop().run_in_executor(_thread, write, *arguments)

    def _put(self, name: str, content: bytes) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        # Write to another name first: a crash must not leave a partial file.
        part = self._path / f".{secrets.token_hex(8)}.part"
        try:
            part.write_bytes(content)
            part.replace(self._path / name)
        except OSError:
            with contextlib.suppress(OSError):
                part.unlink()
            raise

    def _append(self, name: str, line: str) -> None:
        self._path.mkdir(parents=True, exist_ok=True)
        with (self._path / name).open("a", encoding="utf-8") as file:
            file.write(f"{line}\n")
