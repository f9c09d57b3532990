"""Updates of the open pages of the desk. Source: specification 11.2, 11.7, 11.9."""

import asyncio
import secrets

import pytest

from campus_app.operators.rules.attention import AttentionKind
from campus_app.operators.rules.desk import DeskArea, DeskRole
from campus_app.operators.rules.order_admin import OrderQuery
from campus_app.operators.screens.desk_state import DeskState
from campus_app.operators.services.desk import LISTED, DeskView
from campus_app.operators.updates import DeskUpdates
from campus_app.ordering.rules.refund import RefundPart
from campus_app.shared.rules.money import rupees
from kit.background import running
from kit.db.errors import InvalidQuery
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.demo import REQUEST_BODY, site_on
from tests.helpers.desk import OWNER, enrol_desk
from tests.helpers.flows import pay
from tests.helpers.kitchens import enrol
from tests.helpers.open_sockets import OpenSockets
from tests.helpers.tables import execute
from voice_site.content.plans import VARIANTS
from voice_site.domain.demo_request import read_request

pytestmark = [pytest.mark.anyio, sqlite_only, pytest.mark.usefixtures("current_services")]


@pytest.fixture
def app():
    return OpenSockets()


@pytest.fixture
def updates(services, app):
    return DeskUpdates(services, app)


@pytest.fixture
def open_page(services, app):
    """Opens a page of the desk on a new device; returns its socket and device."""

    async def open_page(order_id="", role=DeskRole.OWNER, language="en"):
        device = (await enrol_desk(services, role)).device
        socket_id = secrets.token_hex(8)
        app.open.add(socket_id)
        query = None if order_id else OrderQuery(LISTED)
        services.desk.views.open(
            socket_id, DeskView(device, language, query=query, order_id=order_id)
        )
        return socket_id, device

    return open_page


@pytest.fixture
async def order(services):
    return (await pay(services, await services.ordering.prepare(order_request()))).order


async def test_push_is_sent_after_the_database_has_failed(updates, app, open_page, services):
    socket_id, _ = await open_page()
    services.desk.push(socket_id, "board_link", {"id": 1})
    services.desk.push(socket_id, "done", "old")
    await execute(services.database, "ALTER TABLE desk_devices RENAME TO away")
    with pytest.raises(InvalidQuery):
        await updates.update()
    await execute(services.database, "ALTER TABLE away RENAME TO desk_devices")
    services.desk.push(socket_id, "done", "new")
    for _ in range(2):
        await updates.update()
    assert app.values(socket_id, DeskState, "board_link") == [{"id": 1}]
    assert app.values(socket_id, DeskState, "done") == ["new"]


async def test_page_is_sent_the_orders_once_until_they_change(updates, app, open_page, services):
    socket_id, _ = await open_page()
    await updates.update()
    await updates.update()
    stored = await services.ordering.prepare(order_request())
    await updates.update()
    sent = app.values(socket_id, DeskState, "today")
    assert [[each["number"] for each in view["orders"]] for view in sent] == [
        [],
        [stored.order.number],
    ]


async def test_page_of_an_order_shows_what_another_person_did(
    updates, app, open_page, services, order
):
    socket_id, _ = await open_page(order.id)
    await updates.update()
    part = RefundPart(rupees(10), 0)
    await services.operations.refund(order.id, OWNER, force=False, part=part)
    await updates.update()
    before, after = app.values(socket_id, DeskState, "order")
    assert (before["left"], after["left"]) == ("₹65", "₹55")
    assert order.customer.email not in str(after)


async def test_opening_page_waits_until_it_was_sent_its_content(updates, app, open_page, services):
    socket_id, _ = await open_page()
    arriving = asyncio.create_task(services.desk.sent())
    await asyncio.sleep(0)
    assert not arriving.done()
    await updates.update()
    await arriving
    assert len(app.values(socket_id, DeskState, "today")) == 1


async def test_unknown_order_is_said(updates, app, open_page):
    socket_id, _ = await open_page("0" * 32)
    await updates.update()
    assert app.values(socket_id, DeskState, "order") == [{"id": "", "number": "?"}]


async def test_page_of_a_revoked_device_is_emptied(updates, app, open_page, services, order):
    socket_id, device = await open_page()
    await updates.update()
    await services.desk_devices.revoke(device.id, OWNER)
    await updates.update()
    assert app.values(socket_id, DeskState, "today")[-1] == {}
    assert app.values(socket_id, DeskState, "is_refused") == [True]
    assert len(services.desk.views) == 0


@pytest.mark.parametrize("area", list(DeskArea))
async def test_page_of_any_area_is_emptied_when_its_device_is_revoked(updates, app, services, area):
    device = (await enrol_desk(services)).device
    app.open.add("socket")
    services.desk.views.open("socket", DeskView(device, "en", area))
    services.desk.push("socket", "leads", ["a lead"])
    await updates.update()
    assert app.values("socket", DeskState, "leads") == [["a lead"]]
    await services.desk_devices.revoke(device.id, OWNER)
    services.desk.push("socket", "leads", ["another"])
    await updates.update()
    assert app.values("socket", DeskState, "leads") == [["a lead"], []]
    assert app.values("socket", DeskState, "is_refused") == [True]


async def test_leads_are_shown_to_owners_alone(updates, app, open_page, services, clock):
    site = site_on(services)
    services.desk.leads = site.leads
    await site.demo_requests.submit(read_request(REQUEST_BODY, VARIANTS))
    clock.advance(hours=21)
    owner, _ = await open_page()
    support, _ = await open_page(role=DeskRole.SUPPORT)
    await updates.update()
    shown = {
        each: [line["kind"] for line in app.values(each, DeskState, "today")[-1]["lines"]]
        for each in (owner, support)
    }
    assert shown == {owner: [AttentionKind.LEAD], support: []}


async def test_settled_line_is_gone_at_once(updates, app, open_page, services, clock):
    await enrol(services)
    late = (await pay(services, await services.ordering.prepare(order_request()))).order
    clock.advance(minutes=6)
    socket_id, _ = await open_page()
    await updates.update()
    await services.desk.settle(late.id, AttentionKind.UNSEEN, "phoned", OWNER)
    await updates.update()
    before, after = app.values(socket_id, DeskState, "today")
    assert [each["name"] for each in before["lines"]] == [late.number]
    assert after["lines"] == []


async def test_texts_are_in_the_language_of_the_page(updates, app, open_page, order):
    socket_id, _ = await open_page(language="hi")
    await updates.update()
    (view,) = app.values(socket_id, DeskState, "today")
    assert view["orders"][0]["campus"] == "नॉर्थ कैंपस"


async def test_slow_work_for_a_closed_page_is_ended(updates, app, open_page, services):
    socket_id, _ = await open_page()
    ended = asyncio.Event()

    async def slow():
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    services.desk.push_later(socket_id, "figures", slow())
    async with running(updates.run()), asyncio.timeout(20):
        await asyncio.sleep(0.3)
        assert not ended.is_set()
        app.open.remove(socket_id)
        services.desk.changed.set()
        await ended.wait()
