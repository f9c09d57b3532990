"""The operators' use cases; each leaves its audit entry."""

from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.operators.rules.order_admin import OrderFilter, OrderQuery
from campus_app.operators.services.running_server import HttpRunningServer
from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.audit import Actor, AuditAction
from campus_app.shared.rules.errors import Conflict, NotFound
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import calls, drain, mails, pay
from tests.helpers.tables import execute, multiply_orders

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


async def test_set_override_writes_database_when_no_server_runs(operations, new_services, lines):
    turned = await operations.set_override(3, is_open=False, message="No gas", by=ASHA)
    assert not turned.by_server
    assert turned.status.state is RestaurantState.UNAVAILABLE
    another = new_services()
    await another.statuses.load()
    assert another.statuses.is_forced_closed(3)
    await operations.set_override(3, is_open=True, message="ignored", by=ASHA)
    statuses = {each.restaurant_id: each for each in await another.operations.load_statuses()}
    assert (statuses[3].is_open, statuses[3].message) == (True, "")
    assert await lines() == [
        ("asha", AuditAction.OPEN_RESTAURANT, "restaurant 3", {}),
        ("asha", AuditAction.CLOSE_RESTAURANT, "restaurant 3", {"message": "No gas"}),
    ]


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


@pytest.mark.parametrize("number", [0, 9, -1, 10**30])
async def test_set_override_raises_not_found_for_unknown_restaurant(operations, lines, number):
    server = ScriptedServer(says=True)
    with pytest.raises(NotFound) as raised:
        await replace(operations, server=server).set_override(
            number, is_open=False, message="", by=ASHA
        )
    assert raised.value.code == "unknown_restaurant"
    assert (server.asked, await lines()) == ([], [])


# Orders


@pytest.fixture
def paid(services):
    async def paid(**changes):
        stored = await pay(services, await services.ordering.prepare(order_request(**changes)))
        await drain(services)
        return stored.order

    return paid


@sqlite_only
async def test_list_orders_returns_newest_orders(operations, services, paid):
    order = await paid()
    await services.ordering.prepare(order_request())
    assert (await operations.order_admin.list_orders(OrderQuery(limit=10))).total == 2
    page = await operations.order_admin.list_orders(OrderQuery(limit=10, only=OrderFilter.UNPAID))
    assert [line.number for line in page.lines] != [order.number]


async def test_order_details_finds_order_by_number_or_id(operations, paid):
    order = await paid()
    for name in (order.number, order.number.lower(), order.id):
        file = await operations.order_details(name, ASHA)
        assert file.order.id == order.id
    assert file.order.state is OrderState.CONFIRMED
    assert file.payment.paid == order.bill.online
    assert [notification.state for notification in file.notifications] == ["done"] * 3


async def test_order_details_records_audit_entry_without_personal_data(operations, paid, lines):
    order = await paid()
    file = await operations.order_details(order.number, ASHA)
    expected = ("asha", AuditAction.SHOW_ORDER, order.id, {"number": order.number})
    assert await lines() == [expected]
    assert [entry.action for entry in file.audit] == [AuditAction.SHOW_ORDER]


@sqlite_only
async def test_order_details_has_last_100_audit_entries_of_order(operations, paid, clock):
    order, other = await paid(), await paid()
    await operations.order_details(other.number, ASHA)
    file = await operations.order_details(order.number, ASHA)
    assert [entry.subject for entry in file.audit] == [order.id]
    for _ in range(100):
        clock.advance(seconds=1)
        file = await operations.order_details(order.number, ASHA)
    assert (len(file.audit), file.audit[0].at) == (100, clock.now())


@pytest.mark.parametrize(
    "name", ["", "AS_101", "AS_1", "as_", "0" * 32, "x\0", "नहीं", "' OR 1=1 --", "x" * 5_000]
)
async def test_order_details_raises_not_found_for_unknown_order(operations, lines, name):
    for look in (operations.order_details, operations.retry_notifications):
        with pytest.raises(NotFound) as raised:
            await look(name, ASHA)
        assert raised.value.code == "unknown_order"
    assert await lines() == []


# Notifications


async def test_retry_notifications_sends_failed_mail(operations, services, paid, lines):
    order = await paid()
    await execute(
        services.database,
        "UPDATE outbox SET state = 'dead', last_error = 'refused' WHERE topic = 'mail.vendor'",
    )
    (file,) = (services.settings.outbox_dir / "mail").glob("mail.vendor*")
    file.unlink()
    assert await operations.retry_notifications(order.number, ASHA) == ["mail.vendor"]
    assert await drain(services) == 1
    assert sorted(mails(services)) == ["mail.customer", "mail.vendor"]
    assert len(calls(services)) == 1
    details = {"number": order.number, "notifications": "mail.vendor"}
    assert await lines() == [("asha", AuditAction.RETRY_NOTIFICATIONS, order.id, details)]


@sqlite_only
async def test_retry_notifications_audit_entry_names_topics(operations, services, paid, lines):
    order = await paid()
    await execute(services.database, "UPDATE outbox SET state = 'dead' WHERE topic LIKE 'mail%'")
    topics = await operations.retry_notifications(order.number, ASHA)
    assert sorted(topics) == ["mail.customer", "mail.vendor"]
    assert (await lines())[0][3]["notifications"] == ", ".join(topics)


async def test_retry_notifications_does_not_repeat_sent_ones(operations, services, paid, lines):
    # Source: specification S9.
    order = await paid()
    assert await operations.retry_notifications(order.id, ASHA) == []
    assert await drain(services) == 0
    assert (await lines())[0][3] == {"number": order.number, "notifications": "none"}


# Purging


async def purge(operations, clock, **age):
    before = clock.now() - timedelta(**age)
    return [batch async for batch in operations.purge(before, ASHA)]


async def test_purge_deletes_personal_data_of_old_orders(operations, services, paid, clock, lines):
    old = await paid()
    clock.advance(days=100)
    young = await paid()
    clock.advance(days=100)
    before = clock.now() - timedelta(days=180)
    assert await operations.order_admin.count_personal(before) == 1
    assert await purge(operations, clock, days=180) == [1]
    assert await purge(operations, clock, days=180) == []
    kept = {order.id: await services.payments.orders.by_id(order.id) for order in (old, young)}
    assert kept[old.id].order.customer.full_name == ""
    assert kept[young.id].order == young
    details = {"before": before.isoformat(timespec="seconds"), "orders": "1"}
    assert await lines() == [("asha", AuditAction.PURGE_ORDERS, "orders", details)]


async def test_purge_works_in_batches(operations, services, clock):
    for _ in range(5):
        await services.ordering.prepare(order_request())
    await multiply_orders(services.database, by=81)
    clock.advance(days=200)
    assert await operations.order_admin.count_personal(clock.now()) == 405
    assert await purge(operations, clock, days=180) == [200, 200, 5]


async def test_retry_notifications_raises_conflict_when_purged(operations, paid, clock):
    order = await paid()
    clock.advance(days=200)
    await purge(operations, clock, days=180)
    with pytest.raises(Conflict) as raised:
        await operations.retry_notifications(order.id, ASHA)
    assert raised.value.code == "purged"
