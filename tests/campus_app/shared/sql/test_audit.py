"""The audit trail in SQL: entries are added and read, never changed or deleted."""

from datetime import timedelta

import pytest
from sqlalchemy.exc import DatabaseError

from campus_app.shared.rules.audit import Actor, AuditAction, audit_entry
from campus_app.shared.sql.audit import SqlAudit
from campus_app.shared.sql.tables import AuditRow
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.tables import execute, rows

pytestmark = pytest.mark.anyio


@pytest.fixture
def trail(database):
    return SqlAudit(database)


def line(subject="restaurant 3", *, minutes=0, **details):
    moment = WEDNESDAY + timedelta(minutes=minutes)
    return audit_entry(moment, Actor("asha"), AuditAction.CLOSE_RESTAURANT, subject, **details)


async def test_entries_are_returned_latest_first(trail):
    first, second = line(message="गैस खत्म, 'closed' ☹"), line("restaurant 4", minutes=1)
    await trail.record(first)
    await trail.record(second)
    assert await trail.entries(limit=10) == [second, first]


async def test_entries_filters_by_subject_time_and_limit(trail):
    for minutes in range(4):
        await trail.record(line(f"restaurant {minutes % 2}", minutes=minutes))
    newest = [line(f"restaurant {minutes % 2}", minutes=minutes) for minutes in (3, 2, 1, 0)]
    assert await trail.entries(subject="restaurant 1", limit=10) == [newest[0], newest[2]]
    assert await trail.entries(since=newest[1].at, limit=10) == newest[:2]
    assert await trail.entries(limit=3) == newest[:3]


@pytest.mark.parametrize(
    "statement",
    [
        "UPDATE audit SET actor = 'nobody'",
        "UPDATE audit SET details = '{}' WHERE id = 1",
        "DELETE FROM audit",
        "DELETE FROM audit WHERE id = 1",
    ],
)
async def test_trigger_refuses_update_and_delete(trail, database, statement):
    await trail.record(line())
    with pytest.raises(DatabaseError, match="the audit is append-only"):
        await execute(database, statement)
    assert await trail.entries(limit=10) == [line()]


@sqlite_only
@pytest.mark.parametrize("how", ["INSERT OR REPLACE", "REPLACE", "INSERT OR IGNORE"])
async def test_trigger_refuses_replace(trail, database, how):
    await trail.record(line())
    with pytest.raises(DatabaseError, match="the audit is append-only"):
        await execute(
            database,
            f"{how} INTO audit (id, at_ms, actor, action, subject, details) "
            "VALUES (1, 0, 'nobody', 'restaurant.open', 'restaurant 3', '{}')",
        )
    assert await trail.entries(limit=10) == [line()]


@pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
@pytest.mark.parametrize(
    "statement",
    [
        "TRUNCATE audit",
        "INSERT INTO audit (id, at_ms, actor, action, subject, details) "
        "VALUES (1, 0, 'nobody', 'x', 'x', '{}') ON CONFLICT (id) DO UPDATE SET actor = 'nobody'",
    ],
)
async def test_trigger_refuses_truncate_and_upsert_on_postgresql(trail, database, statement):
    await trail.record(line())
    with pytest.raises(DatabaseError, match="the audit is append-only"):
        await execute(database, statement)
    assert await trail.entries(limit=10) == [line()]


async def test_other_tables_can_be_changed(database):
    """The negative control: only the audit table has the triggers."""
    await execute(database, "INSERT INTO order_numbers VALUES (482, 'o', 0)")
    await execute(database, "UPDATE order_numbers SET order_id = 'p'")
    await execute(database, "DELETE FROM order_numbers")
    assert await rows(database, AuditRow) == []
