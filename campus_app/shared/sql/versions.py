"""Versions of what is published at the desk: numbered rows that are never changed."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, Table, delete

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

    The primary key, which ends on the number, is the guard of two who publish at once: return
    False, and store nothing, if there is a version with it. Those before the newest 200 are
    deleted, except from `needed_from` on; the audit trail keeps what each has changed.
    """
    subject = [each == values[each.key] for each in table.primary_key if each.key != "number"]
    old = delete(table).where(*subject, table.c.number <= values["number"] - MAXIMUM_VERSIONS)
    if needed_from is not None:
        old = old.where(table.c.at < needed_from)
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
