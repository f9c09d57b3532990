"""A database that accepts no writes: transactions fail in time, and `is_up` knows it."""

import asyncio
import threading
import time
from pathlib import Path

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import DataError, IntegrityError

from kit.db import database as database_module
from kit.db.database import Database
from kit.db.errors import DatabaseUnavailable
from tests.helpers.databases import postgres_only, sqlite_only
from tests.kit.db.rows import INSERT, count, insert

pytestmark = pytest.mark.anyio

LONGEST_SECONDS = 10.0


def set_read_only(url, value):
    """Change the default of new connections, as providers do when a disk is almost full."""
    with psycopg.connect(url.replace("+psycopg", ""), autocommit=True) as connection:
        connection.execute("SET default_transaction_read_only = off")
        name = connection.info.dbname
        connection.execute(f"ALTER DATABASE {name} SET default_transaction_read_only = {value}")


def raising(sqlstate):
    """Return a transaction in which the server raises an error with this SQLSTATE."""
    code = f"DO $$ BEGIN RAISE EXCEPTION USING ERRCODE = '{sqlstate}'; END $$"
    return lambda connection: connection.execute(text(code))


@postgres_only
@pytest.mark.parametrize(
    "sqlstate",
    [
        pytest.param("25006", id="read-only"),
        pytest.param("42501", id="permission denied"),
        pytest.param("53100", id="disk full"),
        pytest.param("55P03", id="lock not available"),
        pytest.param("57P03", id="cannot connect now"),
        pytest.param("58030", id="input/output error"),
        pytest.param("XX000", id="internal error"),
        pytest.param("XX001", id="damaged data"),
    ],
)
async def test_write_is_unavailable_when_the_state_of_postgresql_forbids_it(database, sqlstate):
    with pytest.raises(DatabaseUnavailable):
        await database.write(raising(sqlstate))
    assert await database.is_up()


@postgres_only
@pytest.mark.parametrize(("sqlstate", "error"), [("23505", IntegrityError), ("22003", DataError)])
async def test_control_error_of_a_value_is_not_unavailable(database, sqlstate, error):
    with pytest.raises(error):
        await database.write(raising(sqlstate))


def damage(url):
    Path(url.removeprefix("sqlite:///")).write_bytes(b"no database file" * 256)


@sqlite_only
async def test_write_is_unavailable_when_the_sqlite_file_is_damaged(database_url):
    damage(database_url)
    database = Database(database_url)
    with pytest.raises(DatabaseUnavailable):
        await database.write(insert)
    assert not await database.is_up()
    database.close()


@postgres_only
@pytest.mark.parametrize("method", ["write", "execute"])
async def test_is_up_is_false_while_postgresql_is_read_only(database_url, method):
    set_read_only(database_url, "on")
    database = Database(database_url)
    values = {"id": 1, "is_open": True, "message": ""}
    with pytest.raises(DatabaseUnavailable):
        await (database.write(insert) if method == "write" else database.execute(INSERT, values))
    assert not await database.is_up()
    assert await count(database) == 0
    set_read_only(database_url, "off")
    await database.is_up()  # closes the connections that were opened in the meantime
    assert await database.is_up()
    await database.write(insert)
    assert await count(database) == 1
    database.close()


@sqlite_only
async def test_is_up_is_false_while_the_disk_is_full(database):
    def limit_pages(connection):
        pages = connection.exec_driver_sql("PRAGMA page_count").scalar_one()
        connection.exec_driver_sql(f"PRAGMA max_page_count = {pages}")

    await database.write(limit_pages)
    with pytest.raises(DatabaseUnavailable, match="full"):
        await database.write(lambda connection: insert(connection, message="x" * 100_000))
    assert not await database.is_up()
    await database.write(
        lambda connection: connection.exec_driver_sql("PRAGMA max_page_count = 1000000")
    )
    assert await database.is_up()


async def test_is_up_leaves_no_table_behind_when_it_has_tried_a_write(database):
    tables = text(
        "SELECT name FROM sqlite_master WHERE name LIKE 'write_probe%'"
        if database.dialect == "sqlite"
        else "SELECT tablename FROM pg_tables WHERE tablename LIKE 'write_probe%'"
    )

    def fail(_connection):
        raise DatabaseUnavailable("disk full")

    with pytest.raises(DatabaseUnavailable):
        await database.write(fail)
    assert await asyncio.gather(*(database.is_up() for _ in range(20))) == [True] * 20
    assert await database.fetch_all(tables) == []


@postgres_only
async def test_write_fails_in_time_when_another_program_locks_the_table(
    database, database_url, monkeypatch
):
    assert database_module._LONGEST_TRANSACTION_SECONDS <= 8  # too near for a busy machine
    monkeypatch.setattr(database_module, "_LONGEST_TRANSACTION_SECONDS", 3)
    with psycopg.connect(database_url.replace("+psycopg", "")) as other:
        other.execute("LOCK TABLE restaurant_overrides")
        started = time.monotonic()
        writes = [database.write(lambda c, n=number: insert(c, n)) for number in range(12)]
        results = await asyncio.gather(*writes, return_exceptions=True)
        assert time.monotonic() - started < LONGEST_SECONDS
        assert {type(result) for result in results} == {DatabaseUnavailable}
    await database.write(insert)
    assert await count(database) == 1


async def test_write_is_rolled_back_when_it_ends_after_its_answer(database_url, monkeypatch):
    monkeypatch.setattr("kit.db.database._LONGEST_TRANSACTION_SECONDS", 0.05)
    database, may_end = Database(database_url), threading.Event()

    def work(connection):
        insert(connection)
        assert may_end.wait(20)

    with pytest.raises(DatabaseUnavailable, match="in time"):
        await database.write(work)
    may_end.set()
    monkeypatch.undo()
    await asyncio.to_thread(database.close)  # waits for the transaction
    database = Database(database_url)
    assert await count(database) == 0
    database.close()
