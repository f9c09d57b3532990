"""The outbox: claims, fences and acknowledges effects that were enqueued.

A row is claimed under a lease, fenced right before its effect, then acknowledged. Whatever dies
in between, the row is found again. Source: specification P4.3.
"""

import asyncio
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import BigInteger, Integer, and_, bindparam, func, or_, select, update

from kit.clock import Clock, from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import table_of
from kit.outbox.errors import OUTCOME_UNKNOWN
from kit.outbox.models import JobState, OutboxRow, run_waiting

_ERROR_CHARACTERS = 200
_table = table_of(OutboxRow)


@dataclass(frozen=True)
class Job:
    """An effect that is due."""

    id: int
    dedupe_key: str
    topic: str
    subject: str
    payload: Mapping[str, Any]
    attempts: int
    lease_token: str
    leased_until: datetime


@dataclass
class _Ending:
    """Effects that have happened, and are about to be written down."""

    jobs: list[Job] = field(default_factory=list[Job])
    written: asyncio.Task[set[int]] = field(init=False)


class Outbox:
    """Claims, fences and acknowledges rows; safe in any number of processes."""

    def __init__(self, database: Database, clock: Clock, *, lease_seconds: float = 60.0) -> None:
        self._database = database
        self._clock = clock
        self._lease_ms = round(lease_seconds * 1000)
        self.wake = asyncio.Event()
        """Looked at by the worker of this process, if it has one."""
        self.overloaded = asyncio.Event()
        """Set when jobs have come while the worker of this process has its hands full."""
        self.is_idle = False
        self._ending: _Ending | None = None
        self._one_at_a_time = asyncio.Lock()

    def notify(self) -> None:
        """Say that there are jobs: to our own worker, or to everybody where it is at work."""
        self.wake.set()
        if not self.is_idle:
            self.overloaded.set()

    async def claim(self, limit: int) -> list[Job]:
        """Lease up to `limit` jobs that are due, or whose worker has died."""
        now, token = to_ms(self._clock.now()), secrets.token_hex(8)
        until = now + self._lease_ms
        claim = {"now": now, "most": limit, "token": token, "until": until}
        claimed = await self._database.execute(_CLAIM, claim)
        lease = from_ms(until)
        return [Job(*row, lease_token=token, leased_until=lease) for row in claimed.rows]

    async def mark_started(self, job: Job, *, at_most_once: bool) -> bool:
        """Say that the effect begins now; False if the lease is lost or it was begun before.

        What may be repeated is not written down: its lease was in time when it was claimed.
        """
        now = self._clock.now()
        if not at_most_once:
            return now < job.leased_until
        begun = to_ms(now)
        return await self._change(_FENCE, job, now=begun, until=begun + self._lease_ms)

    async def done(self, job: Job) -> bool:
        """Say that the effect has happened; those that end meanwhile are written down together."""
        if self._ending is None:
            self._ending = _Ending()
            self._ending.written = asyncio.create_task(self._write_done(self._ending.jobs))
        ending = self._ending
        ending.jobs.append(job)
        return job.id in await asyncio.shield(ending.written)

    async def _write_done(self, jobs: Sequence[Job]) -> set[int]:
        async with self._one_at_a_time:
            self._ending = None
            ended = {
                "jobs": [job.id for job in jobs],
                "leases": [job.lease_token for job in jobs],
                "now": to_ms(self._clock.now()),
            }
            changed = await self._database.execute(_DONE, ended)
        return {row.id for row in changed.rows}

    async def flush(self) -> None:
        """Wait until everything that has happened is written down, or can't be."""
        if self._ending is not None:
            await asyncio.wait([self._ending.written])
        async with self._one_at_a_time:
            pass

    async def dead(self, job: Job, error: str) -> bool:
        """Say that the effect will not be tried again."""
        return await self._change(_DEAD, job, error=error[:_ERROR_CHARACTERS])

    async def fail_unknown(self, job: Job) -> bool:
        """Give up a job that was begun before: nobody knows whether its effect happened."""
        return await self._change(_BURY_BEGUN, job, error=OUTCOME_UNKNOWN)

    async def retry(self, job: Job, error: str, seconds: float, *, counts: bool = True) -> bool:
        """Try again after so many seconds; the effect certainly has not happened, or may repeat.

        Where the try does not count, it is as if there had been none.
        """
        return await self._change(
            _RETRY,
            job,
            run_at=to_ms(self._clock.now() + timedelta(seconds=seconds)),
            uncounted=0 if counts else 1,
            error=error[:_ERROR_CHARACTERS],
        )

    async def run_waiting(self, topics: Sequence[str] | None = None) -> int:
        """Let jobs that wait after a failure run now; return how many.

        `topics` are those whose jobs run; None are all jobs that wait for their transport alone.
        """
        now = self._clock.now()
        released = await self._database.write(
            lambda connection: run_waiting(connection, now, topics)
        )
        if released:
            self.wake.set()
        return released

    async def next_due(self) -> datetime | None:
        """Return when the next job wants to run, or the lease of one runs out."""
        due = await self._database.read(lambda connection: connection.execute(_NEXT_DUE).one())
        moments = [ms for ms in due if ms is not None]
        return from_ms(min(moments)) if moments else None

    async def _change(self, statement: Any, job: Job, **values: object) -> bool:
        values |= {"job": job.id, "lease": job.lease_token}
        changed = await self._database.execute(statement, values)
        return changed.rowcount == 1


# Statements of every effect's way: building one anew costs more than carrying it out.

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
    .limit(bindparam("most", type_=BigInteger))
    .with_for_update(skip_locked=True)  # SQLite has one writer and leaves this out
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
_FENCE = _leased.where(
    _table.c.lease_until_ms > _now, _table.c.effect_started_at_ms.is_(None)
).values(lease_until_ms=bindparam("until"), effect_started_at_ms=_now)
_over = _leased.values(lease_token=None, lease_until_ms=None)
_DONE = (
    update(_table)
    .where(
        _table.c.id.in_(bindparam("jobs", expanding=True)),
        _table.c.lease_token.in_(bindparam("leases", expanding=True)),
    )
    .values(state=JobState.DONE.value, done_at_ms=_now, lease_token=None, lease_until_ms=None)
    .returning(_table.c.id)
)
_DEAD = _over.values(state=JobState.DEAD.value, last_error=bindparam("error"))
_BURY_BEGUN = _DEAD.where(_table.c.effect_started_at_ms.is_not(None))
_RETRY = _over.values(
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
