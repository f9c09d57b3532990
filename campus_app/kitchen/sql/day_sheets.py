"""The paid orders of a day in SQL."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, ScalarSelect, func, select

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
_OVER = (RefundState.DONE, RefundState.FAILED)


class SqlDaySheets:
    """Reads orders, payments and refunds in one statement, so that their sums agree."""

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
            select(_orders, _payments.c.paid_at, _payments.c.paid, _payments.c.paid_currency)
            .add_columns(
                _refunded(_refunds.c.state == RefundState.DONE).label("refunded"),
                # A failed refund is due again under another number.
                _refunded(_refunds.c.state.not_in(_OVER)).label("refund_due"),
            )
            .select_from(_orders.join(_payments))
            .where(*conditions)
            .order_by(_payments.c.paid_at, _orders.c.id)
        )
        return [_line(row) for row in await self._database.fetch_all(paid)]


def _refunded(condition: ColumnElement[bool]) -> ScalarSelect[Rupees]:
    """Return the sum of the refunds of a row's payment that fulfil a condition."""
    of_payment = _refunds.c.payment_id == _payments.c.id
    return select(func.sum(_refunds.c.amount)).where(of_payment, condition).scalar_subquery()


def _line(row: Any) -> DayLine:
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
        refunded=row.refunded or ZERO,
        refund_due=row.refund_due or ZERO,
    )
