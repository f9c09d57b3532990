"""Dishes that kitchens can't cook, in SQL. The payment's row is the lock, as for refunds."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, insert, select, update

from campus_app.catalogue.rules.menu import Dish
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.shortage import (
    CANCELLED,
    CHOOSE,
    SHORTAGE_LAPSED_TOPIC,
    SHORTAGE_MAIL_TOPIC,
    SHORTAGE_PUSH_TOPIC,
    SHORTAGE_TOLD_TOPIC,
    WHOLE_ORDER,
    Shortage,
    ShortageAnswer,
    answer_time,
    can_keep_rest,
    with_dish_instead,
    without_dish,
)
from campus_app.ordering.sql.offer_versions import offers_in_force
from campus_app.ordering.sql.order_rows import changed_values, stored_order_from
from campus_app.ordering.sql.refunds import left_of, mark_due, mark_whole
from campus_app.ordering.sql.tables import CookingRow, OrderRow, PaymentRow, ShortageRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import ZERO
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, table_of
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
        shortage_of: Callable[[Order], tuple[Shortage, bool] | None],
        entry: AuditEntry,
        since: datetime,
    ) -> bool:
        """Store a shortage of a restaurant's order, unless that of the dish is open already.

        Args:
            order_id: The order's id.
            restaurant_id: The id of the restaurant whose device reports it.
            shortage_of: Returns the shortage, and whether there is anything to choose; None if the
                order has no such dish.
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
            found = shortage_of(order)
            if found is None or paid_at <= since or _is_handed_over(connection, order_id):
                return False
            shortage, has_choice = found
            if _open(connection, order_id, shortage.dish_id) is None:
                connection.execute(insert(_shortages).values(asdict(shortage)))
                topic = SHORTAGE_TOLD_TOPIC if has_choice else SHORTAGE_LAPSED_TOPIC
                enqueue(connection, [_job(topic, shortage, shortage.told_at)])
                record(connection, entry)
            return True

        is_known = await self._database.write(work)
        self._notify()
        return is_known

    async def undo(
        self, order_id: str, dish_id: str, restaurant_id: int, entry: AuditEntry
    ) -> Shortage | None:
        """Delete an open shortage of a restaurant; return it, None if there is none.

        If another order lacks the dish, its shortage takes over that it has marked the dish.
        """

        def work(connection: Connection) -> Shortage | None:
            order = _locked_order(connection, order_id)
            shortage = _open(connection, order_id, dish_id)
            if order is None or order.restaurant_id != restaurant_id or shortage is None:
                return None
            gone = delete(_shortages).where(_shortages.c.id == shortage.id)
            # As it is now: a shortage that is undone at the same time may have handed it over.
            has_marked = connection.execute(gone.returning(_shortages.c.has_marked)).scalar_one()
            if has_marked and _hand_over_mark(connection, restaurant_id, dish_id):
                has_marked = False
            record(connection, entry)
            return replace(shortage, has_marked=has_marked)

        return await self._database.write(work)

    async def tell(self, order_id: str, dish_id: str, shortage_id: str, at: datetime) -> None:
        """Begin the time to choose, once, and enqueue what tells the customer and what ends it."""

        def work(connection: Connection) -> None:
            order = _locked_order(connection, order_id)
            shortage = _open(connection, order_id, dish_id)
            is_it = shortage is not None and shortage.id == shortage_id
            if order is None or shortage is None or not is_it or shortage.answer_by > at:
                return
            until = answer_time(at)
            connection.execute(
                update(_shortages).where(_shortages.c.id == shortage.id).values(answer_by=until)
            )
            told = (SHORTAGE_MAIL_TOPIC, SHORTAGE_PUSH_TOPIC)
            jobs = [_job(topic, shortage, at, CHOOSE) for topic in told]
            enqueue(connection, [*jobs, _job(SHORTAGE_LAPSED_TOPIC, shortage, until)])

        await self._database.write(work)
        self._notify()

    async def answer(
        self,
        order_id: str,
        dish_id: str,
        choose: Callable[[Order, Shortage], Choice | None],
        entry: AuditEntry,
    ) -> bool:
        """Store what becomes of a dish, change the order, and mark what goes back as due, once.

        An order that was handed over is not cancelled any more: its customer pays for the rest.

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
            shortage = _open(connection, order_id, dish_id)
            if order is None or shortage is None:
                return False
            choice = choose(order, shortage)
            if choice is None:
                return False
            if _is_handed_over(connection, order_id):
                choice = _after_handing_over(order, shortage)
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
    lock = select(_payments.c.id).where(_payments.c.order_id == order_id).with_for_update()
    connection.execute(lock)
    # A second statement: one that waits for a lock reads other tables as they were before.
    statement = (
        select(_orders, _payments)
        .select_from(_orders.join(_payments))
        .where(_orders.c.id == order_id)
    )
    row = connection.execute(statement).first()
    if row is None:
        return None
    order = stored_order_from(row).order
    return order if order.state is OrderState.CONFIRMED else None


def _is_handed_over(connection: Connection, order_id: str) -> bool:
    state = select(_cooking.c.state).where(_cooking.c.order_id == order_id)
    return connection.execute(state).scalar() is CookingState.HANDED_OVER


def _open(connection: Connection, order_id: str, dish_id: str) -> Shortage | None:
    """Return the open shortage of a dish; there is at most one, since the payment is locked."""
    statement = select(_shortages).where(
        _shortages.c.order_id == order_id,
        _shortages.c.dish_id == dish_id,
        _shortages.c.answer == ShortageAnswer.OPEN,
    )
    row = connection.execute(statement).first()
    return None if row is None else from_row(Shortage, _shortages, row)


def _hand_over_mark(connection: Connection, restaurant_id: int, dish_id: str) -> bool:
    """Note of another open shortage of a dish that it has marked it; False if there is none."""
    other = select(_shortages.c.id).select_from(_shortages.join(_orders)).limit(1)
    other = other.where(
        _orders.c.restaurant_id == restaurant_id,
        _shortages.c.dish_id == dish_id,
        _shortages.c.answer == ShortageAnswer.OPEN,
    )
    marked = update(_shortages).where(_shortages.c.id == other.scalar_subquery())
    return connection.execute(marked.values(has_marked=True)).rowcount > 0


def _after_handing_over(order: Order, shortage: Shortage) -> Choice:
    """Return what becomes of a dish that was reported, but not taken back, before handing over.

    What was handed over without the dish costs less; a dish alone must have been cooked.
    """
    has_rest = shortage.dish_id != WHOLE_ORDER and can_keep_rest(order)
    return Choice(ShortageAnswer.DISH_BACK if has_rest else ShortageAnswer.COOKED)


def _apply(
    connection: Connection, order: Order, shortage: Shortage, choice: Choice, at: datetime
) -> None:
    payment_id = connection.execute(
        select(_payments.c.id).where(_payments.c.order_id == order.id)
    ).scalar_one()
    closed: dict[str, Any] = {"answer": choice.answer, "answered_at": at}
    if choice.answer is ShortageAnswer.ORDER_BACK:
        mark_whole(connection, payment_id, RefundReason.NOT_COOKED, at)
        told = (SHORTAGE_MAIL_TOPIC, SHORTAGE_PUSH_TOPIC)
        enqueue(connection, [_job(topic, shortage, at, CANCELLED) for topic in told])
    elif choice.instead is not None:
        _change(connection, with_dish_instead(order, shortage.dish_id, choice.instead))
        closed["replacement_id"] = choice.instead.id
    elif choice.answer is ShortageAnswer.DISH_BACK:
        offers = offers_in_force(connection, order.created_at)
        reduced = without_dish(order, shortage.dish_id, offers)
        _change(connection, reduced.order)
        left = left_of(connection, payment_id)
        refund = reduced.refund if left is None else min(reduced.refund, left)
        if refund > ZERO:
            mark_due(connection, payment_id, refund, RefundReason.DISH_NOT_COOKED, at)
    connection.execute(update(_shortages).where(_shortages.c.id == shortage.id).values(closed))


def _change(connection: Connection, order: Order) -> None:
    connection.execute(
        update(_orders).where(_orders.c.id == order.id).values(changed_values(order))
    )


def _job(topic: str, shortage: Shortage, at: datetime, about: str = "") -> NewJob:
    """Return a job of a shortage, `about` a choice (`CHOOSE`) or the end (`CANCELLED`)."""
    payload = {"about": about, "shortageId": shortage.id, "dishId": shortage.dish_id}
    return NewJob(f"{topic}:{about}:{shortage.id}", topic, shortage.order_id, payload, at)
