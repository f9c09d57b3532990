"""The loss of a host: every program is killed and the database deleted, then restored from its archive.

The steps are those of docs/operations.md, 'Backup and restore'; the archive is on another host.
"""

import asyncio
import contextlib
import shutil
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from tests.helpers.archive import Archive, readable_folder
from tools.simulation.lunch_hour import LunchHour
from tools.simulation.plan import BACKUP_MINUTE
from tools.simulation.stack import PROCESSES, Kill, Stack


@dataclass
class HostLossTimes:
    """When the host was lost, in seconds since 1970, and how long each step took, in seconds."""

    lost_at: float = 0.0
    backup: float = 0.0
    database: float = 0.0
    """From the loss until the restored database accepts writes."""
    site: float = 0.0
    """From the loss until the first process is healthy."""
    archive: float = 0.0
    """From the loss until the restored database has a receiver and a backup of its own."""


class HostLoss:
    """An archive of the stack's database, and the loss and the restoring of the host."""

    def __init__(self, stack: Stack, folder: Path) -> None:
        parts = stack.deployment.parts
        self._stack = stack
        self._archive = Archive(folder / "archive", parts.postgres, parts.database_url)
        self.times = HostLossTimes()

    def prepare(self) -> None:
        """Start the receiver, before the first order."""
        self._archive.start()

    def stop(self) -> None:
        self._archive.stop()

    async def run(self, hour: LunchHour) -> None:
        """Back up the database, lose the host, and restore it."""
        await hour.until(BACKUP_MINUTE)
        began = time.time()
        await asyncio.to_thread(self._archive.backup)
        self.times.backup = time.time() - began
        await hour.until(hour.plan.host_loss_minute)
        async with self._stack.restarting:
            await self._lose_and_restore()

    async def _lose_and_restore(self) -> None:
        self.times.lost_at = time.time()
        kills = [Kill(process, self.times.lost_at) for process in range(PROCESSES)]
        self._stack.kills += kills
        await asyncio.to_thread(self._lose)
        await asyncio.to_thread(self._archive.restore)
        self.times.database = self._seconds()
        for part in (self._stack.deployment.parts.redis, self._stack.deployment.parts.nginx):
            await asyncio.to_thread(part.start)
        for kill in kills:
            await self._stack.start(kill.process)
            kill.restarted_at = time.time()
            self.times.site = self.times.site or self._seconds()
        await asyncio.to_thread(self._archive_anew)
        self.times.archive = self._seconds()

    def _lose(self) -> None:
        """Kill PostgreSQL while orders are being written, then everything else; delete its files."""
        parts = self._stack.deployment.parts
        for part in (parts.postgres, *parts.backends, parts.redis, parts.nginx):
            part.kill()
        self._archive.stop()
        shutil.rmtree(self._archive.data)

    def _archive_anew(self) -> None:
        self._archive.folder = self._archive.folder.with_name("archive-after-the-loss")
        self._archive.start()
        self._archive.backup()

    def _seconds(self) -> float:
        return time.time() - self.times.lost_at


@contextlib.contextmanager
def prepared_host_loss(stack: Stack) -> Iterator[HostLoss]:
    """Archive the stack's database during the block."""
    with readable_folder() as folder:
        loss = HostLoss(stack, folder)
        loss.prepare()
        try:
            yield loss
        finally:
            loss.stop()
