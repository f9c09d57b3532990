"""All that is stored about what happened to an order, in SQL."""

from collections.abc import Collection, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, select

from campus_app.kitchen.sql.tables import KitchenPressRow
from campus_app.operators.rules.attention import AttentionKind
from campus_app.operators.rules.timeline import PressRecord, Settled
from campus_app.operators.sql.tables import SettledRow
from campus_app.ordering.sql.tables import CheckoutSessionRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of

_presses = table_of(KitchenPressRow)
_settled = table_of(SettledRow)
_sessions = table_of(CheckoutSessionRow)


class SqlOrderHistory:
    """Reads what other rooms have stored; writes only what was settled."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def presses(self, order_id: str) -> Sequence[PressRecord]:
        """Return the presses on kitchen boards, the earliest first."""
        statement = select(_presses).where(_presses.c.order_id == order_id).order_by(_presses.c.at)
        return [
            from_row(PressRecord, _presses, row)
            for row in await self._database.fetch_all(statement)
        ]

    async def opened_at(self, payment_id: str) -> Any:
        """Return when the payment page was opened; None if it was not."""
        statement = select(_sessions.c.created_at).where(_sessions.c.payment_id == payment_id)
        return await self._database.fetch_value(statement)

    async def settled_of(self, order_id: str) -> Sequence[Settled]:
        """Return what was settled of an order, the earliest first."""
        statement = select(_settled).where(_settled.c.order_id == order_id).order_by(_settled.c.at)
        rows = await self._database.fetch_all(statement)
        return [from_row(Settled, _settled, row) for row in rows]

    async def settled_among(
        self, order_ids: Collection[str]
    ) -> frozenset[tuple[str, AttentionKind]]:
        """Return the orders among these that were settled, with why they needed attention."""
        if not order_ids:
            return frozenset()
        statement = select(_settled.c.order_id, _settled.c.kind).where(
            _settled.c.order_id.in_(order_ids)
        )
        rows = await self._database.fetch_all(statement)
        return frozenset((row.order_id, row.kind) for row in rows)

    async def settle(self, settled: Settled, entry: AuditEntry) -> bool:
        """Store that something was settled; False if it was before."""

        def work(connection: Connection) -> bool:
            insert = insert_into(connection.dialect.name, _settled).values(asdict(settled))
            is_new = connection.execute(
                insert.on_conflict_do_nothing().returning(_settled.c.order_id)
            ).one_or_none()
            if is_new is not None:
                record(connection, entry)
            return is_new is not None

        return await self._database.write(work)
