"""Restaurant overrides in SQL."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from campus_app.adapters.sql.audit import record
from campus_app.adapters.sql.tables import RestaurantOverrideRow
from campus_app.domain.audit import AuditEntry
from campus_app.ports.catalogue import RestaurantOverride
from kit.clock import to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_switches = table_of(RestaurantOverrideRow)


class SqlRestaurantOverrides:
    """One row per restaurant that was ever overridden."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all_overrides(self) -> Sequence[RestaurantOverride]:
        statement = select(_switches.c.restaurant_id, _switches.c.is_open, _switches.c.message)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [RestaurantOverride(*row) for row in rows]

    async def set_override(self, override: RestaurantOverride, entry: AuditEntry) -> None:
        values = {
            "is_open": override.is_open,
            "message": override.message,
            "changed_at_ms": to_ms(entry.at),
        }
        statement = insert_into(self._database.dialect, _switches)
        statement = statement.values(restaurant_id=override.restaurant_id, **values)

        def work(connection: Connection) -> None:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["restaurant_id"], set_=values)
            )
            record(connection, entry)

        await self._database.write(work)
