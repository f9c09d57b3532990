"""Which errors callers see: a bug in a statement differs from a database that is unavailable."""

import logging

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from kit.db.errors import InvalidQuery
from tests.kit.db.rows import count, insert

pytestmark = pytest.mark.anyio


@pytest.mark.parametrize(
    ("method", "statement", "named"),
    [
        ("read", "SELECT * FROM no_such_table", "no_such_table"),
        ("write", "SELECT nowhere FROM restaurant_overrides", "nowhere"),
        ("execute", "SELEKT 1", "SELEKT"),
    ],
)
async def test_invalid_statement_raises_invalid_query_and_is_logged(
    database, caplog, method, statement, named
):
    def work(connection):
        connection.execute(text(statement))

    given = text(statement) if method == "execute" else work
    with pytest.raises(InvalidQuery, match=named):
        await getattr(database, method)(given)
    (record,) = [each for each in caplog.records if each.levelno >= logging.WARNING]
    assert record.levelname == "ERROR"
    message = record.getMessage()
    assert message.startswith("database: invalid statement or missing migration: ")
    assert named in message
    assert await database.is_up()
    await database.write(insert)
    assert await count(database) == 1


async def test_error_message_contains_no_parameters(database):
    def work(connection):
        insert(connection, message="Aarav Sharma, +91 98000 00001")
        insert(connection, message="Aarav Sharma, +91 98000 00001")

    with pytest.raises(IntegrityError) as raised:
        await database.write(work)
    assert "Aarav" not in str(raised.value)
    assert "98000" not in str(raised.value)
