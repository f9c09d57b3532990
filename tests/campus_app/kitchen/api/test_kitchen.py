"""The link that enrols a kitchen's device, over HTTP. Source: specification 10.24."""

from datetime import timedelta
from http.cookies import SimpleCookie

import pytest

from campus_app.kitchen.rules.kitchen import DEVICE_COOKIE
from campus_app.kitchen.sql.tables import KitchenDeviceRow, KitchenLinkRow
from campus_app.shared import current
from campus_app.shared.rules.constants import KITCHEN_DEVICE_DAYS
from tests.helpers.databases import sqlite_only
from tests.helpers.kitchens import OPERATOR
from tests.helpers.tables import count, rows

pytestmark = [pytest.mark.anyio, sqlite_only]

GONE = "This link has been used"


@pytest.fixture
async def link(services):
    """The path of a new link of restaurant 1."""
    created = await services.kitchen_devices.create_link(1, OPERATOR)
    return f"/kitchen/{created.token}"


def cookie_of(answer):
    """Return the cookie that an answer sets."""
    return SimpleCookie(answer.headers["set-cookie"])[DEVICE_COOKIE]


async def test_get_shows_the_kitchen_and_uses_nothing_up(api, services, link):
    for _ in range(3):
        answer = await api.get(link)
        assert answer.status_code == 200
        assert "Pehla Food Point" in answer.text
        assert "set-cookie" not in answer.headers
    assert await count(services.database, KitchenLinkRow) == 1
    assert await count(services.database, KitchenDeviceRow) == 0
    assert (await api.post(link)).status_code == 303


async def test_post_enrols_the_device_and_redirects_to_the_board(api, services, link):
    answer = await api.post(link)
    assert (answer.status_code, answer.headers["location"]) == (303, "/kitchen")
    assert answer.headers["cache-control"] == "no-store"
    device = await services.kitchen_devices.device_of(cookie_of(answer).value)
    assert device is not None
    assert device.restaurant_id == 1
    (row,) = await rows(services.database, KitchenDeviceRow)
    assert row.id == device.id
    assert await count(services.database, KitchenLinkRow) == 0


async def test_cookie_cannot_be_read_by_scripts_or_sent_by_other_sites(api, link):
    cookie = cookie_of(await api.post(link))
    assert (cookie["httponly"], cookie["secure"]) == (True, True)
    assert (cookie["samesite"].lower(), cookie["path"], cookie["domain"]) == ("strict", "/", "")
    assert int(cookie["max-age"]) >= timedelta(days=KITCHEN_DEVICE_DAYS).total_seconds()
    assert len(cookie.value) >= 22, "128 bits"


async def test_cookie_is_sent_without_tls_when_the_site_has_none(api, new_services, monkeypatch):
    plain = new_services(public_url="http://localhost:3000")
    monkeypatch.setattr(current, "services", lambda: plain)
    created = await plain.kitchen_devices.create_link(1, OPERATOR)
    cookie = cookie_of(await api.post(f"/kitchen/{created.token}"))
    assert (cookie["httponly"], cookie["secure"]) == (True, "")


async def test_link_works_once(api, services, link):
    assert (await api.post(link)).status_code == 303
    for send in (api.post, api.get):
        answer = await send(link)
        assert answer.status_code == 410
        assert GONE in answer.text
        assert "Pehla" not in answer.text
        assert "set-cookie" not in answer.headers
    assert await count(services.database, KitchenDeviceRow) == 1


@pytest.mark.parametrize(
    "token", ["x", "A" * 22, "A" * 3_000, "%00", "%F0%9F%8D%9B", "%27%20or%201%3D1", "%ED%A0%80"]
)
async def test_unknown_link_is_gone(api, services, token):
    for send in (api.get, api.post):
        answer = await send(f"/kitchen/{token}")
        assert answer.status_code == 410
        assert GONE in answer.text
        assert "set-cookie" not in answer.headers
    assert await count(services.database, KitchenDeviceRow) == 0


@pytest.mark.parametrize("is_valid", [True, False])
async def test_page_is_not_stored_indexed_framed_or_referred_to(api, link, is_valid):
    headers = (await api.get(link if is_valid else "/kitchen/unknown")).headers
    assert headers["cache-control"] == "no-store"
    assert headers["x-robots-tag"] == "noindex"
    assert headers["referrer-policy"] == "same-origin"
    policy = headers["content-security-policy"]
    for rule in ("default-src 'none'", "form-action 'self'", "frame-ancestors 'none'"):
        assert rule in policy
    assert "unsafe-inline" not in policy


def sent(token):
    """Return the header with a device's cookie."""
    return {"cookie": f"{DEVICE_COOKIE}={token}"}


async def test_renewal_sets_the_cookie_of_an_enrolled_device_again(api, link):
    cookie = cookie_of(await api.post(link))
    answer = await api.post("/api/kitchen/renewal", headers=sent(cookie.value))
    assert answer.status_code == 204
    renewed = cookie_of(answer)
    assert (renewed.value, renewed["httponly"]) == (cookie.value, True)
    assert int(renewed["max-age"]) > 90 * 24 * 3600


@pytest.mark.parametrize("token", ["", "unknown"])
async def test_renewal_sets_nothing_without_a_device(api, token):
    answer = await api.post("/api/kitchen/renewal", headers=sent(token) if token else {})
    assert (answer.status_code, "set-cookie" in answer.headers) == (204, False)
