"""The outbox table, and the statements that other transactions run on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import (
    JSON,
    BigInteger,
    Column,
    ColumnElement,
    Connection,
    Index,
    and_,
    or_,
    update,
)
from sqlmodel import Field, SQLModel

from kit.clock import to_ms
from kit.db.tables import insert_into, table_of
from kit.outbox.errors import CHANNEL_DOWN, OUTCOME_UNKNOWN


class JobState(StrEnum):
    """State of a job; DONE and DEAD jobs are not run again, unless a DEAD one is requeued."""

    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"


class OutboxRow(SQLModel, table=True):
    """One job. `subject` is the key of the order or demo request that it belongs to."""

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
    """A job to enqueue; a second one with the same `dedupe_key` is ignored."""

    dedupe_key: str
    topic: str
    subject: str
    payload: Mapping[str, Any]
    run_at: datetime


def enqueue(connection: Connection, jobs: Iterable[NewJob]) -> None:
    """Insert jobs in the caller's transaction; a job whose `dedupe_key` exists is left as it is."""
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


def requeue(connection: Connection, subject: str, topics: Sequence[str], at: datetime) -> list[str]:
    """Reset a subject's jobs that are dead, or wait for a retry, so that they run at `at`.

    Return the topics of these jobs. A job whose outcome is unknown stays dead.
    """
    is_waiting = and_(_table.c.state == JobState.READY.value, _table.c.attempts > 0)
    is_dead = and_(
        _table.c.state == JobState.DEAD.value,
        or_(_table.c.last_error.is_(None), _table.c.last_error != OUTCOME_UNKNOWN),
    )
    statement = (
        update(OutboxRow)
        .where(
            _table.c.subject == subject,
            _table.c.topic.in_(topics),
            or_(is_waiting, is_dead),
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


def run_waiting(connection: Connection, at: datetime, topics: Sequence[str] | None = None) -> int:
    """Reschedule jobs that await a retry to `at`; return how many. Their attempts still count.

    Without `topics`, only jobs whose transport was down are rescheduled.
    """
    statement = update(OutboxRow).where(awaits_retry(at, topics)).values(run_at_ms=to_ms(at))
    return connection.execute(statement).rowcount


def awaits_retry(at: datetime, topics: Sequence[str] | None = None) -> ColumnElement[bool]:
    """Return the SQL condition that `run_waiting` uses: the job failed, and runs after `at`."""
    chosen = (
        _table.c.last_error.startswith(CHANNEL_DOWN, autoescape=True)
        if topics is None
        else and_(_table.c.topic.in_(topics), _table.c.last_error.is_not(None))
    )
    is_ready = _table.c.state == JobState.READY.value
    return and_(is_ready, _table.c.run_at_ms > to_ms(at), chosen)


def run_now(connection: Connection, dedupe_key: str, at: datetime) -> None:
    """Schedule a job that waits, or is dead, to run at `at`.

    Only for effects that check what has already happened before they do anything.
    """
    connection.execute(
        update(OutboxRow)
        .where(
            _table.c.dedupe_key == dedupe_key,
            _table.c.state.in_([JobState.READY.value, JobState.DEAD.value]),
        )
        .values(state=JobState.READY.value, run_at_ms=to_ms(at), effect_started_at_ms=None)
    )
