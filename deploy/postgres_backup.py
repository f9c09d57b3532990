"""Backups of PostgreSQL that lose no committed transaction: base backups and a stream of its log.

`receive` runs on another machine, all the time, and stores the write-ahead log as PostgreSQL writes
it; `backup` copies the whole database, each night; `restore` makes a data folder from both. The
programs are PostgreSQL's own. An archive is a folder with `wal` and a `base-…` for each backup.
Source: docs/operations.md, 'Backup and restore'.
"""

import argparse
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit, urlunsplit

RECEIVER = "food_points_wal"
"""The receiver's replication slot and application name."""
KEEP_SYNCHRONOUS = (
    f"ALTER SYSTEM SET synchronous_standby_names = '{RECEIVER}'",
    "SELECT pg_reload_conf()",
)
"""Statements after which a transaction is committed only when the receiver has stored it."""
_KEPT_BACKUPS = 7
_FIRST_WAL_FILE = re.compile(r"START WAL LOCATION: \S+ \(file (\w{24})\)")


class BackupFailed(Exception):
    """An archive cannot be written or restored; the text says why."""


def receive_command(database_url: str, archive: Path, programs: Path = Path()) -> Sequence[str]:
    """Return the command that stores the write-ahead log until it is stopped."""
    return [
        str(programs / "pg_receivewal"),
        f"--dbname={_named(database_url)}",
        f"--directory={archive / 'wal'}",
        f"--slot={RECEIVER}",
        "--synchronous",
        "--no-password",
    ]


def create_slot_command(database_url: str, archive: Path, programs: Path = Path()) -> Sequence[str]:
    """Return the command with which PostgreSQL keeps what the receiver has not stored yet."""
    receive = receive_command(database_url, archive, programs)
    return [*receive, "--create-slot", "--if-not-exists"]


def backup_commands(
    database_url: str, base: Path, programs: Path = Path()
) -> Sequence[Sequence[str]]:
    """Return the commands that copy the database into a new folder, and verify the copy."""
    copy = [str(programs / "pg_basebackup"), f"--dbname={database_url}", f"--pgdata={base}"]
    return [
        [*copy, "--checkpoint=fast", "--no-password"],
        [str(programs / "pg_verifybackup"), "--quiet", str(base)],
    ]


def new_base(archive: Path) -> Path:
    """Return the folder for a backup that begins now."""
    return archive / f"base-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"


def bases(archive: Path) -> list[Path]:
    """Return the backups of an archive, the oldest first."""
    return sorted(archive.glob("base-*"))


def restore(archive: Path, data: Path) -> Path:
    """Make a data folder from the newest backup and the log; return the backup.

    PostgreSQL replays the log at its first start with this folder, to the last transaction.

    Raises:
        BackupFailed: If there is no backup, or the data folder has content.
    """
    if not bases(archive):
        raise BackupFailed(f"{archive} has no backup")
    if data.exists() and any(data.iterdir()):
        raise BackupFailed(f"{data} is not empty")
    base = bases(archive)[-1]
    shutil.copytree(base, data, dirs_exist_ok=True)
    data.chmod(0o700)
    wal = archive.resolve() / "wal"
    # The file that the receiver was writing has the suffix; its end is filled with zeros.
    copy = f'cp "{wal}/%f" "%p" || cp "{wal}/%f.partial" "%p"'
    with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
        # The restored server has no receiver yet, and must not wait for one.
        settings.write(f"restore_command = '{copy}'\nsynchronous_standby_names = ''\n")
    (data / "recovery.signal").touch()
    return base


def delete_old(archive: Path, programs: Path = Path(), kept: int = _KEPT_BACKUPS) -> list[Path]:
    """Delete all backups but the newest ones, and the log that these do not need.

    Returns:
        The deleted backups.

    Raises:
        BackupFailed: If the oldest backup that is kept cannot be read.
    """
    old = bases(archive)[:-kept]
    for base in old:
        shutil.rmtree(base)
    label = (bases(archive)[0] / "backup_label").read_text(encoding="utf-8")
    first = _FIRST_WAL_FILE.search(label)
    if first is None:
        raise BackupFailed(f"{bases(archive)[0]} has no readable label")
    _run([str(programs / "pg_archivecleanup"), str(archive / "wal"), first[1]])
    return old


def _named(database_url: str) -> str:
    """Return the URL with the receiver's application name, by which PostgreSQL waits for it."""
    parts = urlsplit(database_url)
    name = urlencode({"application_name": RECEIVER})
    return urlunsplit(parts._replace(query="&".join(filter(None, (parts.query, name)))))


def _run(command: Sequence[str]) -> None:
    done = subprocess.run(command, check=False)  # noqa: S603 - PostgreSQL's own programs
    if done.returncode:
        raise BackupFailed(f"{Path(command[0]).name} ended with {done.returncode}")


def _backup(options: Any) -> None:
    for command in backup_commands(options.database, new_base(options.archive), options.programs):
        _run(command)
    for base in delete_old(options.archive, options.programs):
        print(f"deleted {base}")


def _receive(options: Any) -> None:
    (options.archive / "wal").mkdir(parents=True, exist_ok=True)
    _run(create_slot_command(options.database, options.archive, options.programs))
    _run(receive_command(options.database, options.archive, options.programs))


def _restore(options: Any) -> None:
    print(f"restored {restore(options.archive, options.data)}: start PostgreSQL with it")


def main() -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--programs", type=Path, default=Path(), help="folder of PostgreSQL's")
    commands = parser.add_subparsers(required=True)
    for name, run in (("receive", _receive), ("backup", _backup), ("restore", _restore)):
        command = commands.add_parser(name)
        command.add_argument("--archive", type=Path, required=True)
        if name == "restore":
            command.add_argument("--data", type=Path, required=True, help="an empty folder")
        else:
            command.add_argument("--database", required=True, help="the URL of the database")
        command.set_defaults(run=run)
    options = parser.parse_args()
    try:
        options.run(options)
    except BackupFailed as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
