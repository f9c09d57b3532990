"""An archive of a PostgreSQL server that a test runs: its receiver, backups and restoring."""

import contextlib
import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg

from deploy.local_stack import Part, postgres_programs
from deploy.postgres_backup import (
    KEEP_SYNCHRONOUS,
    RECEIVER,
    backup_commands,
    create_slot_command,
    finish_backup,
    new_backup,
    receive_command,
    restore,
)
from tests.helpers.product import eventually


@contextlib.contextmanager
def readable_folder() -> Iterator[Path]:
    """Make a temporary folder that PostgreSQL can read; if we are root, it runs as another user."""
    with tempfile.TemporaryDirectory(prefix="food_points_") as name:
        folder = Path(name)
        folder.chmod(0o755)
        yield folder


class Archive:
    """Base backups and the log of one server, in a folder."""

    def __init__(self, folder: Path, postgres: Part, database_url: str) -> None:
        self.folder = folder
        self._postgres = postgres
        self._url = database_url
        self._programs = postgres_programs()
        command = list(map(str, postgres.command))
        self.data = Path(command[command.index("-D") + 1])
        self.receiver = self._receiver()

    def start(self) -> None:
        """Start the receiver; from then on, each transaction waits for it."""
        for folder in (self.folder, self.folder / "wal"):
            folder.mkdir()
            self._give_to_postgres(folder)
        self.receiver = self._receiver()
        self._run(create_slot_command(self._url, self.folder, self._programs))
        self.receiver.start()
        with psycopg.connect(self._url, autocommit=True) as connection:
            for statement in KEEP_SYNCHRONOUS:
                connection.execute(statement)
        with psycopg.connect(self._url, autocommit=True) as connection:
            # Commits wait once the checkpointer has read its new settings, which it does first.
            connection.execute("CHECKPOINT")

    def stop(self) -> None:
        """Stop the receiver, at once."""
        self.receiver.kill()

    def backup(self, **options: int) -> Path:
        """Copy the database into the archive; return the backup."""
        new = new_backup(self.folder)
        for command in backup_commands(self._url, new, self._programs):
            self._run(command)
        return finish_backup(new, **options)

    def restore(self) -> None:
        """Make the server's data folder from the archive; return when the server accepts writes."""
        restore(self.folder, self.data, self._programs)
        self.start_restored()

    def start_restored(self) -> None:
        """Start the server with a restored data folder; return when it accepts writes."""
        for path in (self.data, *self.data.rglob("*"), *(self.folder / "wal").iterdir()):
            self._give_to_postgres(path)
        self._postgres.start()
        self._wait_until("SELECT NOT pg_is_in_recovery()", "the server replays the log")

    def wait_until_stored(self) -> None:
        """Return when the receiver has stored all of the log.

        A commit waits for a synchronous receiver, which reports its place otherwise every ten seconds.
        """
        with psycopg.connect(self._url, autocommit=True) as connection:
            connection.execute("SELECT pg_logical_emit_message(true, 'archive', '')")
        query = "SELECT flush_lsn = pg_current_wal_lsn() FROM pg_stat_replication"
        self._wait_until(query, "the receiver stores the log")

    def _wait_until(self, query: str, description: str) -> None:
        def holds() -> bool:
            with psycopg.connect(self._url) as connection:
                return connection.execute(query).fetchone() == (True,)

        eventually(holds, description)

    def _receiver(self) -> Part:
        return Part(
            receive_command(self._url, self.folder, self._programs),
            self.folder.with_name(f"{self.folder.name}-receiver.log"),
            self.is_connected,
            run_as=self._postgres.run_as,
        )

    def is_connected(self) -> bool:
        """Whether a receiver is connected to the server."""
        query = "SELECT state FROM pg_stat_replication WHERE application_name = %s"
        with psycopg.connect(self._url) as connection:
            return connection.execute(query, (RECEIVER,)).fetchone() == ("streaming",)

    def _run(self, command) -> None:
        done = subprocess.run(
            command, check=False, capture_output=True, text=True, **self._postgres.run_as
        )
        assert done.returncode == 0, done.stderr

    def _give_to_postgres(self, path: Path) -> None:
        if not os.geteuid():
            shutil.chown(path, self._postgres.run_as["user"], self._postgres.run_as["group"])
