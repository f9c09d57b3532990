"""Visits by hour and step in SQL."""

from collections.abc import Mapping
from datetime import datetime

from sqlalchemy import Connection

from campus_app.operators.rules.figures import VisitStep
from campus_app.operators.sql.tables import VisitRow
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_visits = table_of(VisitRow)


class SqlVisits:
    """Adds to the sums of hours; several processes may do so at once."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def add(self, counts: Mapping[tuple[datetime, VisitStep], int]) -> None:
        """Add counts to the sums of hours and steps."""

        def work(connection: Connection) -> None:
            insert = insert_into(connection.dialect.name, _visits)
            added = insert.on_conflict_do_update(
                index_elements=[_visits.c.hour, _visits.c.step],
                set_={"count": _visits.c.count + insert.excluded["count"]},
            )
            # In one order, so that two processes do not wait for each other.
            for (hour, step), count in sorted(counts.items()):
                connection.execute(added, {"hour": hour, "step": step, "count": count})

        await self._database.write(work)
