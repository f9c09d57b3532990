"""The audit trail in SQL; an entry is written in the transaction of the action it is about."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import Connection, String, insert, or_, select, type_coerce

from campus_app.shared.rules.audit import AuditAction, AuditEntry
from campus_app.shared.sql.tables import AuditRow
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_audit = table_of(AuditRow)


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
        containing: str = "",
        or_actions: Collection[AuditAction] = (),
        since: datetime | None = None,
        limit: int,
    ) -> Sequence[AuditEntry]:
        """Return the newest entries, latest first.

        `containing` is a part of the actor, the action or the subject; entries of `or_actions`
        are returned too.
        """
        statement = select(_audit).order_by(_audit.c.id.desc()).limit(limit)
        if subject:
            statement = statement.where(_audit.c.subject == subject)
        if containing:
            texts = (_audit.c.actor, type_coerce(_audit.c.action, String), _audit.c.subject)
            statement = statement.where(
                or_(
                    _audit.c.action.in_(or_actions),
                    *(each.icontains(containing, autoescape=True) for each in texts),
                )
            )
        if since is not None:
            statement = statement.where(_audit.c.at >= since)
        rows = await self._database.fetch_all(statement)
        return [from_row(AuditEntry, _audit, row) for row in rows]
