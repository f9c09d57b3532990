"""The operators' use cases; each leaves its audit entry."""

from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.operators.services.running_server import HttpRunningServer
from campus_app.shared.rules.audit import Actor, AuditAction
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.tables import multiply_orders

pytestmark = pytest.mark.anyio

ASHA = Actor("asha")


class ScriptedServer(HttpRunningServer):
    """A running server that returns what a test sets, and runs `does`."""

    def __init__(self, *, says, does=None):
        self._says = says
        self._does = does
        self.asked = []

    async def set_override(self, override, operator):
        self.asked.append((override, operator))
        if self._does:
            await self._does(override)
        return self._says


@pytest.fixture
def operations(services):
    return services.operations


@pytest.fixture
def lines(operations):
    async def lines():
        entries = await operations.audit.entries(limit=100)
        return [(entry.actor, entry.action, entry.subject, entry.details) for entry in entries]

    return lines


# Overrides


async def test_set_override_uses_running_server(operations, new_services, lines):
    served = new_services()

    async def does(override):
        await served.statuses.set_override(
            override.restaurant_id, is_open=override.is_open, message="No gas"
        )

    server = ScriptedServer(says=True, does=does)
    desk = replace(operations, server=server)
    turned = await desk.set_override(3, is_open=False, message="No gas", by=ASHA)
    assert turned.by_server
    assert (turned.status.is_open, turned.status.message) == (False, "No gas")
    assert [(override.restaurant_id, name) for override, name in server.asked] == [(3, "asha")]
    assert served.statuses.is_forced_closed(3)
    assert await lines() == [
        ("http", AuditAction.CLOSE_RESTAURANT, "restaurant 3", {"message": "No gas"})
    ]


@sqlite_only
async def test_set_override_sends_no_message_when_open(operations):
    server = ScriptedServer(says=False)
    desk = replace(operations, server=server)
    assert (await desk.set_override(3, is_open=True, message="ignored", by=ASHA)).by_server is False
    assert [override.message for override, _ in server.asked] == [""]


async def test_set_override_ignores_server_of_another_database(operations, lines):
    desk = replace(operations, server=ScriptedServer(says=True))
    turned = await desk.set_override(3, is_open=False, message="", by=ASHA)
    assert not turned.by_server
    assert [line[0] for line in await lines()] == ["asha"]


# Orders


@sqlite_only
async def test_order_details_has_last_100_audit_entries_of_order(operations, services, clock):
    order, other = [(await services.ordering.prepare(order_request())).order for _ in range(2)]
    await operations.order_details(other.number, ASHA)
    file = await operations.order_details(order.number, ASHA)
    assert [entry.subject for entry in file.audit] == [order.id]
    for _ in range(100):
        clock.advance(seconds=1)
        file = await operations.order_details(order.number, ASHA)
    assert (len(file.audit), file.audit[0].at) == (100, clock.now())


# Notifications


# Purging


async def purge(operations, clock, **age):
    before = clock.now() - timedelta(**age)
    return [batch async for batch in operations.purge(before, ASHA)]


async def test_purge_works_in_batches(operations, services, clock):
    for _ in range(5):
        await services.ordering.prepare(order_request())
    await multiply_orders(services.database, by=81)
    clock.advance(days=200)
    assert await operations.order_admin.count_personal(clock.now()) == 405
    assert await purge(operations, clock, days=180) == [200, 200, 5]
