"""The payment page's address, the provider's webhooks, the client's confirmation."""

import asyncio
import json
from dataclasses import replace

import pytest

from campus_app.ordering.providers.sandbox.payments import SIGNATURE_HEADER, TIMESTAMP_HEADER
from campus_app.ordering.rules.errors import ProviderBusy, ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.payment import PaymentState
from kit.outbox.models import OutboxRow
from kit.quota import Priority
from tests.helpers.builders import order_body, order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import DECLINE, drain, pay, press, signed_webhook
from tests.helpers.providers import ScriptedProvider
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio

WEBHOOK = "/payment/sandbox/webhook"
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


@pytest.mark.parametrize(
    "spelling", [lambda a: f"{a:.0f}", lambda a: f"{a:.1f}", lambda a: f"{a:.2f}"]
)
async def test_payment_form_accepts_amount_with_or_without_paise(api, order, spelling):
    text = spelling(order.payment.amount)
    response = await api.get(f"/api/payment-form/{text}", params={"order_id": order.order.number})
    assert response.json()["success"] is True


@pytest.mark.parametrize("text", ["1", "0", "-65", "0.01", "1000000", "64.99", "65.01"])
async def test_payment_form_is_409_when_amount_differs(api, order, text):
    # Source: specification C3.8.
    response = await api.get(f"/api/payment-form/{text}", params={"order_id": order.order.number})
    assert response.status_code == 409
    assert response.json()["success"] is False
    assert response.json()["error"]["code"] == "amount_mismatch"


@pytest.mark.parametrize(
    "text",
    ["abc", "NaN", "Infinity", "-Infinity", "1e400", "1e9999999", "1e-9999999", "65.001", "६५x"],
)
async def test_payment_form_is_422_when_amount_is_invalid(api, order, text):
    response = await api.get(f"/api/payment-form/{text}", params={"order_id": order.order.number})
    assert response.status_code == 422
    assert response.json()["success"] is False


@pytest.mark.parametrize("number", ["AS_482", "", "x", "AS_482\0", "'; --"])
async def test_payment_form_is_404_when_order_is_unknown(api, number):
    response = await api.get("/api/payment-form/65", params={"order_id": number})
    assert (response.status_code, response.json()["success"]) == (404, False)


async def test_payment_form_is_404_without_order_id(api):
    assert (await api.get("/api/payment-form/65")).status_code == 404


async def test_payment_form_is_409_when_order_is_paid(api, services, order):
    await pay(services, order)
    response = await api.get(
        f"/api/payment-form/{amount(order)}", params={"order_id": order.order.number}
    )
    assert (response.status_code, response.json()["error"]["code"]) == (409, "already_paid")


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


async def test_signed_webhook_marks_order_paid(api, services, opened):
    await press(services, opened)
    headers, body = signed_webhook(services, opened.payment.reference)
    response = await api.post(WEBHOOK, content=body, headers=headers)
    assert response.status_code == 200
    assert await status(api, opened) == "SUCCESS"


async def test_duplicate_webhook_is_ignored(api, services, opened):
    # Source: specification P1.8, P1.12.
    await press(services, opened)
    headers, body = signed_webhook(services, opened.payment.reference)
    responses = [await api.post(WEBHOOK, content=body, headers=headers) for _ in range(5)]
    assert {response.status_code for response in responses} == {200}
    await drain(services)
    assert await count(services.database, OutboxRow) == 3


@pytest.fixture
def forge(services, opened):
    """Return a function that forges a webhook about the open order."""

    def forge(how):
        headers, body = signed_webhook(services, opened.payment.reference)
        forgeries = {
            "without headers": ({}, body),
            "without a signature": (_without(headers, SIGNATURE_HEADER), body),
            "without a timestamp": (_without(headers, TIMESTAMP_HEADER), body),
            "with another signature": (headers | {SIGNATURE_HEADER: "A" * 44}, body),
            "with another timestamp": (headers | {TIMESTAMP_HEADER: "1"}, body),
            "with another body": (headers, body.replace(b"SUCCESS", b"SUCCESs")),
            "with JSON of another format": (headers, json.dumps(json.loads(body), indent=1)),
            "without a body": (headers, b""),
            "with invalid UTF-8": (headers, b"\xff\xfe\0"),
        }
        return forgeries[how]

    return forge


def _without(headers, name):
    return {key: value for key, value in headers.items() if key != name}


@pytest.mark.parametrize(
    "how",
    [
        "without headers",
        "without a signature",
        "without a timestamp",
        "with another signature",
        "with another timestamp",
        "with another body",
        "with JSON of another format",
        "without a body",
        "with invalid UTF-8",
    ],
)
async def test_forged_webhook_is_rejected_without_effect(api, services, opened, forge, how):
    # Source: specification C3.11, P1.11.
    await press(services, opened)
    headers, body = forge(how)
    response = await api.post(WEBHOOK, content=body, headers=headers)
    assert (response.status_code, response.json()["error"]["code"]) == (401, "bad_signature")
    assert await status(api, opened) == "PENDING"
    assert await count(services.database, OutboxRow) == 0


async def test_webhook_content_is_not_trusted(api, services, opened):
    # Source: specification P1.14.
    headers, body = signed_webhook(services, opened.payment.reference, status="SUCCESS", amount=1)
    assert (await api.post(WEBHOOK, content=body, headers=headers)).status_code == 200
    assert await status(api, opened) == "PENDING"


async def test_stale_webhook_is_accepted_without_effect(api, services, opened, clock):
    headers, body = signed_webhook(services, opened.payment.reference)
    await press(services, opened)
    clock.advance(days=4)
    assert (await api.post(WEBHOOK, content=body, headers=headers)).status_code == 200
    assert await status(api, opened) == "PENDING"


async def test_webhook_about_unknown_payment_is_accepted(api, services):
    headers, body = signed_webhook(services, "AS-unknown")
    assert (await api.post(WEBHOOK, content=body, headers=headers)).status_code == 200


@pytest.mark.parametrize("provider", ["cashfree", "paypal", "..", "%00", "sandbox%20"])
async def test_webhook_is_404_when_provider_is_not_configured(api, services, opened, provider):
    headers, body = signed_webhook(services, opened.payment.reference)
    response = await api.post(f"/payment/{provider}/webhook", content=body, headers=headers)
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


async def test_confirmation_returns_no_success_when_payment_was_declined(api, services, opened):
    await press(services, opened, DECLINE)
    assert (await api.post(SUCCESS, json=confirmation(opened))).json()["success"] is False
    assert await status(api, opened) == "FAILED"


@both_databases
async def test_confirmation_is_idempotent_when_repeated_concurrently(api, services, opened):
    await press(services, opened)
    responses = await asyncio.gather(
        *(api.post(SUCCESS, json=confirmation(opened)) for _ in range(50))
    )
    assert {response.json()["success"] for response in responses} == {True}
    assert await count(services.database, OutboxRow) == 3


@pytest.mark.parametrize("number", ["AS_482", "", "x", "\0", "AS_482'; --"])
async def test_confirmation_is_404_when_order_is_unknown(api, number):
    response = await api.post(SUCCESS, json={"orderId": number, "paymentSuccess": True})
    assert (response.status_code, response.json()["error"]["code"]) == (404, "unknown_order")


@pytest.mark.parametrize("provider", ["cashfree", "x", "%00"])
async def test_confirmation_is_404_when_provider_is_not_configured(api, opened, provider):
    response = await api.post(f"/payment/{provider}-success", json=confirmation(opened))
    assert response.status_code == 404


async def test_confirmation_returns_200_without_success_when_provider_is_unavailable(
    api, monkeypatch, services, opened
):
    provider = ScriptedProvider()
    provider.error = ProviderUnavailable("busy")
    failing = replace(services, payments=replace(services.payments, provider=provider))
    monkeypatch.setattr("campus_app.shared.current.services", lambda: failing)
    response = await api.post(SUCCESS, json=confirmation(opened))
    assert (response.status_code, response.json()["success"]) == (200, False)


async def test_whole_order_over_http_from_cart_to_notifications(api, services):
    """The requests of a client without a browser."""
    prepared = (await api.post("/payment/prepare-order", json=order_body())).json()
    number, breakdown = prepared["orderId"], prepared["paymentBreakdown"]
    form = await api.get(
        f"/api/payment-form/{breakdown['preOrderPayment']}", params={"order_id": number}
    )
    page = form.json()["paymentFormUrl"].removeprefix(ORIGIN)
    assert (await api.get(page)).status_code == 200
    pressed = await api.post(
        "/sandbox/pay", data={"order_id": number, "button": "pay", "webhook": "never"}
    )
    assert pressed.status_code == 303
    assert pressed.headers["location"].endswith(prepared["responseToken"])
    confirmed = await api.post(SUCCESS, json={"orderId": number, "paymentSuccess": True})
    assert confirmed.json()["success"] is True
    await drain(services)
    content = (await api.get(f"/payment/order-status/{number}")).json()
    assert content == {
        "status": "SUCCESS",
        "processed": True,
        "emailsSent": 2,
        "missedCallStatus": "success",
    }
