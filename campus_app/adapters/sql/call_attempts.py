"""Calls about orders in SQL."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, and_, delete, func, select, update
from sqlalchemy.exc import IntegrityError

from campus_app.adapters.sql.tables import RingRow
from campus_app.domain.missed_call import CallReport, CallStatus, Ring, heard, may_be, unclaimed
from campus_app.domain.notification import Notice
from kit.clock import from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of
from kit.outbox.models import hasten

_rings = table_of(RingRow)


class SqlRings:
    """A unique key lets an order have each of its rings once."""

    def __init__(self, database: Database, wake_outbox: Callable[[], None]) -> None:
        self._database = database
        self._wake_outbox = wake_outbox

    async def last(self, order_id: str) -> Ring | None:
        statement = (
            select(_rings)
            .where(_rings.c.order_id == order_id)
            .order_by(_rings.c.number.desc())
            .limit(1)
        )
        row = await self._database.read(
            lambda connection: connection.execute(statement).one_or_none()
        )
        return None if row is None else _ring(row)

    async def begin(self, ring: Ring) -> bool:
        statement = (
            insert_into(self._database.dialect, _rings)
            .values(
                token=ring.token,
                order_id=ring.order_id,
                number=ring.number,
                restaurant_id=ring.restaurant_id,
                phone=ring.phone,
                begun_at_ms=to_ms(ring.begun_at),
                is_confirmed=False,
                has_rung=False,
                sequence=ring.sequence,
            )
            .on_conflict_do_nothing(index_elements=["order_id", "number"])
            .returning(_rings.c.token)
        )
        begun = await self._database.change(statement)
        return len(begun.rows) == 1

    async def withdraw(self, ring: Ring) -> None:
        statement = delete(_rings).where(_rings.c.token == ring.token)
        await self._database.change(statement)

    async def hear(
        self, token: str, report: CallReport, at: datetime, *, is_certain: bool
    ) -> Ring | None:
        def work(connection: Connection) -> tuple[Ring | None, bool]:
            before = _locked(connection, _rings.c.token == token)
            if before is None or not may_be(before, report.sid, is_certain=is_certain):
                return None, False
            if not _is_free(connection, token, report.sid, is_certain=is_certain):
                return None, False
            after = heard(before, report, is_certain=is_certain)
            if after != before:
                _keep(connection, after)
            ends = after.outcome is not before.outcome
            if ends:
                hasten(connection, f"{Notice.VENDOR_CALL.value}:{after.order_id}", at)
            return after, ends

        try:
            ring, ends = await self._database.write(work)
        except IntegrityError:  # another took the call in the same instant
            return None
        if ends:
            self._wake_outbox()
        return ring

    async def count(self, restaurant_id: int, since: datetime) -> int:
        statement = select(func.count()).where(
            _rings.c.restaurant_id == restaurant_id, _rings.c.begun_at_ms > to_ms(since)
        )
        return await self._database.read(
            lambda connection: connection.execute(statement).scalar_one()
        )

    async def unclaimed(self, sids: Sequence[str]) -> Sequence[str]:
        statement = select(_rings.c.sid).where(_rings.c.sid.in_(sids))
        claimed = await self._database.read(
            lambda connection: set(connection.execute(statement).scalars())
        )
        return [sid for sid in sids if sid not in claimed]


def _locked(connection: Connection, condition: ColumnElement[bool]) -> Ring | None:
    statement = select(_rings).where(condition).with_for_update()
    row = connection.execute(statement).one_or_none()
    return None if row is None else _ring(row)


def _is_free(connection: Connection, token: str, sid: str, *, is_certain: bool) -> bool:
    """Whether no other ring has this call; one that it only looked like gives it up."""
    other = _locked(connection, and_(_rings.c.sid == sid, _rings.c.token != token))
    if other is None:
        return True
    if other.is_confirmed or not is_certain:
        return False
    _keep(connection, unclaimed(other))
    return True


def _keep(connection: Connection, ring: Ring) -> None:
    connection.execute(
        update(_rings)
        .where(_rings.c.token == ring.token)
        .values(
            sid=ring.sid or None,
            is_confirmed=ring.is_confirmed,
            status=None if ring.status is None else ring.status.value,
            has_rung=ring.has_rung,
            sequence=ring.sequence,
        )
    )


def _ring(row: Any) -> Ring:
    return Ring(
        token=row.token,
        order_id=row.order_id,
        number=row.number,
        restaurant_id=row.restaurant_id,
        phone=row.phone,
        begun_at=from_ms(row.begun_at_ms),
        sid=row.sid or "",
        is_confirmed=row.is_confirmed,
        status=None if row.status is None else CallStatus(row.status),
        has_rung=row.has_rung,
        sequence=row.sequence,
    )
