"""Kitchen links and devices: who may see a kitchen board. Source: specification 10.24."""

import asyncio
from dataclasses import replace

import pytest
from sqlalchemy import inspect, text

from campus_app.kitchen.sql.kitchen_devices import SqlKitchenDevices
from campus_app.kitchen.sql.tables import KitchenDeviceRow, KitchenLinkRow
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS, KITCHEN_LINK_HOURS
from campus_app.shared.rules.errors import NotFound
from campus_app.shared.rules.messages import KitchenMessage
from campus_app.shared.sql.tables import AuditRow
from tests.helpers.clock import WEDNESDAY
from tests.helpers.kitchens import OPERATOR, enrol
from tests.helpers.tables import count, only_row, rows
from tests.helpers.waiting import meet

pytestmark = pytest.mark.anyio

DEVICES = 50
UNKNOWN_TOKENS = ["", "x", "\x00", "ढाबा", "\ud800", "x" * 100_000, "' OR 1=1 --"]


@pytest.fixture
def devices(services):
    return services.kitchen_devices


async def entries(services):
    return [
        (each.actor, each.action, each.subject, each.details)
        for each in await services.operations.audit.entries(limit=100)
    ]


# Links


async def test_link_enrols_one_device_of_its_kitchen(services, devices):
    link = await devices.create_link(2, OPERATOR)
    for _ in range(2):
        assert (await devices.restaurant_of_link(link.token)).id == 2
    enrolment = await devices.enrol(link.token)
    assert enrolment.device.restaurant_id == 2
    assert await devices.device_of(enrolment.token) == enrolment.device
    assert await devices.enrol(link.token) is None
    assert await devices.restaurant_of_link(link.token) is None
    assert await count(services.database, KitchenDeviceRow) == 1
    assert await count(services.database, KitchenLinkRow) == 0


@pytest.mark.parametrize(("seconds", "is_valid"), [(-1, True), (0, False)])
async def test_link_expires_after_24_hours(services, devices, clock, seconds, is_valid):
    link = await devices.create_link(1, OPERATOR)
    clock.advance(hours=KITCHEN_LINK_HOURS, seconds=seconds)
    assert (await devices.restaurant_of_link(link.token) is not None) is is_valid
    assert (await devices.enrol(link.token) is not None) is is_valid
    assert await count(services.database, KitchenDeviceRow) == int(is_valid)


async def test_link_that_expires_during_enrolment_enrols_nothing(services, devices):
    link = await devices.create_link(1, OPERATOR)

    class Slow(SqlKitchenDevices):
        async def enrol(self, link_hash, device, token_hash, entry):
            at = device.enrolled_at
            late = replace(device, enrolled_at=at.replace(day=at.day + 1))
            return await super().enrol(link_hash, late, token_hash, entry)

    slow = replace(devices, store=Slow(services.database))
    assert await slow.enrol(link.token) is None
    assert await count(services.database, KitchenDeviceRow) == 0
    assert await count(services.database, AuditRow) == 1


async def test_expired_links_are_deleted_when_another_is_created(services, devices, clock):
    await devices.create_link(1, OPERATOR)
    clock.advance(hours=KITCHEN_LINK_HOURS)
    await devices.create_link(2, OPERATOR)
    assert (await only_row(services.database, KitchenLinkRow)).restaurant_id == 2


async def test_unknown_token_enrols_and_shows_nothing(services, devices):
    await enrol(services)
    await devices.create_link(1, OPERATOR)
    for token in UNKNOWN_TOKENS:
        assert await devices.restaurant_of_link(token) is None
        assert await devices.enrol(token) is None
        assert await devices.device_of(token) is None


# Fifty devices that open one link at once


class AllFindLinkFirst(SqlKitchenDevices):
    """All devices find the link before any of them is enrolled."""

    barrier: asyncio.Barrier

    async def find_link(self, token_hash, at):
        link = await super().find_link(token_hash, at)
        await meet(self.barrier)
        return link


class WithoutUse(AllFindLinkFirst):
    """Without the guard: a link that was found enrols a device, used or not."""

    def _use_up(self, connection, link_hash, at):
        return True


async def open_link_on_fifty_devices(processes, kind):
    """Return how many of the devices are enrolled."""
    link = await processes[0].kitchen_devices.create_link(1, OPERATOR)
    barrier = asyncio.Barrier(DEVICES)
    each_process = []
    for services in processes:
        store = kind(services.database)
        store.barrier = barrier
        each_process.append(replace(services.kitchen_devices, store=store))
    enrolments = await asyncio.gather(
        *(each_process[number % len(processes)].enrol(link.token) for number in range(DEVICES))
    )
    enrolled = [each for each in enrolments if each is not None]
    assert await count(processes[0].database, KitchenDeviceRow) == len(enrolled)
    assert len({each.device.id for each in enrolled}) == len(enrolled)
    return len(enrolled)


async def test_50_concurrent_enrolments_with_one_link_enrol_one_device(processes):
    assert await open_link_on_fifty_devices(processes, AllFindLinkFirst) == 1
    assert await count(processes[0].database, AuditRow) == 2


async def test_control_50_devices_are_enrolled_when_link_is_not_used_up(processes):
    """The negative control of the test above."""
    assert await open_link_on_fifty_devices(processes, WithoutUse) == DEVICES


# Devices


async def test_device_lapses_90_days_after_its_last_use(services, devices, clock):
    token = (await enrol(services)).token
    clock.advance(days=KITCHEN_DEVICE_DAYS, seconds=-1)
    assert await devices.device_of(token) is not None
    clock.advance(days=KITCHEN_DEVICE_DAYS, seconds=-1)
    assert await devices.device_of(token) is not None
    assert len(await devices.devices()) == 1
    clock.advance(days=KITCHEN_DEVICE_DAYS)
    assert await devices.device_of(token) is None
    assert await devices.devices() == []


async def test_use_of_device_is_stored_once_an_hour(services, devices, clock):
    token = (await enrol(services)).token

    async def last_used():
        await devices.device_of(token)
        (device,) = await devices.devices()
        return device.last_used_at

    clock.advance(minutes=59)
    assert await last_used() == WEDNESDAY
    used_at = clock.advance(minutes=1)
    assert await last_used() == used_at
    clock.advance(minutes=59)
    assert await last_used() == used_at


async def test_revoked_device_is_not_recognised_and_boards_are_notified(services, devices):
    kept, revoked = await enrol(services), await enrol(services)
    published = []

    async def publish():
        published.append(True)

    await replace(devices, publish_change=publish).revoke(revoked.device.id, OPERATOR)
    assert published == [True]
    assert await devices.device_of(revoked.token) is None
    assert await devices.device_of(kept.token) == kept.device
    with pytest.raises(NotFound) as raised:
        await devices.revoke(revoked.device.id, OPERATOR)
    assert (raised.value.code, raised.value.message) == (
        "unknown_device",
        KitchenMessage.UNKNOWN_DEVICE,
    )


async def test_devices_lists_kitchens_in_order(services, devices, clock):
    enrolled = []
    for restaurant_id in (2, 1, 2):
        enrolled.append((await enrol(services, restaurant_id)).device)
        clock.advance(seconds=1)
    second, first, third = enrolled
    assert list(await devices.devices()) == [first, second, third]
    assert list(await devices.devices(2)) == [second, third]
    assert list(await devices.devices(3)) == []
    with pytest.raises(NotFound):
        await devices.devices(9)


# What is stored


async def test_links_enrolments_and_revocations_are_audited(services, devices):
    device = (await enrol(services, 2)).device
    await devices.revoke(device.id, OPERATOR)
    assert await entries(services) == [
        ("asha", "kitchen.revoke", f"device {device.id}", {}),
        (f"kitchen device {device.id}", "kitchen.enrol", "restaurant 2", {"device": device.id}),
        ("asha", "kitchen.link", "restaurant 2", {}),
    ]


async def everything_stored(database):
    """Return the content of all tables as one text."""

    def work(connection):
        tables = inspect(connection).get_table_names()
        return {name: connection.execute(text(f'SELECT * FROM "{name}"')).all() for name in tables}

    found = await database.read(work)
    assert {"kitchen_links", "kitchen_devices", "audit"} <= set(found)
    return repr(found)


async def test_tokens_are_stored_in_no_table(services, devices):
    unused = await devices.create_link(1, OPERATOR)
    link = await devices.create_link(2, OPERATOR)
    enrolment = await devices.enrol(link.token)
    assert await devices.device_of(enrolment.token) == enrolment.device
    stored = await everything_stored(services.database)
    (device,) = await rows(services.database, KitchenDeviceRow)
    assert device.token_hash in stored
    for token in (unused.token, link.token, enrolment.token):
        assert len(token) >= 22
        assert token not in stored
        assert token not in repr(await devices.devices())
