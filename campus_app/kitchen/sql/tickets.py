"""Tickets, and the presses of kitchens, in SQL."""

from collections import defaultdict
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import asdict, replace
from datetime import datetime, timedelta
from itertools import chain
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    Executable,
    and_,
    func,
    or_,
    select,
    type_coerce,
    update,
)

from campus_app.kitchen.rules.kitchen import Press, Ticket, after_press
from campus_app.kitchen.sql.push_subscriptions import enqueue_ready_press
from campus_app.kitchen.sql.tables import KitchenPressRow
from campus_app.ordering.rules.cooking import Cooking, CookingState
from campus_app.ordering.rules.instructions import Instructions
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.order_event import EventTopics, OrderEvent
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.shortage import Shortage
from campus_app.ordering.sql.order_events import enqueue_event, withdraw_event
from campus_app.ordering.sql.order_rows import cooking_from, reservation_from, stored_lines
from campus_app.ordering.sql.shortages import SqlShortages
from campus_app.ordering.sql.tables import (
    CookingRow,
    OrderRow,
    PaymentRow,
    RefundRow,
    ShortageRow,
)
from campus_app.shared.rules.constants import MAXIMUM_PRESSES
from campus_app.shared.rules.messages import RefundReason
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_cooking = table_of(CookingRow)
_presses = table_of(KitchenPressRow)
_refunds = table_of(RefundRow)
_shortages = table_of(ShortageRow)
_SHORTAGE_TIMES = ("asked_at", "answer_by", "answered_at")

_COLUMNS = [
    getattr(_orders.c, name)
    for name in (
        *("id", "number", "restaurant_id", "restaurant_name", "state", "refund_reason", "lines"),
        *("note", "door_note", "no_cutlery", "full_name", "phone", "address", "campus"),
        *("reserved_date", "reserved_slot", "party_size", "remaining"),
    )
]
"""All that a kitchen sees; the customer's e-mail address is not among them."""
_AFTER_CONFIRMATION = (RefundReason.BY_OPERATOR, RefundReason.NOT_COOKED)
"""The reasons of refunds after the confirmation: the kitchen has such an order already."""
_REACHED_KITCHEN = or_(
    _orders.c.state == OrderState.CONFIRMED,
    and_(
        _orders.c.state == OrderState.REFUND_DUE,
        _orders.c.refund_reason.in_(_AFTER_CONFIRMATION),
    ),
)
"""Whether an order was confirmed; it stays on the board if it is refunded later.

An order that was refunded before its confirmation never reached the kitchen.
"""
_TICK = timedelta(milliseconds=1)
"""The resolution of stored times."""


BoardVersion = tuple[object, ...]
"""Differs after each payment, press, refund of a confirmed order, and shortage.

Equal versions mean equal tickets.
"""


class SqlTickets:
    """Reads orders, and writes only the tables of the kitchens."""

    def __init__(self, database: Database, topics: EventTopics, notify: Callable[[], None]) -> None:
        """`topics` are those of the events' outbox jobs; `notify` is called after new jobs."""
        self._database = database
        self._shortages = SqlShortages(database, notify)
        self._topics = topics
        self._notify = notify

    async def version(self, since: datetime) -> BoardVersion:
        """Return the version of the tickets of all orders paid since then."""
        paid = select(func.count(), func.max(_payments.c.paid_at)).where(
            _payments.c.paid_at >= since
        )
        # A sum: a press that is committed after a later one leaves the maximum as it was.
        times = type_coerce(_cooking.c.changed_at, BigInteger)
        pressed = select(func.count(), func.sum(times)).where(_cooking.c.changed_at >= since)
        cancelled = select(func.count()).where(
            _refunds.c.reason.in_(_AFTER_CONFIRMATION), _refunds.c.marked_at >= since
        )
        sums = (func.sum(type_coerce(_shortages.c[name], BigInteger)) for name in _SHORTAGE_TIMES)
        short: Executable = select(func.count(), *sums).where(_shortages.c.asked_at >= since)
        statements: tuple[Executable, ...] = (paid, pressed, cancelled, short)

        def work(connection: Connection) -> BoardVersion:
            counts = [connection.execute(each).one() for each in statements]
            return tuple(chain.from_iterable(counts))

        return await self._database.read(work)

    async def tickets(self, restaurant_ids: Collection[int], since: datetime) -> Sequence[Ticket]:
        """Return the tickets of the orders of these restaurants that were paid since then.

        The earliest payment comes first.
        """
        rows = await self._database.fetch_all(
            select(*_COLUMNS, _payments.c.paid_at, _cooking)
            .select_from(_orders.join(_payments).outerjoin(_cooking))
            .where(
                _orders.c.restaurant_id.in_(list(restaurant_ids)),
                *_of_kitchens_since(since),
            )
            .order_by(_payments.c.paid_at, _orders.c.id)
        )
        if not rows:
            return []
        order_ids = [row._mapping[_orders.c.id] for row in rows]  # noqa: SLF001 - as in _ticket
        shortages: dict[str, list[Shortage]] = defaultdict(list)
        for each in await self._shortages.of_orders(order_ids):
            shortages[each.order_id].append(each)
        return [_ticket(row, shortages) for row in rows]

    async def press(self, press: Press, restaurant_id: int, since: datetime) -> Cooking | None:
        """Record a press on a restaurant's ticket, once per its id; return the cooking after it.

        The first press to READY enqueues the jobs of that event. None, and nothing is recorded, if
        the restaurant has no such order that was paid since then.
        """
        order = select(_orders.c.state).select_from(_orders.join(_payments))
        order = order.where(
            _orders.c.id == press.order_id,
            _orders.c.restaurant_id == restaurant_id,
            *_of_kitchens_since(since),
        )

        def work(connection: Connection) -> tuple[Cooking, bool] | None:
            order_state = connection.execute(order).scalar()
            if order_state is None:
                return None
            cooking = self._lock(connection, press.order_id)
            current = _after_earlier(connection, press)
            if current is None:
                return cooking, False
            after = after_press(cooking, current)
            recorded = connection.execute(
                insert_into(connection.dialect.name, _presses)
                .values(asdict(current) | {"has_effect": after != cooking})
                .on_conflict_do_nothing(index_elements=["id"])
                .returning(_presses.c.id)
            )
            # The row count of an INSERT is not available on PostgreSQL.
            if recorded.first() is None or after == cooking:
                return cooking, False
            connection.execute(
                update(_cooking).where(_cooking.c.order_id == press.order_id).values(asdict(after))
            )
            return after, self._enqueue_jobs(connection, current, cooking, order_state)

        result = await self._database.write(work)
        if result is None:
            return None
        cooking, has_jobs = result
        if has_jobs:
            self._notify()
        return cooking

    def _enqueue_jobs(
        self, connection: Connection, press: Press, before: Cooking, order_state: OrderState
    ) -> bool:
        """Enqueue the jobs of a press to READY; withdraw them if the press undoes READY.

        Return whether jobs were enqueued.
        The ticket of a refunded order stays on the board, but its press causes no event.
        """
        if before.state is CookingState.READY and press.target.rank < before.state.rank:
            withdraw_event(connection, self._topics, OrderEvent.READY, press.order_id)
        if press.target is not CookingState.READY or order_state is not OrderState.CONFIRMED:
            return False
        held_until = press.held_until
        enqueue_event(connection, self._topics, OrderEvent.READY, press.order_id, held_until)
        enqueue_ready_press(connection, press)
        return True

    def _lock(self, connection: Connection, order_id: str) -> Cooking:
        """Lock the cooking of an order for this transaction, and return it."""
        new = Cooking()
        connection.execute(
            insert_into(connection.dialect.name, _cooking)
            .values(asdict(new) | {"order_id": order_id})
            .on_conflict_do_nothing(index_elements=["order_id"])
        )
        locked = select(_cooking).where(_cooking.c.order_id == order_id).with_for_update()
        return from_row(Cooking, _cooking, connection.execute(locked).one())


def _after_earlier(connection: Connection, press: Press) -> Press | None:
    """Return the press, its time moved after the newest recorded press of its order.

    The times must have the order in which presses were applied, which the received ones may not:
    clocks of processes differ, and one that received its press earlier may lock the cooking later.
    None if the order has MAXIMUM_PRESSES.
    """
    recorded = select(func.count(), func.max(_presses.c.at)).where(
        _presses.c.order_id == press.order_id
    )
    count, newest = connection.execute(recorded).one()
    if count >= MAXIMUM_PRESSES:
        return None
    return press if newest is None else replace(press, at=max(press.at, newest + _TICK))


def _of_kitchens_since(since: datetime) -> list[Any]:
    """Return the conditions for orders that reached the kitchen and were paid after `since`."""
    return [
        _payments.c.state == PaymentState.PAID,
        _payments.c.paid_at > since,
        _REACHED_KITCHEN,
    ]


def _ticket(row: Any, shortages: Mapping[str, Sequence[Shortage]]) -> Ticket:
    values = row._mapping  # noqa: SLF001 - public, see SQLAlchemy's documentation of Row
    order_id = values[_orders.c.id]
    return Ticket(
        order_id=order_id,
        number=row.number,
        restaurant_id=row.restaurant_id,
        lines=stored_lines(row.lines),
        instructions=from_row(Instructions, _orders, row),
        customer_name=row.full_name,
        phone=row.phone,
        address=row.address,
        campus=row.campus,
        reservation=reservation_from(row),
        remaining=row.remaining,
        paid_at=row.paid_at,
        is_cancelled=values[_orders.c.state] is OrderState.REFUND_DUE,
        cooking=cooking_from(row),
        shortages=tuple(shortages.get(order_id, ())),
    )
