"""Orders that no kitchen device has marked as seen, in SQL."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Final

from sqlalchemy import ColumnElement, Connection, and_, exists, select

from campus_app.kitchen.sql.kitchen_devices import uses_board
from campus_app.notifications.rules.missed_call import CallReason
from campus_app.ordering.rules.cooking import LONGEST_ON_BOARD
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.sql.tables import CookingRow, OrderRow, PaymentRow, ShortageRow
from campus_app.shared.rules.constants import UNSEEN_SECONDS
from kit.db.database import Database
from kit.db.tables import table_of
from kit.outbox.models import NewJob, OutboxRow, enqueue_new

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_cooking = table_of(CookingRow)
_shortages = table_of(ShortageRow)
_outbox = table_of(OutboxRow)

_BATCH_SIZE: Final = 100
_KEY_PREFIX: Final = f"{CallReason.UNSEEN}:"


def is_unseen(at: datetime) -> ColumnElement[bool]:
    """Return the SQL condition for unseen orders, joined with their payments.

    Orders of kitchens that do not use the board never match.

    Source: specification 10.29.
    """
    seen = exists().where(_cooking.c.order_id == _orders.c.id, _cooking.c.seen_at.is_not(None))
    return and_(
        _payments.c.state == PaymentState.PAID,
        _payments.c.paid_at <= at - timedelta(seconds=UNSEEN_SECONDS),
        _payments.c.paid_at > at - LONGEST_ON_BOARD,
        _orders.c.state == OrderState.CONFIRMED,
        uses_board(at),
        ~seen,
        ~exists().where(_shortages.c.order_id == _orders.c.id),  # who reports has seen it
    )


class SqlUnseenOrders:
    """Paid orders that no device of their kitchen has marked as seen, five minutes later.

    Only those of kitchens with a device that was enrolled before the payment, and is in use. The
    unique key of the outbox job makes each report of an order unique.
    """

    def __init__(self, database: Database, notify: Callable[[], None]) -> None:
        """`notify` is called when there are new outbox jobs."""
        self._database = database
        self._notify = notify

    async def unreported(self, at: datetime) -> Sequence[str]:
        """Return the ids of the earliest unseen orders that `report` was not called for."""
        reported = exists().where(_outbox.c.dedupe_key == _KEY_PREFIX + _orders.c.id)
        rows = await self._database.fetch_all(
            select(_orders.c.id)
            .select_from(_orders.join(_payments))
            .where(is_unseen(at), ~reported)
            .order_by(_payments.c.paid_at, _orders.c.id)
            .limit(_BATCH_SIZE)
        )
        return [order_id for (order_id,) in rows]

    async def report(self, order_id: str, at: datetime) -> bool:
        """Enqueue the job that calls the kitchen again; False if it was enqueued before."""
        job = NewJob(f"{_KEY_PREFIX}{order_id}", CallReason.UNSEEN, order_id, {}, at)

        def work(connection: Connection) -> bool:
            return enqueue_new(connection, job)

        is_new = await self._database.write(work)
        if is_new:
            self._notify()
        return is_new

    async def is_unseen(self, order_id: str, at: datetime) -> bool:
        """Whether an order is confirmed and unseen."""
        statement = (
            select(_orders.c.id)
            .select_from(_orders.join(_payments))
            .where(_orders.c.id == order_id, is_unseen(at))
        )
        return await self._database.fetch_one(statement) is not None
