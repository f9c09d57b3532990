"""Dishes that kitchens can't cook, in SQL. The payment's row is the lock, as for refunds."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, select, update

from campus_app.catalogue.rules.menu import Dish
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.shortage import (
    CANCELLED,
    CHOOSE,
    SHORTAGE_LAPSED_TOPIC,
    SHORTAGE_MAIL_TOPIC,
    SHORTAGE_TOLD_TOPIC,
    Shortage,
    ShortageAnswer,
    with_dish_instead,
    without_dish,
)
from campus_app.ordering.sql.order_rows import changed_values, stored_order_from
from campus_app.ordering.sql.refunds import mark_due, mark_whole
from campus_app.ordering.sql.tables import CookingRow, OrderRow, PaymentRow, ShortageRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import ZERO
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of
from kit.outbox.models import NewJob, enqueue

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_cooking = table_of(CookingRow)
_shortages = table_of(ShortageRow)


@dataclass(frozen=True)
class Choice:
    """What a customer chooses for a dish; `instead` is the dish that replaces it."""

    answer: ShortageAnswer
    instead: Dish | None = None


class SqlShortages:
    """Every change is one transaction, which locks the payment first."""

    def __init__(self, database: Database, notify: Callable[[], None]) -> None:
        """`notify` is called when there are new outbox jobs."""
        self._database = database
        self._notify = notify

    async def of_orders(self, order_ids: Collection[str]) -> Sequence[Shortage]:
        """Return the shortages of orders, the earliest first."""
        statement = select(_shortages).where(_shortages.c.order_id.in_(list(order_ids)))
        rows = await self._database.fetch_all(statement.order_by(_shortages.c.asked_at))
        return [from_row(Shortage, _shortages, row) for row in rows]

    async def changed_since(self, moment: datetime) -> Sequence[str]:
        """Return the ids of the orders whose shortages were reported or answered since then."""
        statement = select(_shortages.c.order_id).where(
            (_shortages.c.asked_at >= moment) | (_shortages.c.answered_at >= moment)
        )
        return [row.order_id for row in await self._database.fetch_all(statement)]

    async def report(
        self,
        order_id: str,
        restaurant_id: int,
        shortage_of: Callable[[Order], Shortage | None],
        entry: AuditEntry,
        since: datetime,
    ) -> bool:
        """Store a shortage of a restaurant's order, once per dish, with its audit entry.

        Args:
            order_id: The order's id.
            restaurant_id: The id of the restaurant whose device reports it.
            shortage_of: Returns the shortage; None if the order has no such dish.
            entry: The audit entry.
            since: When the order was paid at the earliest.

        Returns:
            False, and nothing is stored, if the restaurant has no such order that it may still
            cook.
        """

        def work(connection: Connection) -> bool:
            order = _locked_order(connection, order_id)
            paid_at = connection.execute(_PAID_AT.where(_orders.c.id == order_id)).scalar()
            if order is None or order.restaurant_id != restaurant_id or paid_at is None:
                return False
            shortage = shortage_of(order)
            if shortage is None or paid_at <= since or _is_handed_over(connection, order_id):
                return False
            inserted = connection.execute(
                insert_into(connection.dialect.name, _shortages)
                .values(asdict(shortage))
                .on_conflict_do_nothing(index_elements=["order_id", "dish_id"])
                .returning(_shortages.c.id)
            )
            if inserted.first() is not None:
                enqueue(connection, _jobs(shortage))
                record(connection, entry)
            return True

        is_known = await self._database.write(work)
        self._notify()
        return is_known

    async def undo(
        self, order_id: str, dish_id: str, restaurant_id: int, entry: AuditEntry
    ) -> bool:
        """Delete a shortage that its restaurant may still take back; return whether it was."""

        def work(connection: Connection) -> bool:
            order = _locked_order(connection, order_id)
            shortage = _of(connection, order_id, dish_id)
            if order is None or order.restaurant_id != restaurant_id or shortage is None:
                return False
            if not shortage.can_undo_at(entry.at):
                return False
            connection.execute(
                delete(_shortages).where(
                    _shortages.c.order_id == order_id, _shortages.c.dish_id == dish_id
                )
            )
            record(connection, entry)
            return True

        return await self._database.write(work)

    async def answer(
        self,
        order_id: str,
        dish_id: str,
        choose: Callable[[Order, Shortage], Choice | None],
        entry: AuditEntry,
    ) -> bool:
        """Store what becomes of a dish, change the order, and mark what goes back as due, once.

        Args:
            order_id: The order's id.
            dish_id: The dish that can't be cooked.
            choose: Returns the choice for the order as it is now; None if it is not allowed.
            entry: The audit entry; its time is that of the choice.

        Returns:
            Whether the choice counts: the order is confirmed, and nothing was chosen before.
        """

        def work(connection: Connection) -> bool:
            order = _locked_order(connection, order_id)
            shortage = _of(connection, order_id, dish_id)
            if order is None or shortage is None or shortage.answer is not ShortageAnswer.OPEN:
                return False
            choice = choose(order, shortage)
            if choice is None:
                return False
            _apply(connection, order, shortage, choice, entry.at)
            record(connection, entry)
            return True

        has_changed = await self._database.write(work)
        if has_changed:
            self._notify()
        return has_changed


_PAID_AT = (
    select(_payments.c.paid_at)
    .select_from(_orders.join(_payments))
    .where(_payments.c.state == PaymentState.PAID)
)


def _locked_order(connection: Connection, order_id: str) -> Order | None:
    """Lock the payment of an order and return the order; None unless it is confirmed."""
    statement = (
        select(_orders, _payments)
        .select_from(_orders.join(_payments))
        .where(_orders.c.id == order_id)
        .with_for_update(of=_payments)
    )
    row = connection.execute(statement).first()
    if row is None:
        return None
    order = stored_order_from(row).order
    return order if order.state is OrderState.CONFIRMED else None


def _is_handed_over(connection: Connection, order_id: str) -> bool:
    state = select(_cooking.c.state).where(_cooking.c.order_id == order_id)
    return connection.execute(state).scalar() is CookingState.HANDED_OVER


def _of(connection: Connection, order_id: str, dish_id: str) -> Shortage | None:
    statement = select(_shortages).where(
        _shortages.c.order_id == order_id, _shortages.c.dish_id == dish_id
    )
    row = connection.execute(statement).first()
    return None if row is None else from_row(Shortage, _shortages, row)


def _apply(
    connection: Connection, order: Order, shortage: Shortage, choice: Choice, at: datetime
) -> None:
    payment_id = connection.execute(
        select(_payments.c.id).where(_payments.c.order_id == order.id)
    ).scalar_one()
    closed: dict[str, Any] = {"answer": choice.answer, "answered_at": at}
    is_this = _shortages.c.dish_id == shortage.dish_id
    if choice.answer is ShortageAnswer.ORDER_BACK:
        mark_whole(connection, payment_id, RefundReason.NOT_COOKED, at)
        topics = (SHORTAGE_MAIL_TOPIC, SHORTAGE_TOLD_TOPIC)
        enqueue(connection, [_job(topic, CANCELLED, shortage, at) for topic in topics])
        is_this = _shortages.c.answer == ShortageAnswer.OPEN
    elif choice.instead is not None:
        _change(connection, with_dish_instead(order, shortage.dish_id, choice.instead))
        closed["replacement_id"] = choice.instead.id
    else:
        reduced = without_dish(order, shortage.dish_id)
        _change(connection, reduced.order)
        if reduced.refund > ZERO:
            mark_due(connection, payment_id, reduced.refund, RefundReason.DISH_NOT_COOKED, at)
    connection.execute(
        update(_shortages).where(_shortages.c.order_id == order.id, is_this).values(closed)
    )


def _change(connection: Connection, order: Order) -> None:
    connection.execute(
        update(_orders).where(_orders.c.id == order.id).values(changed_values(order))
    )


def _jobs(shortage: Shortage) -> list[NewJob]:
    """Return what follows from a shortage, unless it is undone or answered before."""
    told = [
        _job(topic, CHOOSE, shortage, shortage.told_at)
        for topic in (SHORTAGE_MAIL_TOPIC, SHORTAGE_TOLD_TOPIC)
    ]
    return [*told, _job(SHORTAGE_LAPSED_TOPIC, CANCELLED, shortage, shortage.answer_by)]


def _job(topic: str, about: str, shortage: Shortage, at: datetime) -> NewJob:
    """Return a job `about` a choice (`CHOOSE`), or money that goes back (`CANCELLED`)."""
    payload = {"about": about, "shortageId": shortage.id, "dishId": shortage.dish_id}
    return NewJob(f"{topic}:{about}:{shortage.id}", topic, shortage.order_id, payload, at)
