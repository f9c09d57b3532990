"""Backups of PostgreSQL up to its last transaction: base backups and a stream of its log.

`receive` runs on another machine, all the time, and stores the write-ahead log as PostgreSQL writes
it; `backup` copies the whole database, each night; `restore` makes a data folder from both. The
programs are PostgreSQL's own. An archive is a folder with `wal` and a `base-…` for each backup.
The database's address comes from DATABASE_URL: other users can read a program's arguments.
Source: docs/operations.md, 'Backup and restore'.
"""

import argparse
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
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
_INSTALLED = Path("/usr/lib/postgresql")
_KEPT_BACKUPS = 7
_NEW = ".new-"
_PARTIAL = ".partial"
_SEGMENT_BYTES = 16 << 20
_SEGMENTS_PER_LOG_BYTES = 1 << 32
_SEGMENT = re.compile(r"[0-9A-F]{8}(?P<log>[0-9A-F]{8})(?P<segment>[0-9A-F]{8})(?:\.partial)?")
_FIRST_WAL_FILE = re.compile(r"START WAL LOCATION: \S+ \(file (\w{24})\)")


class BackupFailed(Exception):
    """An archive cannot be written or restored; the text says why."""


def installed_programs() -> Path:
    """Return the folder of the newest installed client of PostgreSQL.

    Debian links only some of its programs into the PATH.
    """
    folders = [each.parent for each in _INSTALLED.glob("*/bin/pg_receivewal")]
    return max(folders, key=lambda each: float(each.parent.name), default=Path())


def client_environment(database_url: str) -> Mapping[str, str]:
    """Return the variables that give PostgreSQL's programs the password, which is no argument."""
    password = urlsplit(database_url).password
    return {"PGPASSWORD": password} if password else {}


def receive_command(database_url: str, archive: Path, programs: Path) -> Sequence[str]:
    """Return the command that stores the write-ahead log until it is stopped."""
    return [
        str(programs / "pg_receivewal"),
        f"--dbname={_without_password(database_url, application_name=RECEIVER)}",
        f"--directory={archive / 'wal'}",
        f"--slot={RECEIVER}",
        "--synchronous",
        "--no-password",
    ]


def create_slot_command(database_url: str, archive: Path, programs: Path) -> Sequence[str]:
    """Return the command with which PostgreSQL keeps what the receiver has not stored yet."""
    receive = receive_command(database_url, archive, programs)
    return [*receive, "--create-slot", "--if-not-exists"]


def remove_damaged(archive: Path) -> None:
    """Delete an unfinished file of the log that lost its size; the receiver fetches it again."""
    for file in (archive / "wal").glob(f"*{_PARTIAL}"):
        if file.stat().st_size not in {0, _segment_bytes(archive)}:
            file.unlink()


def backup_commands(database_url: str, new: Path, programs: Path) -> Sequence[Sequence[str]]:
    """Return the commands that copy the database into a new folder, and verify the copy."""
    copy = [
        str(programs / "pg_basebackup"),
        f"--dbname={_without_password(database_url)}",
        f"--pgdata={new}",
        "--checkpoint=fast",
        "--no-password",
    ]
    return [copy, _verify_command(new, programs)]


def new_backup(archive: Path) -> Path:
    """Return the folder for a backup that begins now; delete those that were not finished."""
    for unfinished in archive.glob(f"{_NEW}*"):
        shutil.rmtree(unfinished)
    return archive / f"{_NEW}{datetime.now(UTC):%Y%m%dT%H%M%S.%fZ}"


def finish_backup(new: Path, kept: int = _KEPT_BACKUPS) -> Path:
    """Name a verified backup, and delete what the newest ones do not need; return its folder."""
    base = new.rename(new.with_name(new.name.replace(_NEW, "base-")))
    archive = base.parent
    for old in bases(archive)[:-kept]:
        shutil.rmtree(old)
    first = _position(_first_wal_file(bases(archive)[0]))
    for file in (archive / "wal").iterdir():
        if _SEGMENT.fullmatch(file.name) and _position(file.name) < first:
            file.unlink()
    return base


def bases(archive: Path) -> list[Path]:
    """Return the finished backups of an archive, the oldest first."""
    return sorted(archive.glob("base-*"))


def restore(archive: Path, data: Path, programs: Path) -> str:
    """Make a data folder from the newest backup and the log; return the last file of the log.

    PostgreSQL replays the log at its first start with this folder, to the last transaction.

    Raises:
        BackupFailed: If the backup or the log is damaged or incomplete, or the folder has content.
    """
    if not bases(archive):
        raise BackupFailed(f"{archive} has no backup")
    if data.exists() and any(data.iterdir()):
        raise BackupFailed(f"{data} is not empty")
    base, wal = bases(archive)[-1], archive.resolve() / "wal"
    if {"'", '"', "%", "$", "`", "\\"} & set(str(wal)):
        raise BackupFailed(f"{wal} has a character that a shell or PostgreSQL replaces")
    last = _require_whole_log(wal, _first_wal_file(base))
    _run(_verify_command(base, programs))
    shutil.copytree(base, data, dirs_exist_ok=True)
    data.chmod(0o700)
    with (data / "postgresql.auto.conf").open("a", encoding="utf-8") as settings:
        # The restored server has no receiver yet, and must not wait for one.
        settings.write(
            f"restore_command = '{_restore_command(wal)}'\nsynchronous_standby_names = ''\n"
        )
    (data / "recovery.signal").touch()
    return last


def _restore_command(wal: Path) -> str:
    """Return the shell command with which PostgreSQL gets a file of the log.

    The file that the receiver was writing has a suffix; its end is filled with zeros. With a code
    above 125 PostgreSQL stops, because a file that exists cannot be copied; with 1, the log ends.
    """
    copies = " ".join(
        f'if [ -s "{wal}/%f{suffix}" ]; then cp "{wal}/%f{suffix}" "%p" || exit 255; exit 0; fi;'
        for suffix in ("", _PARTIAL)
    )
    return f"{copies} exit 1"


def _require_whole_log(wal: Path, first: str) -> str:
    """Return the last file of the log; raise BackupFailed if one after the first is missing."""
    found: dict[int, Path] = {}
    for file in sorted(wal.glob("*")):
        if _SEGMENT.fullmatch(file.name) and file.stat().st_size:
            found.setdefault(_position(file.name), file)
    begins = _position(first)
    last = max(found, default=-1)
    missing = [str(each) for each in range(begins, last + 1) if each not in found]
    if last < begins or missing:
        raise BackupFailed(f"{wal}: the log is not complete from {first} on")
    for file in found.values():
        if not os.access(file, os.R_OK) or file.stat().st_size != _segment_bytes(wal.parent):
            raise BackupFailed(f"{file} cannot be read, or has not the size of the others")
    return found[last].name


def _first_wal_file(base: Path) -> str:
    """Return the name of the first file of the log that a backup needs."""
    label = base / "backup_label"
    found = _FIRST_WAL_FILE.search(label.read_text(encoding="utf-8") if label.exists() else "")
    if found is None:
        raise BackupFailed(f"{base} has no readable label")
    return found[1]


def _position(name: str) -> int:
    """Return the number of a file of the log, which is the same on each timeline."""
    found = _SEGMENT.fullmatch(name)
    if found is None:
        raise BackupFailed(f"{name} is no file of the log")
    per_log = _SEGMENTS_PER_LOG_BYTES // _SEGMENT_BYTES
    return int(found["log"], 16) * per_log + int(found["segment"], 16)


def _segment_bytes(archive: Path) -> int:
    """Return the size of the log's files."""
    whole = [each for each in (archive / "wal").iterdir() if len(each.name) == len("0" * 24)]
    return max((each.stat().st_size for each in whole), default=_SEGMENT_BYTES)


def _verify_command(base: Path, programs: Path) -> Sequence[str]:
    # Reading the log would need a program of the server's package.
    return [str(programs / "pg_verifybackup"), "--quiet", "--no-parse-wal", str(base)]


def _without_password(database_url: str, **parameters: str) -> str:
    """Return a URL for PostgreSQL's programs, whose arguments other users can read."""
    parts = urlsplit(database_url)
    user, separator, host = parts.netloc.rpartition("@")
    netloc = f"{user.partition(':')[0]}{separator}{host}"
    query = "&".join(filter(None, (parts.query, urlencode(parameters))))
    return urlunsplit(parts._replace(netloc=netloc, query=query))


def _run(command: Sequence[str], environment: Mapping[str, str] | None = None) -> None:
    variables = {**os.environ, **(environment or {})}  # noqa: TID251 - for PostgreSQL's programs
    try:
        done = subprocess.run(command, check=False, env=variables)  # noqa: S603 - PostgreSQL's own
    except FileNotFoundError:
        raise BackupFailed(f"{command[0]} is not installed") from None
    if done.returncode:
        raise BackupFailed(f"{Path(command[0]).name} ended with {done.returncode}")


def _backup(options: Any) -> None:
    url, new = _database_url(), new_backup(options.archive)
    for command in backup_commands(url, new, options.programs):
        _run(command, client_environment(url))
    print(f"stored {finish_backup(new)}")


def _receive(options: Any) -> None:
    url = _database_url()
    (options.archive / "wal").mkdir(parents=True, exist_ok=True)
    remove_damaged(options.archive)
    for command in (create_slot_command, receive_command):
        _run(command(url, options.archive, options.programs), client_environment(url))


def _restore(options: Any) -> None:
    last = restore(options.archive, options.data, options.programs)
    print(f"restored to {last}, the last file of the log: start PostgreSQL with {options.data}")


def _database_url() -> str:
    url = os.environ.get("DATABASE_URL")  # noqa: TID251 - without the application's packages
    if not url:
        raise BackupFailed("DATABASE_URL is not set")
    return url


def main() -> int:
    """Run one command."""
    parser = argparse.ArgumentParser(description=__doc__)
    programs = installed_programs()
    parser.add_argument("--programs", type=Path, default=programs, help="folder of PostgreSQL's")
    commands = parser.add_subparsers(required=True)
    for name, run in (("receive", _receive), ("backup", _backup), ("restore", _restore)):
        command = commands.add_parser(name)
        command.add_argument("--archive", type=Path, required=True)
        if name == "restore":
            command.add_argument("--data", type=Path, required=True, help="an empty folder")
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
