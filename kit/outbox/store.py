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

from sqlalchemy import BigInteger, Integer, and_, bindparam, func, or_, select, update

from kit.clock import Clock, from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import table_of
from kit.outbox.errors import OUTCOME_UNKNOWN
from kit.outbox.models import JobState, OutboxRow, run_waiting

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
    leased_until: datetime


class Outbox:
    """Claims and updates jobs; any number of processes may share the table.

    Raises:
        DatabaseUnavailable: By every method that reads or writes the table.
    """

    def __init__(self, database: Database, clock: Clock, *, lease_seconds: float = 60.0) -> None:
        self._database = database
        self._clock = clock
        self._lease_ms = round(lease_seconds * 1000)
        self.wake = asyncio.Event()
        """Set when this process's worker should look for jobs; the worker clears it."""
        self.overloaded = asyncio.Event()
        """Set when jobs were enqueued while this process's worker was busy."""
        self.is_idle = False
        """Whether this process's worker is waiting for jobs."""
        self._completing: set[asyncio.Task[bool]] = set()

    def notify(self) -> None:
        """Wake this process's worker; if it is busy, ask other processes to help."""
        self.wake.set()
        if not self.is_idle:
            self.overloaded.set()

    async def claim(self, limit: int) -> list[Job]:
        """Lease up to `limit` jobs that are due, or whose lease has expired."""
        now, token = to_ms(self._clock.now()), secrets.token_hex(8)
        until = now + self._lease_ms
        claim = {"now": now, "limit": limit, "token": token, "until": until}
        claimed = await self._database.execute(_CLAIM, claim)
        lease = from_ms(until)
        return [Job(*row, lease_token=token, leased_until=lease) for row in claimed.rows]

    async def mark_started(self, job: Job, *, at_most_once: bool) -> bool:
        """Record that the effect starts; False if the lease is lost or it had started before.

        For effects that may be repeated only the lease is checked, without a write.
        """
        now = self._clock.now()
        if not at_most_once:
            return now < job.leased_until
        started = to_ms(now)
        return await self._update(_MARK_STARTED, job, now=started, until=started + self._lease_ms)

    async def complete(self, job: Job) -> bool:
        """Record that the effect has happened; False if another worker holds the lease.

        Cancelling the caller does not cancel the write: `flush` waits for it.
        """
        now = to_ms(self._clock.now())
        task = asyncio.create_task(self._update(_COMPLETE, job, now=now))
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
        """Record that a job's outcome is unknown; False if it had not started or was lost."""
        return await self._update(_FAIL_UNKNOWN, job, error=OUTCOME_UNKNOWN)

    async def retry(self, job: Job, error: str, seconds: float, *, counts: bool = True) -> bool:
        """Schedule another attempt in `seconds`; False if the lease is lost.

        Only if the effect did not happen or may be repeated. `counts`: whether this attempt
        counts towards the maximum.
        """
        return await self._update(
            _RETRY,
            job,
            run_at=to_ms(self._clock.now() + timedelta(seconds=seconds)),
            uncounted=0 if counts else 1,
            error=error[:_MAX_ERROR_CHARACTERS],
        )

    async def run_waiting(self, topics: Sequence[str] | None = None) -> int:
        """Run jobs that await a retry now; return how many.

        Without `topics`, only jobs whose transport was down are run.
        """
        now = self._clock.now()
        released = await self._database.write(
            lambda connection: run_waiting(connection, now, topics)
        )
        if released:
            self.wake.set()
        return released

    async def next_due(self) -> datetime | None:
        """Return when the next job is due or the next lease expires; None if there is neither."""
        due = await self._database.read(lambda connection: connection.execute(_NEXT_DUE).one())
        moments = [ms for ms in due if ms is not None]
        return from_ms(min(moments)) if moments else None

    async def _update(self, statement: Any, job: Job, **values: object) -> bool:
        values |= {"job": job.id, "lease": job.lease_token}
        changed = await self._database.execute(statement, values)
        return changed.rowcount == 1


# Module constants, because SQLAlchemy takes longer to build these statements than to execute them.

_now = bindparam("now", type_=BigInteger)
_due = (
    select(_table.c.id)
    .where(
        or_(
            and_(_table.c.state == JobState.READY.value, _table.c.run_at_ms <= _now),
            and_(_table.c.state == JobState.LEASED.value, _table.c.lease_until_ms < _now),
        )
    )
    .order_by(_table.c.run_at_ms, _table.c.id)
    .limit(bindparam("limit", type_=BigInteger))
    .with_for_update(skip_locked=True)  # ignored by SQLite, which has one writer
)
_CLAIM = (
    update(_table)
    .where(_table.c.id.in_(_due.scalar_subquery()))
    .values(
        state=JobState.LEASED.value,
        attempts=_table.c.attempts + 1,
        lease_token=bindparam("token"),
        lease_until_ms=bindparam("until"),
    )
    .returning(
        _table.c.id,
        _table.c.dedupe_key,
        _table.c.topic,
        _table.c.subject,
        _table.c.payload,
        _table.c.attempts,
    )
)
_leased = update(_table).where(
    _table.c.id == bindparam("job"), _table.c.lease_token == bindparam("lease")
)
_MARK_STARTED = _leased.where(
    _table.c.lease_until_ms > _now, _table.c.effect_started_at_ms.is_(None)
).values(lease_until_ms=bindparam("until"), effect_started_at_ms=_now)
_released = _leased.values(lease_token=None, lease_until_ms=None)
_COMPLETE = _released.values(state=JobState.DONE.value, done_at_ms=_now)
_FAIL = _released.values(state=JobState.DEAD.value, last_error=bindparam("error"))
_FAIL_UNKNOWN = _FAIL.where(_table.c.effect_started_at_ms.is_not(None))
_RETRY = _released.values(
    state=JobState.READY.value,
    attempts=_table.c.attempts - bindparam("uncounted", type_=Integer),
    run_at_ms=bindparam("run_at"),
    effect_started_at_ms=None,
    last_error=bindparam("error"),
)
_NEXT_DUE = select(
    *(
        select(func.min(moment)).where(_table.c.state == state.value).scalar_subquery()
        for state, moment in (
            (JobState.READY, _table.c.run_at_ms),
            (JobState.LEASED, _table.c.lease_until_ms),
        )
    )
)
