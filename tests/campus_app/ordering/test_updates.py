"""Pushes of group orders to the open pages of all processes. Source: specification 10.68."""

import secrets

import pytest

from campus_app import live
from campus_app.ordering.rules.group_order import hash_of_key, new_key
from campus_app.ordering.screens.group_order_state import GroupOrderState
from campus_app.ordering.services.group_orders import Follower
from campus_app.ordering.updates import GroupOrderUpdates
from campus_app.shared import current
from kit.background import running
from kit.db.errors import DatabaseUnavailable
from tests.helpers.databases import sqlite_only
from tests.helpers.open_sockets import OpenSockets
from tests.helpers.waiting import eventually

pytestmark = [pytest.mark.anyio, sqlite_only, pytest.mark.usefixtures("current_services")]

OWNER, GUEST = new_key(), new_key()


class FailingStore:
    """A store that fails until it is replaced."""

    async def find_all(self, _ids):
        raise DatabaseUnavailable("it is down")


class OvertakenStore:
    """A store beside whose reading something else happens."""

    def __init__(self, store, happens):
        self._store, self._happens = store, happens

    async def find_all(self, ids):
        found = await self._store.find_all(ids)
        self._happens()
        return found


@pytest.fixture
def sockets():
    return OpenSockets()


@pytest.fixture
async def group(services):
    begun = await services.group_orders.begin(1, "Asha", OWNER, None, "")
    return await services.group_orders.join(begun.id, GUEST, "Ravi")


def follow(services, sockets, group, key=""):
    """Show a group order on a new socket; return its id."""
    socket_id = secrets.token_hex(8)
    sockets.open.add(socket_id)
    key_hash = hash_of_key(key, group.id) if key else ""
    services.group_orders.followers.open(socket_id, Follower(group.id, key_hash))
    return socket_id


def views(sockets, socket_id):
    return sockets.values(socket_id, GroupOrderState, "view")


async def test_page_is_sent_its_own_view_once(services, sockets, group):
    owner, guest, visitor = (follow(services, sockets, group, each) for each in (OWNER, GUEST, ""))
    await services.group_orders.step(group.id, GUEST, "104", 1)
    updates = GroupOrderUpdates(services, sockets)
    for _ in range(2):
        await updates.update()
    assert [each["mine"] for each in views(sockets, guest)] == [{"104": 1}]
    assert [each["isOwner"] for each in views(sockets, owner)] == [True]
    assert [each["isMember"] for each in views(sockets, visitor)] == [False]


async def test_updates_read_and_send_nothing_without_an_open_page(services, sockets, group):
    services.group_orders.store = FailingStore()
    await GroupOrderUpdates(services, sockets).update()
    assert sockets.sent == []


async def test_page_that_opens_while_others_are_read_is_sent_nothing_of_that_reading(
    services, sockets, group
):
    other = await services.group_orders.begin(1, "Zoya", new_key(), None, "")
    follow(services, sockets, other)
    opened = []
    services.group_orders.store = OvertakenStore(
        services.group_orders.store, lambda: opened.append(follow(services, sockets, group, GUEST))
    )
    updates = GroupOrderUpdates(services, sockets)
    await updates.update()
    assert views(sockets, opened[0]) == []
    await updates.update()
    assert [each["status"] for each in views(sockets, opened[0])] == ["open"]


async def test_closed_pages_are_forgotten(services, sockets, group):
    sockets.open.discard(follow(services, sockets, group))
    async with running(GroupOrderUpdates(services, sockets).run()):
        await eventually(lambda: not services.group_orders.followers, "it is forgotten")
    assert sockets.sent == []


async def test_updates_go_on_after_an_outage_of_the_database(services, sockets, group, caplog):
    store, services.group_orders.store = services.group_orders.store, FailingStore()
    page = follow(services, sockets, group, GUEST)
    async with running(
        GroupOrderUpdates(services, sockets).run(), live.wake_group_order_updates(services)
    ):
        message = "group orders: the database did not answer"
        await eventually(lambda: message in caplog.messages, "it is logged")
        services.group_orders.store = store
        await eventually(lambda: bool(views(sockets, page)), "it is sent")


async def test_change_in_another_process_reaches_the_page(new_services, monkeypatch, redis):
    first, second = (new_services(redis_url=redis.url) for _ in range(2))
    monkeypatch.setattr(current, "services", lambda: first)
    sockets = OpenSockets()
    group = await second.group_orders.begin(1, "Asha", OWNER, None, "")
    page = follow(first, sockets, group, OWNER)
    async with running(
        GroupOrderUpdates(first, sockets).run(), live.wake_group_order_updates(first)
    ):
        await eventually(lambda: bool(views(sockets, page)), "the first view")
        await second.group_orders.step(group.id, OWNER, "104", 1)
        await eventually(lambda: views(sockets, page)[-1]["mine"] == {"104": 1}, "the change")
    await first.pubsub.close()
    await second.pubsub.close()
