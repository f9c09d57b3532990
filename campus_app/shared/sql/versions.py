"""Versions of what is published at the desk: numbered rows that are never changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, delete, func, select

from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.constants import MAXIMUM_VERSIONS
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import insert_into


async def add_version(
    database: Database,
    table: Table,
    values: Mapping[str, Any],
    entry: AuditEntry,
    *,
    needed_from: datetime | None = None,
) -> bool:
    """Store a version and its audit entry in one transaction.

    The number is the last column of the primary key. Of two who publish at once, the second finds
    its key taken: return False, and store nothing. Versions before the newest MAXIMUM_VERSIONS are
    deleted, unless they were in force at `needed_from` or later; the audit trail keeps what each
    has changed.
    """
    # the restaurant of a menu; nothing for the offers
    same_subject = [each == values[each.key] for each in table.primary_key if each.key != "number"]
    old = delete(table).where(*same_subject, table.c.number <= values["number"] - MAXIMUM_VERSIONS)
    if needed_from is not None:
        others = table.alias()
        in_force = select(func.max(others.c.number)).where(others.c.at <= needed_from)
        old = old.where(table.c.number < in_force.scalar_subquery())
    statement = insert_into(database.dialect, table).values(dict(values))
    statement = statement.on_conflict_do_nothing(index_elements=table.primary_key)
    statement = statement.returning(table.c.number)

    def work(connection: Connection) -> bool:
        is_added = connection.execute(statement).first() is not None
        if is_added:
            connection.execute(old)
            record(connection, entry)
        return is_added

    return await database.write(work)
