"""The audit trail in SQL; an entry is written in the transaction of the action it is about."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, String, insert, or_, select, true, type_coerce

from campus_app.shared.rules.audit import AuditAction, AuditEntry
from campus_app.shared.rules.constants import MAXIMUM_COUNTED
from campus_app.shared.sql.tables import AuditRow
from kit.db.database import Database
from kit.db.tables import count_up_to, from_row, table_of

_audit = table_of(AuditRow)
_newest = select(_audit).order_by(_audit.c.id.desc())


def record(connection: Connection, entry: AuditEntry) -> None:
    """Insert an entry in the caller's transaction."""
    connection.execute(insert(_audit), asdict(entry))


class SqlAudit:
    """The audit trail."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(self, entry: AuditEntry) -> None:
        """Add an entry for an action that changes nothing in the database."""
        await self._database.write(lambda connection: record(connection, entry))

    async def entries(
        self,
        *,
        subject: str = "",
        since: datetime | None = None,
        limit: int,
    ) -> Sequence[AuditEntry]:
        """Return the newest entries of a subject, latest first."""
        of_subject = [_audit.c.subject == subject] if subject else []
        later = [_audit.c.at >= since] if since is not None else []
        statement = _newest.where(*of_subject, *later).limit(limit)
        rows = await self._database.fetch_all(statement)
        return [from_row(AuditEntry, _audit, row) for row in rows]

    async def found(
        self, words: str, actions: Collection[AuditAction], limit: int
    ) -> tuple[Sequence[AuditEntry], int]:
        """Return the newest entries whose actor, action or subject contains words, latest first.

        Those of `actions` are found too. The second value is how many there are; those beyond
        `MAXIMUM_COUNTED` count as one.
        """
        texts = (_audit.c.actor, type_coerce(_audit.c.action, String), _audit.c.subject)
        contains = [each.icontains(words, autoescape=True) for each in texts] if words else [true()]
        statement = _newest.where(or_(_audit.c.action.in_(actions), *contains))

        def work(connection: Connection) -> tuple[Sequence[AuditEntry], int]:
            rows = connection.execute(statement.limit(limit)).all()
            found = [from_row(AuditEntry, _audit, row) for row in rows]
            if len(found) < limit:
                return found, len(found)
            return found, connection.execute(count_up_to(MAXIMUM_COUNTED, statement)).scalar_one()

        return await self._database.read(work)
