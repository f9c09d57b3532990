"""Demo requests in SQL, each with its lead and its outbox rows in one transaction."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from sqlalchemy import ColumnElement, Connection, delete, func, select

from kit.db.database import Database
from kit.db.tables import from_row, insert_into, table_of
from kit.outbox.models import NewJob, OutboxRow, enqueue, requeue
from kit.outbox.store import Outbox
from voice_site.adapters import sql_leads
from voice_site.adapters.tables import DemoRequestRow
from voice_site.domain.demo_request import DemoRequest, mailbox_of
from voice_site.domain.journey import Journey
from voice_site.domain.lead import LeadJob
from voice_site.domain.stored_request import Delivery, Jobs, StoredRequest

_requests = table_of(DemoRequestRow)
_outbox = table_of(OutboxRow)
_TOPICS = "demo.%"
_JOURNEY = frozenset(each.name for each in fields(Journey))
"""During an upgrade, the next release stores parts that this one does not have."""


class SqlDemoRequests:
    """Stores demo requests, each with its lead and its jobs in one transaction.

    There is one row per key; the second of two with the same key changes nothing.
    """

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    async def add(self, new: StoredRequest, jobs: Jobs) -> str:
        """Store a request unless its key is known; return the id of the one that has the key.

        The jobs that their limit covers are left out once it is reached; requests that are stored
        at the same time do not count each other.

        Raises:
            DatabaseUnavailable: If it could not be stored.
            InvalidQuery: If the table has another schema.
        """
        insert = (
            insert_into(self._database.dialect, _requests)
            .values(
                **asdict(new.request),
                id=new.id,
                submission_key=new.key,
                is_suspected=new.is_suspected,
                created_at=new.created_at,
                journey=asdict(new.journey),
                link_token=new.link_token or None,
            )
            .on_conflict_do_nothing(index_elements=["submission_key"])
            .returning(_requests.c.id)
        )
        stored = select(_requests.c.id).where(_requests.c.submission_key == new.key)

        def work(connection: Connection) -> str:
            if connection.execute(insert).first():
                sql_leads.serialize(connection)
                _place(connection, new, jobs)
            return connection.execute(stored).scalar_one()

        id_ = await self._database.write(work)
        self._outbox.notify()
        return id_

    async def adopt(self, jobs_of: Callable[[StoredRequest], Jobs]) -> int:
        """Give a lead to each request that has none; return how many there were.

        The previous release stores such requests during an upgrade. Their jobs, by `jobs_of`, are
        enqueued unless they exist.
        """
        orphans = select(_requests).where(_requests.c.lead_id.is_(None))
        found = [_stored(row) for row in await self._database.fetch_all(orphans)]
        again = orphans.order_by(_requests.c.created_at, _requests.c.id)

        def work(connection: Connection) -> int:
            sql_leads.serialize(connection)
            adopted = [_stored(row) for row in connection.execute(again)]
            for stored in adopted:
                _place(connection, stored, jobs_of(stored))
            return len(adopted)

        return await self._database.write(work) if found else 0

    async def by_id(self, id_: str) -> StoredRequest | None:
        row = await self._database.fetch_one(select(_requests).where(_requests.c.id == id_))
        return None if row is None else _stored(row)

    async def by_link_token(self, token: str) -> StoredRequest | None:
        """Return the request whose link has this secret."""
        found = await self._database.fetch_one(
            select(_requests).where(_requests.c.link_token == token)
        )
        return None if found is None else _stored(found)

    async def all(self) -> Sequence[StoredRequest]:
        """Return every request, the newest first."""
        statement = select(_requests).order_by(_requests.c.created_at.desc(), _requests.c.id)
        return [_stored(row) for row in await self._database.fetch_all(statement)]

    async def of_lead(self, lead_id: str) -> Sequence[StoredRequest]:
        """Return the requests of a lead, the oldest first."""
        statement = select(_requests).where(_requests.c.lead_id == lead_id)
        is_later = _requests.c.id != _requests.c.lead_id  # of two in the same millisecond
        ordered = statement.order_by(_requests.c.created_at, is_later, _requests.c.id)
        return [_stored(row) for row in await self._database.fetch_all(ordered)]

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
        """Delete a request with its jobs; with the last one of a lead, the lead too."""
        await self._remove(_requests.c.id == id_)

    async def remove_before(self, before: datetime) -> int:
        """Delete the requests that were stored before then, with their jobs; return how many."""
        return await self._remove(_is_older(before))

    async def remove_expired(self, before: datetime, spam_before: datetime) -> int:
        """Delete the leads that changed last before then, with their requests; return how many.

        `spam_before` is the time for leads that are spam. The number is that of the requests.
        """
        return await self._remove(_requests.c.lead_id.in_(sql_leads.expired(before, spam_before)))

    async def withdraw(self, stored: StoredRequest, at: datetime, *, tells_sales: bool) -> None:
        """Delete the requests of a lead from the mailbox of one of them.

        If `tells_sales`, a job `LeadJob.WITHDRAWN` is enqueued, with the reference alone.
        """
        which = (_requests.c.lead_id == stored.lead_id) & (
            _requests.c.mailbox == mailbox_of(stored.request.email)
        )

        key = f"{LeadJob.WITHDRAWN}:{stored.id}"
        told = NewJob(key, LeadJob.WITHDRAWN, stored.reference, {}, at)

        def work(connection: Connection) -> None:
            is_gone = _remove_in(connection, which) > 0
            enqueue(connection, [told] if tells_sales and is_gone else [])

        await self._database.write(work)
        self._outbox.notify()

    async def _remove(self, which: ColumnElement[bool]) -> int:
        """Delete requests and their jobs; return how many requests."""
        return await self._database.write(lambda connection: _remove_in(connection, which))


def _remove_in(connection: Connection, which: ColumnElement[bool]) -> int:
    """Delete requests, what was added to them, their jobs, and leads that have no other request.

    Return how many requests.
    """
    ids = select(_requests.c.id).where(which)
    is_their_job = _outbox.c.topic.like(_TOPICS) & _outbox.c.subject.in_(ids)
    sql_leads.serialize(connection)
    connection.execute(delete(_outbox).where(is_their_job))
    sql_leads.remove_additions(connection, which)
    removed = connection.execute(delete(_requests).where(which)).rowcount
    sql_leads.remove_empty(connection)
    return removed


def _place(connection: Connection, stored: StoredRequest, jobs: Jobs) -> None:
    """Put a request into its lead, and enqueue the jobs that the limit does not leave out."""
    is_new_lead = sql_leads.place(connection, stored)
    keys = _outbox.c.dedupe_key.startswith(jobs.limit.prefix, autoescape=True)
    enqueued = connection.execute(select(func.count()).where(keys)).scalar_one()
    is_reached = enqueued >= jobs.limit.maximum
    of_request = [
        NewJob(key, topic, stored.id, {}, stored.created_at)
        for key, topic in jobs.topics.items()
        if not (is_reached and key.startswith(jobs.limit.prefix))
    ]
    later = [
        NewJob(f"{topic}:{stored.id}", topic, stored.id, {}, stored.created_at + delay)
        for topic, delay in jobs.of_lead.items()
        if is_new_lead
    ]
    enqueue(connection, of_request + later)


def _is_older(before: datetime) -> ColumnElement[bool]:
    return _requests.c.created_at < before


def _stored(row: Any) -> StoredRequest:
    request = from_row(DemoRequest, _requests, row)
    journey: dict[str, Any] = row.journey or {}
    return from_row(
        StoredRequest,
        _requests,
        row,
        key=row.submission_key,
        request=request,
        journey=Journey(**{name: each for name, each in journey.items() if name in _JOURNEY}),
        lead_id=row.lead_id or "",
        link_token=row.link_token or "",
    )
