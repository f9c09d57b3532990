"""The outbox table, and the statements that other transactions run on it."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime
from enum import StrEnum
from functools import cache
from typing import Any

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    Connection,
    Index,
    and_,
    delete,
    or_,
    update,
)
from sqlmodel import Field, SQLModel

from kit.db.columns import enum_text, timestamp
from kit.db.tables import insert_into, table_of
from kit.outbox.errors import CHANNEL_DOWN, NEEDS_OPERATOR, OUTCOME_UNKNOWN


class JobState(StrEnum):
    """State of a job; DONE and DEAD jobs are not run again, unless a DEAD one is requeued."""

    READY = "ready"
    LEASED = "leased"
    DONE = "done"
    DEAD = "dead"


class OutboxRow(SQLModel, table=True):
    """One job. `subject` is the key of the order or demo request that it belongs to."""

    __tablename__ = "outbox"  # pyright: ignore[reportAssignmentType]
    __table_args__ = (Index("ix_outbox_due", "state", "run_at"),)

    id: int | None = Field(default=None, primary_key=True)
    dedupe_key: str = Field(unique=True)
    topic: str
    subject: str = Field(default="", index=True)
    payload: dict[str, Any] = Field(sa_column=Column(JSON, nullable=False))
    state: JobState = enum_text(JobState)
    attempts: int = 0
    run_at: datetime = timestamp("run_at")
    lease_token: str | None = None
    lease_until: datetime | None = timestamp("lease_until", nullable=True)
    effect_started_at: datetime | None = timestamp("effect_started_at", nullable=True)
    last_error: str | None = None
    done_at: datetime | None = timestamp("done_at", nullable=True)


_table = table_of(OutboxRow)
_UNCOUNTED = (CHANNEL_DOWN, NEEDS_OPERATOR)


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
    if rows := [{**asdict(job), "state": JobState.READY} for job in jobs]:
        connection.execute(_insert_jobs(connection.dialect.name), rows)


def enqueue_new(connection: Connection, job: NewJob) -> bool:
    """Insert a job in the caller's transaction; False if its `dedupe_key` exists."""
    insert_job = _insert_jobs(connection.dialect.name).returning(_table.c.id)
    inserted = connection.execute(insert_job, {**asdict(job), "state": JobState.READY})
    return inserted.first() is not None


def withdraw(connection: Connection, subject: str, topics: Sequence[str]) -> None:
    """Delete a subject's jobs that no worker has leased yet, so that they can be enqueued again."""
    connection.execute(
        delete(_table).where(
            _table.c.subject == subject,
            _table.c.topic.in_(topics),
            _table.c.state == JobState.READY,
            _table.c.attempts == 0,
        )
    )


@cache
def _insert_jobs(dialect: str) -> Any:
    statement = insert_into(dialect, _table)
    return statement.on_conflict_do_nothing(index_elements=["dedupe_key"])


def requeue(connection: Connection, subject: str, topics: Sequence[str], at: datetime) -> list[str]:
    """Reset a subject's jobs that are dead, or wait for a retry, so that they run at `at`.

    Return the topics of these jobs. A job whose outcome is unknown stays dead.
    """
    # An attempt at a transport that is down does not count.
    is_tried = or_(_table.c.attempts > 0, awaits_retry(at))
    is_waiting = and_(_table.c.state == JobState.READY, is_tried)
    is_dead = and_(
        _table.c.state == JobState.DEAD,
        or_(_table.c.last_error.is_(None), _table.c.last_error != OUTCOME_UNKNOWN),
    )
    statement = (
        update(_table)
        .where(_table.c.subject == subject, _table.c.topic.in_(topics), or_(is_waiting, is_dead))
        .values(state=JobState.READY, attempts=0, run_at=at, effect_started_at=None)
        .returning(_table.c.topic)
    )
    return sorted(connection.execute(statement).scalars())


def awaits_retry(at: datetime, topics: Sequence[str] | None = None) -> ColumnElement[bool]:
    """Return the SQL condition for jobs that failed and run again after `at`.

    Without `topics`, only jobs match whose transport was down, or that need an operator.
    """
    chosen = (
        or_(*(_table.c.last_error.startswith(each, autoescape=True) for each in _UNCOUNTED))
        if topics is None
        else and_(_table.c.topic.in_(topics), _table.c.last_error.is_not(None))
    )
    return and_(_table.c.state == JobState.READY, _table.c.run_at > at, chosen)


def run_now(connection: Connection, dedupe_key: str, at: datetime) -> None:
    """Schedule a job that waits, or is dead, to run at `at`.

    Only for effects that check what has already happened before they do anything.
    """
    connection.execute(
        update(_table)
        .where(
            _table.c.dedupe_key == dedupe_key,
            _table.c.state.in_([JobState.READY, JobState.DEAD]),
        )
        .values(state=JobState.READY, run_at=at, effect_started_at=None)
    )
