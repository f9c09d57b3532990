"""The embedded payment provider: its books, its buttons, and the notices that it signs."""

import asyncio
import json
import stat
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack, asynccontextmanager
from datetime import timedelta
from urllib.parse import urlsplit

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from campus_app.adapters.sandbox.payments import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    WEBHOOK_TOPIC,
    SandboxButton,
    SandboxPayments,
    WebhookDelivery,
    installation_secret,
    sign,
)
from campus_app.domain.errors import BadSignature, ProviderRejected, StaleWebhook
from campus_app.domain.money import rupees
from campus_app.domain.payment import PaymentState
from campus_app.ports.payments import CheckoutRequest, Refund, WebhookEvent
from kit.clock import from_ms, to_ms
from kit.db.database import Database
from kit.outbox.errors import DeliveryPostponed
from kit.outbox.models import OutboxRow
from kit.outbox.store import Job
from tests.helpers.clock import WEDNESDAY
from tests.helpers.databases import sqlite_only
from tests.helpers.server import serving
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import count, rows

pytestmark = pytest.mark.anyio

SECRET = b"a secret of this installation"
NOWHERE = "http://127.0.0.1:1/payment/sandbox/webhook"
PAY, DECLINE, CANCEL, LEAVE = SandboxButton
CHECKOUT = CheckoutRequest(
    reference="AS-0123",
    order_number="AS_482",
    amount=rupees("65.50"),
    customer_phone="+919800000001",
    return_url=f"{ORIGIN}/forms/response/token",
    expires_at=WEDNESDAY + timedelta(minutes=20),
)


def provider_for(database, clock, webhook_url=NOWHERE):
    return SandboxPayments(database, SECRET, ORIGIN, webhook_url, clock)


@pytest.fixture
def provider(database, clock):
    return provider_for(database, clock)


@pytest.fixture
def press(provider):
    """Presses a button of the hosted page."""

    async def press(button, delivery=WebhookDelivery.NONE):
        return await provider.press(await provider.payment("AS-0123"), button, delivery)

    return press


async def state_of(provider):
    return (await provider.fetch("AS-0123")).state


# Opening a payment


async def test_a_payment_is_opened_on_the_hosted_page_of_its_order(provider):
    checkout = await provider.create(CHECKOUT)
    assert checkout.url == f"{ORIGIN}/sandbox/pay?order_id=AS_482"
    payment = await provider.payment("AS-0123")
    assert (payment.order_number, payment.amount) == ("AS_482", rupees("65.50"))
    assert (payment.state, payment.payment_id) == (PaymentState.PENDING, "")
    assert payment.return_url == CHECKOUT.return_url
    assert payment.expires_at == CHECKOUT.expires_at


async def test_the_same_reference_twice_is_one_payment(provider):
    first = await provider.create(CHECKOUT)
    assert await asyncio.gather(*(provider.create(CHECKOUT) for _ in range(20))) == [first] * 20


@sqlite_only
@pytest.mark.parametrize("amount", ["1.00", "19.99", "70.10", "99999.99"])
async def test_an_amount_comes_back_to_the_paisa(provider, press, amount):
    # Source: specification P2.3.
    wanted = CheckoutRequest(**{**vars(CHECKOUT), "amount": rupees(amount)})
    await provider.create(wanted)
    await press(PAY)
    snapshot = await provider.fetch("AS-0123")
    assert (snapshot.paid, snapshot.currency) == (rupees(amount), "INR")


@pytest.mark.parametrize(
    ("button", "state"),
    [
        pytest.param(DECLINE, PaymentState.PENDING, id="declined: open again"),
        pytest.param(CANCEL, PaymentState.PENDING, id="cancelled: open again"),
        pytest.param(LEAVE, PaymentState.PENDING, id="left pending: still open"),
        pytest.param(PAY, PaymentState.PAID, id="paid: stays paid"),
    ],
)
async def test_a_payment_that_is_opened_again(provider, press, button, state):
    await provider.create(CHECKOUT)
    await press(button)
    await provider.create(CHECKOUT)
    assert await state_of(provider) is state


async def test_the_page_of_an_order_is_that_of_its_newest_payment(provider, clock):
    await provider.create(CHECKOUT)
    clock.advance(hours=25)
    newer = CheckoutRequest(
        **{
            **vars(CHECKOUT),
            "reference": "AS-0456",
            "expires_at": clock.now() + timedelta(minutes=20),
        }
    )
    await provider.create(newer)
    assert (await provider.latest_of_order("AS_482")).reference == "AS-0456"


@pytest.mark.parametrize("number", ["", "AS_483", "as_482", "AS_482\0", "\0", "x" * 10_000])
async def test_an_order_that_is_not_there_has_no_page(provider, number):
    await provider.create(CHECKOUT)
    assert await provider.latest_of_order(number) is None


# The buttons


@pytest.mark.parametrize(
    ("button", "state", "event", "says_why"),
    [
        pytest.param(PAY, PaymentState.PAID, "PAYMENT_SUCCESS", False, id="Pay successfully"),
        pytest.param(DECLINE, PaymentState.FAILED, "PAYMENT_FAILED", True, id="Decline payment"),
        pytest.param(CANCEL, PaymentState.CANCELLED, "PAYMENT_CANCELLED", True, id="Cancel"),
        pytest.param(LEAVE, PaymentState.PENDING, "PAYMENT_PENDING", False, id="Leave pending"),
    ],
)
async def test_each_button_of_the_page_does_what_it_says(
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


@sqlite_only
@pytest.mark.parametrize("first", [DECLINE, CANCEL, LEAVE])
@pytest.mark.parametrize("second", [PAY, DECLINE, CANCEL, LEAVE])
async def test_an_open_payment_may_be_decided_again(provider, press, first, second):
    await provider.create(CHECKOUT)
    assert await press(first)
    assert await press(second)
    wanted = {
        PAY: PaymentState.PAID,
        DECLINE: PaymentState.FAILED,
        CANCEL: PaymentState.CANCELLED,
        LEAVE: PaymentState.PENDING,
    }
    assert await state_of(provider) is wanted[second]


@sqlite_only
@pytest.mark.parametrize("button", [PAY, DECLINE, CANCEL, LEAVE])
async def test_a_payment_that_is_made_stays_made_and_says_nothing_more(
    provider, press, database, button
):
    await provider.create(CHECKOUT)
    assert await press(PAY)
    assert not await press(button)
    assert await state_of(provider) is PaymentState.PAID
    assert await count(database, OutboxRow) == 1


async def test_fifty_clicks_on_pay_are_one_payment(provider, press, database):
    await provider.create(CHECKOUT)
    outcomes = await asyncio.gather(*(press(PAY) for _ in range(50)))
    assert outcomes.count(True) == 1
    assert await count(database, OutboxRow) == 1


async def test_a_payment_keeps_its_id_through_all_attempts(provider, press):
    await provider.create(CHECKOUT)
    await press(DECLINE)
    first = await provider.fetch("AS-0123")
    await press(PAY)
    assert (await provider.fetch("AS-0123")).provider_payment_id == first.provider_payment_id


@sqlite_only
@pytest.mark.parametrize("button", [PAY, DECLINE, CANCEL, LEAVE])
async def test_nothing_is_taken_once_the_time_is_over(provider, press, clock, database, button):
    await provider.create(CHECKOUT)
    clock.set(CHECKOUT.expires_at)
    assert not await press(button)
    snapshot = await provider.fetch("AS-0123")
    assert (snapshot.state, snapshot.paid) == (PaymentState.EXPIRED, None)
    assert snapshot.reason
    assert await count(database, OutboxRow) == 0


async def test_a_payment_can_be_made_until_its_last_moment(provider, press, clock):
    await provider.create(CHECKOUT)
    clock.set(CHECKOUT.expires_at - timedelta(milliseconds=1))
    assert await press(PAY)
    clock.advance(days=1)
    assert await state_of(provider) is PaymentState.PAID


async def test_nothing_is_known_of_a_payment_that_was_never_opened(provider):
    assert (await provider.fetch("unknown")).state is None
    assert await provider.payment("unknown") is None


# Closing and giving back


async def test_a_payment_that_is_closed_can_not_be_made(provider, press):
    await provider.create(CHECKOUT)
    snapshot = await provider.cancel("AS-0123")
    assert snapshot.state is PaymentState.EXPIRED
    assert not await press(PAY)


async def test_a_payment_that_is_made_can_not_be_closed(provider, press):
    await provider.create(CHECKOUT)
    await press(PAY)
    snapshot = await provider.cancel("AS-0123")
    assert (snapshot.state, snapshot.paid) == (PaymentState.PAID, rupees("65.50"))


async def test_a_payment_that_was_never_opened_can_be_closed(provider):
    assert (await provider.cancel("unknown")).state is None


def refund(id_="refund-1", amount="65.50", reference="AS-0123"):
    return Refund(id_, reference, rupees(amount), "the restaurant closed")


async def test_money_is_given_back_once(provider, press):
    # Source: specification P2.6.
    await provider.create(CHECKOUT)
    await press(PAY)
    assert await provider.refund(refund())
    assert await provider.refund(refund())
    with pytest.raises(ProviderRejected, match="refunded before"):
        await provider.refund(refund("refund-2"))


async def test_a_part_of_the_money_may_be_given_back(provider, press):
    await provider.create(CHECKOUT)
    await press(PAY)
    assert await provider.refund(refund(amount="0.01"))


async def test_no_more_is_given_back_than_was_paid(provider, press):
    await provider.create(CHECKOUT)
    await press(PAY)
    with pytest.raises(ProviderRejected, match="more than was paid"):
        await provider.refund(refund(amount="65.51"))


@sqlite_only
@pytest.mark.parametrize("reference", ["AS-0123", "unknown"])
async def test_nothing_is_given_back_where_nothing_was_paid(provider, press, reference):
    await provider.create(CHECKOUT)
    await press(DECLINE)
    with pytest.raises(ProviderRejected, match="nothing was paid"):
        await provider.refund(refund(reference=reference))


# Notices


@sqlite_only
@pytest.mark.parametrize(
    ("delivery", "seconds"),
    [
        pytest.param(WebhookDelivery.NONE, [0], id="at once"),
        pytest.param(WebhookDelivery.LATE, [20], id="C4.2: webhook=late"),
        pytest.param(WebhookDelivery.NEVER, [], id="C4.2: webhook=never"),
        pytest.param(WebhookDelivery.TWICE, [0, 0], id="C4.2: webhook=twice"),
    ],
)
async def test_a_notice_can_be_rehearsed(provider, press, database, clock, delivery, seconds):
    await provider.create(CHECKOUT)
    await press(PAY, delivery)
    waits = [
        (from_ms(job.run_at_ms) - clock.now()).total_seconds()
        for job in await rows(database, OutboxRow)
    ]
    assert waits == seconds


def signed(body=b'{"data": {"reference": "AS-0123"}}', *, at=WEDNESDAY, secret=SECRET):
    timestamp = str(to_ms(at))
    headers = {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: sign(secret, timestamp, body)}
    return headers, body


@pytest.fixture(scope="module")
def reader(tmp_path_factory):
    """A provider that only reads notices: it never touches its database."""
    database = Database(f"sqlite:///{tmp_path_factory.mktemp('reader')}/unused.db")
    yield SandboxPayments(database, SECRET, ORIGIN, NOWHERE, None)
    database.close()


def test_a_genuine_notice_is_about_its_payment(reader):
    assert reader.parse_webhook(*signed(), WEDNESDAY) == [WebhookEvent("AS-0123")]


def without(name):
    headers, body = signed()
    return {key: value for key, value in headers.items() if key != name}, body


def with_header(name, value):
    headers, body = signed()
    return headers | {name: value}, body


@pytest.mark.parametrize(
    "notice",
    [
        pytest.param(({}, signed()[1]), id="P1.11: no header"),
        pytest.param(without(SIGNATURE_HEADER), id="P1.11: no signature"),
        pytest.param(without(TIMESTAMP_HEADER), id="P1.11: no timestamp"),
        pytest.param(signed(secret=b"another secret"), id="P1.11: another secret"),
        pytest.param(signed(secret=b""), id="P1.11: no secret"),
        pytest.param(
            (signed()[0], b'{"data":{"reference":"AS-0123"}}'), id="P1.11: the JSON written anew"
        ),
        pytest.param((signed()[0], b'{"data": {"reference": "AS-0456"}}'), id="P1.11: the body"),
        pytest.param((signed()[0], b""), id="P1.11: an empty body"),
        pytest.param(
            with_header(TIMESTAMP_HEADER, str(to_ms(WEDNESDAY) + 1)), id="P1.11: the timestamp"
        ),
        pytest.param(with_header(TIMESTAMP_HEADER, ""), id="an empty timestamp"),
        pytest.param(with_header(TIMESTAMP_HEADER, "-1"), id="a negative timestamp"),
        pytest.param(with_header(TIMESTAMP_HEADER, "9" * 17), id="a timestamp beyond all time"),
        pytest.param(with_header(TIMESTAMP_HEADER, "१२३"), id="a timestamp of other digits"),
        pytest.param(with_header(SIGNATURE_HEADER, ""), id="an empty signature"),
        pytest.param(with_header(SIGNATURE_HEADER, "é" * 44), id="a signature of other letters"),
        pytest.param(
            with_header(SIGNATURE_HEADER, signed()[0][SIGNATURE_HEADER].lower()),
            id="a signature in small letters",
        ),
        pytest.param(
            with_header(SIGNATURE_HEADER, signed()[0][SIGNATURE_HEADER] + " "),
            id="a signature and a blank",
        ),
    ],
)
def test_a_notice_that_the_provider_did_not_sign_is_refused(reader, notice):
    with pytest.raises(BadSignature):
        reader.parse_webhook(*notice, WEDNESDAY)


@given(position=st.integers(0, 10_000), flip=st.integers(1, 255))
def test_whichever_byte_of_a_notice_is_changed_it_is_refused(reader, position, flip):
    headers, body = signed()
    changed = bytearray(body)
    changed[position % len(body)] ^= flip
    with pytest.raises(BadSignature):
        reader.parse_webhook(headers, bytes(changed), WEDNESDAY)


@given(
    name=st.sampled_from([SIGNATURE_HEADER, TIMESTAMP_HEADER]),
    position=st.integers(0, 100),
    character=st.characters(min_codepoint=32, max_codepoint=255),
)
def test_whichever_character_of_a_header_is_changed_it_is_refused(
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
def test_no_bytes_at_all_pass_for_a_notice(reader, body, timestamp, signature):
    headers = {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: signature}
    with pytest.raises(BadSignature):
        reader.parse_webhook(headers, body, WEDNESDAY)


@pytest.mark.parametrize("hours", [72, -72])
def test_a_notice_of_the_last_three_days_is_taken(reader, hours):
    at = WEDNESDAY + timedelta(hours=hours)
    assert reader.parse_webhook(*signed(), at) == [WebhookEvent("AS-0123")]


@pytest.mark.parametrize("hours", [72, -72])
def test_a_notice_that_is_older_is_stale(reader, hours):
    # Source: specification P1.12.
    at = WEDNESDAY + timedelta(hours=hours, milliseconds=1 if hours > 0 else -1)
    with pytest.raises(StaleWebhook):
        reader.parse_webhook(*signed(), at)


def test_an_old_notice_that_was_tampered_with_is_refused_not_left_aside(reader):
    with pytest.raises(BadSignature):
        reader.parse_webhook(*signed(secret=b"another"), WEDNESDAY + timedelta(days=30))


# Sending notices


NOTICE = Job(
    id=1,
    dedupe_key="sandbox.webhook:1:0",
    topic=WEBHOOK_TOPIC,
    subject="AS-0123",
    payload={"reference": "AS-0123", "type": "PAYMENT_SUCCESS", "paymentId": "sbx_1"},
    attempts=1,
    lease_token="",
    leased_until=WEDNESDAY,
)


@pytest.fixture
def webhook():
    """An application that keeps what it is sent and from where; answers with its next status."""
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


async def test_a_notice_arrives_signed_over_its_very_bytes(reader, clock, webhook, monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://127.0.0.1:1")
    app, received, _, _ = webhook
    async with serving(app) as address, sender_to(f"{address}/hook", clock) as sender:
        await sender.send_webhook(NOTICE)
    ((headers, body),) = received
    assert reader.parse_webhook(headers, body, clock.now()) == [WebhookEvent("AS-0123")]
    notice = json.loads(body)
    assert notice["type"] == "PAYMENT_SUCCESS"
    assert notice["data"] == {"reference": "AS-0123", "payment_id": "sbx_1"}
    assert headers["content-type"] == "application/json"


@pytest.mark.parametrize("status", [302, 401, 404, 500, 503])
async def test_a_notice_that_was_not_taken_is_sent_again_later(clock, webhook, status):
    app, _, statuses, _ = webhook
    statuses.append(status)
    async with serving(app) as address, sender_to(f"{address}/hook", clock) as sender:
        with pytest.raises(DeliveryPostponed, match=f"answered {status}"):
            await sender.send_webhook(NOTICE)


async def test_notices_share_a_line_until_it_is_closed(clock, webhook):
    app, _, _, lines = webhook
    async with serving(app) as address, sender_to(f"{address}/hook", clock) as sender:
        for _ in range(3):
            await sender.send_webhook(NOTICE)
        assert len(set(lines)) == 1
        await sender.close()
        await sender.send_webhook(NOTICE)
    assert len(set(lines)) == 2
    await sender.close()


async def test_a_line_that_the_server_has_ended_costs_no_notice(clock, webhook):
    app, received, _, lines = webhook
    async with AsyncExitStack() as server:
        address = await server.enter_async_context(serving(app))
        async with sender_to(f"{address}/hook", clock) as sender:
            await sender.send_webhook(NOTICE)
            await server.aclose()
            async with serving(app, urlsplit(address).port):
                await sender.send_webhook(NOTICE)
    assert (len(received), len(set(lines))) == (2, 2)


async def test_a_notice_to_a_server_that_is_not_there_is_sent_again_later(clock):
    async with sender_to(NOWHERE, clock) as sender:
        with pytest.raises(DeliveryPostponed, match="ConnectError"):
            await sender.send_webhook(NOTICE)


# The secret


def test_the_secret_of_an_installation_is_made_once_and_ours_alone(tmp_path):
    file = tmp_path / "var" / "sandbox.secret"
    first = installation_secret(file)
    assert installation_secret(file) == first
    assert len(first) * 4 >= 128
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert [each.name for each in file.parent.iterdir()] == ["sandbox.secret"]


def test_processes_that_start_together_have_one_secret(tmp_path):
    file = tmp_path / "sandbox.secret"
    with ThreadPoolExecutor(16) as threads:
        secrets = set(threads.map(lambda _: installation_secret(file), range(64)))
    assert len(secrets) == 1
    assert [each.name for each in tmp_path.iterdir()] == ["sandbox.secret"]


def test_two_installations_have_two_secrets(tmp_path):
    assert installation_secret(tmp_path / "a") != installation_secret(tmp_path / "b")


def test_the_secret_is_never_in_what_is_printed(reader):
    assert "secret of this" not in repr(reader)
