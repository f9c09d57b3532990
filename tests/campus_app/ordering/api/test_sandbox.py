"""The payment page of the sandbox. Source: specification C4.1."""

import re
from dataclasses import replace

import httpx
import pytest

from kit.outbox.models import OutboxRow
from tests.helpers.builders import order_request
from tests.helpers.flows import drain, pay
from tests.helpers.providers import ScriptedProvider
from tests.helpers.server import serving
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

PAGE = "/sandbox/pay"
BY_NUMBER = f"{ORIGIN}/payment-success?order_id=AS_482"


@pytest.fixture
async def opened(services):
    """An order whose payment page can be opened by its number."""
    stored = await services.ordering.prepare(order_request(requested_number="AS_482"))
    await services.checkouts.open(stored)
    return stored


@pytest.fixture
async def own_page(services, opened):
    """The address of the order's payment page, with its key."""
    checkout = await services.checkouts.open(opened)
    return checkout.url.removeprefix(ORIGIN)


async def press(api, button, webhook="never", number="AS_482"):
    form = {"order_id": number, "button": button, "webhook": webhook}
    return await api.post(PAGE, data=form)


async def test_page_shows_order_amount_and_four_buttons(api, opened):
    response = await api.get(PAGE, params={"order_id": "AS_482"})
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert "AS_482" in response.text
    assert f"₹{opened.payment.amount:.0f}" in response.text
    assert re.findall(r"<button[^>]*>([^<]+)</button>", response.text) == [
        "Pay successfully",
        "Decline payment",
        "Cancel",
        "Leave pending",
    ]
    assert "no money moves here" in response.text
    personal = ("Aarav", "aarav@", "98000", "Hostel")
    assert [word for word in personal if word in response.text] == []


@pytest.mark.parametrize(
    ("button", "status"),
    [
        pytest.param("pay", "SUCCESS", id="Pay successfully"),
        pytest.param("decline", "FAILED", id="Decline payment"),
        pytest.param("cancel", "CANCELLED", id="Cancel"),
        pytest.param("pending", "PENDING", id="Leave pending"),
    ],
)
async def test_button_redirects_to_the_return_url(api, opened, own_page, button, status):
    await api.get(own_page)
    response = await press(api, button)
    assert response.status_code == 303
    assert response.headers["location"].endswith(f"/forms/response/{opened.order.response_token}")
    await api.post("/payment/sandbox-success", json={"orderId": "AS_482"})
    content = (await api.get("/payment/order-status/AS_482")).json()
    assert content["status"] == status


@pytest.mark.parametrize("key", ["", "x", "0" * 32, "ä"])
async def test_page_has_no_link_to_the_receipt_without_its_key(api, opened, key):
    """Source: specification C4.3."""
    params = {"order_id": "AS_482", "key": key}
    assert (await press(api, "pay")).headers["location"] == BY_NUMBER
    for page in (await api.get(PAGE, params=params), await api.get(PAGE, params=params)):
        assert "already made" in page.text
        assert f'href="{BY_NUMBER}"' in page.text
        assert opened.order.response_token not in page.text
        assert "set-cookie" not in page.headers
    assert (await press(api, "pay")).headers["location"] == BY_NUMBER


async def test_key_of_another_order_gives_no_link_to_the_receipt(api, services, own_page):
    other = await services.ordering.prepare(order_request(requested_number="AS_483"))
    await services.checkouts.open(other)
    await api.get(own_page)
    location = (await press(api, "pay", number="AS_483")).headers["location"]
    assert location == BY_NUMBER.replace("482", "483")
    key = own_page.rpartition("=")[2]
    page = await api.get(PAGE, params={"order_id": "AS_483", "key": key})
    assert other.order.response_token not in page.text


async def test_browser_keeps_the_key_of_the_page(api, services, opened, own_page):
    await pay(services, opened)
    cookie = (await api.get(own_page)).headers["set-cookie"]
    assert "HttpOnly; Path=/sandbox/pay; SameSite=lax" in cookie
    page = await api.get(PAGE, params={"order_id": "AS_482"})
    assert opened.order.response_token in page.text


async def test_page_has_no_buttons_when_paid(api, services, opened, own_page):
    await pay(services, opened)
    text = (await api.get(own_page)).text
    assert "already made" in text
    assert "<button" not in text
    assert opened.order.response_token in text
    assert (await press(api, "decline")).status_code == 303
    assert (await api.get("/payment/order-status/AS_482")).json()["status"] == "SUCCESS"


async def test_page_has_no_buttons_when_payment_has_expired(api, opened, clock):
    clock.set(opened.payment.expires_at)
    text = (await api.get(PAGE, params={"order_id": "AS_482"})).text
    assert "time to pay is over" in text
    assert "<button" not in text


UNKNOWN = ("", "AS_483", "AS_482\0", "<script>alert(1)</script>", "x" * 5_000, "' OR 1=1 --")


async def test_page_is_not_found_when_order_is_unknown(api, opened):
    for number in UNKNOWN:
        response = await api.get(PAGE, params={"order_id": number})
        assert response.status_code == 404
        assert "There is no such payment" in response.text
        assert "<script" not in response.text
        response = await press(api, "pay", number=number)
        assert response.status_code == (422 if number in {"", "x" * 5_000} else 404)


async def test_unknown_button_and_incomplete_form_have_no_effect(api, services, opened):
    for button in ("", "PAY", "refund", "pay\0", "<b>", "x" * 500):
        assert (await press(api, button)).status_code == 422
    for form in ({}, {"order_id": "AS_482"}, {"button": "pay"}):
        assert (await api.post(PAGE, data=form)).status_code == 422
    assert (await api.get("/payment/order-status/AS_482")).json()["status"] == "PENDING"
    assert await count(services.database, OutboxRow) == 0


async def test_page_keeps_the_webhook_delivery_option(api, services, opened):
    kept = {word: word for word in ("late", "never", "twice")}
    for word, value in (kept | dict.fromkeys(("", "sometimes", "<script>", "NEVER"), "")).items():
        page = await api.get(PAGE, params={"order_id": "AS_482", "webhook": word})
        assert f'name="webhook" value="{value}"' in page.text
    await press(api, "pay", "sometimes")
    assert await count(services.database, OutboxRow) == 1


async def test_page_is_404_when_provider_is_not_sandbox(api, monkeypatch, services, opened):
    payments = replace(services.payments, provider=ScriptedProvider())
    other = replace(services, payments=payments)
    monkeypatch.setattr("campus_app.shared.current.services", lambda: other)
    assert (await api.get(PAGE, params={"order_id": "AS_482"})).status_code == 404
    assert (await press(api, "pay")).status_code == 404


@pytest.mark.parametrize(
    ("webhook", "seconds"),
    [
        pytest.param("", 0, id="at once"),
        pytest.param("late", 20, id="C4.2: webhook=late"),
        pytest.param("twice", 0, id="C4.2: webhook=twice"),
    ],
)
async def test_webhook_is_sent_over_http_without_a_browser(
    api, application, new_services, monkeypatch, clock, webhook, seconds
):
    """The worker posts the signed webhook to a running server."""
    async with serving(application) as address:
        port = httpx.URL(address).port
        ours = new_services(port=port)
        monkeypatch.setattr("campus_app.shared.current.services", lambda: ours)
        stored = await ours.ordering.prepare(order_request(requested_number="AS_482"))
        await ours.checkouts.open(stored)
        await press(api, "pay", webhook)
        if seconds:
            await drain(ours)
            assert (await ours.lookup.progress("AS_482")).status == "PENDING"
            clock.advance(seconds=seconds)
        await drain(ours)

        async def is_processed():
            return (await ours.lookup.progress("AS_482")).is_processed

        # The server queries the provider after it has responded.
        await eventually(is_processed, "the order is paid")
        await drain(ours)
        await ours.payments.provider.close()
        content = (await api.get("/payment/order-status/AS_482")).json()
        assert content == {
            "status": "SUCCESS",
            "processed": True,
            "emailsSent": 2,
            "missedCallStatus": "success",
        }
