"""The rows that figures are computed from, as the database stores them: paise and milliseconds."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    Engine,
    Executable,
    Select,
    String,
    Text,
    case,
    cast,
    func,
    null,
    select,
    true,
    type_coerce,
)
from sqlalchemy.types import Integer

from campus_app.operators.sql.tables import VisitRow
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.sql.tables import CookingRow, OrderRow, PaymentRow, RefundRow
from campus_app.shared.rules.constants import CURRENCY
from kit.db.tables import table_of

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_refunds = table_of(RefundRow)
_cooking = table_of(CookingRow)
_visits = table_of(VisitRow)
_UNPAID = (PaymentState.FAILED, PaymentState.CANCELLED, PaymentState.EXPIRED)


def orders(begins: datetime, ends: datetime) -> Select[*tuple[Any, ...]]:
    """Return the statement for the orders paid from `begins` until before `ends`."""
    given_back = (
        select(_refunds.c.payment_id, func.sum(_raw(_refunds.c.amount)).label("given_back"))
        # A failed refund is due again under another number.
        .where(_refunds.c.state != RefundState.FAILED)
        .group_by(_refunds.c.payment_id)
        .subquery()
    )
    is_readable = _payments.c.paid_currency == CURRENCY
    return (
        select(
            _raw(_payments.c.paid_at).label("paid_at"),
            type_coerce(_orders.c.state, String).label("state"),
            _orders.c.restaurant_name.label("restaurant"),
            type_coerce(_orders.c.campus, String).label("campus"),
            case((is_readable, _raw(_payments.c.paid)), else_=null()).label("online"),
            _raw(_orders.c.remaining).label("door"),
            given_back.c.given_back,
            _raw(_orders.c.discount).label("discount"),
            _orders.c.discount_name.label("offer"),
            _orders.c.party_size.label("guests"),
            _raw(_cooking.c.seen_at).label("seen_at"),
            _raw(_cooking.c.ready_at).label("ready_at"),
        )
        .select_from(
            _orders.join(_payments)
            .outerjoin(given_back, given_back.c.payment_id == _payments.c.id)
            .outerjoin(_cooking)
        )
        .where(*_paid(begins, ends))
    )


def dishes(begins: datetime, ends: datetime, dialect: str) -> Executable:
    """Return the statement for the lines of the honoured `orders`: JSON, count."""
    elements = func.json_each if dialect == "sqlite" else func.json_array_elements
    line = elements(_orders.c.lines).table_valued("value")
    text = cast(line.c.value, Text)
    return (
        select(text, func.count())
        .select_from(_orders.join(_payments).join(line, true()))
        .where(_orders.c.state == OrderState.CONFIRMED, *_paid(begins, ends))
        .group_by(text)
    )


def sums(begins: datetime, ends: datetime) -> Executable:
    """Return the statement for the sums of all `orders`, in one row."""
    paid = orders(begins, ends).subquery()
    is_honoured = paid.c.state == OrderState.CONFIRMED.value
    values = {
        "orders": case((is_honoured, 1)),
        "online": paid.c.online,
        "door": case((is_honoured, paid.c.door)),
        "given_back": paid.c.given_back,
    }
    return select(*(func.coalesce(func.sum(each), 0).label(name) for name, each in values.items()))


def unpaid(begins: datetime, ends: datetime) -> Executable:
    """Return the statement for the payments that ended without money: state, reason, count."""
    state = type_coerce(_payments.c.state, String)
    return (
        select(state.label("state"), _payments.c.reason, func.count().label("count"))
        .where(
            _payments.c.state.in_(_UNPAID),
            _payments.c.created_at >= begins,
            _payments.c.created_at < ends,
        )
        .group_by(state, _payments.c.reason)
    )


def refunds(begins: datetime, ends: datetime) -> Executable:
    """Return the statement for the refunds marked in a span: reason, count, sum."""
    return (
        select(
            _refunds.c.reason,
            func.count().label("count"),
            func.sum(_raw(_refunds.c.amount)).label("amount"),
        )
        .where(
            _refunds.c.state != RefundState.FAILED,
            _refunds.c.marked_at >= begins,
            _refunds.c.marked_at < ends,
        )
        .group_by(_refunds.c.reason)
    )


def visits(begins: datetime, ends: datetime) -> Executable:
    """Return the statement for the visits of a span: step, count."""
    step = type_coerce(_visits.c.step, String)
    return (
        select(step.label("step"), func.sum(_visits.c.count).label("count"))
        .where(_visits.c.hour >= begins, _visits.c.hour < ends)
        .group_by(step)
    )


def read(engine: Engine, *statements: Executable) -> list[Sequence[Any]]:
    """Return the rows of statements, all of one moment."""
    options = {"isolation_level": "REPEATABLE READ"} if engine.dialect.name != "sqlite" else {}
    with engine.connect().execution_options(**options) as connection, connection.begin():
        return [connection.execute(each).all() for each in statements]


def _paid(begins: datetime, ends: datetime) -> tuple[Any, ...]:
    """Return the conditions for the payments of `orders`."""
    paid_at = _payments.c.paid_at
    return (_payments.c.state == PaymentState.PAID, paid_at >= begins, paid_at < ends)


def _raw(column: Any) -> Any:
    """Return a column of amounts or times as the whole number that is stored."""
    return type_coerce(column, Integer)
