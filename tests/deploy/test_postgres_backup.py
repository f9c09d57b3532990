"""Backups of PostgreSQL: each committed row is restored after the database has been destroyed.

Source: docs/operations.md, 'Backup and restore'.
"""

import contextlib
import os
import shutil
import signal
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

import psycopg
import pytest

from deploy import postgres_backup
from deploy.local_stack import postgres_at, postgres_programs
from deploy.postgres_backup import BackupFailed, bases, new_backup, remove_damaged, restore
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


def active_slots(connection):
    slots = connection.execute("SELECT slot_name FROM pg_replication_slots WHERE active")
    return slots.fetchall()


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


def test_backup_has_no_later_rows_without_the_log(cluster):
    """The negative control of the test above: the backup alone is not enough."""
    postgres, url, archive = cluster
    write(url, 1)
    base = archive.backup()
    write(url, 2)
    destroy(postgres, archive)
    first, *later = sorted((archive.folder / "wal").iterdir())
    for file in later:
        file.unlink()
    restored = first.with_name(first.name.removesuffix(".partial"))
    assert restored.name[:24] in (base / "backup_label").read_text()
    archive.restore()
    assert numbers(url) == [1]


def test_transaction_waits_for_the_receiver_when_it_is_down(cluster):
    """What makes the first test deterministic: no client gets an answer that one host alone has."""
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


def test_backup_deletes_what_the_newest_ones_do_not_need(cluster):
    postgres, url, archive = cluster
    stored, logs = [], []
    for number in range(4):
        write(url, number)
        stored.append(archive.backup(kept=2))
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SELECT pg_switch_wal()")
        archive.wait_until_stored()
        logs.append({file.name for file in (archive.folder / "wal").iterdir()})
    assert bases(archive.folder) == stored[2:]
    assert logs[-1] - logs[0]
    assert logs[0] - logs[-1]
    write(url, 9)
    destroy(postgres, archive)
    archive.restore()
    assert numbers(url) == [0, 1, 2, 3, 9]


def test_interrupted_backup_is_neither_restored_nor_kept(cluster):
    postgres, url, archive = cluster
    write(url, 1)
    archive.backup()
    interrupted = new_backup(archive.folder)
    interrupted.mkdir()
    destroy(postgres, archive)
    archive.restore()
    assert numbers(url) == [1]
    new_backup(archive.folder)
    assert not interrupted.exists()


def damaged_backup(archive):
    (bases(archive.folder)[-1] / "PG_VERSION").write_text("9")


def missing_log(archive):
    files = sorted((archive.folder / "wal").iterdir())
    files[len(files) // 2].unlink()


def log_of_another_size(archive):
    file = max((archive.folder / "wal").iterdir())
    os.truncate(file, 8 << 20)


def no_log(archive):
    shutil.rmtree(archive.folder / "wal")


def test_restore_fails_when_the_archive_is_damaged(cluster):
    """PostgreSQL alone would start with the rows before the damage, without an error."""
    postgres, url, archive = cluster
    write(url, 1)
    archive.backup()
    for number in range(2, 5):
        write(url, number)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute("SELECT pg_switch_wal()")
    archive.wait_until_stored()
    destroy(postgres, archive)
    whole = archive.folder
    for damage in (damaged_backup, missing_log, log_of_another_size, no_log):
        archive.folder = shutil.copytree(whole, whole.with_name(damage.__name__))
        damage(archive)
        with pytest.raises((BackupFailed, FileNotFoundError)):
            archive.restore()
        shutil.rmtree(archive.data, ignore_errors=True)


def test_receiver_stores_a_damaged_file_again(cluster):
    postgres, url, archive = cluster
    write(url, 1)
    archive.backup()
    write(url, 2)
    archive.receiver.kill()
    (partial,) = (archive.folder / "wal").glob("*.partial")
    os.truncate(partial, 8 << 20)
    remove_damaged(archive.folder)
    archive.receiver.start()
    write(url, 3)
    destroy(postgres, archive)
    archive.restore()
    assert numbers(url) == [1, 2, 3]


def test_commands_archive_and_restore_with_the_role_and_path_of_the_units(cluster):
    """With a role that may only replicate, and a PATH without PostgreSQL's own folder."""
    postgres, url, archive = cluster
    archive.stop()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute("ALTER SYSTEM RESET synchronous_standby_names")
        connection.execute("SELECT pg_reload_conf()")
        eventually(lambda: active_slots(connection) == [], "the server misses the receiver")
        connection.execute("SELECT pg_drop_replication_slot('food_points_wal')")
        connection.execute("CREATE ROLE archive REPLICATION LOGIN")
    folder = archive.folder.with_name("by-commands")
    environment = {"DATABASE_URL": url.replace("food@", "archive:secret@"), "PATH": "/usr/bin:/bin"}
    command = [sys.executable, postgres_backup.__file__]
    receiver = subprocess.Popen(
        [*command, "receive", "--archive", folder], env=environment, start_new_session=True
    )
    try:
        eventually(archive.is_connected, "the receiver is connected")
        arguments = subprocess.check_output(["ps", "-A", "-ww", "-o", "args"], text=True)
        assert "slot=food_points_wal" in arguments
        assert "archive:secret" not in arguments
        write(url, 1)
        subprocess.run([*command, "backup", "--archive", folder], env=environment, check=True)
        write(url, 2)
        archive.wait_until_stored()
    finally:
        os.killpg(receiver.pid, signal.SIGTERM)
        receiver.wait()
    destroy(postgres, archive)
    subprocess.run(
        [*command, "restore", "--archive", folder, "--data", archive.data],
        env=environment,
        check=True,
    )
    archive.folder = folder
    archive.start_restored()
    assert numbers(url) == [1, 2]


def test_restore_fails_when_there_is_no_backup(tmp_path):
    with pytest.raises(BackupFailed, match="no backup"):
        restore(tmp_path, tmp_path / "data", postgres_programs())


def test_restore_fails_when_the_data_folder_has_content(tmp_path):
    (tmp_path / "base-1").mkdir()
    with pytest.raises(BackupFailed, match="not empty"):
        restore(tmp_path, tmp_path, postgres_programs())


def test_backup_command_fails_when_the_database_is_unreachable(tmp_path):
    done = subprocess.run(
        [sys.executable, postgres_backup.__file__, "backup", "--archive", tmp_path],
        env={"DATABASE_URL": f"postgresql://127.0.0.1:{free_port()}/none", "PATH": "/usr/bin:/bin"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "pg_basebackup ended with 1" in done.stderr
    assert bases(tmp_path) == []


def test_program_that_is_missing_is_named(tmp_path):
    done = subprocess.run(
        [
            *(sys.executable, postgres_backup.__file__, "--programs", tmp_path),
            *("backup", "--archive", tmp_path),
        ],
        env={"DATABASE_URL": "postgresql://127.0.0.1/none"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stderr) == (1, f"{tmp_path}/pg_basebackup is not installed\n")
