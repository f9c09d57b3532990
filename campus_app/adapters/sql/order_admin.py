"""Orders, payments and the outbox in SQL, as operators read and repair them."""

import secrets
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    and_,
    bindparam,
    exists,
    func,
    or_,
    select,
    update,
)

from campus_app.adapters.sql.audit import record
from campus_app.adapters.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.domain.audit import AuditEntry
from campus_app.domain.messages import OperatorMessage, RefundReason
from campus_app.domain.money import from_paise
from campus_app.domain.notification import Notification
from campus_app.domain.order import OrderState
from campus_app.domain.order_admin import (
    NotificationRecord,
    OrderFilter,
    OrderPage,
    OrderQuery,
    OrderSummary,
    OrderTotals,
    PaymentRecord,
    PurgedBatch,
)
from campus_app.domain.payment import PaymentState
from campus_app.domain.refund import RefundState
from kit.clock import Clock, from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import table_of
from kit.mail.retry import RETRY_MAIL
from kit.outbox.models import (
    JobState,
    NewJob,
    OutboxRow,
    awaits_retry,
    enqueue,
    requeue,
)

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_outbox = table_of(OutboxRow)
_refunds = table_of(RefundRow)

_TOPICS = tuple(notification.value for notification in Notification)
_PERSONAL = ("full_name", "email", "phone", "address", "note", "cart_key", "fingerprint")
"""Columns with personal data, or traceable to a person; a purge empties them."""
_GONE = "purged:"
_TOKEN_BYTES = 24
_IS_FAILED = and_(
    _outbox.c.subject == _orders.c.id,
    _outbox.c.topic.in_(_TOPICS),
    _outbox.c.state == JobState.DEAD.value,
)
_COUNT = func.count()
_BY_STATE = select(_orders.c.state, _COUNT).group_by(_orders.c.state)
_AWAITED = select(
    func.count().label("payments"), func.min(_payments.c.created_at_ms).label("oldest")
).where(_payments.c.state == PaymentState.PENDING.value, _payments.c.next_check_at_ms.is_not(None))
_IS_UNREADABLE = and_(
    _payments.c.reason == OperatorMessage.PAYMENT_UNREADABLE.value,
    _payments.c.state != PaymentState.PAID.value,
)
_UNREADABLE = select(func.count()).select_from(_payments).where(_IS_UNREADABLE)
_UNDONE_REFUNDS = (
    select(_refunds.c.state, _COUNT)
    # A failed refund is due again under another number.
    .where(_refunds.c.state.not_in([RefundState.DONE.value, RefundState.FAILED.value]))
    .group_by(_refunds.c.state)
)
_UNDONE_EFFECTS = (
    select(_outbox.c.topic, _outbox.c.state, _COUNT)
    .where(_outbox.c.state != JobState.DONE.value)
    .group_by(_outbox.c.topic, _outbox.c.state)
)
_OLDEST_EFFECT = select(func.min(_outbox.c.run_at_ms)).where(
    _outbox.c.state.in_([JobState.READY.value, JobState.LEASED.value])
)
_CONDITIONS: dict[OrderFilter, ColumnElement[bool]] = {
    OrderFilter.UNPAID: and_(
        _payments.c.state != PaymentState.PAID.value,
        _orders.c.state != OrderState.REPLACED.value,
    ),
    OrderFilter.REFUND: exists().where(
        _refunds.c.payment_id == _payments.c.id,
        _refunds.c.state.in_(
            [RefundState.DUE.value, RefundState.ASKED.value, RefundState.CONTRADICTED.value]
        ),
    ),
    OrderFilter.FAILED_NOTIFICATIONS: exists().where(_IS_FAILED),
    OrderFilter.UNREADABLE: _IS_UNREADABLE,
    OrderFilter.PAID_LATE: _orders.c.refund_reason == RefundReason.PAID_LATE.value,
}


class SqlOrderAdmin:
    """Each change is one transaction with its audit entry."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list_orders(self, query: OrderQuery) -> OrderPage:
        conditions: list[ColumnElement[bool]] = []
        if query.since is not None:
            conditions.append(_orders.c.created_at_ms >= to_ms(query.since))
        if query.only is not None:
            conditions.append(_CONDITIONS[query.only])

        def work(connection: Connection) -> OrderPage:
            joined = select(func.count()).select_from(_orders.join(_payments))
            total = connection.execute(joined.where(*conditions)).scalar_one()
            rows = connection.execute(_lines(conditions, query.limit)).all()
            failed = _failed_notices(connection, [row.id for row in rows])
            return OrderPage([_line(row, failed.get(row.id, ())) for row in rows], total)

        return await self._database.read(work)

    async def totals(self, at: datetime) -> OrderTotals:
        def work(connection: Connection) -> OrderTotals:
            awaited = connection.execute(_AWAITED).one()
            overdue = connection.execute(_OLDEST_EFFECT).scalar()
            return OrderTotals(
                orders={OrderState(state): count for state, count in connection.execute(_BY_STATE)},
                payments_pending=awaited.payments,
                longest_pending=_since(awaited.oldest, at),
                payments_unreadable=connection.execute(_UNREADABLE).scalar_one(),
                refunds={
                    RefundState(state): count
                    for state, count in connection.execute(_UNDONE_REFUNDS)
                },
                jobs={
                    (topic, state): count
                    for topic, state, count in connection.execute(_UNDONE_EFFECTS)
                },
                longest_job_delay=_since(overdue, at),
            )

        return await self._database.read(work)

    async def payment(self, order_id: str) -> PaymentRecord:
        statement = select(_payments).where(_payments.c.order_id == order_id)
        row = await self._database.read(lambda connection: connection.execute(statement).one())
        return PaymentRecord(
            provider=row.provider,
            reference=row.reference,
            provider_payment_id=row.provider_payment_id,
            state=PaymentState(row.state),
            reason=row.reason,
            amount=from_paise(row.amount_paise),
            paid=None if row.paid_paise is None else from_paise(row.paid_paise),
            paid_currency=row.paid_currency,
            created_at=from_ms(row.created_at_ms),
            expires_at=from_ms(row.expires_at_ms),
            paid_at=_moment(row.paid_at_ms),
        )

    async def notifications(self, order_id: str) -> Sequence[NotificationRecord]:
        statement = (
            select(_outbox)
            .where(_outbox.c.subject == order_id, _outbox.c.topic.in_(_TOPICS))
            .order_by(_outbox.c.topic.desc())
        )
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [_notice(row) for row in rows]

    async def retry_notifications(
        self, order_id: str, entry_of: Callable[[Sequence[str]], AuditEntry]
    ) -> Sequence[str]:
        def work(connection: Connection) -> Sequence[str]:
            requeued = requeue(connection, order_id, _TOPICS, self._clock.now())
            record(connection, entry_of(requeued))
            return requeued

        return await self._database.write(work)

    async def retry_mail(self, topics: Sequence[str], entry_of: Callable[[int], AuditEntry]) -> int:
        def work(connection: Connection) -> int:
            now = self._clock.now()
            waiting = select(_COUNT).select_from(_outbox).where(awaits_retry(now, topics))
            count = connection.execute(waiting).scalar_one()
            key = f"{RETRY_MAIL}:{secrets.token_hex(_TOKEN_BYTES)}"
            enqueue(connection, [NewJob(key, RETRY_MAIL, "", {}, now)])
            record(connection, entry_of(count))
            return count

        return await self._database.write(work)

    async def count_personal(self, before: datetime) -> int:
        statement = select(func.count()).select_from(_orders).where(*_to_purge(before))
        return await self._database.read(
            lambda connection: connection.execute(statement).scalar_one()
        )

    async def purge(
        self,
        before: datetime,
        limit: int,
        entry_of: Callable[[int], AuditEntry],
        *,
        reached: datetime | None = None,
    ) -> PurgedBatch:
        oldest = (
            select(_orders.c.id, _orders.c.created_at_ms)
            .where(*_to_purge(before, reached))
            .order_by(_orders.c.created_at_ms)
            .limit(limit)
            .with_for_update(skip_locked=True)  # SQLite has a single writer and ignores this
        )

        def work(connection: Connection) -> PurgedBatch:
            rows = connection.execute(oldest).all()
            if not rows:
                return PurgedBatch(0)
            _blank(connection, [row.id for row in rows])
            record(connection, entry_of(len(rows)))
            return PurgedBatch(len(rows), from_ms(rows[-1].created_at_ms))

        return await self._database.write(work)


def _lines(conditions: Sequence[ColumnElement[bool]], limit: int) -> Any:
    return (
        select(
            _orders.c.id,
            _orders.c.number,
            _orders.c.created_at_ms,
            _orders.c.restaurant_id,
            _orders.c.restaurant_name,
            _orders.c.state,
            _orders.c.grand_total_paise,
            _orders.c.online_paise,
            _orders.c.remaining_paise,
            _orders.c.refund_reason,
            _payments.c.state.label("payment_state"),
            _payments.c.paid_paise,
        )
        .select_from(_orders.join(_payments))
        .where(*conditions)
        .order_by(_orders.c.created_at_ms.desc(), _orders.c.id)
        .limit(limit)
    )


def _failed_notices(connection: Connection, order_ids: Sequence[str]) -> dict[str, list[str]]:
    statement = (
        select(_outbox.c.subject, _outbox.c.topic)
        .where(
            _outbox.c.subject.in_(order_ids),
            _outbox.c.topic.in_(_TOPICS),
            _outbox.c.state == JobState.DEAD.value,
        )
        .order_by(_outbox.c.topic.desc())
    )
    failed: dict[str, list[str]] = {}
    for subject, topic in connection.execute(statement):
        failed.setdefault(subject, []).append(topic)
    return failed


def _line(row: Any, failed: Sequence[str]) -> OrderSummary:
    return OrderSummary(
        id=row.id,
        number=row.number,
        created_at=from_ms(row.created_at_ms),
        restaurant_id=row.restaurant_id,
        restaurant_name=row.restaurant_name,
        state=OrderState(row.state),
        payment_state=PaymentState(row.payment_state),
        grand_total=from_paise(row.grand_total_paise),
        online=from_paise(row.online_paise),
        remaining=from_paise(row.remaining_paise),
        paid=None if row.paid_paise is None else from_paise(row.paid_paise),
        refund_reason=row.refund_reason,
        failed_notifications=tuple(failed),
    )


def _notice(row: Any) -> NotificationRecord:
    is_waiting = row.state in {JobState.READY.value, JobState.LEASED.value}
    return NotificationRecord(
        topic=row.topic,
        state=row.state,
        attempts=row.attempts,
        last_error=row.last_error or "",
        next_try_at=from_ms(row.run_at_ms) if is_waiting else None,
        done_at=_moment(row.done_at_ms),
    )


def _since(ms: int | None, at: datetime) -> timedelta:
    """Return the time since a timestamp; zero for none, or one in the future."""
    return timedelta(0) if ms is None else max(at - from_ms(ms), timedelta(0))


def _moment(ms: int | None) -> datetime | None:
    return None if ms is None else from_ms(ms)


def _to_purge(before: datetime, reached: datetime | None = None) -> list[ColumnElement[bool]]:
    """Return the conditions for orders whose personal data is not needed any more.

    Orders with a waiting e-mail or call are excluded, since it needs the data.
    """
    is_waited_for = exists().where(
        _outbox.c.subject == _orders.c.id,
        _outbox.c.state.in_([JobState.READY.value, JobState.LEASED.value]),
    )
    return [
        _orders.c.created_at_ms < to_ms(before),
        _orders.c.created_at_ms >= (to_ms(reached) if reached else 0),
        or_(*(_orders.c[name] != "" for name in _PERSONAL)),
        ~is_waited_for,
    ]


def _blank(connection: Connection, order_ids: Sequence[str]) -> None:
    # Replace the customer's token and the client's key too: both can identify the customer.
    connection.execute(
        update(_orders)
        .where(_orders.c.id == bindparam("order_id"))
        .values(
            dict.fromkeys(_PERSONAL, "")
            | {"response_token": bindparam("token"), "idempotency_key": bindparam("key")}
        ),
        [
            {"order_id": id_, "token": secrets.token_urlsafe(_TOKEN_BYTES), "key": _GONE + id_}
            for id_ in order_ids
        ],
    )
    # The error of a mail server may quote an address.
    connection.execute(
        update(_outbox).where(_outbox.c.subject.in_(order_ids)).values(last_error=None)
    )
