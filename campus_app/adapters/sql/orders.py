"""Orders and payments in SQL: the same statements on SQLite and PostgreSQL."""

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
    order_values,
    payment_from,
    payment_values,
    placed,
    stored,
)
from campus_app.adapters.sql.refunds import mark_due
from campus_app.adapters.sql.seat_holds import (
    has_seats,
    hold_for_order,
    keep_seats,
    order_seats,
    pay_for_seats,
    release_seats,
)
from campus_app.adapters.sql.tables import OrderRow, PaymentRow
from campus_app.domain.errors import Conflict
from campus_app.domain.messages import OperatorMessage, OrderMessage, RefundReason
from campus_app.domain.money import to_paise
from campus_app.domain.notification import (
    Notice,
    NoticeState,
    NoticeStatus,
    notices_due,
)
from campus_app.domain.order import Order, OrderState
from campus_app.domain.order_number import order_number
from campus_app.domain.payment import (
    Payment,
    PaymentState,
    Settlement,
    Snapshot,
    last_check,
    states_before,
)
from campus_app.domain.reservation import Hold
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
_NOTICE_STATES = {JobState.DONE: NoticeState.SENT, JobState.DEAD: NoticeState.FAILED}


class _AlreadyPlaced(Exception):
    """Another transaction stored an order under the same key first."""


class SqlOrders:
    """Every change is one transaction; a unique key or a guarded update decides each race."""

    def __init__(self, database: Database, wake_outbox: Callable[[], None]) -> None:
        self._database = database
        self._wake_outbox = wake_outbox
        self._numbers = SqlNumbers()

    async def place(self, draft: OrderDraft, at: datetime, provider: str) -> StoredOrder:
        try:
            return await self._database.write(
                lambda connection: self._insert(connection, draft, at, provider)
            )
        except _AlreadyPlaced:
            placed = await self.by_key(draft.idempotency_key)
            if placed is None:
                raise
            return placed

    async def by_id(self, order_id: str) -> StoredOrder | None:
        return await self._named(_orders.c.id, order_id)

    async def by_number(self, number: str) -> StoredOrder | None:
        return await self._named(_orders.c.number, number)

    async def by_token(self, response_token: str) -> StoredOrder | None:
        return await self._named(_orders.c.response_token, response_token)

    async def by_reference(self, reference: str) -> StoredOrder | None:
        return await self._named(_payments.c.reference, reference)

    async def by_payment(self, payment_id: str) -> StoredOrder | None:
        return await self._named(_payments.c.id, payment_id)

    async def by_key(self, idempotency_key: str) -> StoredOrder | None:
        return await self._one(_by(_orders.c.idempotency_key), idempotency_key)

    async def newest_of_cart(self, cart_key: str) -> StoredOrder | None:
        return await self._one(_NEWEST_OF_CART, cart_key)

    async def move(self, payment: Payment, wanted: PaymentState, reason: str) -> bool:
        def work(connection: Connection) -> bool:
            if wanted is PaymentState.EXPIRED:
                # As everywhere, the order comes first: who replaces it may hold it already.
                connection.execute(_LOCK_ORDER, {"order": payment.order_id})
            moved = connection.execute(
                _move(wanted, self._may_leave_for(wanted)), {"moved": payment.id, "said": reason}
            )
            if moved.rowcount == 1 and wanted is PaymentState.EXPIRED:
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

    async def opened(self, payment_id: str, check_at: datetime | None) -> None:
        statement = _opened(self._may_leave_for(PaymentState.PENDING))
        await self._database.change(statement, _planned(payment_id, check_at))

    async def record_paid(
        self,
        found: StoredOrder,
        snapshot: Snapshot,
        decide: Callable[[StoredOrder, SeatCheck], Settlement],
        at: datetime,
    ) -> StoredOrder | None:
        payment_id = found.payment.id

        def work(connection: Connection) -> StoredOrder | None:
            current = _locked(connection, found)
            if current is None:
                return None
            moved = connection.execute(
                _record_paid(self._may_leave_for(PaymentState.PAID)),
                {
                    "moved": payment_id,
                    "said": "",
                    "name": snapshot.provider_payment_id,
                    "paise": None if snapshot.paid is None else to_paise(snapshot.paid),
                    "currency": snapshot.currency,
                    "at_ms": to_ms(at),
                    "check_ms": to_ms(last_check(found.payment, at)),
                },
            )
            if moved.rowcount != 1:
                return None
            order = current.order
            settlement = decide(current, lambda seats: has_seats(connection, order, seats, at))
            self._apply(connection, order, settlement, at)
            if settlement.order_state is OrderState.CONFIRMED:
                pay_for_seats(connection, order, at)
            else:
                release_seats(connection, order.id)
            _mark_refunds(connection, payment_id, snapshot, settlement, at)
            return as_recorded(current, snapshot, settlement, at)

        recorded = await self._database.write(work)
        if recorded is not None:
            self._wake_outbox()
        return recorded

    async def mark_unreadable(self, payment_id: str) -> bool:
        changed = await self._database.change(_MARK_UNREADABLE, {"marked": payment_id})
        return changed.count == 1

    async def keep_seats(self, order: Order, seats: int, at: datetime) -> bool:
        if order.reservation is None:
            return True
        return await self._database.write(
            lambda connection: keep_seats(connection, order, seats, at)
        )

    async def due_for_check(self, at: datetime, limit: int) -> Sequence[Payment]:
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

    async def check_unpaid(self, reference: str, at: datetime) -> Payment | None:
        if not _is_possible(reference):
            return None
        planned = {"known_as": reference, "at_ms": to_ms(at)}
        changed = await self._database.change(_CHECK_UNPAID, planned)
        return payment_from(changed.rows[0]) if changed.rows else None

    async def plan_check(
        self, payment_id: str, at: datetime | None, *, even_if_paid: bool = False
    ) -> None:
        statement = _PLAN_CHECK if even_if_paid else _PLAN_CHECK_UNLESS_PAID
        await self._database.change(statement, _planned(payment_id, at))

    async def notices(self, order_id: str) -> NoticeStatus:
        about = {"wanted": order_id}
        rows = await self._database.read(lambda connection: connection.execute(_TOLD, about).all())
        states = {
            topic: _NOTICE_STATES.get(JobState(state), NoticeState.PENDING) for topic, state in rows
        }
        return NoticeStatus(
            *(
                states.get(notice.value, NoticeState.PENDING)
                for notice in (Notice.CUSTOMER_MAIL, Notice.VENDOR_MAIL, Notice.VENDOR_CALL)
            )
        )

    def _may_leave_for(self, wanted: PaymentState) -> frozenset[PaymentState]:
        """The guard of every move: PAID is left by none, and reached once."""
        return states_before(wanted)

    def _apply(
        self, connection: Connection, order: Order, settlement: Settlement, at: datetime
    ) -> None:
        settled = {
            "settled": order.id,
            "becomes": settlement.order_state.value,
            "why": settlement.refund_reason or "",
        }
        connection.execute(_SETTLE, settled)
        enqueue(
            connection,
            [
                NewJob(f"{notice.value}:{order.id}", notice.value, order.id, {}, at)
                for notice in notices_due(settlement.order_state)
            ],
        )

    def _insert(
        self, connection: Connection, draft: OrderDraft, at: datetime, provider: str
    ) -> StoredOrder:
        order_id = new_id()
        if draft.replaces:
            _replace(connection, draft.replaces, at)
        number = self._numbers.take(connection, draft.wanted_number, order_id, at)
        new = placed(draft, order_id, order_number(number), at, provider)
        order = order_values(new.order, draft)
        inserted = connection.execute(_order_statement(connection.dialect.name), order)
        if inserted.first() is None:
            raise _AlreadyPlaced
        order_seats(connection, draft, self._hold_of(connection, draft), order_id, at)
        connection.execute(_PAYMENT_STATEMENT, payment_values(new.payment))
        return new

    def _hold_of(self, connection: Connection, draft: OrderDraft) -> Hold | None:
        """The guard of every hold: it belongs to one order that can be paid, never to two."""
        return hold_for_order(connection, draft)

    async def _named(self, column: Any, name: str) -> StoredOrder | None:
        """Return the order of a name that came from outside."""
        return await self._one(_by(column), name) if _is_possible(name) else None

    async def _one(self, statement: Any, wanted: str) -> StoredOrder | None:
        return await self._database.read(lambda connection: _find(connection, statement, wanted))


@cache
def _order_statement(dialect: str) -> Any:
    """Return how an order is stored unless its key is taken; built once, it costs half."""
    statement = insert_into(dialect, _orders)
    return statement.on_conflict_do_nothing(index_elements=["idempotency_key"]).returning(
        _orders.c.id
    )


def _mark_refunds(
    connection: Connection,
    payment_id: str,
    snapshot: Snapshot,
    settlement: Settlement,
    at: datetime,
) -> None:
    """Mark what of the money that arrived has to go back. Source: specification M11."""
    if settlement.order_state is OrderState.REFUND_DUE:
        paise = None if snapshot.paid is None else to_paise(snapshot.paid)
        mark_due(connection, payment_id, paise, settlement.refund_reason or "", at)
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
    # The next check closes the payment at the provider, so that nobody pays it any more.
    connection.execute(
        update(_payments).where(_payments.c.order_id == order_id).values(next_check_at_ms=to_ms(at))
    )


def _replacement_refused(connection: Connection, order_id: str) -> Exception:
    found = _find(connection, _by(_orders.c.id), order_id)
    if found is not None and found.order.state is OrderState.REPLACED:
        return _AlreadyPlaced()
    return Conflict("already_paid", OrderMessage.ALREADY_PAID)


def _is_possible(name: str) -> bool:
    """Whether a name may be one of ours, which have no odd characters.

    PostgreSQL can't even be asked about some of them.
    """
    return name.isascii() and name.isprintable()


def _locked(connection: Connection, found: StoredOrder) -> StoredOrder | None:
    """Return an order with its states as they are now, and until the transaction ends.

    Nothing else of it that a settlement depends on ever changes. None if it is not there.
    """
    states = connection.execute(_LOCK, {"paid_by": found.payment.id}).one_or_none()
    if states is None:
        return None
    return replace(
        found,
        order=replace(found.order, state=OrderState(states.order_state)),
        payment=replace(found.payment, state=PaymentState(states.payment_state)),
    )


def _find(connection: Connection, statement: Any, wanted: str) -> StoredOrder | None:
    row = connection.execute(statement, {"wanted": wanted}).one_or_none()
    return None if row is None else stored(row)


# Statements of every order's way: building one anew costs more than carrying it out.


def _newest(condition: Any) -> Any:
    """Return how the newest order that fits is read, with its payment."""
    return (
        select(_orders, *(column.label(PAYMENT_PREFIX + column.name) for column in _payments.c))
        .join(_payments, _payments.c.order_id == _orders.c.id)
        .where(condition)
        .order_by(_orders.c.created_at_ms.desc(), _orders.c.cart_generation.desc())
        .limit(1)
    )


@cache
def _by(column: Any) -> Any:
    return _newest(column == bindparam("wanted"))


_LOCK = (
    select(_orders.c.state.label("order_state"), _payments.c.state.label("payment_state"))
    .join(_payments, _payments.c.order_id == _orders.c.id)
    .where(_payments.c.id == bindparam("paid_by"))
    .with_for_update()
)
_LOCK_ORDER = select(_orders.c.id).where(_orders.c.id == bindparam("order")).with_for_update()
_OF_CART = _orders.c.cart_key == bindparam("wanted")
# By generation: a clock that was put back must not bring an older order to the front.
_NEWEST_OF_CART = _newest(
    and_(
        _OF_CART,
        _orders.c.cart_generation
        == select(func.max(_orders.c.cart_generation)).where(_OF_CART).scalar_subquery(),
    )
)


@cache
def _move(wanted: PaymentState, left: frozenset[PaymentState]) -> Any:
    """Return how a payment comes to a state, from those that it may leave for it."""
    return (
        update(_payments)
        .where(
            _payments.c.id == bindparam("moved"),
            _payments.c.state.in_(sorted(state.value for state in left)),
        )
        .values(state=wanted.value, reason=bindparam("said"))
    )


@cache
def _record_paid(left: frozenset[PaymentState]) -> Any:
    return _move(PaymentState.PAID, left).values(
        provider_payment_id=bindparam("name"),
        paid_paise=bindparam("paise"),
        paid_currency=bindparam("currency"),
        paid_at_ms=bindparam("at_ms"),
        next_check_at_ms=bindparam("check_ms"),
    )


@cache
def _opened(left: frozenset[PaymentState]) -> Any:
    """Return how a payment begins to wait, and when it is asked after; what is paid stays so."""
    waits = _payments.c.state.in_(sorted(state.value for state in left))
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
        # Nothing is known to have failed any more.
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
_SETTLE = (
    update(_orders)
    .where(_orders.c.id == bindparam("settled"))
    .values(state=bindparam("becomes"), refund_reason=bindparam("why"))
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
        _payments.c.reference == bindparam("known_as"),
        _payments.c.state != PaymentState.PAID.value,
    )
    .values(next_check_at_ms=bindparam("at_ms"))
    .returning(_payments)
)
_TOLD = select(_outbox.c.topic, _outbox.c.state).where(_outbox.c.subject == bindparam("wanted"))
