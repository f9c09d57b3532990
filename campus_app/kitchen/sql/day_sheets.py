"""The paid orders of a day in SQL."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, select

from campus_app.kitchen.rules.day_sheet import DayLine
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.shared.rules.constants import CURRENCY
from campus_app.shared.rules.money import ZERO, Rupees
from kit.db.database import Database
from kit.db.tables import table_of

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_refunds = table_of(RefundRow)

_Refunds = Mapping[tuple[str, bool], Rupees]
"""The sum of refunds by the payment's id, and by whether they are done."""


class SqlDaySheets:
    """Reads orders, payments and refunds in one transaction, so that their sums agree."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def lines(
        self, begins: datetime, ends: datetime, restaurant_id: int | None
    ) -> Sequence[DayLine]:
        """Return the orders paid from `begins` until before `ends`, by the time of payment.

        None means those of all restaurants.
        """
        conditions = [
            _payments.c.state == PaymentState.PAID,
            _payments.c.paid_at >= begins,
            _payments.c.paid_at < ends,
        ]
        if restaurant_id is not None:
            conditions.append(_orders.c.restaurant_id == restaurant_id)
        paid = (
            select(_orders, _payments.c.id.label("payment_id"), _payments.c.paid_at)
            .add_columns(_payments.c.paid, _payments.c.paid_currency)
            .select_from(_orders.join(_payments))
            .where(*conditions)
            .order_by(_payments.c.paid_at, _orders.c.id)
        )
        given_back = (
            select(_refunds.c.payment_id, _refunds.c.state, func.sum(_refunds.c.amount))
            .select_from(_refunds.join(_payments).join(_orders))
            # A failed refund is due again under another number.
            .where(*conditions, _refunds.c.state != RefundState.FAILED)
            .group_by(_refunds.c.payment_id, _refunds.c.state)
        )

        def work(connection: Connection) -> list[DayLine]:
            refunds = _by_payment(connection.execute(given_back).all())
            return [_line(row, refunds) for row in connection.execute(paid)]

        return await self._database.read(work)


def _by_payment(rows: Sequence[Any]) -> _Refunds:
    sums: dict[tuple[str, bool], Rupees] = defaultdict(lambda: ZERO)
    for payment_id, state, amount in rows:
        sums[payment_id, state is RefundState.DONE] += amount or ZERO
    return sums


def _line(row: Any, refunds: _Refunds) -> DayLine:
    return DayLine(
        number=row.number,
        restaurant_id=row.restaurant_id,
        restaurant_name=row.restaurant_name,
        paid_at=row.paid_at,
        state=row.state,
        units=tuple((line["quantity"], line["name"]) for line in row.lines),
        grand_total=row.grand_total,
        paid=row.paid if row.paid_currency == CURRENCY else None,
        remaining=row.remaining,
        refunded=refunds[row.payment_id, True],
        refund_due=refunds[row.payment_id, False],
    )
