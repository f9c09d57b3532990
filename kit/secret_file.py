"""Secrets that an installation generates once and stores in a file."""

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path


def stored_secret(file: Path, new: Callable[[], str]) -> str:
    """Return the secret in a file; the first process stores `new()`, with mode 600.

    Processes that start together all return the secret of one of them.

    Raises:
        OSError: If the file can be neither read nor written.
    """
    with contextlib.suppress(FileNotFoundError):
        return file.read_text(encoding="ascii")
    file.parent.mkdir(parents=True, exist_ok=True)
    part = file.with_suffix(f".{secrets.token_hex(4)}")
    part.touch(mode=0o600)
    part.write_text(new(), encoding="ascii")
    try:
        with contextlib.suppress(FileExistsError):
            os.link(part, file)  # fails if the file exists: the first process wins
    finally:
        part.unlink()
    return file.read_text(encoding="ascii")
