"""Leases jobs of the outbox to workers, and records how they end.

A worker claims a job, marks it as started right before the effect, then completes it. If the
worker dies in between, another claims the job when its lease has expired.
Source: specification P4.3.
"""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import (
    Integer,
    Update,
    and_,
    bindparam,
    func,
    or_,
    select,
    union_all,
    update,
)

from kit.clock import Clock
from kit.db.columns import moment
from kit.db.database import Database
from kit.db.tables import from_row, table_of
from kit.outbox.errors import OUTCOME_UNKNOWN
from kit.outbox.models import JobState, OutboxRow, awaits_retry

_MAX_ERROR_CHARACTERS = 200
_table = table_of(OutboxRow)


@dataclass(frozen=True)
class Job:
    """A job that is leased to this worker."""

    id: int
    dedupe_key: str
    topic: str
    subject: str
    payload: Mapping[str, Any]
    attempts: int
    lease_token: str
    lease_until: datetime


@dataclass(frozen=True)
class FailedJobs:
    """Jobs of a topic that failed for the same reason, and wait or were given up."""

    topic: str
    reason: str
    is_waiting: bool
    count: int
    next_run_at: datetime
    """When the first of those that wait is tried again."""


class Outbox:
    """Claims and updates jobs; any number of processes may share the table.

    Raises:
        DatabaseUnavailable: By every method that reads or writes the table.
    """

    def __init__(self, database: Database, clock: Clock, *, lease_seconds: float = 60.0) -> None:
        self._database = database
        self._clock = clock
        self._lease = timedelta(seconds=lease_seconds)
        self.wake = asyncio.Event()
        """Set when jobs may be due; this process's worker clears it."""
        self.overloaded = asyncio.Event()
        """Set when jobs were enqueued while this process's worker was busy."""
        self.is_idle = False
        """Whether this process's worker is waiting for jobs; `notify` reads it."""
        self._completing: set[asyncio.Task[bool]] = set()

    def notify(self) -> None:
        """Wake this process's worker; if it is busy, set `overloaded`, so that others take jobs."""
        self.wake.set()
        if not self.is_idle:
            self.overloaded.set()

    async def claim(self, limit: int) -> list[Job]:
        """Lease up to `limit` jobs that are due, or whose lease has expired."""
        now = self._clock.now()
        claim = {"now": now, "until": now + self._lease, "limit": limit}
        claimed = await self._database.execute(_CLAIM, claim | {"token": secrets.token_hex(8)})
        return [from_row(Job, _table, row) for row in claimed.rows]

    async def mark_started(self, job: Job, *, at_most_once: bool) -> bool:
        """Record that the effect starts; False if the lease is lost or it had started before.

        For effects that may be repeated only the lease is checked, without a write.
        """
        now = self._clock.now()
        if not at_most_once:
            return now < job.lease_until
        return await self._update(_MARK_STARTED, job, now=now, until=now + self._lease)

    async def complete(self, job: Job) -> bool:
        """Record that the effect has happened; False if another worker holds the lease.

        Cancelling the caller does not cancel the write: `flush` waits for it.
        """
        task = asyncio.create_task(self._update(_COMPLETE, job, now=self._clock.now()))
        self._completing.add(task)
        task.add_done_callback(self._completing.discard)
        return await asyncio.shield(task)

    async def flush(self) -> None:
        """Wait until every completion is stored, or has failed."""
        await asyncio.gather(*self._completing, return_exceptions=True)

    async def fail(self, job: Job, error: str) -> bool:
        """Record that the effect will not be tried again; False if the lease is lost."""
        return await self._update(_FAIL, job, error=error[:_MAX_ERROR_CHARACTERS])

    async def fail_unknown(self, job: Job) -> bool:
        """Record an unknown outcome; False if the effect had not started or the lease is lost."""
        return await self._update(_FAIL_UNKNOWN, job, error=OUTCOME_UNKNOWN)

    async def retry(self, job: Job, error: str, seconds: float, *, counts: bool = True) -> bool:
        """Schedule another attempt in `seconds`; False if the lease is lost.

        To be called only if the effect did not happen or may be repeated. `counts`: whether this
        attempt counts towards the maximum.
        """
        return await self._update(
            _RETRY,
            job,
            uncounted=0 if counts else 1,
            retry_at=self._clock.now() + timedelta(seconds=seconds),
            error=error[:_MAX_ERROR_CHARACTERS],
        )

    async def run_waiting(self, topics: Sequence[str] | None = None) -> int:
        """Run jobs that await a retry now; return how many. Their attempts still count.

        Without `topics`, only jobs are run whose transport was down, or that need an operator.
        """
        now = self._clock.now()
        waiting = update(_table).where(awaits_retry(now, topics))
        released = await self._database.execute(waiting.values(run_at=now))
        if released.rowcount:
            self.wake.set()
        return released.rowcount

    async def failed(self, topics: Sequence[str]) -> list[FailedJobs]:
        """Return the jobs of these topics that failed and are not done, by reason."""
        is_waiting = (_table.c.state != JobState.DEAD).label("is_waiting")
        columns = (_table.c.topic, _table.c.last_error, is_waiting)
        statement = (
            select(*columns, func.count(), func.min(_table.c.run_at))
            .where(
                _table.c.topic.in_(topics),
                _table.c.state != JobState.DONE,
                _table.c.last_error.is_not(None),
            )
            .group_by(*columns)
            .order_by(*columns)
        )
        return [FailedJobs(*row) for row in await self._database.fetch_all(statement)]

    async def next_due(self) -> datetime | None:
        """Return when the next job is due or the next lease expires; None if there is neither."""
        rows = await self._database.fetch_all(_NEXT_DUE)
        return min((due for (due,) in rows if due is not None), default=None)

    async def _update(self, statement: Update, job: Job, **values: object) -> bool:
        """Change a job; False if a condition is false or another worker holds the lease."""
        lease = {"job": job.id, "lease": job.lease_token}
        changed = await self._database.execute(statement, values | lease)
        return changed.rowcount == 1


# Module constants, because SQLAlchemy takes longer to build these statements than to execute them.

_now, _until = moment("now"), moment("until")
_is_due = or_(
    and_(_table.c.state == JobState.READY, _table.c.run_at <= _now),
    and_(_table.c.state == JobState.LEASED, _table.c.lease_until < _now),
)
_due = (
    select(_table.c.id)
    .where(_is_due)
    .order_by(_table.c.run_at, _table.c.id)
    .limit(bindparam("limit", type_=Integer))
    .with_for_update(skip_locked=True)  # ignored by SQLite, which has one writer
)
_CLAIM = (
    update(_table)
    .where(_table.c.id.in_(_due.scalar_subquery()))
    .values(
        state=JobState.LEASED,
        attempts=_table.c.attempts + 1,
        lease_token=bindparam("token"),
        lease_until=_until,
    )
    .returning(_table)
)
_leased = update(_table).where(
    _table.c.id == bindparam("job"), _table.c.lease_token == bindparam("lease")
)
_MARK_STARTED = _leased.where(
    _table.c.lease_until > _now, _table.c.effect_started_at.is_(None)
).values(lease_until=_until, effect_started_at=_now)
_released = _leased.values(lease_token=None, lease_until=None)
_COMPLETE = _released.values(state=JobState.DONE, done_at=_now)
_FAIL = _released.values(state=JobState.DEAD, last_error=bindparam("error"))
_FAIL_UNKNOWN = _FAIL.where(_table.c.effect_started_at.is_not(None))
_RETRY = _released.values(
    state=JobState.READY,
    attempts=_table.c.attempts - bindparam("uncounted", type_=Integer),
    run_at=moment("retry_at"),
    effect_started_at=None,
    last_error=bindparam("error"),
)
_NEXT_DUE = union_all(
    select(func.min(_table.c.run_at)).where(_table.c.state == JobState.READY),
    select(func.min(_table.c.lease_until)).where(_table.c.state == JobState.LEASED),
)
