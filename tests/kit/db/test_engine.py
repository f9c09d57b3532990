"""What the engine configures: SQLite's folder, lock and foreign keys."""

import sqlite3

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from kit.db.database import Database
from kit.db.errors import DatabaseUnavailable
from tests.helpers.databases import sqlite_only

pytestmark = pytest.mark.anyio


async def test_sqlite_file_is_created_when_its_folder_is_missing(tmp_path):
    database = Database(f"sqlite:///{tmp_path}/a/new/folder/food.db")
    assert await database.is_up()
    database.close()
    assert (tmp_path / "a/new/folder/food.db").is_file()


@sqlite_only
async def test_write_takes_the_lock_at_begin_and_read_does_not(database_url, monkeypatch):
    monkeypatch.setattr("kit.db.engine._SQLITE_BUSY_TIMEOUT_SECONDS", 0.05)
    database = Database(database_url)
    other = sqlite3.connect(database_url.removeprefix("sqlite:///"), isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    calls = []
    with pytest.raises(DatabaseUnavailable, match="locked"):
        await database.write(calls.append)
    assert calls == []
    await database.read(calls.append)
    assert len(calls) == 1
    other.close()
    await database.write(calls.append)
    assert len(calls) == 2
    database.close()


async def test_payment_cannot_be_stored_without_its_order(database):
    def work(connection):
        connection.execute(
            text(
                "INSERT INTO payments (id, order_id, provider, reference, amount_paise, state,"
                " reason, provider_payment_id, paid_currency, created_at_ms, expires_at_ms)"
                " VALUES ('p', 'no such order', 's', 'r', 1, 'pending', '', '', '', 0, 0)"
            )
        )

    with pytest.raises(IntegrityError):
        await database.write(work)
