"""Lists of orders in SQL, by what an operator looks for."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, Connection, and_, exists, func, or_, select

from campus_app.kitchen.sql.unseen_orders import is_unseen
from campus_app.operators.rules.order_admin import OrderFilter, OrderQuery, OrderSummary
from campus_app.ordering.rules.notification import Notification
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.shared.rules.messages import OperatorMessage, RefundReason
from kit.db.tables import from_row, table_of
from kit.outbox.models import JobState, OutboxRow

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_outbox = table_of(OutboxRow)
_refunds = table_of(RefundRow)

TOPICS = tuple(Notification)
"""The outbox topics of an order's e-mails and call."""
_IS_FAILED_NOTIFICATION = and_(_outbox.c.topic.in_(TOPICS), _outbox.c.state == JobState.DEAD)
IS_UNREADABLE = and_(
    _payments.c.reason == OperatorMessage.PAYMENT_UNREADABLE.value,
    _payments.c.state != PaymentState.PAID,
)
_CONDITIONS: dict[OrderFilter, ColumnElement[bool]] = {
    OrderFilter.UNPAID: and_(
        _payments.c.state != PaymentState.PAID, _orders.c.state != OrderState.REPLACED
    ),
    OrderFilter.REFUND: exists().where(
        _refunds.c.payment_id == _payments.c.id,
        _refunds.c.state.in_([RefundState.DUE, RefundState.ASKED, RefundState.CONTRADICTED]),
    ),
    OrderFilter.FAILED_NOTIFICATIONS: exists().where(
        _outbox.c.subject == _orders.c.id, _IS_FAILED_NOTIFICATION
    ),
    OrderFilter.UNREADABLE: IS_UNREADABLE,
    OrderFilter.PAID_LATE: _orders.c.refund_reason == RefundReason.PAID_LATE.value,
}


def conditions_of(query: OrderQuery, at: datetime) -> list[ColumnElement[bool]]:
    """Return the SQL conditions of a query."""
    conditions: list[ColumnElement[bool]] = []
    if query.since is not None:
        conditions.append(_orders.c.created_at >= query.since)
    if query.contact:
        email = func.lower(_orders.c.email)
        conditions.append(or_(_orders.c.phone == query.contact, email == query.contact))
    if query.name:
        conditions.append(_orders.c.full_name.icontains(query.name, autoescape=True))
    if query.number:
        conditions.append(_orders.c.number == query.number)
    if query.restaurant_id is not None:
        conditions.append(_orders.c.restaurant_id == query.restaurant_id)
    if query.campus is not None:
        conditions.append(_orders.c.campus == query.campus)
    if query.only is not None:
        conditions.append(_condition(query.only, at))
    return conditions


def summaries(
    connection: Connection, conditions: Sequence[ColumnElement[bool]], limit: int
) -> list[OrderSummary]:
    """Return the newest orders that meet all conditions."""
    newest = (
        select(
            _orders,
            _payments.c.state.label("payment_state"),
            _payments.c.paid.label("paid"),
        )
        .select_from(_orders.join(_payments))
        .where(*conditions)
        .order_by(_orders.c.created_at.desc(), _orders.c.id)
        .limit(limit)
    )
    rows = connection.execute(newest).all()
    failed = _failed_notifications(connection, [row.id for row in rows])
    return [
        from_row(
            OrderSummary,
            _orders,
            row,
            payment_state=row.payment_state,
            paid=row.paid,
            failed_notifications=tuple(failed[row.id]),
        )
        for row in rows
    ]


def _condition(only: OrderFilter, at: datetime) -> ColumnElement[bool]:
    return is_unseen(at) if only is OrderFilter.UNSEEN else _CONDITIONS[only]


def _failed_notifications(
    connection: Connection, order_ids: Sequence[str]
) -> Mapping[str, list[str]]:
    statement = (
        select(_outbox.c.subject, _outbox.c.topic)
        .where(_outbox.c.subject.in_(order_ids), _IS_FAILED_NOTIFICATION)
        .order_by(_outbox.c.topic.desc())
    )
    failed: dict[str, list[str]] = defaultdict(list)
    for subject, topic in connection.execute(statement):
        failed[subject].append(topic)
    return failed
