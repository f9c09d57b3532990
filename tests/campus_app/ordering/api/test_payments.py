"""The payment page's address, the provider's webhooks, the client's confirmation."""

import asyncio
from dataclasses import replace

import pytest

from campus_app.ordering.rules.errors import ProviderBusy, ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.payment import PaymentState
from campus_app.shared.rules.messages import OrderMessage
from kit.outbox.models import OutboxRow
from kit.quota import Priority
from tests.helpers.builders import order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import press, signed_webhook
from tests.helpers.providers import ScriptedProvider
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio

SUCCESS = "/payment/sandbox-success"


@pytest.fixture
async def order(services):
    return await services.ordering.prepare(order_request())


@pytest.fixture
async def opened(services, order):
    """An order whose payment page is open."""
    await services.checkouts.open(order)
    return order


async def status(api, order):
    response = await api.get(f"/payment/order-status/{order.order.number}")
    return response.json()["status"]


def amount(order):
    return f"{order.payment.amount}"


# The payment form


async def test_payment_form_returns_url_of_the_payment_page(api, order):
    response = await api.get(
        f"/api/payment-form/{amount(order)}", params={"order_id": order.order.number}
    )
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    content = response.json()
    number = order.order.number
    assert content.pop("paymentFormUrl").startswith(f"{ORIGIN}/sandbox/pay?order_id={number}&key=")
    assert content == {"success": True}


async def test_payment_form_accepts_amount_with_or_without_paise(api, order):
    for digits in range(3):
        address = f"/api/payment-form/{order.payment.amount:.{digits}f}"
        response = await api.get(address, params={"order_id": order.order.number})
        assert response.json()["success"] is True


async def test_payment_form_is_409_when_amount_differs(api, order):
    # Source: specification C3.8.
    number = order.order.number
    for text in ("0", "-65", "1000000", "64.99", "65.01"):
        response = await api.get(f"/api/payment-form/{text}", params={"order_id": number})
        assert (response.status_code, response.json()["success"]) == (409, False)
        error = response.json()["error"]
        assert (error["code"], error["message"]) == ("amount_mismatch", OrderMessage.AMOUNT)
    for text in ("abc", "NaN", "-Infinity", "1e400", "1e-9999999", "65.001", "६५x"):
        response = await api.get(f"/api/payment-form/{text}", params={"order_id": number})
        assert (response.status_code, response.json()["success"]) == (422, False), text


async def test_payment_form_is_404_when_order_is_unknown(api):
    for number in ("AS_482", "", "x", "AS_482\0", "'; --"):
        response = await api.get("/api/payment-form/65", params={"order_id": number})
        assert (response.status_code, response.json()["success"]) == (404, False)
    assert (await api.get("/api/payment-form/65")).status_code == 404


@pytest.mark.parametrize("error", [ProviderUnavailable("busy"), ProviderRejected("no")])
async def test_payment_form_has_specified_message_when_provider_fails(
    api, monkeypatch, services, order, error
):
    # Source: specification 8.11.
    provider = ScriptedProvider()
    provider.error = error
    failing = replace(services, checkouts=replace(services.checkouts, provider=provider))
    monkeypatch.setattr("campus_app.shared.current.services", lambda: failing)
    response = await api.get(
        f"/api/payment-form/{amount(order)}", params={"order_id": order.order.number}
    )
    assert (response.status_code, response.json()["success"]) == (503, False)
    assert response.json()["error"]["message"] == "Failed to get payment form URL"
    assert int(response.headers["retry-after"]) > 0


# Webhooks


async def test_provider_that_is_not_configured_is_not_found(api, services, opened):
    headers, body = signed_webhook(services, opened.payment.reference)
    for provider in ("cashfree", "paypal", "..", "%00", "sandbox%20"):
        response = await api.post(f"/payment/{provider}/webhook", content=body, headers=headers)
        assert response.status_code == 404
        response = await api.post(f"/payment/{provider}-success", json=confirmation(opened))
        assert response.status_code == 404


# The client's confirmation. Source: specification 7.12, 7.13, M10.


def confirmation(order, **changes):
    body = {
        "orderId": order.order.number,
        "paymentId": "manual_confirmation",
        "status": "SUCCESS",
        "paymentSuccess": True,
        "orderData": None,
    }
    return body | changes


async def test_confirmation_queries_with_lowest_priority_and_is_rate_limited(
    api, services, opened, monkeypatch
):
    provider = ScriptedProvider()
    changed = replace(services, payments=replace(services.payments, provider=provider))
    monkeypatch.setattr("campus_app.shared.current.services", lambda: changed)
    provider.set_state(opened, PaymentState.PENDING)
    responses = [await api.post(SUCCESS, json=confirmation(opened)) for _ in range(10)]
    assert {(each.status_code, each.json()["success"]) for each in responses} == {(200, False)}
    assert len(provider.fetched) == 6
    requesters = {(each.priority, each.client) for each in provider.requesters}
    assert requesters == {(Priority.ANONYMOUS, "127.0.0.1")}


async def test_payment_form_returns_retry_after_when_provider_is_busy(
    api, services, order, monkeypatch
):
    provider = ScriptedProvider()
    provider.error = ProviderBusy("too busy", retry_after_seconds=12.2)
    changed = replace(services, checkouts=replace(services.checkouts, provider=provider))
    monkeypatch.setattr("campus_app.shared.current.services", lambda: changed)
    form = f"/api/payment-form/{amount(order)}?order_id={order.order.number}"
    response = await api.get(form)
    assert (response.status_code, response.headers["retry-after"]) == (503, "13")
    provider.error = None
    assert (await api.get(form)).status_code == 200
    assert [each.client for each in provider.requesters] == ["127.0.0.1"]


async def test_confirmation_queries_the_provider(api, services, opened):
    await press(services, opened)
    response = await api.post(SUCCESS, json=confirmation(opened))
    assert (response.status_code, response.headers["cache-control"]) == (200, "no-store")
    assert response.json() == {
        "success": True,
        "emailsSent": 0,
        "emailErrors": [],
        "missedCallStatus": "pending",
        "dataSource": "provider",
    }
    assert await count(services.database, OutboxRow) == 3


@pytest.mark.parametrize(
    "change",
    [
        pytest.param({}, id="status SUCCESS, paymentSuccess true"),
        pytest.param({"paymentId": "sbx_forged", "status": "PAID"}, id="a payment id"),
        pytest.param({"paymentId": "safety_retrigger"}, id="7.13: safety_retrigger"),
        pytest.param({"paymentId": "fallback_confirmation"}, id="7.13: fallback_confirmation"),
        pytest.param({"orderData": {"paymentStatus": "SUCCESS", "amount": 0}}, id="orderData"),
        pytest.param({"emailsSent": 2, "processed": True}, id="claims of sent e-mails"),
    ],
)
async def test_confirmation_cannot_mark_order_paid(api, services, opened, change):
    # Source: docs/invariants.md I6.
    response = await api.post(SUCCESS, json=confirmation(opened, **change))
    assert (response.status_code, response.json()["success"]) == (200, False)
    assert await status(api, opened) == "PENDING"
    assert await count(services.database, OutboxRow) == 0


@both_databases
async def test_confirmation_is_idempotent_when_repeated_concurrently(api, services, opened):
    await press(services, opened)
    responses = await asyncio.gather(
        *(api.post(SUCCESS, json=confirmation(opened)) for _ in range(50))
    )
    assert {response.json()["success"] for response in responses} == {True}
    assert await count(services.database, OutboxRow) == 3


async def test_confirmation_is_404_when_order_is_unknown(api):
    for number in ("AS_482", "", "x", "\0", "AS_482'; --"):
        response = await api.post(SUCCESS, json={"orderId": number, "paymentSuccess": True})
        assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_order")


async def test_confirmation_returns_200_without_success_when_provider_is_unavailable(
    api, monkeypatch, services, opened
):
    provider = ScriptedProvider()
    provider.error = ProviderUnavailable("busy")
    failing = replace(services, payments=replace(services.payments, provider=provider))
    monkeypatch.setattr("campus_app.shared.current.services", lambda: failing)
    response = await api.post(SUCCESS, json=confirmation(opened))
    assert (response.status_code, response.json()["success"]) == (200, False)
