"""What was changed for single days of restaurants, in SQL. Source: specification 15.1."""

from collections.abc import Sequence
from datetime import date, timedelta
from typing import Any

from sqlalchemy import Connection, delete, select

from campus_app.catalogue.rules.opening_hours import DayHours
from campus_app.catalogue.rules.restaurant import RestaurantDay
from campus_app.catalogue.sql.tables import RestaurantDayRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of

_days = table_of(RestaurantDayRow)

_KEPT = timedelta(days=7)


class SqlRestaurantDays:
    """One row per restaurant and day; rows of days long past are deleted with later changes."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def all_days(self) -> Sequence[RestaurantDay]:
        """Return every stored day, in one order."""
        statement = select(_days).order_by(_days.c.restaurant_id, _days.c.day)
        rows = await self._database.fetch_all(statement)
        return [from_row(RestaurantDay, _days, row) for row in rows]

    async def set_hours(
        self, restaurant_id: int, hours: DayHours | None, day: date, entry: AuditEntry
    ) -> None:
        """Store the hours of a day, None for the usual ones, and the audit entry together."""
        opens, closes = (hours.open, hours.close) if hours else (None, None)
        await self._store(restaurant_id, day, {"open": opens, "close": closes}, entry)

    async def set_seats(
        self, restaurant_id: int, seats: int | None, day: date, entry: AuditEntry
    ) -> None:
        """Store the seats of a day, None for the usual ones, and the audit entry together."""
        await self._store(restaurant_id, day, {"seats": seats}, entry)

    async def _store(
        self, restaurant_id: int, day: date, values: dict[str, Any], entry: AuditEntry
    ) -> None:
        """Store values of a day; its other ones stay as they are, also if they are set at once."""
        key = {"restaurant_id": restaurant_id, "day": day}
        statement = insert_into(self._database.dialect, _days).values(key | values)
        statement = statement.on_conflict_do_update(index_elements=_days.primary_key, set_=values)

        def work(connection: Connection) -> None:
            connection.execute(delete(_days).where(_days.c.day < day - _KEPT))
            connection.execute(statement)
            record(connection, entry)

        await self._database.write(work)
