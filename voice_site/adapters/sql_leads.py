"""Leads in SQL: one for the requests of a person, with a line of history for each change."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import (
    ColumnElement,
    Connection,
    Select,
    delete,
    func,
    insert,
    literal,
    or_,
    select,
    update,
)

from kit.db.database import Database
from kit.db.tables import from_row, table_of
from kit.outbox.models import NewJob, OutboxRow, enqueue
from kit.outbox.store import Outbox
from voice_site.adapters.tables import DemoRequestRow, LeadEventRow, LeadRow
from voice_site.domain.demo_request import DemoRequest, mailbox_of
from voice_site.domain.lead import (
    MERGED_WITHIN,
    MOST_ADDITIONS,
    VISITOR,
    Changes,
    Lead,
    LeadChanged,
    LeadEvent,
    LeadField,
    LeadJob,
    LeadState,
    company_key,
    digest_of,
    phone_key,
)
from voice_site.domain.stored_request import REFERENCE_LENGTH, StoredRequest

_requests = table_of(DemoRequestRow)
_leads = table_of(LeadRow)
_events = table_of(LeadEventRow)
_outbox = table_of(OutboxRow)
_TOPICS = "lead.%"
_LOCK = 5_120_937_448
"""Key of the PostgreSQL advisory lock of whoever places a request or changes a lead; arbitrary."""


def place(connection: Connection, stored: StoredRequest) -> bool:
    """Put a stored request into the lead of its person, or into a new one; return whether into new.

    A suspected request, and one whose person has only leads that are spam, gets a new lead. The
    caller has called `serialize` in the same transaction.
    """
    found = None if stored.is_suspected else _lead_of_person(connection, stored)
    if found is None:
        connection.execute(insert(_leads), _new_lead(stored))
    else:
        touch(connection, found, stored.created_at)
    placed = update(_requests).where(_requests.c.id == stored.id)
    connection.execute(placed.values(lead_id=found or stored.id, **_keys_of(stored.request)))
    return found is None


def serialize(connection: Connection) -> None:
    """Wait until no other transaction places requests or changes leads; SQLite has one writer.

    Otherwise two requests of one person at the same time would each get a lead.
    """
    if connection.dialect.name == "postgresql":
        connection.execute(select(func.pg_advisory_xact_lock(_LOCK)))


def touch(connection: Connection, lead_id: str, at: datetime) -> None:
    """Record that a lead changed at that time, unless it changed later."""
    older = update(_leads).where(_leads.c.id == lead_id, _leads.c.changed_at < at)
    connection.execute(older.values(changed_at=at))


def remove_empty(connection: Connection) -> None:
    """Delete the leads that have no request any more, with their history and jobs."""
    has_request = select(_requests.c.id).where(_requests.c.lead_id == _leads.c.id).exists()
    empty = select(_leads.c.id).where(~has_request)
    is_their_job = _outbox.c.topic.like(_TOPICS) & _outbox.c.subject.in_(empty)
    connection.execute(delete(_outbox).where(is_their_job))
    connection.execute(delete(_events).where(_events.c.lead_id.in_(empty)))
    connection.execute(delete(_leads).where(~has_request))


def expired(before: datetime, spam_before: datetime) -> Select[Any]:
    """Return the ids of the leads that changed last before then; of spam, before `spam_before`."""
    is_spam = _leads.c.state == LeadState.SPAM
    is_old = or_(
        ~is_spam & (_leads.c.changed_at < before), is_spam & (_leads.c.changed_at < spam_before)
    )
    return select(_leads.c.id).where(is_old)


def remove_additions(connection: Connection, which: ColumnElement[bool]) -> None:
    """Delete the sentences that the senders of these requests added to them."""
    reference = func.substr(_requests.c.id, 1, REFERENCE_LENGTH)
    senders = select(literal(VISITOR) + reference).where(which)
    leads = select(_requests.c.lead_id).where(which)
    is_theirs = _events.c.lead_id.in_(leads) & _events.c.actor.in_(senders)
    connection.execute(delete(_events).where(is_theirs))


def _keys_of(request: DemoRequest) -> dict[str, str]:
    """Return the columns by which requests of one person or company are found."""
    return {
        "mailbox": mailbox_of(request.email),
        "phone_key": phone_key(request.phone),
        "company_key": company_key(request.company),
    }


def _new_lead(stored: StoredRequest) -> dict[str, Any]:
    return {
        "id": stored.id,
        "state": LeadState.SPAM if stored.is_suspected else LeadState.NEW,
        "owner": "",
        "note": "",
        "created_at": stored.created_at,
        "changed_at": stored.created_at,
    }


def _lead_of_person(connection: Connection, stored: StoredRequest) -> str | None:
    """Return the lead of this person's last request within MERGED_WITHIN; None without one.

    A person is known by the mailbox, else by the phone. Leads that are spam do not count.
    """
    keys = _keys_of(stored.request)
    for name in ("mailbox", "phone_key"):
        statement = (
            select(_leads.c.id)
            .join(_requests, _requests.c.lead_id == _leads.c.id)
            .where(
                _requests.c[name] == keys[name],
                _requests.c.created_at >= stored.created_at - MERGED_WITHIN,
                _leads.c.state != LeadState.SPAM,
            )
            .order_by(_requests.c.created_at.desc(), _requests.c.id)
            .limit(1)
        )
        if keys[name] and (lead_id := connection.execute(statement).scalar()):
            return lead_id
    return None


class SqlLeads:
    """The leads and their history.

    Raises:
        DatabaseUnavailable: By every method.
    """

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    async def all(self) -> Mapping[str, Lead]:
        """Return every lead by its id."""
        return {lead.id: lead for lead in await self._fetch()}

    async def by_id(self, id_: str) -> Lead | None:
        found = await self._fetch(_leads.c.id == id_)
        return found[0] if found else None

    async def by_reference(self, reference: str) -> Sequence[Lead]:
        """Return the leads whose ids, or a request of which, begin with a reference."""
        of_requests = select(_requests.c.lead_id).where(
            _requests.c.id.startswith(reference, autoescape=True)
        )
        is_own = _leads.c.id.startswith(reference, autoescape=True)
        return await self._fetch(or_(is_own, _leads.c.id.in_(of_requests)))

    async def related(self, lead_id: str) -> Sequence[Lead]:
        """Return the other leads that are not spam and share a company, a mailbox or a phone."""
        own = _requests.alias()
        has_same = or_(
            *(
                (_requests.c[name] == own.c[name]) & (own.c[name] != "")
                for name in ("company_key", "mailbox", "phone_key")
            )
        )
        ids = (
            select(_requests.c.lead_id)
            .join(own, has_same)
            .where(own.c.lead_id == lead_id, _requests.c.lead_id != lead_id)
        )
        return await self._fetch(_leads.c.id.in_(ids), _leads.c.state != LeadState.SPAM)

    async def history(self, lead_id: str) -> Sequence[LeadEvent]:
        """Return what was set, the oldest first."""
        statement = select(_events).where(_events.c.lead_id == lead_id).order_by(_events.c.id)
        return [
            from_row(LeadEvent, _events, row) for row in await self._database.fetch_all(statement)
        ]

    async def change(
        self, lead_id: str, changes: Changes, by: str, at: datetime, seen: Changes
    ) -> Lead | None:
        """Set fields, each with a line of history; a field that has the value already has none.

        Return the lead; None if it does not exist.

        Raises:
            LeadChanged: If a field has not the value whose digest is in `seen`.
        """
        statement = select(_leads).where(_leads.c.id == lead_id)

        def work(connection: Connection) -> Lead | None:
            serialize(connection)
            row = connection.execute(statement).one_or_none()
            if row is None:
                return None
            if any(digest_of(getattr(row, field)) != digest for field, digest in seen.items()):
                raise LeadChanged
            new = {field: value for field, value in changes.items() if getattr(row, field) != value}
            if new:
                changed = update(_leads).where(_leads.c.id == lead_id)
                connection.execute(changed.values({**new, "changed_at": max(at, row.changed_at)}))
                connection.execute(insert(_events), _lines(lead_id, new, by, at))
            return from_row(Lead, _leads, connection.execute(statement).one())

        return await self._database.write(work)

    async def add_sentence(
        self, stored: StoredRequest, sentence: str, at: datetime, *, tells_sales: bool
    ) -> bool:
        """Add a visitor's sentence to the history, unless the lead has the same sentence.

        Return False if the lead does not exist or has MOST_ADDITIONS sentences; True also for a
        sentence that it had. If `tells_sales`, a job `LeadJob.ADDITION` is enqueued.
        """
        is_addition = (_events.c.lead_id == stored.lead_id) & (
            _events.c.field == LeadField.ADDITION
        )
        line = {LeadField.ADDITION: sentence}

        def work(connection: Connection) -> bool:
            serialize(connection)
            added = connection.execute(select(_events.c.value).where(is_addition)).scalars().all()
            if sentence in added:
                return True
            lead = connection.execute(select(_leads.c.id).where(_leads.c.id == stored.lead_id))
            if lead.first() is None or len(added) >= MOST_ADDITIONS:
                return False
            connection.execute(
                insert(_events), _lines(stored.lead_id, line, VISITOR + stored.reference, at)
            )
            touch(connection, stored.lead_id, at)
            digest = digest_of(sentence)
            key = f"{LeadJob.ADDITION}:{stored.reference}:{digest}"
            job = NewJob(key, LeadJob.ADDITION, stored.lead_id, {"digest": digest}, at)
            enqueue(connection, [job] if tells_sales else [])
            return True

        is_added = await self._database.write(work)
        self._outbox.notify()
        return is_added

    async def _fetch(self, *conditions: ColumnElement[bool]) -> Sequence[Lead]:
        statement = select(_leads).where(*conditions).order_by(_leads.c.created_at, _leads.c.id)
        rows = await self._database.fetch_all(statement)
        return [from_row(Lead, _leads, row) for row in rows]


def _lines(lead_id: str, changes: Changes, by: str, at: datetime) -> list[dict[str, Any]]:
    return [
        {"lead_id": lead_id, "at": at, "actor": by, "field": field, "value": value}
        for field, value in changes.items()
    ]
