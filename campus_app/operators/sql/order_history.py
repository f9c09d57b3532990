"""All that is stored about what happened to an order, in SQL."""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from sqlalchemy import Connection, String, bindparam, insert, select

from campus_app.kitchen.sql.tables import KitchenPressRow
from campus_app.operators.rules.timeline import PressRecord, Settled
from campus_app.operators.sql.order_list import is_settled
from campus_app.operators.sql.tables import SettledRow
from campus_app.ordering.rules.refund import RefundRecord
from campus_app.ordering.sql.tables import CheckoutSessionRow, OrderRow, PaymentRow, RefundRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_presses = table_of(KitchenPressRow)
_settled = table_of(SettledRow)
_sessions = table_of(CheckoutSessionRow)
_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_refunds = table_of(RefundRow)


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

    async def unfinished_refunds(
        self, order_ids: Collection[str]
    ) -> Mapping[str, Sequence[RefundRecord]]:
        """Return the refunds that are due or not finished, by their order's id."""
        if not order_ids:
            return {}
        statement = (
            select(_refunds, _payments.c.order_id)
            .select_from(_refunds.join(_payments))
            .where(_payments.c.order_id.in_(order_ids))
            .order_by(_refunds.c.number)
        )
        found: dict[str, list[RefundRecord]] = defaultdict(list)
        for row in await self._database.fetch_all(statement):
            refund = from_row(RefundRecord, _refunds, row)
            if refund.is_unfinished:
                found[row.order_id].append(refund)
        return found

    async def settle(self, settled: Settled, entry: AuditEntry) -> bool:
        """Store that something was settled; False if it is settled already."""
        order_id = bindparam("settled_order", settled.order_id, String)

        def work(connection: Connection) -> bool:
            # The order's row is the lock: of two persons one settles it.
            lock = select(_orders.c.id).where(_orders.c.id == settled.order_id).with_for_update()
            connection.execute(lock)
            if connection.execute(select(is_settled(order_id, settled.kind))).scalar():
                return False
            connection.execute(insert(_settled), asdict(settled))
            record(connection, entry)
            return True

        return await self._database.write(work)
