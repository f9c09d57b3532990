"""Transactions on SQLite and PostgreSQL: each is committed or rolled back as a whole."""

import asyncio
import threading

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from kit.db.database import Database
from kit.db.errors import DatabaseUnavailable
from tests.helpers.databases import postgres_only, sqlite_only
from tests.kit.db.rows import COUNT, INSERT, count, insert

pytestmark = pytest.mark.anyio


async def test_write_is_rolled_back_when_its_function_raises(database):
    def work(connection):
        insert(connection, 1)
        raise LookupError("half way")

    with pytest.raises(LookupError, match="half way"):
        await database.write(work)
    assert await count(database) == 0


async def test_failed_write_does_not_affect_concurrent_transactions(database):
    def fail(connection):
        insert(connection, 2)
        insert(connection, 2)

    def fail_as_invalid(connection):
        insert(connection, 5)
        connection.execute(text("SELECT * FROM no_such_table"))

    outcomes = await asyncio.gather(
        database.write(lambda connection: insert(connection, 1)),
        database.execute(INSERT, {"id": 4, "is_open": True, "message": ""}),
        database.write(fail),
        database.write(fail_as_invalid),
        database.write(lambda connection: insert(connection, 3)),
        return_exceptions=True,
    )
    types = [type(outcome).__name__ for outcome in outcomes]
    assert types == ["NoneType", "Executed", "IntegrityError", "InvalidQuery", "NoneType"]
    numbers = text("SELECT restaurant_id FROM restaurant_overrides ORDER BY restaurant_id")
    assert await database.read(lambda c: c.execute(numbers).scalars().all()) == [1, 3, 4]


@sqlite_only
async def test_concurrent_writes_run_in_the_order_of_their_calls(database):
    counts = await asyncio.gather(
        *(
            database.write(
                lambda connection, number=number: (
                    insert(connection, number),
                    connection.execute(COUNT).scalar_one(),
                )[1]
            )
            for number in range(40)
        )
    )
    assert counts == list(range(1, 41))


async def test_execute_runs_in_its_own_transaction(database):
    values = {"id": 1, "is_open": True, "message": ""}
    inserted = await database.execute(text(f"{INSERT} RETURNING restaurant_id"), values)
    assert [tuple(row) for row in inserted.rows] == [(1,)]
    assert (await database.execute(text("DELETE FROM restaurant_overrides"))).rowcount == 1
    await database.execute(INSERT, values)
    with pytest.raises(IntegrityError):
        await database.execute(INSERT, values)
    assert await count(database) == 1


async def test_concurrent_writes_of_three_databases_are_all_committed(database_url):
    databases = [Database(database_url) for _ in range(3)]
    await asyncio.gather(
        *(
            databases[number % 3].write(lambda connection, n=number: insert(connection, n))
            for number in range(50)
        )
    )
    assert await count(databases[0]) == 50
    for each in databases:
        each.close()


async def test_read_is_not_blocked_by_a_write(database):
    loop = asyncio.get_running_loop()
    is_writing, may_end = asyncio.Event(), threading.Event()

    def work(connection):
        insert(connection, 1)
        loop.call_soon_threadsafe(is_writing.set)
        assert may_end.wait(20)

    writer = asyncio.create_task(database.write(work))
    await is_writing.wait()
    assert await count(database) == 0
    may_end.set()
    await writer
    assert await count(database) == 1


# Cancellation and shutdown


async def test_write_is_skipped_when_it_is_cancelled_before_it_begins(database):
    may_end, threads = threading.Event(), 8
    blocking = [
        asyncio.create_task(database.write(lambda _connection: may_end.wait(20)))
        for _ in range(threads)
    ]
    await asyncio.sleep(0)
    cancelled = asyncio.create_task(database.write(lambda connection: insert(connection, 1)))
    await asyncio.sleep(0)
    cancelled.cancel()
    await asyncio.wait([cancelled])  # else a thread that ends may begin it before the loop knows
    may_end.set()
    assert await asyncio.gather(*blocking) == [True] * threads
    assert await count(database) == 0


async def test_write_is_completed_when_it_is_cancelled_after_it_began(database_url):
    database, has_begun, may_end = Database(database_url), threading.Event(), threading.Event()

    def work(connection):
        insert(connection, 1)
        has_begun.set()
        assert may_end.wait(20)
        insert(connection, 2)

    writer = asyncio.create_task(database.write(work))
    await asyncio.to_thread(has_begun.wait, 20)
    writer.cancel()
    await asyncio.wait([writer])
    may_end.set()
    await asyncio.to_thread(database.close)
    assert writer.cancelled()
    database = Database(database_url)
    assert await count(database) == 2
    database.close()


async def test_close_completes_transactions_that_were_requested(database_url):
    database = Database(database_url)
    writes = [
        asyncio.create_task(database.write(lambda connection, n=number: insert(connection, n)))
        for number in range(9)
    ]
    await asyncio.sleep(0)
    database.close()
    await asyncio.gather(*writes)
    database = Database(database_url)
    assert await count(database) == 9
    database.close()


def test_database_serves_several_event_loops_one_after_the_other(database_url):
    database, has_begun, may_end = Database(database_url), threading.Event(), threading.Event()

    def work(connection):
        insert(connection, 1)
        has_begun.set()
        assert may_end.wait(20)

    async def cancel_running_write():
        write = asyncio.ensure_future(database.write(work))
        await asyncio.to_thread(has_begun.wait, 20)
        write.cancel()

    asyncio.run(cancel_running_write())
    may_end.set()
    asyncio.run(database.write(lambda connection: insert(connection, 2)))
    database.close()  # the cancelled write may end later than the other
    database = Database(database_url)
    assert asyncio.run(count(database)) == 2
    database.close()


# Lost connections


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("sqlite:////proc/nowhere.db", id="a file that cannot be created"),
        pytest.param("postgresql+psycopg://food@127.0.0.1:1/food", id="a closed port"),
    ],
)
async def test_is_up_is_false_when_the_database_does_not_answer(url):
    database = Database(url)
    assert not await database.is_up()
    database.close()


def terminate_connections(url):
    """Terminate all other connections to the database, as a restart of the server does."""
    with psycopg.connect(url.replace("+psycopg", "")) as connection:
        connection.execute(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


async def open_connections(database):
    """Open several connections of the pool by concurrent reads."""
    slow = text("SELECT pg_sleep(0.05)")
    await asyncio.gather(
        *(database.read(lambda connection: connection.execute(slow)) for _ in range(5))
    )


@postgres_only
async def test_transactions_succeed_when_idle_connections_were_lost(database, database_url):
    await open_connections(database)
    await asyncio.to_thread(terminate_connections, database_url)
    await open_connections(database)
    await database.write(lambda connection: insert(connection, 1))
    assert await count(database) == 1


@postgres_only
@pytest.mark.parametrize("statements_after", [0, 1], ids=["commit", "statement"])
async def test_write_is_unavailable_when_its_connection_is_lost(
    database, database_url, statements_after
):
    def work(connection):
        insert(connection, 1)
        terminate_connections(database_url)
        for number in range(statements_after):
            insert(connection, 2 + number)

    await open_connections(database)
    with pytest.raises(DatabaseUnavailable):
        await database.write(work)
    await open_connections(database)
    assert await count(database) == 0
