"""Call attempts in SQL."""

from collections.abc import Callable, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from campus_app.notifications.rules.missed_call import (
    CallAttempt,
    CallReason,
    CallReport,
    call_reason,
    can_claim,
    with_report,
    without_call,
)
from campus_app.notifications.sql.tables import CallAttemptRow
from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of
from kit.outbox.models import run_now

_call_attempts = table_of(CallAttemptRow)


class SqlCallAttempts:
    """A unique key on order and number makes each attempt of an order unique."""

    def __init__(self, database: Database, wake_outbox: Callable[[], None]) -> None:
        self._database = database
        self._wake_outbox = wake_outbox

    async def latest(
        self, order_id: str, reason: CallReason = CallReason.PAID
    ) -> CallAttempt | None:
        """Return the latest attempt of an order for this reason."""
        starts = CallReason.UNSEEN.first_number
        number = _call_attempts.c.number
        statement = (
            select(_call_attempts)
            .where(
                _call_attempts.c.order_id == order_id,
                number >= starts if reason is CallReason.UNSEEN else number < starts,
            )
            .order_by(_call_attempts.c.number.desc())
            .limit(1)
        )
        row = await self._database.fetch_one(statement)
        return None if row is None else _call_attempt(row)

    async def begin(self, attempt: CallAttempt) -> bool:
        """Store an attempt before its call is made; False if its number is already stored."""
        statement = (
            insert_into(self._database.dialect, _call_attempts)
            .values(_values(attempt))
            .on_conflict_do_nothing(index_elements=["order_id", "number"])
            .returning(_call_attempts.c.token)
        )
        inserted = await self._database.execute(statement)
        return len(inserted.rows) == 1

    async def withdraw(self, attempt: CallAttempt) -> None:
        """Delete an attempt whose call certainly was not made."""
        statement = delete(_call_attempts).where(_call_attempts.c.token == attempt.token)
        await self._database.execute(statement)

    async def record_status(
        self, token: str, report: CallReport, at: datetime, *, is_confirmed: bool
    ) -> CallAttempt | None:
        """Apply a report to an attempt; None if the attempt is unknown or has another call.

        If the attempt's outcome changes, the outbox job of its call is run now. A report that the
        service itself assigns to this attempt (`is_confirmed`) takes the call from an attempt that
        it was only matched with.
        """

        def work(connection: Connection) -> tuple[CallAttempt | None, bool]:
            before = _locked(connection, _call_attempts.c.token == token)
            if before is None or not can_claim(before, report.sid, is_confirmed=is_confirmed):
                return None, False
            if not _is_free(connection, token, report.sid, is_confirmed=is_confirmed):
                return None, False
            after = with_report(before, report, is_confirmed=is_confirmed)
            if after != before:
                _update(connection, after)
            ends = after.outcome is not before.outcome
            if ends:
                run_now(connection, f"{call_reason(after.number)}:{after.order_id}", at)
            return after, ends

        try:
            attempt, ends = await self._database.write(work)
        except IntegrityError:  # a concurrent transaction assigned the call to another attempt
            return None
        if ends:
            self._wake_outbox()
        return attempt

    async def count(self, restaurant_id: int, since: datetime) -> int:
        """Return how often a restaurant was called since then."""
        statement = select(func.count()).where(
            _call_attempts.c.restaurant_id == restaurant_id,
            _call_attempts.c.started_at > since,
        )
        return await self._database.fetch_value(statement)

    async def unclaimed(self, sids: Sequence[str]) -> Sequence[str]:
        """Return those of these calls that belong to no attempt, in the same order."""
        statement = select(_call_attempts.c.sid).where(_call_attempts.c.sid.in_(sids))
        claimed = {sid for (sid,) in await self._database.fetch_all(statement)}
        return [sid for sid in sids if sid not in claimed]

    async def count_without_call(self, phone: str, since: datetime, until: datetime) -> int:
        """Return how many attempts to a phone, begun in this time, have no known call."""
        statement = select(func.count()).where(
            _call_attempts.c.phone == phone,
            _call_attempts.c.sid.is_(None),
            _call_attempts.c.started_at.between(since, until),
        )
        return await self._database.fetch_value(statement)


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
    _update(connection, without_call(other))
    return True


def _update(connection: Connection, attempt: CallAttempt) -> None:
    connection.execute(
        update(_call_attempts)
        .where(_call_attempts.c.token == attempt.token)
        .values(_values(attempt))
    )


def _values(attempt: CallAttempt) -> dict[str, Any]:
    # NULL while the id is unknown, because the column is unique.
    return asdict(attempt) | {"sid": attempt.sid or None}


def _call_attempt(row: Any) -> CallAttempt:
    return from_row(CallAttempt, _call_attempts, row, sid=row.sid or "")
