"""Restaurant overrides in SQL."""

from collections.abc import Sequence
from dataclasses import asdict

from sqlalchemy import ColumnElement, Connection, or_, select

from campus_app.catalogue.rules.availability import RestaurantOverride
from campus_app.catalogue.sql.tables import RestaurantOverrideRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of

_overrides = table_of(RestaurantOverrideRow)


class SqlRestaurantOverrides:
    """One row per restaurant that was ever overridden."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all_overrides(self) -> Sequence[RestaurantOverride]:
        """Return the latest override of every restaurant that has one."""
        rows = await self._database.fetch_all(select(_overrides))
        return [from_row(RestaurantOverride, _overrides, row) for row in rows]

    async def set_override(self, override: RestaurantOverride, entry: AuditEntry) -> None:
        """Store an override and its audit entry in one transaction."""
        await self._store(override, entry, condition=None)

    async def set_pause(self, override: RestaurantOverride, entry: AuditEntry) -> bool:
        """Store a kitchen's pause, or its end; False if the restaurant is closed without an end."""
        has_end = or_(_overrides.c.is_open, _overrides.c.until.is_not(None))
        return await self._store(override, entry, condition=has_end)

    async def _store(
        self,
        override: RestaurantOverride,
        entry: AuditEntry,
        *,
        condition: ColumnElement[bool] | None,
    ) -> bool:
        """Store an override unless there is one that does not meet the condition; False then."""
        values = asdict(override) | {"changed_at": entry.at}
        statement = insert_into(self._database.dialect, _overrides).values(values)
        statement = statement.on_conflict_do_update(
            index_elements=["restaurant_id"], set_=values, where=condition
        ).returning(_overrides.c.restaurant_id)

        def work(connection: Connection) -> bool:
            # PostgreSQL's driver does not count inserted rows.
            is_stored = connection.execute(statement).first() is not None
            if is_stored:
                record(connection, entry)
            return is_stored

        return await self._database.write(work)
