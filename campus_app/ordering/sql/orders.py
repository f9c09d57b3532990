"""Orders and payments in SQL, with the same statements on SQLite and PostgreSQL."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import ColumnElement, Connection, bindparam, case, func, insert, select, update

from campus_app.catalogue.sql.sold_out import require_available
from campus_app.ordering.rules.notification import (
    Notification,
    NotificationState,
    NotificationStatus,
    notifications_due,
)
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.order_event import EventTopics, OrderEvent
from campus_app.ordering.rules.order_number import (
    number_held_until,
    order_number,
    parse_order_number,
)
from campus_app.ordering.rules.payment import (
    OrderOutcome,
    Payment,
    PaymentState,
    Snapshot,
    last_check,
    payment_expiry,
    states_before,
)
from campus_app.ordering.rules.stored_order import OrderDraft, SeatCheck, StoredOrder
from campus_app.ordering.sql.order_events import enqueue_event
from campus_app.ordering.sql.order_numbers import NumberHold, SqlNumbers
from campus_app.ordering.sql.order_rows import (
    as_recorded,
    new_id,
    new_order,
    order_values,
    payment_from,
    payment_values,
    stored_order_from,
)
from campus_app.ordering.sql.refunds import mark_due
from campus_app.ordering.sql.seat_holds import (
    assign_seats,
    confirm_seats,
    has_seats,
    hold_for_order,
    release_seats,
    renew_hold,
)
from campus_app.ordering.sql.tables import OrderRow, PaymentRow
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OperatorMessage, OrderMessage, RefundReason
from kit.db.database import Database
from kit.db.tables import insert_into, table_of
from kit.outbox.models import JobState, NewJob, OutboxRow, enqueue

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_outbox = table_of(OutboxRow)

_CHECK_LEASE = timedelta(minutes=1)
_NO_TOPICS: EventTopics = {}
_NOTIFICATIONS = (Notification.CUSTOMER_MAIL, Notification.VENDOR_MAIL, Notification.VENDOR_CALL)
_STATE_OF_JOB = {JobState.DONE: NotificationState.SENT, JobState.DEAD: NotificationState.FAILED}
_IS_UNPAID = _payments.c.state != PaymentState.PAID
_NEWEST_FIRST = (
    select(_orders, _payments)
    .select_from(_orders.join(_payments))
    .order_by(_orders.c.created_at.desc(), _orders.c.cart_generation.desc())
)
_NEWEST = _NEWEST_FIRST.limit(1)
_IS_OF_CART = _orders.c.cart_key == bindparam("key")
# By generation, since after a clock is set back an older order may have a later time.
_LATEST_OF_CART = _NEWEST.where(
    _IS_OF_CART,
    _orders.c.cart_generation
    == select(func.max(_orders.c.cart_generation)).where(_IS_OF_CART).scalar_subquery(),
)

_LOCK_STATES = (
    select(_orders.c.state, _payments.c.state)
    .select_from(_orders.join(_payments))
    .where(_payments.c.id == bindparam("payment_id"))
    .with_for_update()
)
_UPDATE_ORDER = update(_orders).where(_orders.c.id == bindparam("order_id"))


class _AlreadyStored(Exception):
    """Another transaction stored an order with the same key first."""


class SqlOrders:
    """Every change is one transaction; a unique key or a guarded update decides each race."""

    def __init__(
        self,
        database: Database,
        wake_outbox: Callable[[], None],
        topics: EventTopics = _NO_TOPICS,
    ) -> None:
        """`topics` are those of the outbox jobs that an order's events cause."""
        self._database = database
        self._wake_outbox = wake_outbox
        self._topics = topics
        self._numbers = SqlNumbers()

    async def create(self, draft: OrderDraft, at: datetime, provider: str) -> StoredOrder:
        """Store an order with its payment, once per idempotency key.

        Return the existing order if one has the key. The seats of its table are held from now on;
        those of a replaced order are released.

        Raises:
            Conflict: `order_id_taken` if the requested number belongs to another order;
                `already_paid` if the order to replace was paid meanwhile; `slot_unavailable`
                if the seats are taken.
            DishesSoldOut: If dishes are sold out.
        """
        try:
            return await self._database.write(
                lambda connection: self._insert(connection, draft, at, provider)
            )
        except _AlreadyStored:
            existing = await self.by_key(draft.idempotency_key)
            if existing is None:
                raise
            return existing

    async def by_id(self, order_id: str) -> StoredOrder | None:
        """Return the order with this id."""
        return await self._by_untrusted(_orders.c.id, order_id)

    async def by_number(self, number: str) -> StoredOrder | None:
        """Return the order that holds this number, or held it last."""
        return await self._by_untrusted(_orders.c.number, number)

    async def by_token(self, response_token: str) -> StoredOrder | None:
        """Return the order with this response token."""
        return await self._by_untrusted(_orders.c.response_token, response_token)

    async def by_tokens(self, response_tokens: Collection[str]) -> Sequence[StoredOrder]:
        """Return the orders with these response tokens, the newest first."""
        storable = [token for token in response_tokens if _is_storable(token)]
        if not storable:
            return []
        statement = _NEWEST_FIRST.where(_orders.c.response_token.in_(storable))
        return [stored_order_from(row) for row in await self._database.fetch_all(statement)]

    async def by_reference(self, reference: str) -> StoredOrder | None:
        """Return the order whose payment has this reference at the provider."""
        return await self._by_untrusted(_payments.c.reference, reference)

    async def by_payment(self, payment_id: str) -> StoredOrder | None:
        """Return the order with this payment."""
        return await self._by_untrusted(_payments.c.id, payment_id)

    async def by_key(self, idempotency_key: str) -> StoredOrder | None:
        """Return the order with this idempotency key."""
        return await self._fetch(_by(_orders.c.idempotency_key), idempotency_key)

    async def latest_of_cart(self, cart_key: str) -> StoredOrder | None:
        """Return the latest order of a cart."""
        return await self._fetch(_LATEST_OF_CART, cart_key)

    async def open_ids(self, order_ids: Collection[str]) -> frozenset[str]:
        """Return the ids of those orders that are still unpaid."""
        statement = select(_orders.c.id).where(
            _orders.c.id.in_(order_ids), _orders.c.state == OrderState.PENDING
        )
        return frozenset(row.id for row in await self._database.fetch_all(statement))

    async def transition(self, payment: Payment, target: PaymentState, reason: str) -> bool:
        """Change a payment's state, except to PAID; False if that is not allowed any more."""
        order_id = payment.order_id

        def work(connection: Connection) -> bool:
            if target is PaymentState.EXPIRED:
                # Lock the order before its payment, as all transactions do, to avoid deadlocks.
                connection.execute(
                    select(_orders.c.id).where(_orders.c.id == order_id).with_for_update()
                )
            is_moved = _move(connection, payment.id, target, reason=reason)
            if is_moved and target is PaymentState.EXPIRED:
                connection.execute(
                    update(_orders)
                    .where(_orders.c.id == order_id, _orders.c.state == OrderState.PENDING)
                    .values(state=OrderState.LAPSED)
                )
                release_seats(connection, order_id)
            return is_moved

        return await self._database.write(work)

    async def mark_opened(self, payment_id: str, check_at: datetime | None) -> None:
        """Record that the payment page is open; schedule a check; FAILED becomes PENDING."""
        statement = _mark_opened()
        await self._database.execute(
            statement, {"payment_id": payment_id, "next_check_at": check_at}
        )

    async def record_paid(
        self,
        stored: StoredOrder,
        snapshot: Snapshot,
        decide: Callable[[StoredOrder, SeatCheck], OrderOutcome],
        at: datetime,
    ) -> StoredOrder | None:
        """Record a payment as paid: payment, order, seats and notifications in one transaction.

        `decide` is called with the states read under the transaction's row lock, which may differ
        from those of `stored`. Return the order after the change; None if it was already recorded.
        """
        payment_id = stored.payment.id

        def work(connection: Connection) -> StoredOrder | None:
            current = _lock_states(connection, stored)
            if current is None or not _move(
                connection,
                payment_id,
                PaymentState.PAID,
                reason="",
                provider_payment_id=snapshot.provider_payment_id,
                paid=snapshot.paid,
                paid_currency=snapshot.currency,
                paid_at=at,
                next_check_at=last_check(stored.payment, at),
            ):
                return None
            order = current.order
            outcome = decide(current, lambda seats: has_seats(connection, order, seats, at))
            self._hold_number(connection, stored, at)
            self._apply(connection, order, outcome, at)
            if outcome.order_state is OrderState.CONFIRMED:
                confirm_seats(connection, order, at)
            else:
                release_seats(connection, order.id)
            _mark_refunds(connection, payment_id, snapshot, outcome, at)
            return as_recorded(current, snapshot, outcome, at)

        recorded = await self._database.write(work)
        if recorded is not None:
            self._wake_outbox()
        return recorded

    async def mark_unreadable(self, payment_id: str) -> bool:
        """Mark a payment that the provider reports as paid with unreadable amounts.

        A failed payment becomes PENDING; operators can list it until its state changes. False if
        it was marked before, or is paid.
        """
        reason = OperatorMessage.PAYMENT_UNREADABLE.value
        # A failed payment may have succeeded after all.
        may_wait = _payments.c.state.in_(states_before(PaymentState.PENDING))
        changed = await self._database.execute(
            update(_payments)
            .where(_payments.c.id == payment_id, _IS_UNPAID, _payments.c.reason != reason)
            .values(reason=reason, state=_pending_if(may_wait))
        )
        return changed.rowcount == 1

    async def renew_hold(self, order: Order, seats: int, at: datetime) -> None:
        """Hold the seats of an unpaid order again if its hold has expired.

        `seats` is the capacity of the slot.

        Raises:
            Conflict: `slot_unavailable` if the seats are taken, or if the client that held them
                holds too many without having paid.
        """
        if order.reservation is None:
            return
        await self._database.write(lambda connection: renew_hold(connection, order, seats, at))

    async def claim_due_checks(self, at: datetime, limit: int) -> Sequence[Payment]:
        """Return payments that are due for a check, each to one caller.

        A payment whose caller dies before it schedules the next check is due again in a minute.
        """
        due = (
            select(_payments)
            .where(_payments.c.next_check_at <= at)
            .order_by(_payments.c.next_check_at)
            .limit(limit)
        )
        if not await self._database.fetch_all(due):
            return []

        def work(connection: Connection) -> Sequence[Payment]:
            rows = connection.execute(due.with_for_update(skip_locked=True)).all()
            connection.execute(
                update(_payments)
                .where(_payments.c.id.in_([row.id for row in rows]))
                .values(next_check_at=at + _CHECK_LEASE)
            )
            return [payment_from(row) for row in rows]

        return await self._database.write(work)

    async def schedule_unpaid_check(self, reference: str, at: datetime) -> Payment | None:
        """Schedule a check of the payment with this reference, and return the payment.

        None, and nothing is scheduled, if it is paid or unknown.
        """
        if not _is_storable(reference):
            return None
        changed = await self._database.execute(
            update(_payments)
            .where(_payments.c.reference == reference, _IS_UNPAID)
            .values(next_check_at=at)
            .returning(_payments)
        )
        return payment_from(changed.rows[0]) if changed.rows else None

    async def schedule_check(
        self, payment_id: str, at: datetime | None, *, even_if_paid: bool = False
    ) -> None:
        """Schedule the next check of a payment; None means never again.

        A paid one is checked only where it may have been paid a second time.
        """
        statement = update(_payments).where(_payments.c.id == payment_id).values(next_check_at=at)
        await self._database.execute(statement if even_if_paid else statement.where(_IS_UNPAID))

    async def notification_status(self, order_id: str) -> NotificationStatus:
        """Return the progress of the order's notifications."""
        statement = select(_outbox.c.topic, _outbox.c.state).where(_outbox.c.subject == order_id)
        pending = NotificationState.PENDING
        states = {
            topic: _STATE_OF_JOB.get(state, pending)
            for topic, state in await self._database.fetch_all(statement)
        }
        return NotificationStatus(*(states.get(each, pending) for each in _NOTIFICATIONS))

    def _apply(
        self, connection: Connection, order: Order, outcome: OrderOutcome, at: datetime
    ) -> None:
        connection.execute(
            _UPDATE_ORDER,
            {
                "order_id": order.id,
                "state": outcome.order_state,
                "refund_reason": outcome.refund_reason or "",
            },
        )
        enqueue(
            connection,
            [
                NewJob(f"{topic}:{order.id}", topic, order.id, {}, at)
                for topic in notifications_due(outcome.order_state)
            ],
        )
        if outcome.order_state is OrderState.CONFIRMED:
            enqueue_event(connection, self._topics, OrderEvent.PAID, order.id, at)

    def _hold_number(self, connection: Connection, stored: StoredOrder, paid_at: datetime) -> None:
        """Hold the number of a paid order for longer."""
        number = parse_order_number(stored.order.number)
        if number is not None:
            until = number_held_until(stored.payment.expires_at, paid_at)
            self._numbers.extend(connection, number, NumberHold(stored.order.id, until))

    def _insert(
        self, connection: Connection, draft: OrderDraft, at: datetime, provider: str
    ) -> StoredOrder:
        order_id = new_id()
        if draft.replaces:
            _replace(connection, draft.replaces, at)
        hold = NumberHold(order_id, number_held_until(payment_expiry(at)))
        number = self._numbers.take(connection, draft.requested_number, hold, at)
        new = new_order(draft, order_id, order_number(number), at, provider)
        inserted = connection.execute(
            _insert_order(connection.dialect.name), order_values(new.order, draft)
        )
        if inserted.first() is None:
            raise _AlreadyStored
        # Another process may have marked a dish as sold out just now.
        dishes = {line.dish_id: line.name for line in draft.lines}
        require_available(connection, draft.restaurant.id, dishes, at)
        assign_seats(connection, draft, hold_for_order(connection, draft), order_id, at)
        connection.execute(insert(_payments), payment_values(new.payment))
        return new

    async def _by_untrusted(self, column: ColumnElement[str], key: str) -> StoredOrder | None:
        """Return the order with a key that came from outside."""
        return await self._fetch(_by(column), key) if _is_storable(key) else None

    async def _fetch(self, statement: Any, key: str) -> StoredOrder | None:
        row = await self._database.fetch_one(statement, {"key": key})
        return None if row is None else stored_order_from(row)


@cache
def _by(column: ColumnElement[str]) -> Any:
    """Return the query of the newest order with a key; building it takes longer than executing."""
    return _NEWEST.where(column == bindparam("key"))


@cache
def _insert_order(dialect: str) -> Any:
    """Return the INSERT of an order, which returns no row if its idempotency key exists."""
    statement = insert_into(dialect, _orders)
    statement = statement.on_conflict_do_nothing(index_elements=["idempotency_key"])
    return statement.returning(_orders.c.id)


def _move(connection: Connection, payment_id: str, target: PaymentState, **values: Any) -> bool:
    """Change a payment's state and other columns; False if its state does not allow that."""
    statement = _transition(target)
    return connection.execute(statement, {"payment_id": payment_id, **values}).rowcount == 1


@cache
def _transition(target: PaymentState) -> Any:
    """Return the UPDATE of a payment `payment_id` to a state, if its state allows that."""
    may_move = _payments.c.state.in_(states_before(target))
    return (
        update(_payments)
        .where(_payments.c.id == bindparam("payment_id"), may_move)
        .values(state=target)
    )


@cache
def _mark_opened() -> Any:
    """Return the UPDATE of an unpaid payment that was opened; it waits if its state allows that."""
    may_wait = _payments.c.state.in_(states_before(PaymentState.PENDING))
    return (
        update(_payments)
        .where(_payments.c.id == bindparam("payment_id"), _IS_UNPAID)
        .values(state=_pending_if(may_wait), reason=case((may_wait, ""), else_=_payments.c.reason))
    )


def _pending_if(condition: ColumnElement[bool]) -> ColumnElement[str]:
    """Return the new value of a payment's state: PENDING where the condition is true."""
    return case((condition, PaymentState.PENDING.value), else_=_payments.c.state)


def _mark_refunds(
    connection: Connection,
    payment_id: str,
    snapshot: Snapshot,
    outcome: OrderOutcome,
    at: datetime,
) -> None:
    """Mark as due what must be refunded of a payment that arrived. Source: specification M11."""
    if outcome.order_state is OrderState.REFUND_DUE:
        mark_due(connection, payment_id, snapshot.paid, outcome.refund_reason or "", at)
    again = RefundReason.PAID_AGAIN
    if snapshot.surplus:
        mark_due(connection, payment_id, snapshot.surplus, again, at)
    if snapshot.has_unread_surplus:
        mark_due(connection, payment_id, None, again, at)


def _replace(connection: Connection, order_id: str, at: datetime) -> None:
    replaced = connection.execute(
        update(_orders)
        .where(
            _orders.c.id == order_id,
            _orders.c.state.in_([OrderState.PENDING, OrderState.LAPSED]),
        )
        .values(state=OrderState.REPLACED)
    )
    if replaced.rowcount != 1:
        raise _replacement_refused(connection, order_id)
    # The next check closes the payment at the provider, so that it cannot be paid any more.
    connection.execute(
        update(_payments).where(_payments.c.order_id == order_id).values(next_check_at=at)
    )


def _replacement_refused(connection: Connection, order_id: str) -> Exception:
    state = connection.execute(select(_orders.c.state).where(_orders.c.id == order_id)).scalar()
    if state is OrderState.REPLACED:
        return _AlreadyStored()
    return Conflict("already_paid", OrderMessage.ALREADY_PAID)


def _is_storable(key: str) -> bool:
    """Whether a key has only characters that stored keys have.

    PostgreSQL raises an error for some others, such as NUL.
    """
    return key.isascii() and key.isprintable()


def _lock_states(connection: Connection, stored: StoredOrder) -> StoredOrder | None:
    """Lock an order and its payment, and return them with their current states; None if missing.

    Nothing else that the outcome depends on ever changes.
    """
    states = connection.execute(_LOCK_STATES, {"payment_id": stored.payment.id}).one_or_none()
    if states is None:
        return None
    order_state, payment_state = states
    return replace(
        stored,
        order=replace(stored.order, state=order_state),
        payment=replace(stored.payment, state=payment_state),
    )
