"""Orders, payments and the outbox in SQL, as operators read and repair them."""

import secrets
from collections.abc import Callable, Collection, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    bindparam,
    exists,
    func,
    or_,
    select,
    update,
)

from campus_app.kitchen.sql.push_subscriptions import delete_subscriptions_of
from campus_app.kitchen.sql.unseen_orders import is_unseen
from campus_app.operators.rules.order_admin import (
    NotificationRecord,
    OrderPage,
    OrderQuery,
    OrderSummary,
    OrderTotals,
    PaymentRecord,
    PurgedBatch,
)
from campus_app.operators.sql.order_list import IS_UNREADABLE, TOPICS, conditions_of, summaries
from campus_app.operators.sql.tables import SettledRow
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.sql.tables import OrderRow, PaymentRow, RefundRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.sql.audit import record
from kit.clock import Clock
from kit.db.database import Database
from kit.db.tables import count_up_to, from_row, table_of
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
_settled = table_of(SettledRow)

_PERSONAL = (
    *("full_name", "email", "phone", "address", "note", "door_note"),
    *("cart_key", "fingerprint"),
)
"""Columns with personal data, or traceable to a person; a purge empties them."""
_PURGED_KEY_PREFIX = "purged:"
_TOKEN_BYTES = 24
_WAITING_JOBS = (JobState.READY, JobState.LEASED)


class SqlOrderAdmin:
    """Each change is one transaction with its audit entry."""

    def __init__(self, database: Database, clock: Clock) -> None:
        self._database = database
        self._clock = clock

    async def list_orders(self, query: OrderQuery, most: int | None = None) -> OrderPage:
        """Return the newest orders that match a query, and how many match.

        With `most`, all matches beyond it count as one.
        """
        conditions = conditions_of(query, self._clock.now())
        matching = select(_orders.c.id).select_from(_orders.join(_payments)).where(*conditions)

        def work(connection: Connection) -> OrderPage:
            lines = summaries(connection, conditions, query.limit)
            if len(lines) < query.limit:
                return OrderPage(lines, len(lines))
            counted = (
                select(func.count()).select_from(matching.subquery())
                if most is None
                else count_up_to(most, matching)
            )
            return OrderPage(lines, connection.execute(counted).scalar_one())

        return await self._database.read(work)

    async def newest_orders(self, query: OrderQuery) -> Sequence[OrderSummary]:
        """Return the newest orders that match a query, without counting the others."""
        conditions = conditions_of(query, self._clock.now())
        return await self._database.read(
            lambda connection: summaries(
                connection, conditions, query.limit, oldest_first=query.needs_somebody
            )
        )

    async def totals(self, at: datetime) -> OrderTotals:
        """Return the counts of orders, payments, refunds and outbox jobs by state."""

        def counts(connection: Connection, *columns: Any, where: Any = ()) -> Any:
            counted = select(*columns, func.count()).where(*where).group_by(*columns)
            return connection.execute(counted)

        def work(connection: Connection) -> OrderTotals:
            pending, oldest = connection.execute(
                select(func.count(), func.min(_payments.c.created_at)).where(
                    _payments.c.state == PaymentState.PENDING,
                    _payments.c.next_check_at.is_not(None),
                )
            ).one()
            unreadable = select(func.count()).select_from(_payments).where(IS_UNREADABLE)
            unseen = select(func.count()).select_from(_orders.join(_payments)).where(is_unseen(at))
            # A failed refund is due again under another number.
            is_undone = _refunds.c.state.not_in([RefundState.DONE, RefundState.FAILED])
            is_not_done = _outbox.c.state != JobState.DONE
            due = select(func.min(_outbox.c.run_at)).where(_outbox.c.state.in_(_WAITING_JOBS))
            return OrderTotals(
                orders=dict(counts(connection, _orders.c.state).all()),
                payments_pending=pending,
                longest_pending=_since(oldest, at),
                payments_unreadable=connection.execute(unreadable).scalar_one(),
                orders_unseen=connection.execute(unseen).scalar_one(),
                refunds=dict(counts(connection, _refunds.c.state, where=[is_undone]).all()),
                jobs={
                    (topic, state): count
                    for topic, state, count in counts(
                        connection, _outbox.c.topic, _outbox.c.state, where=[is_not_done]
                    )
                },
                longest_job_delay=_since(connection.execute(due).scalar(), at),
            )

        return await self._database.read(work)

    async def payment(self, order_id: str) -> PaymentRecord:
        """Return everything stored about the payment of an existing order."""
        statement = select(_payments).where(_payments.c.order_id == order_id)
        (row,) = await self._database.fetch_all(statement)
        return from_row(PaymentRecord, _payments, row)

    async def notifications(self, order_id: str) -> Sequence[NotificationRecord]:
        """Return the progress of each notification of an order."""
        statement = (
            select(_outbox, _outbox.c.run_at.label("run_at"))
            .where(_outbox.c.subject == order_id, _outbox.c.topic.in_(TOPICS))
            .order_by(_outbox.c.topic.desc())
        )
        return [_notification(row) for row in await self._database.fetch_all(statement)]

    async def retry_notifications(
        self,
        order_id: str,
        entry_of: Callable[[Sequence[str]], AuditEntry],
        without: Collection[str] = (),
    ) -> Sequence[str]:
        """Requeue an order's failed and waiting notifications; return their topics.

        Those of the topics `without` are left as they are, and a call that may already have rung.
        The audit entry names the topics.
        """

        def work(connection: Connection) -> Sequence[str]:
            topics = [each for each in TOPICS if each not in without]
            requeued = requeue(connection, order_id, topics, self._clock.now())
            record(connection, entry_of(requeued))
            return requeued

        return await self._database.write(work)

    async def retry_mail(self, topics: Sequence[str], entry_of: Callable[[int], AuditEntry]) -> int:
        """Make the running server retry waiting e-mails now; return how many there are.

        The audit entry contains their number.
        """

        def work(connection: Connection) -> int:
            now = self._clock.now()
            waiting = select(func.count()).select_from(_outbox).where(awaits_retry(now, topics))
            count = connection.execute(waiting).scalar_one()
            key = f"{RETRY_MAIL}:{secrets.token_hex(_TOKEN_BYTES)}"
            enqueue(connection, [NewJob(key, RETRY_MAIL, "", {}, now)])
            record(connection, entry_of(count))
            return count

        return await self._database.write(work)

    async def count_personal(self, before: datetime) -> int:
        """Return how many orders placed before then still have personal data."""
        statement = select(func.count()).select_from(_orders).where(*_to_purge(before))
        return await self._database.fetch_value(statement)

    async def purge(
        self,
        before: datetime,
        limit: int,
        entry_of: Callable[[int], AuditEntry],
        *,
        reached: datetime | None = None,
    ) -> PurgedBatch:
        """Delete the personal data of the oldest `limit` such orders, with an audit entry.

        `reached` is where an earlier batch ended: older orders are skipped.
        """
        oldest = (
            select(_orders.c.id, _orders.c.created_at)
            .where(*_to_purge(before, reached))
            .order_by(_orders.c.created_at)
            .limit(limit)
            .with_for_update(skip_locked=True)  # SQLite has a single writer and ignores this
        )

        def work(connection: Connection) -> PurgedBatch:
            rows = connection.execute(oldest).all()
            if not rows:
                return PurgedBatch(0)
            _purge(connection, [id_ for id_, _ in rows])
            record(connection, entry_of(len(rows)))
            _, newest = rows[-1]
            return PurgedBatch(len(rows), newest)

        return await self._database.write(work)


def _notification(row: Any) -> NotificationRecord:
    return from_row(
        NotificationRecord,
        _outbox,
        row,
        last_error=row.last_error or "",
        next_try_at=row.run_at if row.state in _WAITING_JOBS else None,
        planned_at=row.run_at,
    )


def _since(moment: datetime | None, at: datetime) -> timedelta:
    """Return the time since a moment; zero for none, or one in the future."""
    return timedelta(0) if moment is None else max(at - moment, timedelta(0))


def _to_purge(before: datetime, reached: datetime | None = None) -> list[ColumnElement[bool]]:
    """Return the conditions for orders whose personal data is not needed any more.

    Orders with a waiting e-mail or call are excluded, since it needs the data.
    """
    has_waiting_job = exists().where(
        _outbox.c.subject == _orders.c.id, _outbox.c.state.in_(_WAITING_JOBS)
    )
    return [
        _orders.c.created_at < before,
        *([_orders.c.created_at >= reached] if reached else []),
        or_(*(_orders.c[name] != "" for name in _PERSONAL)),
        ~has_waiting_job,
    ]


def _purge(connection: Connection, order_ids: Sequence[str]) -> None:
    # Replace the customer's token and the client's key too: both can identify the customer.
    connection.execute(
        update(_orders)
        .where(_orders.c.id == bindparam("order_id"))
        .values(
            dict.fromkeys(_PERSONAL, "")
            | {"response_token": bindparam("token"), "idempotency_key": bindparam("key")}
        ),
        [
            {
                "order_id": id_,
                "token": secrets.token_urlsafe(_TOKEN_BYTES),
                "key": _PURGED_KEY_PREFIX + id_,
            }
            for id_ in order_ids
        ],
    )
    connection.execute(delete_subscriptions_of(order_ids))
    connection.execute(update(_settled).where(_settled.c.order_id.in_(order_ids)).values(note=""))
    # The error of a mail server may quote an address.
    connection.execute(
        update(_outbox).where(_outbox.c.subject.in_(order_ids)).values(last_error=None)
    )
