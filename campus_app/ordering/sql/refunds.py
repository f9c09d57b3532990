"""Refunds in SQL; a due refund is marked in the transaction that finds it."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import Connection, func, insert, select, update

from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import (
    OPEN,
    OpenRefund,
    RefundPart,
    RefundRecord,
    RefundState,
    left_to_refund,
    of_own_payment,
    refund_id,
    refund_states_before,
)
from campus_app.ordering.rules.shortage import ShortageAnswer
from campus_app.ordering.sql.seat_holds import release_seats
from campus_app.ordering.sql.tables import OrderRow, PaymentRow, RefundRow, ShortageRow
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import OperatorMessage, RefundReason
from campus_app.shared.rules.money import ZERO, Rupees, format_rupees
from campus_app.shared.sql.audit import record
from kit.db.database import Database
from kit.db.tables import from_row, table_of

_orders = table_of(OrderRow)
_payments = table_of(PaymentRow)
_refunds = table_of(RefundRow)
_shortages = table_of(ShortageRow)

_CHECK_EVERY = timedelta(minutes=10)
_FINAL = {RefundState.DONE, RefundState.FAILED}


def mark_due(
    connection: Connection, payment_id: str, amount: Rupees | None, reason: str, at: datetime
) -> None:
    """Insert a due refund in the caller's transaction, which must hold the payment's lock."""
    latest = select(func.max(_refunds.c.number)).where(_refunds.c.payment_id == payment_id)
    number = (connection.execute(latest).scalar() or 0) + 1
    connection.execute(
        insert(_refunds).values(
            id=refund_id(payment_id, number),
            payment_id=payment_id,
            number=number,
            amount=amount,
            reason=reason,
            state=RefundState.DUE,
            marked_at=at,
        )
    )


class SqlRefunds:
    """The payment's row is the lock; guarded updates decide races."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_payment(self, payment_id: str) -> Sequence[RefundRecord]:
        """Return a payment's refunds in order of their number."""
        return await self._database.read(lambda connection: _of(connection, payment_id))

    async def paid_amount(self, payment_id: str) -> tuple[Rupees | None, str]:
        """Return the paid amount of a payment, None if it is unknown, and its currency."""
        paid = select(_payments.c.paid, _payments.c.paid_currency)
        (row,) = await self._database.fetch_all(paid.where(_payments.c.id == payment_id))
        return row.paid, row.paid_currency

    async def mark_surplus(
        self, payment_id: str, surplus: Rupees, at: datetime, *, has_unread: bool = False
    ) -> bool:
        """Mark an overpayment as due for refund; False if it was marked before.

        `has_unread`: a further payment of unknown amount arrived as well.
        """
        again = RefundReason.PAID_AGAIN

        def work(connection: Connection) -> bool:
            _locked(connection, payment_id)
            marked = [
                each.amount
                for each in _of(connection, payment_id)
                if each.reason == again and each.state is not RefundState.FAILED
            ]
            missing = surplus - sum(each for each in marked if each is not None)
            if missing > 0:
                mark_due(connection, payment_id, missing, again, at)
            is_new_unread = has_unread and None not in marked
            if is_new_unread:
                mark_due(connection, payment_id, None, again, at)
            return missing > 0 or is_new_unread

        return await self._database.write(work)

    async def begin(
        self,
        payment_id: str,
        entry_of: Callable[[Sequence[RefundRecord]], AuditEntry],
        at: datetime,
        *,
        whole: bool,
        part: RefundPart | None = None,
    ) -> Sequence[OpenRefund]:
        """Mark the due refunds as requested, with an audit entry; return the refunds to request.

        `whole`: refund the order's own payment even if it is not due. `part`: refund this part.

        Raises:
            Conflict: `refunds_changed` or `part_too_large`, if the part can't be refunded any more.
        """

        def work(connection: Connection) -> Sequence[OpenRefund]:
            reference, order_id, _ = _locked(connection, payment_id)
            if whole:
                mark_whole(connection, payment_id, RefundReason.BY_OPERATOR, at)
            if part is not None:
                _mark_part(connection, payment_id, part, at)
            connection.execute(
                update(_refunds)
                .where(
                    _refunds.c.payment_id == payment_id,
                    _refunds.c.state == RefundState.DUE,
                )
                .values(state=RefundState.ASKED, next_check_at=at + _CHECK_EVERY)
            )
            requested = [each for each in _of(connection, payment_id) if each.state in OPEN]
            record(connection, entry_of(requested))
            return [OpenRefund(each, reference, order_id) for each in requested]

        return await self._database.write(work)

    async def record_state(self, refund_id: str, state: RefundState, at: datetime) -> bool:
        """Record a refund's state; the amount of a failed one becomes due again."""

        def work(connection: Connection) -> bool:
            updated = connection.execute(
                update(_refunds)
                .where(
                    _refunds.c.id == refund_id,
                    _refunds.c.state.in_(refund_states_before(state)),
                )
                .values(
                    state=state,
                    completed_at=at if state in _FINAL else None,
                    next_check_at=at + _CHECK_EVERY if state in OPEN else None,
                )
                .returning(_refunds.c.payment_id, _refunds.c.amount, _refunds.c.reason)
            ).one_or_none()
            if updated is not None and state is RefundState.FAILED:
                payment_id, amount, reason = updated
                _locked(connection, payment_id)
                mark_due(connection, payment_id, amount, reason, at)
            return updated is not None

        return await self._database.write(work)

    async def claim_due_checks(self, at: datetime, limit: int) -> Sequence[OpenRefund]:
        """Return open refunds that are due for a check, and schedule the next one."""
        due = (
            _select_open()
            .where(_refunds.c.next_check_at <= at)
            .order_by(_refunds.c.next_check_at)
            .limit(limit)
        )
        if not await self._database.fetch_all(due):
            return []

        def work(connection: Connection) -> Sequence[OpenRefund]:
            rows = connection.execute(due.with_for_update(of=_refunds, skip_locked=True)).all()
            connection.execute(
                update(_refunds)
                .where(_refunds.c.id.in_([row.id for row in rows]))
                .values(next_check_at=at + _CHECK_EVERY)
            )
            return [_open_refund(row) for row in rows]

        return await self._database.write(work)

    async def open_refunds_of(self, reference: str) -> Sequence[OpenRefund]:
        """Return the open refunds of the payment with this reference."""
        statement = _select_open().where(_payments.c.reference == reference)
        rows = await self._database.fetch_all(statement)
        return [_open_refund(row) for row in rows]


def _select_open() -> Any:
    return (
        select(_refunds, _payments.c.reference, _payments.c.order_id)
        .select_from(_refunds.join(_payments))
        .where(_refunds.c.state.in_(OPEN))
    )


def _open_refund(row: Any) -> OpenRefund:
    return OpenRefund(from_row(RefundRecord, _refunds, row), row.reference, row.order_id)


def _locked(connection: Connection, payment_id: str) -> Any:
    """Lock a payment, and return its reference, its order's id and the amount paid."""
    return connection.execute(
        select(_payments.c.reference, _payments.c.order_id, _payments.c.paid)
        .where(_payments.c.id == payment_id)
        .with_for_update()
    ).one()


def _of(connection: Connection, payment_id: str) -> list[RefundRecord]:
    statement = (
        select(_refunds).where(_refunds.c.payment_id == payment_id).order_by(_refunds.c.number)
    )
    return [from_row(RefundRecord, _refunds, row) for row in connection.execute(statement)]


def _mark_part(connection: Connection, payment_id: str, part: RefundPart, at: datetime) -> None:
    """Mark a part of the order's own payment as due for refund; the order stays as it is."""
    earlier = _of(connection, payment_id)
    if len(earlier) != part.after or any(each.is_unfinished for each in earlier):
        raise Conflict("refunds_changed", OperatorMessage.REFUNDS_CHANGED)
    left = left_of(connection, payment_id)
    if left is None or part.amount >= left:
        text = OperatorMessage.PART_TOO_LARGE.of(most=format_rupees(left or ZERO))
        raise Conflict("part_too_large", text)
    mark_due(connection, payment_id, part.amount, RefundReason.PART_BY_OPERATOR, at)


def _is_confirmed(connection: Connection, order_id: str) -> bool:
    state = select(_orders.c.state).where(_orders.c.id == order_id)
    return connection.execute(state).scalar_one() is OrderState.CONFIRMED


def left_of(connection: Connection, payment_id: str) -> Rupees | None:
    """Return what no refund gives, or will give, of the order's own payment; None if unknown.

    The caller's transaction must hold the payment's lock.
    """
    _, _, paid = _locked(connection, payment_id)
    return left_to_refund(paid, _of(connection, payment_id))


def mark_whole(connection: Connection, payment_id: str, reason: RefundReason, at: datetime) -> None:
    """Mark what is left of the order's own payment as due for refund, and give up its table.

    What its customer could still choose is answered by it.

    If nothing is left, no refund is marked, and an order whose money went back before stays as it
    is. The caller's transaction must hold the payment's lock.
    """
    _, order_id, paid = _locked(connection, payment_id)
    earlier = of_own_payment(_of(connection, payment_id))
    left = left_to_refund(paid, earlier)
    if earlier and left is None:
        return
    if left != ZERO:
        mark_due(connection, payment_id, left, reason, at)
    elif not _is_confirmed(connection, order_id):
        return
    connection.execute(
        update(_orders)
        .where(_orders.c.id == order_id)
        .values(state=OrderState.REFUND_DUE, refund_reason=reason)
    )
    connection.execute(
        update(_shortages)
        .where(_shortages.c.order_id == order_id, _shortages.c.answer == ShortageAnswer.OPEN)
        .values(answer=ShortageAnswer.ORDER_BACK, answered_at=at)
    )
    release_seats(connection, order_id, even_firm=True)
