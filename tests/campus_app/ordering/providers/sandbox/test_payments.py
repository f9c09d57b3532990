"""The sandbox payment provider: payments, buttons, and signed webhooks."""

import asyncio
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from campus_app.ordering.providers.sandbox.payments import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    WEBHOOK_TOPIC,
    SandboxButton,
    SandboxPayments,
    WebhookDelivery,
    installation_secret,
    sign,
)
from campus_app.ordering.rules.errors import BadSignature, StaleWebhook
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.payment_provider import CheckoutRequest, WebhookEvent
from campus_app.shared.rules.money import rupees
from kit.clock import from_ms, to_ms
from kit.db.database import Database
from kit.outbox.errors import DeliveryPostponed
from kit.outbox.models import OutboxRow
from kit.outbox.store import Job
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import both_databases
from tests.helpers.server import serving
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

SECRET = b"a secret of this installation"
NOWHERE = "http://127.0.0.1:1/payment/sandbox/webhook"
PAY, DECLINE, CANCEL, PENDING = SandboxButton
CHECKOUT = CheckoutRequest(
    reference="AS-0123",
    order_number="AS_482",
    amount=rupees("65.50"),
    customer_phone="+919800000001",
    return_url=f"{ORIGIN}/forms/response/token",
    expires_at=WEDNESDAY + timedelta(minutes=20),
)


@pytest.fixture
def provider(database, clock):
    return SandboxPayments(database, SECRET, ORIGIN, NOWHERE, clock)


@pytest.fixture
def press(provider):
    """Presses a button of the hosted page."""

    async def press(button, delivery=WebhookDelivery.NONE):
        return await provider.press(await provider.payment("AS-0123"), button, delivery)

    return press


async def state_of(provider):
    return (await provider.fetch("AS-0123")).state


# Opening a payment


@both_databases
async def test_create_returns_hosted_page_of_order(provider):
    checkout = await provider.create(CHECKOUT)
    key = provider.return_key("AS-0123")
    assert checkout.url == f"{ORIGIN}/sandbox/pay?order_id=AS_482&key={key}"
    payment = await provider.payment("AS-0123")
    assert (payment.order_number, payment.amount) == ("AS_482", rupees("65.50"))
    assert (payment.state, payment.payment_id) == (PaymentState.PENDING, "")
    assert payment.return_url == CHECKOUT.return_url
    assert payment.expires_at == CHECKOUT.expires_at


async def test_return_key_is_of_one_payment_and_installation(provider, database, clock):
    other = SandboxPayments(database, b"another secret", ORIGIN, NOWHERE, clock)
    keys = [provider.return_key("AS-0123"), provider.return_key("AS-0124")]
    assert len({*keys, other.return_key("AS-0123")}) == 3
    assert all(len(key) == 32 for key in keys)


@both_databases
@pytest.mark.parametrize("button", [DECLINE, CANCEL, PENDING, PAY])
async def test_create_reopens_failed_payment(provider, press, button):
    await provider.create(CHECKOUT)
    await press(button)
    await provider.create(CHECKOUT)
    stays = PaymentState.PAID if button is PAY else PaymentState.PENDING
    assert await state_of(provider) is stays


@both_databases
async def test_latest_of_order_returns_newest_payment(provider, clock):
    await provider.create(CHECKOUT)
    clock.advance(hours=25)
    expires_at = clock.now() + timedelta(minutes=20)
    await provider.create(replace(CHECKOUT, reference="AS-0456", expires_at=expires_at))
    assert (await provider.latest_of_order("AS_482")).reference == "AS-0456"
    for number in ("", "AS_483", "as_482", "AS_482\0", "\0", "x" * 10_000):
        assert await provider.latest_of_order(number) is None


# The buttons


@both_databases
@pytest.mark.parametrize(
    ("button", "state", "event", "says_why"),
    [
        (PAY, PaymentState.PAID, "PAYMENT_SUCCESS", False),
        (DECLINE, PaymentState.FAILED, "PAYMENT_FAILED", True),
        (CANCEL, PaymentState.CANCELLED, "PAYMENT_CANCELLED", True),
        (PENDING, PaymentState.PENDING, "PAYMENT_PENDING", False),
    ],
)
async def test_press_sets_state_of_button(
    provider, press, database, button, state, event, says_why
):
    # Source: specification C4.1.
    await provider.create(CHECKOUT)
    assert await press(button)
    snapshot = await provider.fetch("AS-0123")
    assert snapshot.state is state
    assert snapshot.paid == (rupees("65.50") if button is PAY else None)
    assert bool(snapshot.reason) is says_why
    assert snapshot.provider_payment_id.startswith("sbx_")
    (job,) = await rows(database, OutboxRow)
    assert (job.topic, job.subject) == (WEBHOOK_TOPIC, "AS-0123")
    assert job.payload["type"] == event


async def test_press_after_payment_changes_and_sends_nothing(provider, press, database):
    await provider.create(CHECKOUT)
    assert await press(PAY)
    for button in SandboxButton:
        assert not await press(button)
        assert await state_of(provider) is PaymentState.PAID
    assert await count(database, OutboxRow) == 1


@both_databases
async def test_50_concurrent_clicks_are_one_payment(provider, press, database):
    await provider.create(CHECKOUT)
    outcomes = await asyncio.gather(*(press(PAY) for _ in range(50)))
    assert outcomes.count(True) == 1
    assert await count(database, OutboxRow) == 1


async def test_payment_id_is_the_same_for_all_attempts(provider, press):
    await provider.create(CHECKOUT)
    await press(DECLINE)
    first = await provider.fetch("AS-0123")
    await press(PAY)
    assert (await provider.fetch("AS-0123")).provider_payment_id == first.provider_payment_id


async def test_press_is_accepted_until_expiry_only(provider, press, clock, database):
    await provider.create(CHECKOUT)
    clock.set(CHECKOUT.expires_at)
    for button in SandboxButton:
        assert not await press(button)
        snapshot = await provider.fetch("AS-0123")
        assert (snapshot.state, snapshot.paid) == (PaymentState.EXPIRED, None)
        assert snapshot.reason
    assert await count(database, OutboxRow) == 0
    clock.advance(milliseconds=-1)
    assert await press(PAY)
    clock.advance(days=1)
    assert await state_of(provider) is PaymentState.PAID


# Webhooks


@pytest.mark.parametrize(
    ("delivery", "seconds"),
    [  # Source: specification C4.2.
        (WebhookDelivery.NONE, [0]),
        (WebhookDelivery.LATE, [20]),
        (WebhookDelivery.NEVER, []),
        (WebhookDelivery.TWICE, [0, 0]),
    ],
)
async def test_webhook_delivery_can_be_late_lost_or_duplicated(
    provider, press, database, clock, delivery, seconds
):
    await provider.create(CHECKOUT)
    await press(PAY, delivery)
    waits = [
        (from_ms(job.run_at_ms) - clock.now()).total_seconds()
        for job in await rows(database, OutboxRow)
    ]
    assert waits == seconds


def signed(secret=SECRET):
    body, timestamp = b'{"data": {"reference": "AS-0123"}}', str(to_ms(WEDNESDAY))
    headers = {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: sign(secret, timestamp, body)}
    return headers, body


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """A provider that only parses webhooks and never uses its database."""
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('reader')}/unused.db")
    yield SandboxPayments(database, SECRET, ORIGIN, NOWHERE, None)
    database.close()


@given(
    name=st.sampled_from([SIGNATURE_HEADER, TIMESTAMP_HEADER]),
    position=st.integers(0, 100),
    character=st.characters(min_codepoint=32, max_codepoint=255),
)
def test_parse_webhook_raises_bad_signature_for_any_changed_header(
    reader, name, position, character
):
    headers, body = signed()
    value = headers[name]
    position %= len(value)
    changed = value[:position] + character + value[position + 1 :]
    if changed == value:
        return
    with pytest.raises(BadSignature):
        reader.parse_webhook(headers | {name: changed}, body, WEDNESDAY)


@given(body=st.binary(max_size=200), timestamp=st.text(max_size=20), signature=st.text())
def test_parse_webhook_raises_bad_signature_for_any_bytes(reader, body, timestamp, signature):
    headers = {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: signature}
    with pytest.raises(BadSignature):
        reader.parse_webhook(headers, body, WEDNESDAY)


@pytest.mark.parametrize("hours", [72, -72])
def test_parse_webhook_raises_stale_webhook_beyond_three_days(reader, hours):
    # Source: specification P1.12.
    at = WEDNESDAY + timedelta(hours=hours)
    assert reader.parse_webhook(*signed(), at) == [WebhookEvent("AS-0123")]
    with pytest.raises(StaleWebhook):
        reader.parse_webhook(*signed(), at + timedelta(milliseconds=1 if hours > 0 else -1))


def test_parse_webhook_raises_bad_signature_when_stale_and_tampered(reader):
    with pytest.raises(BadSignature):
        reader.parse_webhook(*signed(secret=b"another"), WEDNESDAY + timedelta(days=30))


# Sending webhooks


WEBHOOK_JOB = Job(
    id=1,
    dedupe_key="sandbox.webhook:1:0",
    topic=WEBHOOK_TOPIC,
    subject="AS-0123",
    payload={"reference": "AS-0123", "type": "PAYMENT_SUCCESS", "paymentId": "sbx_1"},
    attempts=1,
    lease_token="",
    lease_until=WEDNESDAY,
)


@pytest.fixture
def webhook():
    """An application that records requests and senders and returns its next status."""
    received, statuses, lines = [], [], []

    async def take(request):
        lines.append(request.client.port)
        received.append((dict(request.headers), await request.body()))
        return Response(status_code=statuses.pop() if statuses else 200)

    app = Starlette(routes=[Route("/hook", take, methods=["POST"])])
    return app, received, statuses, lines


@asynccontextmanager
async def sender_to(address, clock):
    sender = SandboxPayments(None, SECRET, ORIGIN, address, clock)
    try:
        yield sender
    finally:
        await sender.close()


async def test_send_webhook_signs_raw_body(reader, clock, webhook, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    app, received, _, _ = webhook
    async with serving(app) as address, sender_to(f"{address}/hook", clock) as sender:
        await sender.send_webhook(WEBHOOK_JOB)
    ((headers, body),) = received
    assert reader.parse_webhook(headers, body, clock.now()) == [WebhookEvent("AS-0123")]
    content = json.loads(body)
    assert content["type"] == "PAYMENT_SUCCESS"
    assert content["data"] == {"reference": "AS-0123", "payment_id": "sbx_1"}
    assert headers["content-type"] == "application/json"


async def test_send_webhook_is_retried_when_not_accepted(clock, webhook):
    app, _, statuses, _ = webhook
    async with serving(app) as address, sender_to(f"{address}/hook", clock) as sender:
        for status in (302, 401, 404, 500, 503):
            statuses.append(status)
            with pytest.raises(DeliveryPostponed, match=f"answered {status}"):
                await sender.send_webhook(WEBHOOK_JOB)
    async with sender_to(NOWHERE, clock) as sender:
        with pytest.raises(DeliveryPostponed, match="ConnectError"):
            await sender.send_webhook(WEBHOOK_JOB)


async def test_send_webhook_is_retried_when_connection_is_closed(clock):
    async def close(_reader, writer):
        writer.close()

    async with await asyncio.start_server(close, "127.0.0.1") as server:
        port = server.sockets[0].getsockname()[1]
        async with sender_to(f"http://127.0.0.1:{port}/hook", clock) as sender:
            with pytest.raises(DeliveryPostponed, match=r"ReadError|RemoteProtocolError"):
                await sender.send_webhook(WEBHOOK_JOB)


async def test_webhooks_share_connection_until_closed(clock, webhook, monkeypatch):
    monkeypatch.setattr("campus_app.ordering.providers.sandbox.payments._KEEPALIVE_SECONDS", 60)
    app, _, _, lines = webhook
    async with serving(app) as address, sender_to(f"{address}/hook", clock) as sender:
        for _ in range(3):
            await sender.send_webhook(WEBHOOK_JOB)
        assert len(set(lines)) == 1
        await sender.close()
        await sender.send_webhook(WEBHOOK_JOB)
    assert len(set(lines)) == 2
    await sender.close()


# The secret


def test_installation_secret_is_created_once_with_mode_600(tmp_path):
    file = tmp_path / "var" / "sandbox.secret"
    first = installation_secret(file)
    assert installation_secret(file) == first != installation_secret(tmp_path / "another")
    assert len(first) * 4 >= 128
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["sandbox.secret"]


def test_installation_secret_is_shared_by_concurrent_processes(tmp_path):
    file = tmp_path / "sandbox.secret"
    with ThreadPoolExecutor(16) as threads:
        secrets = set(threads.map(lambda _: installation_secret(file), range(64)))
    assert len(secrets) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["sandbox.secret"]


def test_repr_contains_no_secret(reader):
    assert "secret of this" not in repr(reader)
