"""Checkout sessions in SQL."""

import secrets
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, bindparam, select

from campus_app.adapters.sql.tables import CheckoutSessionRow
from campus_app.ports.payments import CheckoutSession, StoredCheckoutSession
from kit.clock import to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_TOKEN_BYTES = 24
_checkout_sessions = table_of(CheckoutSessionRow)
_TOKEN_SINCE = select(_checkout_sessions.c.token).where(
    _checkout_sessions.c.payment_id == bindparam("payment"),
    _checkout_sessions.c.created_at_ms >= bindparam("since", type_=BigInteger),
)


class SqlCheckoutSessions:
    """One session per payment; its token stays the same when its content is replaced."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, payment_id: str, session: CheckoutSession, at: datetime) -> str:
        changed = {"content": asdict(session), "created_at_ms": to_ms(at)}
        statement = insert_into(self._database.dialect, _checkout_sessions).values(
            payment_id=payment_id, token=secrets.token_urlsafe(_TOKEN_BYTES), **changed
        )
        statement = statement.on_conflict_do_update(
            index_elements=["payment_id"], set_=changed
        ).returning(_checkout_sessions.c.token)
        saved = await self._database.execute(statement)
        return saved.rows[0].token

    async def token_since(self, payment_id: str, at: datetime) -> str:
        parameters = {"payment": payment_id, "since": to_ms(at)}
        token = await self._database.read(
            lambda connection: connection.execute(_TOKEN_SINCE, parameters).scalar_one_or_none()
        )
        return token or ""

    async def by_token(self, token: str) -> StoredCheckoutSession | None:
        if "\0" in token:  # PostgreSQL rejects NUL in a text
            return None
        statement = select(_checkout_sessions).where(_checkout_sessions.c.token == token)
        row = await self._database.read(
            lambda connection: connection.execute(statement).one_or_none()
        )
        if row is None:
            return None
        return StoredCheckoutSession(row.payment_id, _session_of(row.content))


def _session_of(content: dict[str, Any]) -> CheckoutSession:
    return CheckoutSession(
        action=content["action"],
        fields=content["fields"],
        starter=content["starter"],
        script=content["script"],
        mode=content["mode"],
        sites=tuple(content["sites"]),
    )
