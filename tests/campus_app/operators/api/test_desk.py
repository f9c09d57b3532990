"""The link that enrols a device of the desk, over HTTP. Source: specification 11.1, 11.2."""

from http.cookies import SimpleCookie

import pytest

from campus_app.operators.rules.desk import DESK_COOKIE, DeskRole
from campus_app.operators.sql.tables import DeskDeviceRow
from tests.helpers.databases import sqlite_only
from tests.helpers.desk import OWNER
from tests.helpers.tables import count

pytestmark = [pytest.mark.anyio, sqlite_only]


@pytest.fixture
async def link(services):
    """The path of a new link."""
    created = await services.desk_devices.create_link(DeskRole.OWNER, "Asha <b>", OWNER)
    return f"/desk/{created.token}"


async def test_link_enrols_once_by_a_post_alone(api, services, link):
    for _ in range(2):
        answer = await api.get(link)
        assert answer.status_code == 200
        assert "Asha &lt;b&gt;" in answer.text
        assert "set-cookie" not in answer.headers
    answer = await api.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/desk")
    assert answer.headers["cache-control"] == "no-store"
    assert [(await send(link)).status_code for send in (api.post, api.get)] == [410, 410]
    assert await count(services.database, DeskDeviceRow) == 1


async def test_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(api, link):
    cookie = SimpleCookie((await api.post(link)).headers["set-cookie"])[DESK_COOKIE]
    assert (cookie["httponly"], cookie["secure"]) == (True, True)
    assert (cookie["samesite"].lower(), cookie["path"], cookie["domain"]) == ("strict", "/", "")
    assert len(cookie.value) >= 22, "128 bits"


@pytest.mark.parametrize("name", ["x", "x" * 23, "x" * 22, "audit", "orders/0"])
async def test_other_addresses_enrol_nothing(api, services, name):
    assert (await api.post(f"/desk/{name}")).status_code in {404, 405, 410}
    assert await count(services.database, DeskDeviceRow) == 0
