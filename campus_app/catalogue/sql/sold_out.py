"""Sold-out dishes in SQL."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, delete, select

from campus_app.catalogue.rules.availability import SoldOutDish
from campus_app.catalogue.rules.errors import DishesSoldOut
from campus_app.catalogue.sql.tables import SoldOutDishRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of

_sold_out = table_of(SoldOutDishRow)


class SqlSoldOut:
    """One row per dish that is sold out; rows whose time is over are deleted with later changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all_sold_out(self) -> Sequence[SoldOutDish]:
        """Return every stored dish, including those whose time is over."""
        rows = await self._database.fetch_all(select(_sold_out))
        return [from_row(SoldOutDish, _sold_out, row) for row in rows]

    async def mark_sold_out(self, dish: SoldOutDish, entry: AuditEntry) -> None:
        """Store a sold-out dish and its audit entry in one transaction."""
        values = asdict(dish)
        statement = insert_into(self._database.dialect, _sold_out).values(values)

        def work(connection: Connection) -> None:
            connection.execute(delete(_sold_out).where(_sold_out.c.until <= entry.at))
            connection.execute(
                statement.on_conflict_do_update(index_elements=_sold_out.primary_key, set_=values)
            )
            record(connection, entry)

        await self._database.write(work)

    async def mark_available(self, restaurant_id: int, dish_id: str, entry: AuditEntry) -> None:
        """Delete a sold-out dish, with an audit entry in one transaction."""

        def work(connection: Connection) -> None:
            connection.execute(
                delete(_sold_out).where(
                    _sold_out.c.restaurant_id == restaurant_id, _sold_out.c.dish_id == dish_id
                )
            )
            record(connection, entry)

        await self._database.write(work)


def require_available(
    connection: Connection, restaurant_id: int, dishes: Mapping[str, str], at: datetime
) -> None:
    """Require that no dish of an order is sold out, in the transaction that stores the order.

    `dishes` are the names of its dishes, by their ids.

    Raises:
        DishesSoldOut: With the names of the dishes.
    """
    statement = select(_sold_out.c.dish_id).where(
        _sold_out.c.restaurant_id == restaurant_id,
        _sold_out.c.dish_id.in_(dishes),
        _sold_out.c.until > at,
    )
    found = set(connection.execute(statement).scalars())
    if found:
        raise DishesSoldOut([name for id_, name in dishes.items() if id_ in found])
