"""The outbox: effects on the world outside, enqueued in the transaction that causes them.

A row is claimed under a lease, fenced right before its effect, then acknowledged. Whatever dies
in between, the row is found again. Source: research/payments-mail-calls 5.
"""

import asyncio
import contextlib
import logging
import secrets
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from functools import cache
from random import SystemRandom
from typing import Any

from prometheus_client import Counter
from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    Connection,
    Index,
    Integer,
    and_,
    bindparam,
    func,
    or_,
    select,
    update,
)
from sqlmodel import Field, SQLModel

from campus_app.infrastructure.background import end
from campus_app.infrastructure.clock import Clock, from_ms, to_ms
from campus_app.infrastructure.database import Database, DatabaseUnavailable
from campus_app.infrastructure.delivery import (
    OUTCOME_UNKNOWN,
    ChannelDown,
    DeliveryPostponed,
    DeliveryRejected,
    OutcomeAwaited,
    OutcomeUnknown,
)
from campus_app.infrastructure.tables import insert_into, table_of

logger = logging.getLogger(__name__)
_random = SystemRandom()

_EFFECTS = Counter(
    "campus_outbox_effects",
    "How often effects were carried out by this process, and how that ended.",
    ["topic", "outcome"],
)

_BATCH = 12
_AT_ONCE = 3 * _BATCH
_PATIENCE_SECONDS = 0.25
"""How long the next batch waits for the one before; whatever takes longer holds up nobody."""
_IDLE_SECONDS = 5.0
_TAKEN_BY_OTHERS_SECONDS = 0.02
_ERROR_CHARACTERS = 200
_SPREAD_SECONDS = 2.0
_NO_ANSWER = "outbox: the database did not answer"


class JobState(StrEnum):
    """Where a row stands; DONE and DEAD are final."""

    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"


class Outcome(StrEnum):
    """How it ended to carry out an effect once."""

    DONE = "done"
    REJECTED = "rejected"
    """It will never happen."""
    POSTPONED = "postponed"
    GIVEN_UP = "given up"
    UNKNOWN = "unknown"
    """It may have happened, and is not repeated."""
    CHANNEL_DOWN = "channel down"
    AWAITED = "awaited"
    """It is under way."""


class OutboxRow(SQLModel, table=True):
    """One effect; `subject` is what it is about, so that its progress can be looked up."""

    __tablename__ = "outbox"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_outbox_due", "state", "run_at_ms"),)

    id: int | None = Field(default=None, primary_key=True)
    dedupe_key: str = Field(unique=True)
    topic: str
    subject: str = Field(default="", index=True)
    payload: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state: str = JobState.READY.value
    attempts: int = 0
    run_at_ms: int = Field(sa_type=BigInteger)
    lease_token: str | None = None
    lease_until_ms: int | None = Field(default=None, sa_type=BigInteger)
    effect_started_at_ms: int | None = Field(default=None, sa_type=BigInteger)
    last_error: str | None = None
    done_at_ms: int | None = Field(default=None, sa_type=BigInteger)


_table = table_of(OutboxRow)


@dataclass(frozen=True)
class NewJob:
    """An effect to enqueue; the same `dedupe_key` twice is one effect."""

    dedupe_key: str
    topic: str
    subject: str
    payload: Mapping[str, Any]
    run_at: datetime


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


@dataclass(frozen=True)
class Effect:
    """How a topic is carried out.

    `at_most_once` effects are not repeated once they were begun and nobody knows how they ended.
    """

    carry_out: Callable[[Job], Awaitable[None]]
    at_most_once: bool = False
    maximum_attempts: int = 8
    time_out_seconds: float = 45.0
    first_retry_seconds: float = 2.0
    longest_retry_seconds: float = 600.0


def enqueue(connection: Connection, jobs: Iterable[NewJob]) -> None:
    """Add jobs in the caller's transaction; those whose key is there already stay as they are."""
    rows = [
        {
            "dedupe_key": job.dedupe_key,
            "topic": job.topic,
            "subject": job.subject,
            "payload": dict(job.payload),
            "state": JobState.READY.value,
            "attempts": 0,
            "run_at_ms": to_ms(job.run_at),
        }
        for job in jobs
    ]
    if not rows:
        return
    connection.execute(_enqueue(connection.dialect.name), rows)


@cache
def _enqueue(dialect: str) -> Any:
    return insert_into(dialect, _table).on_conflict_do_nothing(index_elements=["dedupe_key"])


def revive(connection: Connection, subject: str, topics: Sequence[str], at: datetime) -> list[str]:
    """Let a subject's jobs that were given up, or wait after a failure, run at a moment.

    Return their topics. A job that may have had its effect stays given up.
    """
    is_waiting = and_(_table.c.state == JobState.READY.value, _table.c.attempts > 0)
    is_given_up = and_(
        _table.c.state == JobState.DEAD.value,
        or_(_table.c.last_error.is_(None), _table.c.last_error != OUTCOME_UNKNOWN),
    )
    statement = (
        update(OutboxRow)
        .where(
            _table.c.subject == subject,
            _table.c.topic.in_(topics),
            or_(is_waiting, is_given_up),
        )
        .values(
            state=JobState.READY.value,
            attempts=0,
            run_at_ms=to_ms(at),
            effect_started_at_ms=None,
        )
        .returning(_table.c.topic)
    )
    return sorted(connection.execute(statement).scalars())


def hasten(connection: Connection, dedupe_key: str, at: datetime) -> None:
    """Let a job that waits, or was given up, look again at how its effect stands, at a moment.

    Only for effects that find out for themselves what has happened before they do anything.
    """
    connection.execute(
        update(OutboxRow)
        .where(
            _table.c.dedupe_key == dedupe_key,
            _table.c.state.in_([JobState.READY.value, JobState.DEAD.value]),
        )
        .values(state=JobState.READY.value, run_at_ms=to_ms(at), effect_started_at_ms=None)
    )


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
        self.help_wanted = asyncio.Event()
        """Set when jobs have come while the worker of this process has its hands full."""
        self.is_attended = False
        self._ending: _Ending | None = None
        self._one_at_a_time = asyncio.Lock()

    def announce(self) -> None:
        """Say that there are jobs: to our own worker, or to everybody where it is at work."""
        self.wake.set()
        if not self.is_attended:
            self.help_wanted.set()

    async def add(self, jobs: Sequence[NewJob]) -> None:
        """Enqueue jobs in a transaction of their own."""
        await self._database.write(lambda connection: enqueue(connection, jobs))
        self.announce()

    async def claim(self, limit: int) -> list[Job]:
        """Lease up to `limit` jobs that are due, or whose worker has died."""
        now, token = to_ms(self._clock.now()), secrets.token_hex(8)
        until = now + self._lease_ms
        claim = {"now": now, "most": limit, "token": token, "until": until}
        claimed = await self._database.change(_CLAIM, claim)
        lease = from_ms(until)
        return [Job(*row, lease_token=token, leased_until=lease) for row in claimed.rows]

    async def fence(self, job: Job, *, at_most_once: bool) -> bool:
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
            changed = await self._database.change(_DONE, ended)
        return {row.id for row in changed.rows}

    async def settled(self) -> None:
        """Wait until everything that has happened is written down, or can't be."""
        if self._ending is not None:
            await asyncio.wait([self._ending.written])
        async with self._one_at_a_time:
            pass

    async def dead(self, job: Job, error: str) -> bool:
        """Say that the effect will not be tried again."""
        return await self._change(_DEAD, job, error=error[:_ERROR_CHARACTERS])

    async def bury_begun(self, job: Job) -> bool:
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

    async def next_due(self) -> datetime | None:
        """Return when the next job wants to run, or the lease of one runs out."""
        due = await self._database.read(lambda connection: connection.execute(_NEXT_DUE).one())
        moments = [ms for ms in due if ms is not None]
        return from_ms(min(moments)) if moments else None

    async def _change(self, statement: Any, job: Job, **values: object) -> bool:
        values |= {"job": job.id, "lease": job.lease_token}
        changed = await self._database.change(statement, values)
        return changed.count == 1


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


class OutboxWorker:
    """Carries out what the outbox holds, until it is cancelled."""

    def __init__(self, outbox: Outbox, effects: Mapping[str, Effect], clock: Clock) -> None:
        self._outbox = outbox
        self._effects = effects
        self._clock = clock
        self._under_way: set[asyncio.Task[None]] = set()

    def carry_out_also(self, effects: Mapping[str, Effect]) -> None:
        """Carry out the topics of another product too."""
        self._effects = {**self._effects, **effects}

    async def run(self) -> None:
        """Work for as long as the process lives."""
        try:
            while True:
                self._outbox.wake.clear()
                seconds = await self._work_off()
                self._outbox.is_attended = True
                with contextlib.suppress(TimeoutError):
                    async with asyncio.timeout(seconds):
                        await self._outbox.wake.wait()
                self._outbox.is_attended = False
        finally:
            await end(*self._under_way)

    async def drain(self) -> int:
        """Carry out one batch of due jobs; return how many there were."""
        jobs = await self._outbox.claim(_BATCH)
        await asyncio.gather(*(self._work(job) for job in jobs))
        return len(jobs)

    async def _work_off(self) -> float:
        """Carry out everything that is due; return for how long nothing will be."""
        try:
            while (seconds := await self._idle_seconds()) == 0:
                if not (claimed := await self._next_batch()):
                    return _TAKEN_BY_OTHERS_SECONDS
                # Where a claim found all that it may take, there is likely more: no need to ask.
                while claimed == _BATCH:
                    claimed = await self._next_batch()
        except DatabaseUnavailable:
            logger.warning(_NO_ANSWER)
        except Exception:  # nothing may end the worker
            logger.exception("outbox: the worker stumbled")
        else:
            return seconds
        return _IDLE_SECONDS

    async def _next_batch(self) -> int:
        """Begin a batch of due jobs, wait for it a little, and return how many there were."""
        if len(self._under_way) >= _AT_ONCE:
            await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
        jobs = await self._outbox.claim(min(_BATCH, _AT_ONCE - len(self._under_way)))
        if jobs:
            begun = [asyncio.create_task(self._work_safely(job)) for job in jobs]
            self._under_way.update(begun)
            for task in begun:
                task.add_done_callback(self._under_way.discard)
            await asyncio.wait(begun, timeout=_PATIENCE_SECONDS)
        return len(jobs)

    async def _work_safely(self, job: Job) -> None:
        """Carry out a job; one that can't even be written down is found again after its lease."""
        try:
            await self._work(job)
        except DatabaseUnavailable:
            logger.warning(_NO_ANSWER)
        except Exception:  # nothing may end the worker
            logger.exception("outbox: %s %s stumbled", job.topic, job.subject, extra=_about(job))

    async def _idle_seconds(self) -> float:
        due = await self._outbox.next_due()
        if due is None:
            return _IDLE_SECONDS
        wait = (due - self._clock.now()).total_seconds()
        return min(max(wait, 0.0), _IDLE_SECONDS)

    async def _work(self, job: Job) -> None:
        effect = self._effects.get(job.topic)
        if effect is None:
            await self._outbox.dead(job, f"nobody carries out {job.topic}")
        elif await self._outbox.fence(job, at_most_once=effect.at_most_once):
            outcome = await self._carry_out(job, effect)
            _EFFECTS.labels(job.topic, outcome).inc()
        elif effect.at_most_once and await self._outbox.bury_begun(job):
            _EFFECTS.labels(job.topic, Outcome.UNKNOWN).inc()

    async def _carry_out(self, job: Job, effect: Effect) -> Outcome:
        try:
            async with asyncio.timeout(effect.time_out_seconds):
                await effect.carry_out(job)
        except DeliveryRejected as error:
            return await self._reject(job, error)
        except (ChannelDown, OutcomeAwaited) as error:
            return await self._wait(job, error)
        except DeliveryPostponed as error:
            return await self._try_later(job, effect, str(error))
        except Exception as error:
            logger.exception("outbox: %s %s failed", job.topic, job.subject, extra=_about(job))
            if not effect.at_most_once:
                return await self._try_later(job, effect, type(error).__name__)
            await self._outbox.dead(job, OUTCOME_UNKNOWN)
            return Outcome.UNKNOWN
        await self._outbox.done(job)
        return Outcome.DONE

    async def _reject(self, job: Job, error: DeliveryRejected) -> Outcome:
        logger.warning(
            "outbox: %s %s rejected: %s", job.topic, job.subject, error, extra=_about(job)
        )
        await self._outbox.dead(job, str(error))
        return Outcome.UNKNOWN if isinstance(error, OutcomeUnknown) else Outcome.REJECTED

    async def _wait(self, job: Job, error: ChannelDown | OutcomeAwaited) -> Outcome:
        is_down = isinstance(error, ChannelDown)
        # All who wait for the same transport would otherwise come back in the same instant.
        spread = _random.uniform(0, _SPREAD_SECONDS) if is_down else 0.0
        await self._outbox.retry(job, str(error), error.seconds + spread, counts=False)
        return Outcome.CHANNEL_DOWN if is_down else Outcome.AWAITED

    async def _try_later(self, job: Job, effect: Effect, error: str) -> Outcome:
        if job.attempts >= effect.maximum_attempts:
            logger.error(
                "outbox: %s %s given up: %s", job.topic, job.subject, error, extra=_about(job)
            )
            await self._outbox.dead(job, error)
            return Outcome.GIVEN_UP
        longest = effect.first_retry_seconds * 2 ** (job.attempts - 1)
        await self._outbox.retry(
            job, error, _random.uniform(0, min(longest, effect.longest_retry_seconds))
        )
        return Outcome.POSTPONED


def _about(job: Job) -> dict[str, str]:
    """Return what a line of the log is about, as a field of its own."""
    return {"subject": job.subject}
