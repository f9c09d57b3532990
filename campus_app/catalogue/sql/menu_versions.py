"""The published versions of menus in SQL; the latest one of a restaurant counts."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from sqlalchemy import and_, func, select

from campus_app.catalogue.rules.menu_version import MenuVersion, VersionHead
from campus_app.catalogue.sql.tables import MenuVersionRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.versions import add_version
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_versions = table_of(MenuVersionRow)
_head = [column for column in _versions.c if column.key not in {"content", "file"}]


class SqlMenuVersions:
    """One row per version; those of a restaurant are numbered from 1, and the newest are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def latest_numbers(self) -> Mapping[int, int]:
        """Return the number of the latest version of each restaurant that has one."""
        latest = func.max(_versions.c.number)
        statement = select(_versions.c.restaurant_id, latest).group_by(_versions.c.restaurant_id)
        return {row[0]: row[1] for row in await self._database.fetch_all(statement)}

    async def version(self, restaurant_id: int, number: int) -> MenuVersion | None:
        """Return a version with its dishes, or None if there is none of this number."""
        row = await self._database.fetch_one(
            select(_versions).where(
                _versions.c.restaurant_id == restaurant_id, _versions.c.number == number
            )
        )
        return from_row(MenuVersion, _versions, row) if row else None

    async def last_published(self, restaurant_id: int) -> MenuVersion | None:
        """Return the latest version that was published at the desk, or None."""
        of_desk = and_(_versions.c.restaurant_id == restaurant_id, _versions.c.is_file.is_(False))
        latest = _versions.c.number.desc()
        statement = select(_versions).where(of_desk).order_by(latest).limit(1)
        row = await self._database.fetch_one(statement)
        return from_row(MenuVersion, _versions, row) if row else None

    async def heads(self, restaurant_id: int, limit: int) -> Sequence[VersionHead]:
        """Return the latest versions of a restaurant without their dishes, the latest first."""
        statement = select(*_head).where(_versions.c.restaurant_id == restaurant_id)
        rows = await self._database.fetch_all(
            statement.order_by(_versions.c.number.desc()).limit(limit)
        )
        return [from_row(VersionHead, _versions, row) for row in rows]

    async def add(self, version: MenuVersion, entry: AuditEntry) -> bool:
        """Store a version and its audit entry in one transaction.

        Return False, and store nothing, if there is a version of its number: another was published
        first.
        """
        return await add_version(self._database, _versions, asdict(version), entry)
