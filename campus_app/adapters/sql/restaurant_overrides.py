"""Restaurant overrides in SQL."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import Connection, select

from campus_app.adapters.sql.audit import record
from campus_app.adapters.sql.tables import RestaurantOverrideRow
from campus_app.domain.audit import AuditEntry
from campus_app.ports.catalogue import RestaurantOverride
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of

_overrides = table_of(RestaurantOverrideRow)


class SqlRestaurantOverrides:
    """One row per restaurant that was ever overridden."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all_overrides(self) -> Sequence[RestaurantOverride]:
        rows = await self._database.fetch_all(select(_overrides))
        return [from_row(RestaurantOverride, _overrides, row) for row in rows]

    async def set_override(self, override: RestaurantOverride, entry: AuditEntry) -> None:
        values = asdict(override) | {"changed_at": entry.at}
        statement = insert_into(self._database.dialect, _overrides).values(values)

        def work(connection: Connection) -> None:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["restaurant_id"], set_=values)
            )
            record(connection, entry)

        await self._database.write(work)
