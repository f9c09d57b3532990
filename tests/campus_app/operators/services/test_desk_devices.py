"""Links and devices of the desk; what they share with those of kitchens is tested there."""

import pytest

from campus_app.operators.rules.desk import DeskRole
from campus_app.shared.rules.constants import (
    DESK_DEVICE_DAYS,
    DESK_LINK_HOURS,
    LONGEST_DESK_DEVICE_DAYS,
)
from campus_app.shared.rules.errors import Invalid
from tests.helpers.desk import OWNER, enrol_desk

pytestmark = pytest.mark.anyio


async def test_link_enrols_one_device_with_its_name_and_role(services):
    link = await services.desk_devices.create_link(DeskRole.SUPPORT, "  Asha\n Rao ", OWNER)
    enrolment = await services.desk_devices.enrol(link.token)
    device = await services.desk_devices.device_of(enrolment.token)
    assert (device.name, device.role) == ("Asha Rao", DeskRole.SUPPORT)
    assert await services.desk_devices.enrol(link.token) is None
    assert list(await services.desk_devices.devices()) == [device]


@pytest.mark.parametrize(("seconds", "is_valid"), [(-1, True), (0, False)])
async def test_link_expires_after_an_hour(services, clock, seconds, is_valid):
    link = await services.desk_devices.create_link(DeskRole.OWNER, "Asha", OWNER)
    clock.advance(hours=DESK_LINK_HOURS, seconds=seconds)
    assert (await services.desk_devices.enrol(link.token) is not None) is is_valid


async def test_device_lapses_30_days_after_its_last_use(services, clock):
    token = (await enrol_desk(services)).token
    for _ in range(2):
        clock.advance(days=DESK_DEVICE_DAYS, seconds=-1)
        assert await services.desk_devices.device_of(token) is not None
    clock.advance(days=DESK_DEVICE_DAYS)
    assert await services.desk_devices.device_of(token) is None
    assert list(await services.desk_devices.devices()) == []


async def test_device_lapses_400_days_after_its_enrolment_at_the_latest(services, clock):
    token = (await enrol_desk(services)).token
    for _ in range(20):
        clock.advance(days=LONGEST_DESK_DEVICE_DAYS / 20, seconds=-1)
        assert await services.desk_devices.device_of(token) is not None
    clock.advance(seconds=20)
    assert await services.desk_devices.device_of(token) is None


@pytest.mark.parametrize("name", ["", "  ", "x" * 61])
async def test_link_needs_a_name_of_1_to_60_characters(services, name):
    with pytest.raises(Invalid):
        await services.desk_devices.create_link(DeskRole.OWNER, name, OWNER)


async def test_kitchens_and_the_desk_recognise_only_their_own_devices(services):
    kitchen = await services.kitchen_devices.create_link(1, OWNER)
    desk = await services.desk_devices.create_link(DeskRole.OWNER, "Asha", OWNER)
    assert await services.desk_devices.enrol(kitchen.token) is None
    assert await services.kitchen_devices.enrol(desk.token) is None
    enrolled = await services.kitchen_devices.enrol(kitchen.token)
    assert await services.desk_devices.device_of(enrolled.token) is None


async def test_links_enrolments_and_revocations_are_audited_by_name(services):
    device = (await enrol_desk(services, DeskRole.SALES)).device
    await services.desk_devices.revoke(device.id, OWNER)
    found = await services.operations.audit.entries(limit=9)
    assert [(each.actor, each.action, each.subject) for each in found] == [
        (OWNER.name, "desk.revoke", f"device {device.id}"),
        ("Asha", "desk.enrol", "desk of Asha (sales)"),
        (OWNER.name, "desk.link", "desk of Asha (sales)"),
    ]
    assert found[1].details == {"device": device.id, "via": f"desk {device.id}"}
