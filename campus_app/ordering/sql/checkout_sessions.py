"""Checkout sessions in SQL."""

import secrets
from dataclasses import asdict
from datetime import datetime

from sqlalchemy import select

from campus_app.ordering.rules.payment_provider import CheckoutSession, StoredCheckoutSession
from campus_app.ordering.sql.tables import CheckoutSessionRow
from kit.db.database import Database
from kit.db.tables import insert_into, table_of

_TOKEN_BYTES = 24
_checkout_sessions = table_of(CheckoutSessionRow)


class SqlCheckoutSessions:
    """One session per payment; its token stays the same when its content is replaced."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def save(self, payment_id: str, session: CheckoutSession, at: datetime) -> str:
        """Store the session of a payment; return its unguessable token, which never changes."""
        changed = {"content": asdict(session), "created_at": at}
        statement = insert_into(self._database.dialect, _checkout_sessions).values(
            payment_id=payment_id, token=secrets.token_urlsafe(_TOKEN_BYTES), **changed
        )
        statement = statement.on_conflict_do_update(
            index_elements=["payment_id"], set_=changed
        ).returning(_checkout_sessions.c.token)
        saved = await self._database.execute(statement)
        return saved.rows[0].token

    async def token_since(self, payment_id: str, at: datetime) -> str:
        """Return the token of a payment's session stored at that time or later, or ""."""
        statement = select(_checkout_sessions.c.token).where(
            _checkout_sessions.c.payment_id == payment_id, _checkout_sessions.c.created_at >= at
        )
        return await self._database.fetch_value(statement) or ""

    async def by_token(self, token: str) -> StoredCheckoutSession | None:
        """Return the session with this token, or None."""
        if "\0" in token:  # PostgreSQL rejects NUL in a text
            return None
        statement = select(_checkout_sessions).where(_checkout_sessions.c.token == token)
        row = await self._database.fetch_one(statement)
        if row is None:
            return None
        content = row.content | {"sites": tuple(row.content["sites"])}
        return StoredCheckoutSession(row.payment_id, CheckoutSession(**content))
