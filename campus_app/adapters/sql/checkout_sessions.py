"""Handovers to a provider's checkout in SQL."""

import secrets
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, bindparam, select

from campus_app.adapters.sql.tables import HandoverRow
from campus_app.ports.payments import Handover, OpenHandover
from kit.clock import to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_TOKEN_BYTES = 24
_handovers = table_of(HandoverRow)
_TOKEN_SINCE = select(_handovers.c.token).where(
    _handovers.c.payment_id == bindparam("payment"),
    _handovers.c.made_at_ms >= bindparam("since", type_=BigInteger),
)


class SqlHandovers:
    """One per payment; its token stays when what it holds is made anew."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def keep(self, payment_id: str, handover: Handover, at: datetime) -> str:
        changed = {"content": asdict(handover), "made_at_ms": to_ms(at)}
        statement = insert_into(self._database.dialect, _handovers).values(
            payment_id=payment_id, token=secrets.token_urlsafe(_TOKEN_BYTES), **changed
        )
        statement = statement.on_conflict_do_update(
            index_elements=["payment_id"], set_=changed
        ).returning(_handovers.c.token)
        kept = await self._database.change(statement)
        return kept.rows[0].token

    async def token_since(self, payment_id: str, at: datetime) -> str:
        wanted = {"payment": payment_id, "since": to_ms(at)}
        token = await self._database.read(
            lambda connection: connection.execute(_TOKEN_SINCE, wanted).scalar_one_or_none()
        )
        return token or ""

    async def by_token(self, token: str) -> OpenHandover | None:
        if "\0" in token:  # PostgreSQL has no such text
            return None
        statement = select(_handovers).where(_handovers.c.token == token)
        row = await self._database.read(
            lambda connection: connection.execute(statement).one_or_none()
        )
        if row is None:
            return None
        return OpenHandover(row.payment_id, _handover(row.content))


def _handover(content: dict[str, Any]) -> Handover:
    return Handover(
        action=content["action"],
        fields=content["fields"],
        starter=content["starter"],
        script=content["script"],
        mode=content["mode"],
        sites=tuple(content["sites"]),
    )
