"""The published versions of the offers in SQL; the latest one counts."""

from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import Connection, select

from campus_app.ordering.rules.offer_version import OfferVersion
from campus_app.ordering.rules.offers import OFFERS, Offer
from campus_app.ordering.sql.tables import OfferVersionRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.versions import add_version
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_versions = table_of(OfferVersionRow)
_NEEDED: Final = timedelta(days=7)
"""How long versions are kept beyond the newest ones.

The bill of an order of which a dish can't be cooked is computed again with the offers of its time.
"""


class SqlOfferVersions:
    """One row per version; they are numbered from 1, and the newest are kept."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def after(self, number: int) -> Sequence[OfferVersion]:
        """Return the versions after a number, the oldest first."""
        statement = select(_versions).where(_versions.c.number > number)
        rows = await self._database.fetch_all(statement.order_by(_versions.c.number))
        return [from_row(OfferVersion, _versions, row) for row in rows]

    async def add(self, version: OfferVersion, entry: AuditEntry) -> bool:
        """Store a version and its audit entry in one transaction.

        Return False, and store nothing, if there is a version of its number: another was published
        first.
        """
        values = asdict(version) | {"offers": version.offers}
        needed_from = version.at - _NEEDED
        return await add_version(self._database, _versions, values, entry, needed_from=needed_from)


def offers_in_force(connection: Connection, at: datetime) -> Sequence[Offer]:
    """Return what the offers were at a time, in a transaction."""
    statement = select(_versions.c.offers).where(_versions.c.at <= at)
    latest = connection.execute(statement.order_by(_versions.c.number.desc()).limit(1)).first()
    return latest.offers if latest else OFFERS
