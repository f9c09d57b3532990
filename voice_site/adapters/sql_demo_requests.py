"""Demo requests in SQL, each with its outbox rows in one transaction."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict, fields
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, delete, func, select

from kit.clock import from_ms, to_ms
from kit.db.database import Database
from kit.db.tables import insert_into, table_of
from kit.outbox.models import NewJob, OutboxRow, enqueue, requeue
from kit.outbox.store import Outbox
from voice_site.adapters.tables import DemoRequestRow
from voice_site.domain.demo_request import DemoRequest
from voice_site.ports import Delivery, StoredRequest

_requests = table_of(DemoRequestRow)
_outbox = table_of(OutboxRow)
_TOPICS = "demo.%"


class SqlDemoRequests:
    """One row per key; the second of two with the same key changes nothing."""

    def __init__(self, database: Database, outbox: Outbox) -> None:
        self._database = database
        self._outbox = outbox

    async def add(self, new: StoredRequest, notices: Mapping[str, str]) -> str:
        jobs = [NewJob(key, topic, new.id, {}, new.created_at) for key, topic in notices.items()]
        insert = insert_into(self._database.dialect, _requests).values(_values(new))
        known = select(_requests.c.id).where(_requests.c.submission_key == new.key)

        def keep(connection: Connection) -> str:
            once = insert.on_conflict_do_nothing(index_elements=["submission_key"])
            if connection.execute(once.returning(_requests.c.id)).first():
                enqueue(connection, jobs)
            return connection.execute(known).scalar_one()

        id_ = await self._database.write(keep)
        self._outbox.notify()
        return id_

    async def by_id(self, id_: str) -> StoredRequest | None:
        statement = select(_requests).where(_requests.c.id == id_)
        row = await self._database.read(lambda connection: connection.execute(statement).first())
        return None if row is None else _stored(row)

    async def all(self) -> Sequence[StoredRequest]:
        statement = select(_requests).order_by(_requests.c.created_at_ms.desc(), _requests.c.id)
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [_stored(row) for row in rows]

    async def by_reference(self, reference: str) -> Sequence[StoredRequest]:
        statement = select(_requests).where(_requests.c.id.startswith(reference, autoescape=True))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return [_stored(row) for row in rows]

    async def requeue(self, id_: str, topics: Sequence[str], at: datetime) -> Sequence[str]:
        requeued = await self._database.write(
            lambda connection: requeue(connection, id_, topics, at)
        )
        self._outbox.notify()
        return requeued

    async def count_before(self, before: datetime) -> int:
        statement = select(func.count()).select_from(_requests).where(_came_before(before))
        return await self._database.read(
            lambda connection: connection.execute(statement).scalar_one()
        )

    async def remove_before(self, before: datetime) -> int:
        old = select(_requests.c.id).where(_came_before(before))

        def remove(connection: Connection) -> int:
            about_them = _outbox.c.topic.like(_TOPICS) & _outbox.c.subject.in_(old)
            connection.execute(delete(_outbox).where(about_them))
            return connection.execute(delete(_requests).where(_came_before(before))).rowcount

        return await self._database.write(remove)

    async def deliveries(self) -> Mapping[tuple[str, str], Delivery]:
        columns = (_outbox.c.subject, _outbox.c.topic, _outbox.c.state, _outbox.c.last_error)
        statement = select(*columns).where(_outbox.c.topic.like(_TOPICS))
        rows = await self._database.read(lambda connection: connection.execute(statement).all())
        return {
            (subject, topic): Delivery(state, error or "") for subject, topic, state, error in rows
        }


def _came_before(moment: datetime) -> Any:
    return _requests.c.created_at_ms < to_ms(moment)


def _values(new: StoredRequest) -> dict[str, Any]:
    return asdict(new.request) | {
        "id": new.id,
        "submission_key": new.key,
        "is_suspected": new.is_suspected,
        "created_at_ms": to_ms(new.created_at),
    }


def _stored(row: Any) -> StoredRequest:
    request = DemoRequest(**{field.name: getattr(row, field.name) for field in fields(DemoRequest)})
    return StoredRequest(
        row.id, row.submission_key, request, from_ms(row.created_at_ms), row.is_suspected
    )
