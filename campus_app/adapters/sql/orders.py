"""Orders and payments in SQL, with the same statements on SQLite and PostgreSQL."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import cache
from typing import Any

from sqlalchemy import (
    Connection,
    and_,
    bindparam,
    case,
    func,
    insert,
    select,
    update,
)

from campus_app.adapters.sql.order_numbers import SqlNumbers
from campus_app.adapters.sql.order_rows import (
    PAYMENT_PREFIX,
    as_recorded,
    new_id,
    new_order,
    order_values,
    payment_from,
    payment_values,
    stored_order_from,
)
from campus_app.adapters.sql.refunds import mark_due
from campus_app.adapters.sql.seat_holds import (
    assign_seats,
    confirm_seats,
    has_seats,
    hold_for_order,
    release_seats,
    renew_hold,
)
from campus_app.adapters.sql.tables import OrderRow, PaymentRow
from campus_app.domain.errors import Conflict
from campus_app.domain.messages import OperatorMessage, OrderMessage, RefundReason
from campus_app.domain.money import to_paise
from campus_app.domain.notification import (
    Notification,
    NotificationState,
    NotificationStatus,
    notifications_due,
)
from campus_app.domain.order import Order, OrderState
from campus_app.domain.order_number import order_number
from campus_app.domain.payment import (
    OrderOutcome,
    Payment,
    PaymentState,
    Snapshot,
    last_check,
    states_before,
)
from campus_app.domain.reservation import SeatHold
from campus_app.ports.orders import OrderDraft, SeatCheck, StoredOrder
from kit.clock import to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of
from kit.outbox.models import JobState, NewJob, OutboxRow, enqueue

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_outbox = table_of(OutboxRow)

_CHECK_LEASE = timedelta(minutes=1)
_PAYMENT_STATEMENT = insert(_payments)
_STATE_OF_JOB = {JobState.DONE: NotificationState.SENT, JobState.DEAD: NotificationState.FAILED}


class _AlreadyStored(Exception):
    """Another transaction stored an order with the same key first."""


class SqlOrders:
    """Every change is one transaction; a unique key or a guarded update decides each race."""

    def __init__(self, database: Database, wake_outbox: Callable[[], None]) -> None:
        self._database = database
        self._wake_outbox = wake_outbox
        self._numbers = SqlNumbers()

    async def create(self, draft: OrderDraft, at: datetime, provider: str) -> StoredOrder:
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
        return await self._by_untrusted(_orders.c.id, order_id)

    async def by_number(self, number: str) -> StoredOrder | None:
        return await self._by_untrusted(_orders.c.number, number)

    async def by_token(self, response_token: str) -> StoredOrder | None:
        return await self._by_untrusted(_orders.c.response_token, response_token)

    async def by_reference(self, reference: str) -> StoredOrder | None:
        return await self._by_untrusted(_payments.c.reference, reference)

    async def by_payment(self, payment_id: str) -> StoredOrder | None:
        return await self._by_untrusted(_payments.c.id, payment_id)

    async def by_key(self, idempotency_key: str) -> StoredOrder | None:
        return await self._one(_by(_orders.c.idempotency_key), idempotency_key)

    async def latest_of_cart(self, cart_key: str) -> StoredOrder | None:
        return await self._one(_NEWEST_OF_CART, cart_key)

    async def transition(self, payment: Payment, target: PaymentState, reason: str) -> bool:
        def work(connection: Connection) -> bool:
            if target is PaymentState.EXPIRED:
                # Lock the order before its payment, as all transactions do, to avoid deadlocks.
                connection.execute(_LOCK_ORDER, {"order": payment.order_id})
            moved = connection.execute(
                _transition_statement(target, self._allowed_sources(target)),
                {"moved": payment.id, "new_reason": reason},
            )
            if moved.rowcount == 1 and target is PaymentState.EXPIRED:
                connection.execute(
                    update(_orders)
                    .where(
                        _orders.c.id == payment.order_id,
                        _orders.c.state == OrderState.PENDING.value,
                    )
                    .values(state=OrderState.LAPSED.value)
                )
                release_seats(connection, payment.order_id)
            return moved.rowcount == 1

        return await self._database.write(work)

    async def mark_opened(self, payment_id: str, check_at: datetime | None) -> None:
        statement = _opened_statement(self._allowed_sources(PaymentState.PENDING))
        await self._database.execute(statement, _planned(payment_id, check_at))

    async def record_paid(
        self,
        stored: StoredOrder,
        snapshot: Snapshot,
        decide: Callable[[StoredOrder, SeatCheck], OrderOutcome],
        at: datetime,
    ) -> StoredOrder | None:
        payment_id = stored.payment.id

        def work(connection: Connection) -> StoredOrder | None:
            current = _lock_states(connection, stored)
            if current is None:
                return None
            moved = connection.execute(
                _record_paid_statement(self._allowed_sources(PaymentState.PAID)),
                {
                    "moved": payment_id,
                    "new_reason": "",
                    "name": snapshot.provider_payment_id,
                    "paise": None if snapshot.paid is None else to_paise(snapshot.paid),
                    "currency": snapshot.currency,
                    "at_ms": to_ms(at),
                    "check_ms": to_ms(last_check(stored.payment, at)),
                },
            )
            if moved.rowcount != 1:
                return None
            order = current.order
            outcome = decide(current, lambda seats: has_seats(connection, order, seats, at))
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
        changed = await self._database.execute(_MARK_UNREADABLE, {"marked": payment_id})
        return changed.rowcount == 1

    async def renew_hold(self, order: Order, seats: int, at: datetime) -> bool:
        if order.reservation is None:
            return True
        return await self._database.write(
            lambda connection: renew_hold(connection, order, seats, at)
        )

    async def claim_due_checks(self, at: datetime, limit: int) -> Sequence[Payment]:
        due = (
            select(_payments)
            .where(_payments.c.next_check_at_ms <= to_ms(at))
            .order_by(_payments.c.next_check_at_ms)
            .limit(limit)
        )
        if not await self._database.read(lambda connection: connection.execute(due).first()):
            return []

        def work(connection: Connection) -> Sequence[Payment]:
            rows = connection.execute(due.with_for_update(skip_locked=True)).all()
            connection.execute(
                update(_payments)
                .where(_payments.c.id.in_([row.id for row in rows]))
                .values(next_check_at_ms=to_ms(at + _CHECK_LEASE))
            )
            return [payment_from(row) for row in rows]

        return await self._database.write(work)

    async def schedule_unpaid_check(self, reference: str, at: datetime) -> Payment | None:
        if not _is_storable(reference):
            return None
        planned = {"of_reference": reference, "at_ms": to_ms(at)}
        changed = await self._database.execute(_CHECK_UNPAID, planned)
        return payment_from(changed.rows[0]) if changed.rows else None

    async def schedule_check(
        self, payment_id: str, at: datetime | None, *, even_if_paid: bool = False
    ) -> None:
        statement = _PLAN_CHECK if even_if_paid else _PLAN_CHECK_UNLESS_PAID
        await self._database.execute(statement, _planned(payment_id, at))

    async def notification_status(self, order_id: str) -> NotificationStatus:
        parameters = {"key": order_id}
        rows = await self._database.read(
            lambda connection: connection.execute(_NOTIFICATION_STATES, parameters).all()
        )
        states = {
            topic: _STATE_OF_JOB.get(JobState(state), NotificationState.PENDING)
            for topic, state in rows
        }
        return NotificationStatus(
            *(
                states.get(notice.value, NotificationState.PENDING)
                for notice in (
                    Notification.CUSTOMER_MAIL,
                    Notification.VENDOR_MAIL,
                    Notification.VENDOR_CALL,
                )
            )
        )

    def _allowed_sources(self, target: PaymentState) -> frozenset[PaymentState]:
        """Return the states that the guarded update of a transition requires."""
        return states_before(target)

    def _apply(
        self, connection: Connection, order: Order, outcome: OrderOutcome, at: datetime
    ) -> None:
        settled = {
            "settled": order.id,
            "new_state": outcome.order_state.value,
            "new_reason": outcome.refund_reason or "",
        }
        connection.execute(_SET_OUTCOME, settled)
        enqueue(
            connection,
            [
                NewJob(f"{notice.value}:{order.id}", notice.value, order.id, {}, at)
                for notice in notifications_due(outcome.order_state)
            ],
        )

    def _insert(
        self, connection: Connection, draft: OrderDraft, at: datetime, provider: str
    ) -> StoredOrder:
        order_id = new_id()
        if draft.replaces:
            _replace(connection, draft.replaces, at)
        number = self._numbers.take(connection, draft.requested_number, order_id, at)
        new = new_order(draft, order_id, order_number(number), at, provider)
        order = order_values(new.order, draft)
        inserted = connection.execute(_order_statement(connection.dialect.name), order)
        if inserted.first() is None:
            raise _AlreadyStored
        assign_seats(connection, draft, self._lock_hold(connection, draft), order_id, at)
        connection.execute(_PAYMENT_STATEMENT, payment_values(new.payment))
        return new

    def _lock_hold(self, connection: Connection, draft: OrderDraft) -> SeatHold | None:
        """Return the draft's seat hold, which belongs to at most one payable order."""
        return hold_for_order(connection, draft)

    async def _by_untrusted(self, column: Any, name: str) -> StoredOrder | None:
        """Return the order with a key that came from outside."""
        return await self._one(_by(column), name) if _is_storable(name) else None

    async def _one(self, statement: Any, key: str) -> StoredOrder | None:
        return await self._database.read(lambda connection: _fetch_one(connection, statement, key))


@cache
def _order_statement(dialect: str) -> Any:
    """Return the insert of an order, without effect if its key exists.

    Cached, since building the statement takes as long as executing it.
    """
    statement = insert_into(dialect, _orders)
    return statement.on_conflict_do_nothing(index_elements=["idempotency_key"]).returning(
        _orders.c.id
    )


def _mark_refunds(
    connection: Connection,
    payment_id: str,
    snapshot: Snapshot,
    outcome: OrderOutcome,
    at: datetime,
) -> None:
    """Mark as due what must be refunded of a payment that arrived. Source: specification M11."""
    if outcome.order_state is OrderState.REFUND_DUE:
        paise = None if snapshot.paid is None else to_paise(snapshot.paid)
        mark_due(connection, payment_id, paise, outcome.refund_reason or "", at)
    again = RefundReason.PAID_AGAIN
    if snapshot.surplus:
        mark_due(connection, payment_id, to_paise(snapshot.surplus), again, at)
    if snapshot.has_unread_surplus:
        mark_due(connection, payment_id, None, again, at)


def _replace(connection: Connection, order_id: str, at: datetime) -> None:
    replaced = connection.execute(
        update(_orders)
        .where(
            _orders.c.id == order_id,
            _orders.c.state.in_([OrderState.PENDING.value, OrderState.LAPSED.value]),
        )
        .values(state=OrderState.REPLACED.value)
    )
    if replaced.rowcount != 1:
        raise _replacement_refused(connection, order_id)
    # The next check closes the payment at the provider, so that it cannot be paid any more.
    connection.execute(
        update(_payments).where(_payments.c.order_id == order_id).values(next_check_at_ms=to_ms(at))
    )


def _replacement_refused(connection: Connection, order_id: str) -> Exception:
    stored = _fetch_one(connection, _by(_orders.c.id), order_id)
    if stored is not None and stored.order.state is OrderState.REPLACED:
        return _AlreadyStored()
    return Conflict("already_paid", OrderMessage.ALREADY_PAID)


def _is_storable(name: str) -> bool:
    """Whether a key can be stored at all: keys have no unusual characters.

    PostgreSQL raises an error for some of them, such as NUL.
    """
    return name.isascii() and name.isprintable()


def _lock_states(connection: Connection, stored: StoredOrder) -> StoredOrder | None:
    """Lock an order and its payment, and return them with their current states; None if missing.

    Nothing else that the outcome depends on ever changes.
    """
    states = connection.execute(_LOCK, {"paid_by": stored.payment.id}).one_or_none()
    if states is None:
        return None
    return replace(
        stored,
        order=replace(stored.order, state=OrderState(states.order_state)),
        payment=replace(stored.payment, state=PaymentState(states.payment_state)),
    )


def _fetch_one(connection: Connection, statement: Any, key: str) -> StoredOrder | None:
    row = connection.execute(statement, {"key": key}).one_or_none()
    return None if row is None else stored_order_from(row)


# Statements used for every order are built once: building takes longer than executing.


def _select_newest(condition: Any) -> Any:
    """Return the query of the newest matching order with its payment."""
    return (
        select(_orders, *(column.label(PAYMENT_PREFIX + column.name) for column in _payments.c))
        .join(_payments, _payments.c.order_id == _orders.c.id)
        .where(condition)
        .order_by(_orders.c.created_at_ms.desc(), _orders.c.cart_generation.desc())
        .limit(1)
    )


@cache
def _by(column: Any) -> Any:
    return _select_newest(column == bindparam("key"))


_LOCK = (
    select(_orders.c.state.label("order_state"), _payments.c.state.label("payment_state"))
    .join(_payments, _payments.c.order_id == _orders.c.id)
    .where(_payments.c.id == bindparam("paid_by"))
    .with_for_update()
)
_LOCK_ORDER = select(_orders.c.id).where(_orders.c.id == bindparam("order")).with_for_update()
_OF_CART = _orders.c.cart_key == bindparam("key")
# By generation, since after a clock is set back an older order may have a later time.
_NEWEST_OF_CART = _select_newest(
    and_(
        _OF_CART,
        _orders.c.cart_generation
        == select(func.max(_orders.c.cart_generation)).where(_OF_CART).scalar_subquery(),
    )
)


@cache
def _transition_statement(target: PaymentState, sources: frozenset[PaymentState]) -> Any:
    """Return the guarded update of a payment's state."""
    return (
        update(_payments)
        .where(
            _payments.c.id == bindparam("moved"),
            _payments.c.state.in_(sorted(state.value for state in sources)),
        )
        .values(state=target.value, reason=bindparam("new_reason"))
    )


@cache
def _record_paid_statement(sources: frozenset[PaymentState]) -> Any:
    return _transition_statement(PaymentState.PAID, sources).values(
        provider_payment_id=bindparam("name"),
        paid_paise=bindparam("paise"),
        paid_currency=bindparam("currency"),
        paid_at_ms=bindparam("at_ms"),
        next_check_at_ms=bindparam("check_ms"),
    )


@cache
def _opened_statement(sources: frozenset[PaymentState]) -> Any:
    """Return the update that schedules a check and makes an unpaid payment PENDING."""
    waits = _payments.c.state.in_(sorted(state.value for state in sources))
    return _PLAN_CHECK_UNLESS_PAID.values(
        state=case((waits, PaymentState.PENDING.value), else_=_payments.c.state),
        reason=case((waits, ""), else_=_payments.c.reason),
    )


_MARK_UNREADABLE = (
    update(_payments)
    .where(
        _payments.c.id == bindparam("marked"),
        _payments.c.state != PaymentState.PAID.value,
        _payments.c.reason != OperatorMessage.PAYMENT_UNREADABLE.value,
    )
    .values(
        reason=OperatorMessage.PAYMENT_UNREADABLE.value,
        # The failure is not certain any more.
        state=case(
            (
                _payments.c.state.in_(
                    sorted(each.value for each in states_before(PaymentState.PENDING))
                ),
                PaymentState.PENDING.value,
            ),
            else_=_payments.c.state,
        ),
    )
)
_SET_OUTCOME = (
    update(_orders)
    .where(_orders.c.id == bindparam("settled"))
    .values(state=bindparam("new_state"), refund_reason=bindparam("new_reason"))
)


def _planned(payment_id: str, at: datetime | None) -> dict[str, Any]:
    return {"planned": payment_id, "at_ms": None if at is None else to_ms(at)}


_PLAN_CHECK = (
    update(_payments)
    .where(_payments.c.id == bindparam("planned"))
    .values(next_check_at_ms=bindparam("at_ms"))
)
_PLAN_CHECK_UNLESS_PAID = _PLAN_CHECK.where(_payments.c.state != PaymentState.PAID.value)
_CHECK_UNPAID = (
    update(_payments)
    .where(
        _payments.c.reference == bindparam("of_reference"),
        _payments.c.state != PaymentState.PAID.value,
    )
    .values(next_check_at_ms=bindparam("at_ms"))
    .returning(_payments)
)
_NOTIFICATION_STATES = select(_outbox.c.topic, _outbox.c.state).where(
    _outbox.c.subject == bindparam("key")
)
