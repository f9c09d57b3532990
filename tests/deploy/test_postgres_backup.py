"""Backups of PostgreSQL: each committed row is restored after the database has been destroyed.

Source: docs/operations.md, 'Backup and restore'.
"""

import contextlib
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from deploy import postgres_backup
from deploy.local_stack import postgres_at, postgres_programs
from deploy.postgres_backup import BackupFailed, bases, delete_old, new_base, restore
from tests.helpers.archive import Archive, readable_folder
from tests.helpers.ports import free_port
from tests.helpers.product import eventually

WAITING = "SyncRep"
"""PostgreSQL's name of the wait of a transaction for a synchronous receiver."""


@pytest.fixture
def cluster():
    """A running PostgreSQL, the URL of its database, and its archive."""
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(readable_folder())
        postgres, url = postgres_at(folder / "postgres", free_port())
        archive = Archive(folder / "archive", postgres, url)
        stack.callback(postgres.kill)
        postgres.start()
        stack.callback(archive.stop)
        archive.start()
        yield postgres, url, archive


def write(url, number):
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS orders (number integer)")
        connection.execute("INSERT INTO orders VALUES (%s)", (number,))


def waits(url):
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("SELECT wait_event FROM pg_stat_activity")]


def numbers(url):
    with psycopg.connect(url) as connection:
        return [row[0] for row in connection.execute("SELECT number FROM orders ORDER BY number")]


def destroy(postgres, archive):
    """Kill both programs and delete the database, as a lost host does."""
    postgres.kill()
    archive.receiver.kill()
    shutil.rmtree(archive.data)


def test_restore_has_each_committed_row_when_the_database_is_destroyed(cluster):
    postgres, url, archive = cluster
    write(url, 1)
    archive.backup()
    for number in range(2, 40):
        write(url, number)
    destroy(postgres, archive)
    archive.restore()
    assert numbers(url) == list(range(1, 40))


def test_backup_without_its_log_has_no_later_rows(cluster):
    """The negative control of the test above: the backup alone is not enough."""
    postgres, url, archive = cluster
    write(url, 1)
    archive.backup()
    write(url, 2)
    destroy(postgres, archive)
    for file in (archive.folder / "wal").iterdir():
        file.unlink()
    archive.restore()
    assert numbers(url) == [1]


def test_transaction_waits_for_the_receiver_when_it_is_down(cluster):
    """What makes the first test deterministic: a client is told of no row that one host alone has."""
    _, url, archive = cluster
    write(url, 1)
    archive.receiver.kill()
    with ThreadPoolExecutor() as pool:
        writing = pool.submit(write, url, 2)
        eventually(lambda: WAITING in waits(url), "the transaction waits")
        assert not writing.done()
        archive.receiver.start()
        writing.result()
    assert numbers(url) == [1, 2]


def test_restored_database_can_be_archived_and_restored_again(cluster):
    postgres, url, archive = cluster
    write(url, 1)
    archive.backup()
    write(url, 2)
    destroy(postgres, archive)
    archive.restore()
    archive.folder = archive.folder.with_name("second")
    archive.start()
    archive.backup()
    write(url, 3)
    destroy(postgres, archive)
    archive.restore()
    assert numbers(url) == [1, 2, 3]


def test_delete_old_keeps_what_the_newest_backups_need(cluster):
    postgres, url, archive = cluster
    for number in range(4):
        write(url, number)
        archive.backup(name=f"base-2026112{number}T010000Z")
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SELECT pg_switch_wal()")
    archive.wait_until_stored()
    before = {file.name for file in (archive.folder / "wal").iterdir()}
    deleted = delete_old(archive.folder, postgres_programs(), kept=2)
    assert [base.name[:13] for base in deleted] == ["base-20261120", "base-20261121"]
    assert {file.name for file in (archive.folder / "wal").iterdir()} < before
    write(url, 9)
    destroy(postgres, archive)
    archive.restore()
    assert numbers(url) == [0, 1, 2, 3, 9]


def test_restore_fails_when_there_is_no_backup(tmp_path):
    with pytest.raises(BackupFailed, match="no backup"):
        restore(tmp_path, tmp_path / "data")


def test_restore_fails_when_the_data_folder_has_content(tmp_path):
    new_base(tmp_path).mkdir()
    with pytest.raises(BackupFailed, match="not empty"):
        restore(tmp_path, tmp_path)


def test_backup_command_fails_when_the_database_is_unreachable(tmp_path):
    done = subprocess.run(
        [
            *(
                sys.executable,
                postgres_backup.__file__,
                "--programs",
                postgres_programs(),
                "backup",
            ),
            *("--archive", tmp_path, "--database", f"postgresql://127.0.0.1:{free_port()}/none"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "pg_basebackup ended with 1" in done.stderr
    assert bases(tmp_path) == []
