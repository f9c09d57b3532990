"""Call attempts in SQL."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from campus_app.adapters.sql.tables import CallAttemptRow
from campus_app.domain.missed_call import (
    CallAttempt,
    CallReport,
    CallStatus,
    can_claim,
    with_report,
    without_call,
)
from campus_app.domain.notification import Notification
from kit.clock import from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of
from kit.outbox.models import run_now

_call_attempts = table_of(CallAttemptRow)


class SqlCallAttempts:
    """A unique key on order and number makes each attempt of an order unique."""

    def __init__(self, database: Database, wake_outbox: Callable[[], None]) -> None:
        self._database = database
        self._wake_outbox = wake_outbox

    async def latest(self, order_id: str) -> CallAttempt | None:
        statement = (
            select(_call_attempts)
            .where(_call_attempts.c.order_id == order_id)
            .order_by(_call_attempts.c.number.desc())
            .limit(1)
        )
        row = await self._database.read(
            lambda connection: connection.execute(statement).one_or_none()
        )
        return None if row is None else _call_attempt(row)

    async def begin(self, attempt: CallAttempt) -> bool:
        statement = (
            insert_into(self._database.dialect, _call_attempts)
            .values(
                token=attempt.token,
                order_id=attempt.order_id,
                number=attempt.number,
                restaurant_id=attempt.restaurant_id,
                phone=attempt.phone,
                started_at_ms=to_ms(attempt.started_at),
                is_confirmed=False,
                has_rung=False,
                sequence=attempt.sequence,
            )
            .on_conflict_do_nothing(index_elements=["order_id", "number"])
            .returning(_call_attempts.c.token)
        )
        inserted = await self._database.execute(statement)
        return len(inserted.rows) == 1

    async def withdraw(self, attempt: CallAttempt) -> None:
        statement = delete(_call_attempts).where(_call_attempts.c.token == attempt.token)
        await self._database.execute(statement)

    async def record_status(
        self, token: str, report: CallReport, at: datetime, *, is_confirmed: bool
    ) -> CallAttempt | None:
        def work(connection: Connection) -> tuple[CallAttempt | None, bool]:
            before = _locked(connection, _call_attempts.c.token == token)
            if before is None or not can_claim(before, report.sid, is_confirmed=is_confirmed):
                return None, False
            if not _is_free(connection, token, report.sid, is_confirmed=is_confirmed):
                return None, False
            after = with_report(before, report, is_confirmed=is_confirmed)
            if after != before:
                _keep(connection, after)
            ends = after.outcome is not before.outcome
            if ends:
                run_now(connection, f"{Notification.VENDOR_CALL.value}:{after.order_id}", at)
            return after, ends

        try:
            attempt, ends = await self._database.write(work)
        except IntegrityError:  # a concurrent transaction assigned the call to another attempt
            return None
        if ends:
            self._wake_outbox()
        return attempt

    async def count(self, restaurant_id: int, since: datetime) -> int:
        statement = select(func.count()).where(
            _call_attempts.c.restaurant_id == restaurant_id,
            _call_attempts.c.started_at_ms > to_ms(since),
        )
        return await self._database.read(
            lambda connection: connection.execute(statement).scalar_one()
        )

    async def unclaimed(self, sids: Sequence[str]) -> Sequence[str]:
        statement = select(_call_attempts.c.sid).where(_call_attempts.c.sid.in_(sids))
        claimed = await self._database.read(
            lambda connection: set(connection.execute(statement).scalars())
        )
        return [sid for sid in sids if sid not in claimed]


def _locked(connection: Connection, condition: ColumnElement[bool]) -> CallAttempt | None:
    statement = select(_call_attempts).where(condition).with_for_update()
    row = connection.execute(statement).one_or_none()
    return None if row is None else _call_attempt(row)


def _is_free(connection: Connection, token: str, sid: str, *, is_confirmed: bool) -> bool:
    """Whether no other attempt has this call; an attempt that was only matched with it loses it."""
    other = _locked(connection, and_(_call_attempts.c.sid == sid, _call_attempts.c.token != token))
    if other is None:
        return True
    if other.is_confirmed or not is_confirmed:
        return False
    _keep(connection, without_call(other))
    return True


def _keep(connection: Connection, attempt: CallAttempt) -> None:
    connection.execute(
        update(_call_attempts)
        .where(_call_attempts.c.token == attempt.token)
        .values(
            sid=attempt.sid or None,
            is_confirmed=attempt.is_confirmed,
            status=None if attempt.status is None else attempt.status.value,
            has_rung=attempt.has_rung,
            sequence=attempt.sequence,
        )
    )


def _call_attempt(row: Any) -> CallAttempt:
    return CallAttempt(
        token=row.token,
        order_id=row.order_id,
        number=row.number,
        restaurant_id=row.restaurant_id,
        phone=row.phone,
        started_at=from_ms(row.started_at_ms),
        sid=row.sid or "",
        is_confirmed=row.is_confirmed,
        status=None if row.status is None else CallStatus(row.status),
        has_rung=row.has_rung,
        sequence=row.sequence,
    )
