"""Copies of the data files in their last usable version.

They are stored beside the outbox (below `var/menus/` by default), survive restarts, and are read
only while the file itself is unusable.
"""

import logging
import os
from datetime import datetime
from pathlib import Path

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE

logger = logging.getLogger(__name__)


class LastGoodCopies:
    """The folder of the copies; without a folder there are no copies."""

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder

    def save(self, name: str, raw: bytes) -> None:
        """Store the content of a usable file; errors are logged only."""
        if self._folder is None or self.read(name) == raw:
            return
        part = self._folder / f"{name}.{os.getpid()}.part"
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            part.write_bytes(raw)
            part.replace(self._folder / name)
        except OSError as error:
            logger.warning("%s: its last good copy can't be written: %s", name, error.strerror)

    def read(self, name: str) -> bytes | None:
        """Return the copy of a file, if there is one."""
        try:
            return (self._folder / name).read_bytes() if self._folder else None
        except OSError:
            return None

    def saved_at(self, name: str) -> datetime | None:
        """Return when the copy of a file was written, in campus time."""
        try:
            written = (self._folder / name).stat().st_mtime if self._folder else None
        except OSError:
            return None
        return None if written is None else datetime.fromtimestamp(written, CAMPUS_TIME_ZONE)
