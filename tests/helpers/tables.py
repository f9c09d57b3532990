"""Direct access to database tables."""

from typing import Any

from sqlalchemy import ColumnElement, func, select, text, type_coerce
from sqlmodel import SQLModel

from campus_app.ordering.sql.tables import OrderRow
from kit.db.columns import Converted
from kit.db.database import Database
from kit.db.tables import table_of


async def rows(database: Database, model: type[SQLModel], **equal: Any) -> list[Any]:
    """Return a table's rows as they are stored, ordered by the first column.

    They can be filtered by values.
    """
    table = table_of(model)
    wanted = [table.c[name] == value for name, value in equal.items()]
    statement = select(*map(_as_stored, table.c)).where(*wanted).order_by(next(iter(table.c)))
    return list(await database.read(lambda connection: connection.execute(statement).all()))


def _as_stored(column: Any) -> ColumnElement[Any]:
    kind = column.type.impl if isinstance(column.type, Converted) else column.type
    return type_coerce(column, kind).label(column.name)


async def only_row(database: Database, model: type[SQLModel]) -> Any:
    """Return the single row of a table."""
    (row,) = await rows(database, model)
    return row


async def count(database: Database, model: type[SQLModel], **equal: Any) -> int:
    """Return a table's row count, optionally filtered by values."""
    table = table_of(model)
    wanted = [table.c[name] == value for name, value in equal.items()]
    statement = select(func.count()).select_from(table).where(*wanted)
    return await database.read(lambda connection: connection.execute(statement).scalar_one())


async def execute(database: Database, statement: str, **values: Any) -> None:
    """Run an SQL statement that both databases support."""
    await database.write(lambda connection: connection.execute(text(statement), values))


_HOLD = """
WITH RECURSIVE numbers(value) AS (
    SELECT CAST(:first AS INTEGER) UNION ALL SELECT value + 1 FROM numbers WHERE value < :last
)
INSERT INTO order_numbers (value, order_id, held_until_ms)
SELECT value, 'another order', :until FROM numbers
"""
_FAR_AHEAD_MS = 4_000_000_000_000


async def hold_numbers(
    database: Database, first: int, last: int, *, until: int = _FAR_AHEAD_MS
) -> None:
    """Reserve the order numbers from first to last for another order."""
    await execute(database, _HOLD, first=first, last=last, until=until)


_UNIQUE = ("id", "response_token", "idempotency_key")


async def multiply_orders(database: Database, *, by: int) -> None:
    """Copy each order until there are `by` of it, without payments."""
    columns = [column.name for column in table_of(OrderRow).c]
    values = [f"{name} || '-' || value" if name in _UNIQUE else name for name in columns]
    numbers = "SELECT 2 UNION ALL SELECT value + 1 FROM numbers WHERE value < :last"
    await execute(
        database,
        f"WITH RECURSIVE numbers(value) AS ({numbers}) INSERT INTO orders ({', '.join(columns)}) "
        f"SELECT {', '.join(values)} FROM orders CROSS JOIN numbers",
        last=by,
    )
