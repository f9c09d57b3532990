"""Demo requests in SQL, each with its outbox rows in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select

from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of
from kit.outbox.models import NewJob, OutboxRow, enqueue, requeue
from kit.outbox.store import Outbox
from voice_site.adapters.tables import DemoRequestRow
from voice_site.domain.demo_request import DemoRequest
from voice_site.domain.stored_request import DailyLimit, Delivery, StoredRequest

_requests = table_of(DemoRequestRow)
_outbox = table_of(OutboxRow)
_TOPICS = "demo.%"


class SqlDemoRequests:
    """Stores demo requests, each with its jobs in one transaction.

    There is one row per key; the second of two with the same key changes nothing.
    """

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    async def add(self, new: StoredRequest, topics: Mapping[str, str], limit: DailyLimit) -> str:
        """Store a request unless its key is known; return the id of the one that has the key.

        `topics` has the topic of each job by the key under which it is done only once. The jobs
        that `limit` covers are left out once it is reached; requests that are stored at the same
        time do not count each other.

        Raises:
            DatabaseUnavailable: If it could not be stored.
            InvalidQuery: If the table has another schema.
        """
        jobs = [NewJob(key, topic, new.id, {}, new.created_at) for key, topic in topics.items()]
        insert = (
            insert_into(self._database.dialect, _requests)
            .values(
                **asdict(new.request),
                id=new.id,
                submission_key=new.key,
                is_suspected=new.is_suspected,
                created_at=new.created_at,
            )
            .on_conflict_do_nothing(index_elements=["submission_key"])
            .returning(_requests.c.id)
        )
        stored = select(_requests.c.id).where(_requests.c.submission_key == new.key)

        def work(connection: Connection) -> str:
            if connection.execute(insert).first():
                enqueue(connection, _within_limit(connection, jobs, limit))
            return connection.execute(stored).scalar_one()

        id_ = await self._database.write(work)
        self._outbox.notify()
        return id_

    async def by_id(self, id_: str) -> StoredRequest | None:
        row = await self._database.fetch_one(select(_requests).where(_requests.c.id == id_))
        return None if row is None else _stored(row)

    async def all(self) -> Sequence[StoredRequest]:
        """Return every request, the newest first."""
        statement = select(_requests).order_by(_requests.c.created_at.desc(), _requests.c.id)
        return [_stored(row) for row in await self._database.fetch_all(statement)]

    async def deliveries(self) -> Mapping[tuple[str, str], Delivery]:
        """Return the progress of each job, by the request's id and the topic."""
        columns = (_outbox.c.subject, _outbox.c.topic, _outbox.c.state, _outbox.c.last_error)
        statement = select(*columns).where(_outbox.c.topic.like(_TOPICS))
        return {
            (subject, topic): Delivery(state, error or "")
            for subject, topic, state, error in await self._database.fetch_all(statement)
        }

    async def by_reference(self, reference: str) -> Sequence[StoredRequest]:
        """Return the requests whose ids begin with a reference; nearly always one."""
        statement = select(_requests).where(_requests.c.id.startswith(reference, autoescape=True))
        return [_stored(row) for row in await self._database.fetch_all(statement)]

    async def requeue(self, id_: str, topics: Sequence[str], at: datetime) -> Sequence[str]:
        """Run those jobs of a request at `at` that were given up or wait for a retry.

        Return the topics of these jobs.
        """
        requeued = await self._database.write(
            lambda connection: requeue(connection, id_, topics, at)
        )
        self._outbox.notify()
        return requeued

    async def count_before(self, before: datetime) -> int:
        """Return how many requests were stored before then."""
        statement = select(func.count()).select_from(_requests).where(_is_older(before))
        return await self._database.fetch_value(statement)

    async def remove(self, id_: str) -> None:
        """Delete a request with its jobs."""
        await self._remove(_requests.c.id == id_)

    async def remove_before(self, before: datetime) -> int:
        """Delete the requests that were stored before then, with their jobs; return how many."""
        return await self._remove(_is_older(before))

    async def _remove(self, which: ColumnElement[bool]) -> int:
        """Delete requests and their jobs; return how many requests."""
        ids = select(_requests.c.id).where(which)

        def work(connection: Connection) -> int:
            is_their_job = _outbox.c.topic.like(_TOPICS) & _outbox.c.subject.in_(ids)
            connection.execute(delete(_outbox).where(is_their_job))
            return connection.execute(delete(_requests).where(which)).rowcount

        return await self._database.write(work)


def _within_limit(
    connection: Connection, jobs: Sequence[NewJob], limit: DailyLimit
) -> list[NewJob]:
    """Return the jobs, once the limit is reached without those that it covers."""
    keys = _outbox.c.dedupe_key.startswith(limit.prefix, autoescape=True)
    enqueued = connection.execute(select(func.count()).where(keys)).scalar_one()
    is_reached = enqueued >= limit.maximum
    return [job for job in jobs if not (is_reached and job.dedupe_key.startswith(limit.prefix))]


def _is_older(before: datetime) -> ColumnElement[bool]:
    return _requests.c.created_at < before


def _stored(row: Any) -> StoredRequest:
    request = from_row(DemoRequest, _requests, row)
    return from_row(StoredRequest, _requests, row, key=row.submission_key, request=request)
