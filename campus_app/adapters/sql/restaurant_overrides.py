"""The operator's switches in SQL."""

from collections.abc import Sequence

from sqlalchemy import Connection, select

from campus_app.adapters.sql.audit import record
from campus_app.adapters.sql.tables import SwitchRow
from campus_app.domain.audit import AuditEntry
from campus_app.ports.catalogue import Switch
from kit.clock import to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_switches = table_of(SwitchRow)


class SqlSwitches:
    """One row per restaurant that was ever switched."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def switches(self) -> Sequence[Switch]:
        statement = select(_switches.c.restaurant_id, _switches.c.is_open, _switches.c.message)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [Switch(*row) for row in rows]

    async def turn(self, switch: Switch, entry: AuditEntry) -> None:
        values = {
            "is_open": switch.is_open,
            "message": switch.message,
            "changed_at_ms": to_ms(entry.at),
        }
        statement = insert_into(self._database.dialect, _switches)
        statement = statement.values(restaurant_id=switch.restaurant_id, **values)

        def work(connection: Connection) -> None:
            connection.execute(
                statement.on_conflict_do_update(index_elements=["restaurant_id"], set_=values)
            )
            record(connection, entry)

        await self._database.write(work)
