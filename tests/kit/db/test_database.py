"""The database: transactions that happen whole or not at all, on both engines."""

import asyncio
import logging
import sqlite3

import psycopg
import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from kit.db.database import (
    _SURELY_THERE_SECONDS,
    Database,
    DatabaseUnavailable,
    InvalidQuery,
)
from tests.helpers.databases import postgres_only, sqlite_only

pytestmark = pytest.mark.anyio

TURN = text(
    "INSERT INTO restaurant_overrides (restaurant_id, is_open, message, changed_at_ms)"
    " VALUES (:id, :is_open, :message, 0)"
)
COUNT = text("SELECT count(*) FROM restaurant_overrides")


def turn(connection, number, message=""):
    connection.execute(TURN, {"id": number, "is_open": True, "message": message})


async def count(database):
    return await database.read(lambda connection: connection.execute(COUNT).scalar_one())


async def test_what_was_written_is_there_for_the_next_reader(database):
    await database.write(lambda connection: turn(connection, 1))
    assert await count(database) == 1


async def test_work_returns_what_it_found(database):
    found = await database.write(lambda connection: connection.execute(text("SELECT 7")).scalar())
    assert found == 7


async def test_an_exception_undoes_all_of_a_transaction(database):
    def work(connection):
        turn(connection, 1)
        raise LookupError("half way")

    with pytest.raises(LookupError, match="half way"):
        await database.write(work)
    assert await count(database) == 0


async def test_a_database_error_undoes_all_of_a_transaction_and_the_next_one_works(database):
    def work(connection):
        turn(connection, 1)
        turn(connection, 1)

    with pytest.raises(IntegrityError):
        await database.write(work)
    await database.write(lambda connection: turn(connection, 2))
    assert await count(database) == 1


async def test_of_transactions_at_once_one_that_fails_undoes_nothing_of_the_others(database):
    def fail(connection):
        turn(connection, 2)
        turn(connection, 2)

    outcomes = await asyncio.gather(
        database.write(lambda connection: turn(connection, 1)),
        database.execute(TURN, {"id": 4, "is_open": True, "message": ""}),
        database.write(fail),
        database.write(lambda connection: turn(connection, 3)),
        return_exceptions=True,
    )
    kinds = [type(outcome).__name__ for outcome in outcomes]
    assert kinds == ["NoneType", "Changed", "IntegrityError", "NoneType"]
    numbers = text("SELECT restaurant_id FROM restaurant_overrides ORDER BY restaurant_id")
    assert await database.read(lambda c: c.execute(numbers).scalars().all()) == [1, 3, 4]


WRONG_STATEMENTS = [
    pytest.param("SELECT * FROM no_such_table", "no_such_table", id="missing table"),
    pytest.param("SELECT nowhere FROM restaurant_overrides", "nowhere", id="missing column"),
    pytest.param("SELEKT 1", "SELEKT", id="wrong syntax"),
]


@pytest.mark.parametrize("way", ["read", "write", "execute"])
@pytest.mark.parametrize(("statement", "named"), WRONG_STATEMENTS)
async def test_database_reports_a_bug_when_a_statement_is_wrong(
    database, caplog, way, statement, named
):
    def work(connection):
        connection.execute(text(statement))

    given = text(statement) if way == "execute" else work
    with pytest.raises(InvalidQuery, match=named):
        await getattr(database, way)(given)
    (record,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert record.levelname == "ERROR"
    message = record.getMessage()
    assert message.startswith("database: a statement is wrong or a migration is missing: ")
    assert named in message
    assert await database.is_up()
    await database.write(lambda connection: turn(connection, 1))
    assert await count(database) == 1


async def test_wrong_statement_undoes_nothing_of_transactions_at_the_same_time(database):
    def fail(connection):
        turn(connection, 2)
        connection.execute(text("SELECT * FROM no_such_table"))

    outcomes = await asyncio.gather(
        database.write(lambda connection: turn(connection, 1)),
        database.write(fail),
        database.write(lambda connection: turn(connection, 3)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [type(None), InvalidQuery, type(None)]
    assert await count(database) == 2


@sqlite_only
async def test_a_trouble_of_the_database_undoes_all_that_it_carried_out_together(database):
    def fail(_connection):
        raise sqlite3.OperationalError("disk I/O error")

    outcomes = await asyncio.gather(
        database.write(lambda connection: turn(connection, 1)),
        database.write(fail),
        database.write(lambda connection: turn(connection, 2)),
        return_exceptions=True,
    )
    assert [type(outcome) for outcome in outcomes] == [DatabaseUnavailable] * 3
    assert await count(database) == 0
    await database.write(lambda connection: turn(connection, 1))
    assert await count(database) == 1


@sqlite_only
async def test_of_transactions_at_once_the_later_sees_what_the_earlier_did(database):
    seen = await asyncio.gather(
        *(
            database.write(
                lambda connection, number=number: (
                    turn(connection, number),
                    connection.execute(COUNT).scalar_one(),
                )[1]
            )
            for number in range(40)
        )
    )
    assert seen == list(range(1, 41))


async def test_one_statement_is_a_transaction_by_itself(database):
    values = {"id": 1, "is_open": True, "message": ""}
    changed = await database.execute(text(f"{TURN} RETURNING restaurant_id"), values)
    assert [tuple(row) for row in changed.rows] == [(1,)]
    assert (await database.execute(text("DELETE FROM restaurant_overrides"))).rowcount == 1
    await database.execute(TURN, values)
    with pytest.raises(IntegrityError):
        await database.execute(TURN, values)
    assert await count(database) == 1


async def test_an_answer_tells_its_columns_by_name_and_place(database):
    def work(connection):
        answer = connection.exec_driver_sql("SELECT 1 AS one, 'b' AS two")
        names = [column[0] for column in answer.cursor.description]
        return names, answer.cursor.description[-1][0], answer.keys(), answer.one().two

    names, last, keys, two = await database.read(work)
    assert names == list(keys) == ["one", "two"]
    assert (last, two) == ("two", "b")


async def test_an_error_says_nothing_of_what_was_to_be_stored(database):
    def work(connection):
        turn(connection, 1, "Aarav Sharma, +91 98000 00001")
        turn(connection, 1, "Aarav Sharma, +91 98000 00001")

    with pytest.raises(IntegrityError) as raised:
        await database.write(work)
    assert "Aarav" not in str(raised.value)
    assert "98000" not in str(raised.value)


async def test_fifty_writers_of_three_processes_queue_instead_of_failing(database_url):
    processes = [Database(database_url) for _ in range(3)]
    await asyncio.gather(
        *(
            processes[number % 3].write(lambda connection, n=number: turn(connection, n))
            for number in range(50)
        )
    )
    assert await count(processes[0]) == 50
    for process in processes:
        process.close()


async def test_a_reader_is_not_held_up_by_a_writer(database):
    loop = asyncio.get_running_loop()
    is_writing, may_end = asyncio.Event(), loop.create_future()

    def work(connection):
        turn(connection, 1)
        loop.call_soon_threadsafe(is_writing.set)
        asyncio.run_coroutine_threadsafe(_outcome(may_end), loop).result()

    writer = asyncio.create_task(database.write(work))
    await is_writing.wait()
    assert await count(database) == 0
    may_end.set_result(None)
    await writer
    assert await count(database) == 1


async def test_a_database_that_answers_is_up(database):
    assert await database.is_up()


@pytest.mark.parametrize(
    "url",
    [
        pytest.param("sqlite:////proc/nowhere.db", id="a file that can't be made"),
        pytest.param("postgresql+psycopg://food@127.0.0.1:1/food", id="a server that is not there"),
    ],
)
async def test_a_database_that_does_not_answer_is_down(url):
    database = Database(url)
    assert not await database.is_up()
    database.close()


async def hang_up(url):
    """Let the server end every connection, as if it were started again."""
    async with await psycopg.AsyncConnection.connect(url.replace("+psycopg", "")) as connection:
        await connection.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


async def open_connections(database, many=5):
    slow = text("SELECT pg_sleep(0.05)")
    await asyncio.gather(
        *(database.read(lambda connection: connection.execute(slow)) for _ in range(many))
    )


@postgres_only
async def test_connections_that_were_lost_while_nobody_used_them_are_not_noticed(
    database, database_url
):
    await open_connections(database)
    await hang_up(database_url)
    await asyncio.sleep(2 * _SURELY_THERE_SECONDS)
    await open_connections(database)
    await database.write(lambda connection: turn(connection, 1))
    assert await count(database) == 1


@postgres_only
async def test_connections_that_were_lost_in_the_midst_of_work_cost_one_transaction(
    database, database_url
):
    async def until_one_is_lost():
        while True:  # the server may be slower than we believe that a connection is still there
            await open_connections(database)
            await hang_up(database_url)
            await count(database)

    async with asyncio.timeout(20):
        with pytest.raises(DatabaseUnavailable):
            await until_one_is_lost()
    await open_connections(database)
    assert await count(database) == 0


async def test_a_sqlite_file_is_made_in_a_folder_that_is_not_there_yet(tmp_path):
    database = Database(f"sqlite:///{tmp_path}/a/new/folder/food.db")
    assert await database.is_up()
    database.close()
    assert (tmp_path / "a/new/folder/food.db").is_file()


async def test_a_payment_without_its_order_can_not_be_stored(database):
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


async def _outcome(future):
    return await future
