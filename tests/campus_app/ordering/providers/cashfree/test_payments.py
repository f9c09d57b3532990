"""The Cashfree adapter: requests, mapping of responses, and error handling.

Source: specification P2; Cashfree API reference, Payment Gateway.
"""

import asyncio
import base64
import time
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from decimal import Decimal

import httpx
import pytest
from pydantic import SecretStr

from campus_app.ordering.providers.cashfree.account import CashfreeAccount
from campus_app.ordering.providers.cashfree.mapping import (
    order_body,
    parse_identifier,
    reported_refund,
    snapshot_of,
)
from campus_app.ordering.providers.cashfree.payments import CashfreePayments
from campus_app.ordering.providers.cashfree.webhooks import signature, verify
from campus_app.ordering.rules.errors import BadSignature, ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.payment import PaymentState, ReportedMoney
from campus_app.ordering.rules.payment_provider import Checkout
from campus_app.ordering.rules.refund import RefundState, compared_refund_state
from campus_app.shared.rules.money import rupees
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET, FakeCashfree, Fault
from tests.fakes.cashfree_account import REFERENCE, REFUND, REQUEST, account_at
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.server import serving
from tests.helpers.settings import ORIGIN

pytestmark = pytest.mark.anyio

QUICK = 1.0


@pytest.fixture
async def fake(clock):
    """The fake Cashfree; `address` is its URL."""
    opened = FakeCashfree(clock)
    async with serving(opened.app) as address:
        opened.address = address
        yield opened


@pytest.fixture
def open_account(fake, clock):
    """Opens a provider for the fake; changes are of its settings."""

    def open_account(**changes):
        return CashfreePayments(replace(account_at(fake.address), **changes), clock)

    return open_account


@pytest.fixture
def provider(open_account):
    return open_account()


def counted(fake):
    return [each.call for each in fake.seen]


# Requests


async def test_create_sends_required_fields_only(provider, fake):
    await provider.create(REQUEST)
    (seen,) = fake.seen
    assert seen.body == {
        "order_id": REFERENCE,
        "order_amount": Decimal("65.5"),
        "order_currency": "INR",
        "order_expiry_time": "2026-11-18T13:20:00+05:30",
        "customer_details": {
            "customer_id": "AS0123456789abcdef0123456789abcdef",
            "customer_phone": "9800000001",
        },
        "order_meta": {
            "return_url": f"{ORIGIN}/forms/response/token",
            "notify_url": f"{ORIGIN}/payment/cashfree/webhook",
        },
        "order_tags": {"order_number": "AS_482"},
    }
    late = order_body(REQUEST, WEDNESDAY + timedelta(minutes=18))
    assert late["order_expiry_time"] == "2026-11-18T13:34:00+05:30", "the provider's minimum"
    local = order_body(replace(REQUEST, webhook_url="http://localhost:3000/x"), WEDNESDAY)
    assert "notify_url" not in local["order_meta"]


@pytest.mark.parametrize("version", ["2025-01-01", "2026-01-01"])
async def test_every_call_has_credentials_and_api_version(open_account, fake, version):
    provider = open_account(api_version=version)
    await provider.create(REQUEST)
    await provider.fetch(REFERENCE)
    for seen in fake.seen:
        assert seen.headers["x-client-id"] == CLIENT_ID
        assert seen.headers["x-client-secret"] == CLIENT_SECRET
        assert seen.headers["x-api-version"] == version
        assert seen.headers["x-request-id"]
    assert len({seen.headers["x-request-id"] for seen in fake.seen}) == len(fake.seen) == 3


async def test_unsupported_api_version_is_rejected(open_account):
    with pytest.raises(ProviderRejected):
        await open_account(api_version="2019-01-01").create(REQUEST)


@pytest.mark.parametrize(
    ("uses_script", "script", "starter"),
    [
        (True, "https://sdk.cashfree.com/js/v3/cashfree.js", "/js/pay_cashfree.js"),
        (False, "", "/js/pay_form.js"),
    ],
)
async def test_checkout_session_uses_script_or_form(
    open_account, fake, uses_script, script, starter
):
    handover = await open_account(uses_script=uses_script).create(REQUEST)
    assert handover.action == f"{fake.address}/pg/view/sessions/checkout"
    assert handover.fields == {"payment_session_id": fake.orders[REFERENCE].session}
    assert (handover.script, handover.starter, handover.mode) == (script, starter, "sandbox")


def test_production_is_detected_by_base_url():
    real = CashfreeAccount("id", SecretStr("x"), "https://api.cashfree.com/pg", "2025-01-01")
    assert real.is_production
    assert real.limit_percent == 80
    assert not replace(real, base_url="https://sandbox.cashfree.com/pg").is_production
    assert not replace(real, base_url="https://api.cashfree.com.evil.example/pg").is_production


# S18: errors while opening


async def test_create_finds_order_when_response_was_lost(open_account, fake):
    provider = open_account(timeout_seconds=6.0)  # the next call has to be answered within it
    fake.fail_next("create", Fault(seconds=12, executes_first=True))
    handover = await provider.create(REQUEST)
    assert handover.fields["payment_session_id"] == fake.orders[REFERENCE].session
    assert counted(fake) == ["create", "order"]


async def test_create_retries_with_new_idempotency_key_when_order_is_missing(provider, fake):
    """Cashfree repeats its answer to a key, even an error."""
    fake.fail_next("create", Fault(500))
    assert await provider.create(REQUEST)
    assert counted(fake) == ["create", "order", "create"]
    keys = [seen.headers["x-idempotency-key"] for seen in fake.calls("create")]
    assert len(set(keys)) == 2


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(Fault(500), id="500"),
        pytest.param(Fault(502), id="502"),
        pytest.param(Fault(503, content=b"<html>"), id="no JSON"),
        pytest.param(Fault(200, content=b"{"), id="200, invalid JSON"),
        pytest.param(Fault(200, content=b"{}"), id="200, another thing"),
        pytest.param(Fault(200, content=b'{"order_id": "AS-other"}'), id="200, another order"),
        pytest.param(Fault(200, content=b"x" * (2 << 20)), id="200, far too long"),
        pytest.param(Fault(302, {"location": "https://evil.example"}), id="leads elsewhere"),
    ],
)
async def test_create_raises_unavailable_when_server_keeps_failing(provider, fake, fault):
    fake.fail_next("create", fault, fault)
    fake.fail_next("order", fault)
    with pytest.raises(ProviderUnavailable):
        await provider.create(REQUEST)
    assert len(fake.seen) <= 3


async def test_answer_about_another_order_is_rejected(provider, fake):
    # Source: docs/invariants.md I7.
    await provider.create(REQUEST)
    paid = b'{"order_id": "AS-of-another", "order_status": "PAID", "order_amount": 65.0}'
    fake.fail_next("order", Fault(200, content=paid))
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert (await provider.fetch(REFERENCE)).state is PaymentState.PENDING


async def test_redirects_are_not_followed(provider, fake):
    # Source: specification P2.12.
    await provider.create(REQUEST)
    fake.seen.clear()
    elsewhere = {"location": f"{fake.address}/pg/orders/{REFERENCE}/payments"}
    fake.fail_next("order", *(Fault(status, elsewhere) for status in (302, 307)))
    for _ in range(2):
        with pytest.raises(ProviderUnavailable):
            await provider.fetch(REFERENCE)
    assert set(counted(fake)) == {"order"}


async def test_proxy_environment_is_ignored(open_account, fake, monkeypatch):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    await open_account().create(REQUEST)
    assert counted(fake) == ["create"]


async def test_fake_repeats_answer_for_repeated_idempotency_key(fake):
    # Source: Cashfree API reference, idempotency.
    account = {
        "x-client-id": CLIENT_ID,
        "x-client-secret": CLIENT_SECRET,
        "x-api-version": "2025-01-01",
        "x-idempotency-key": "one",
    }
    body = order_body(REQUEST, WEDNESDAY)
    async with httpx.AsyncClient(base_url=fake.address, headers=account, trust_env=False) as us:
        first = await us.post("/pg/orders", json=body)
        again = await us.post("/pg/orders", json=body)
        other = await us.post("/pg/orders", json=body | {"order_amount": 1})
    assert (first.status_code, first.headers["x-idempotency-replayed"]) == (200, "false")
    assert (again.status_code, again.headers["x-idempotency-replayed"]) == (200, "true")
    assert again.json() == first.json()
    assert other.status_code == 422


async def test_create_uses_existing_order(provider, fake):
    first = await provider.create(REQUEST)
    assert await provider.create(REQUEST) == first
    assert counted(fake) == ["create", "create", "order"]
    fake.fail_next("create", Fault(422))  # a conflict of idempotency keys
    assert await provider.create(REQUEST) == first


async def test_create_returns_return_url_when_already_paid(provider, fake):
    await provider.create(REQUEST)
    fake.attempt(REFERENCE, "SUCCESS")
    assert await provider.create(REQUEST) == Checkout(REQUEST.return_url)


async def test_create_raises_rejected_when_over_or_amount_differs(provider, fake):
    await provider.create(REQUEST)
    with pytest.raises(ProviderRejected, match="another amount"):
        await provider.create(replace(REQUEST, amount=rupees("65.51")))
    fake.orders[REFERENCE].status = "TERMINATED"
    with pytest.raises(ProviderRejected, match="over"):
        await provider.create(REQUEST)


async def test_create_raises_unavailable_when_session_id_is_invalid(provider, fake):
    await provider.create(REQUEST)
    for session in (None, "", 7, "a b", "x" * 2_000, "<script>alert(1)"):
        fake.orders[REFERENCE].session = session
        with pytest.raises(ProviderUnavailable):
            await provider.create(REQUEST)


async def test_unreachable_server_raises_unavailable(open_account):
    provider = open_account(base_url="http://127.0.0.1:1/pg")
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert not provider.is_up()


@pytest.mark.parametrize(
    "fault", [Fault(seconds=9), Fault(trickles=True)], ids=["slow", "byte by byte"]
)
async def test_calls_time_out(open_account, fake, fault):
    # Source: specification P2.10.
    fake.fail_next("order", fault)
    provider = open_account(timeout_seconds=QUICK)
    began = time.monotonic()
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert time.monotonic() - began < 8
    assert not provider.is_up()


# Errors


async def test_circuit_opens_after_rejected_credentials(open_account, fake, caplog):
    provider = open_account(client_secret=SecretStr("hunter2"))
    for _ in range(5):
        with pytest.raises(ProviderUnavailable) as raised:
            await provider.fetch(REFERENCE)
        assert 50 < raised.value.retry_after_seconds <= 60
    assert counted(fake) == ["order"]
    assert not provider.is_up()
    assert "credentials rejected" in caplog.text
    assert "hunter2" not in caplog.text


async def test_is_up_is_false_from_unanswered_call_until_next_answer(provider, fake):
    assert provider.is_up()
    fake.fail_next("order", Fault(503))
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert not provider.is_up()
    await provider.create(REQUEST)
    assert provider.is_up()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ratelimit-retry": "37"}, 37),
        ({"retry-after": "39"}, 39),
        ({}, 60),
        ({"x-ratelimit-retry": "soon"}, 60),
        ({"x-ratelimit-retry": "86400"}, 60),
        ({"x-ratelimit-retry": "0"}, 1),
    ],
    ids=str,
)
async def test_rate_limited_call_waits_for_retry_after(provider, fake, headers, seconds):
    fake.fail_next("order", Fault(429, headers))
    with pytest.raises(ProviderUnavailable) as raised:
        await provider.fetch(REFERENCE)
    assert raised.value.retry_after_seconds == seconds
    if seconds > 5:
        with pytest.raises(ProviderUnavailable):
            await provider.fetch(REFERENCE)
        assert len(fake.seen) == 1


async def test_client_error_raises_rejected(provider, fake):
    for status in (400, 404, 405, 413):
        fake.seen.clear()
        fake.fail_next("create", Fault(status))
        with pytest.raises(ProviderRejected):
            await provider.create(REQUEST)
        assert counted(fake) == ["create"]
        assert provider.is_up()


async def test_log_contains_no_personal_data_of_error_messages(provider, fake, caplog):
    caplog.set_level("DEBUG", "campus_app")
    body = b'{"message": "9800000001 is wrong", "code": "aarav@students.example", "type": "x"}'
    fake.fail_next("create", Fault(400, content=body))
    with pytest.raises(ProviderRejected) as raised:
        await provider.create(REQUEST)
    written = " ".join(each.getMessage() for each in caplog.records if "campus" in each.name)
    assert "without a code" in written
    for word in ("9800000001", "aarav"):
        assert word not in written + str(raised.value)


# Rate limits


async def test_quota_keeps_calls_below_published_limits(fake, open_account):
    provider = open_account(limit_percent=10)  # of 30 a minute: one at once
    await provider.create(REQUEST)
    with pytest.raises(ProviderUnavailable, match="too busy") as raised:
        await provider.create(replace(REQUEST, reference="AS-0002"))
    assert raised.value.retry_after_seconds > 5
    assert counted(fake) == ["create"]


async def test_control_server_rate_limits_without_quota(fake, provider):
    """The negative control: the server counts."""
    fake.limits["create"] = 2
    for number in range(2):
        await provider.create(replace(REQUEST, reference=f"AS-{number:04}"))
    with pytest.raises(ProviderUnavailable, match="too many calls"):
        await provider.create(replace(REQUEST, reference="AS-0002"))


async def test_50_concurrent_reconciles_share_two_queries(cashfree):
    services = cashfree.services
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    await asyncio.gather(*(services.payments.reconcile(stored.payment) for _ in range(50)))
    assert len(cashfree.fake.calls("order")) <= 2


# Mapping


ACTIVE = {
    "order_id": REFERENCE,
    "order_status": "ACTIVE",
    "order_amount": 65,
    "order_currency": "INR",
}


def attempts(*statuses):
    return [
        {"payment_status": status, "payment_time": f"2026-11-18T13:0{minute}:00+05:30"}
        for minute, status in enumerate(statuses)
    ]


@pytest.mark.parametrize(
    ("status", "tried", "expected"),
    [
        ("ACTIVE", [], PaymentState.PENDING),
        ("ACTIVE", ["NOT_ATTEMPTED"], PaymentState.PENDING),
        ("ACTIVE", ["PENDING"], PaymentState.PENDING),
        ("ACTIVE", ["PENDING", "FAILED"], PaymentState.PENDING),
        ("ACTIVE", ["FAILED"], PaymentState.FAILED),
        ("ACTIVE", ["VOID"], PaymentState.FAILED),
        ("ACTIVE", ["USER_DROPPED", "FAILED"], PaymentState.FAILED),
        ("ACTIVE", ["FAILED", "USER_DROPPED"], PaymentState.CANCELLED),
        ("ACTIVE", ["CANCELLED"], PaymentState.CANCELLED),
        ("ACTIVE", ["SUCCESS"], PaymentState.PENDING),
        ("ACTIVE", ["SOMETHING_NEW"], None),
        ("EXPIRED", [], PaymentState.EXPIRED),
        ("EXPIRED", ["FAILED"], PaymentState.EXPIRED),
        ("EXPIRED", ["PENDING"], PaymentState.PENDING),
        ("TERMINATED", ["USER_DROPPED"], PaymentState.EXPIRED),
        ("TERMINATED", ["PENDING"], PaymentState.PENDING),
        ("TERMINATION_REQUESTED", [], PaymentState.PENDING),
        ("SOMETHING_NEW", [], None),
        (None, [], None),
        (["PAID"], [], None),
    ],
)
def test_snapshot_state_follows_from_order_and_attempts(status, tried, expected, caplog):
    # Source: C2, and 1.3: unknown states are logged as errors.
    order, made = {**ACTIVE, "order_status": status}, attempts(*tried)
    for listed in (made, made[::-1]):  # they are sorted by their time
        assert snapshot_of(order, listed).state is expected
    assert ("cashfree: unknown" in caplog.text) == (expected is None)


def test_snapshot_accepts_unreadable_attempt_time():
    for moment in ("0001-01-01", "9999-12-31T23:59:59-23:59", [], None, 10**30):
        attempt = {"payment_status": "FAILED", "payment_time": moment}
        assert snapshot_of(ACTIVE, [attempt]).state is PaymentState.FAILED


def test_parse_identifier_is_empty_when_id_cannot_be_stored():
    names = ("a\x00b", "\ud800", "x" * 65, ["1"], 1.5, {}, None, True, "")
    assert {parse_identifier(name) for name in names} == {""}


@pytest.mark.parametrize("number", [1453002795, "1453002795"])
def test_snapshot_accepts_ids_and_amounts_as_text_or_number(number):
    paid = {
        "order_id": REFERENCE,
        "payment_status": "SUCCESS",
        "payment_amount": "65.00",
        "payment_currency": "INR",
        "cf_payment_id": number,
    }
    snapshot = snapshot_of({**ACTIVE, "order_status": "PAID", "order_amount": "65"}, [paid])
    assert (snapshot.provider_payment_id, snapshot.paid) == ("1453002795", rupees(65))
    assert snapshot.ordered == (ReportedMoney(rupees(65), "INR"),) * 2


@pytest.mark.parametrize(
    ("stated", "expected"),
    [
        ({}, ReportedMoney(rupees(65), "INR")),
        ({"order_amount": None}, ReportedMoney(rupees(65), "INR")),
        ({"order_amount": 66}, ReportedMoney(rupees(66), "INR")),
        ({"order_amount": "66abc"}, ReportedMoney(None, "INR")),
        ({"order_currency": "USD"}, ReportedMoney(rupees(65), "USD")),
    ],
    ids=str,
)
def test_snapshot_has_order_amount_of_each_attempt(stated, expected):
    paid = {"order_id": REFERENCE, "payment_status": "SUCCESS", **stated}
    snapshot = snapshot_of({**ACTIVE, "order_status": "PAID"}, [paid])
    assert snapshot.ordered[1:] == (expected,)


@pytest.mark.parametrize(
    ("said", "state"),
    [
        ("SUCCESS", RefundState.DONE),
        ("PENDING", RefundState.PENDING),
        ("ONHOLD", RefundState.PENDING),
        ("CANCELLED", RefundState.FAILED),
        ("FAILED", RefundState.FAILED),
        ("SOMETHING_NEW", RefundState.PENDING),
        (None, RefundState.PENDING),
    ],
)
def test_reported_refund_state_follows_from_status(said, state, caplog):
    assert reported_refund({"refund_status": said}).state is state
    assert ("cashfree: unknown" in caplog.text) == (said in {None, "SOMETHING_NEW"})


REPORTED = {
    "refund_id": "rf1",
    "order_id": REFERENCE,
    "refund_amount": 65,
    "refund_currency": "INR",
    "refund_status": "SUCCESS",
}


@pytest.mark.parametrize(
    ("wrong", "state"),
    [
        ({}, RefundState.DONE),
        *(
            (wrong, RefundState.CONTRADICTED)
            for wrong in (
                *({"refund_id": value} for value in ("rf999", None)),
                *({"refund_amount": value} for value in (1, "65abc", None, Decimal("1E+400"))),
                *({"refund_currency": value} for value in ("USD", "inr", None)),
                *({"order_id": value} for value in ("AS-of-another", None)),
            )
        ),
    ],
    ids=str,
)
def test_reported_refund_matches_only_with_every_figure(wrong, state):
    # Source: specification P3.2.
    said = reported_refund(REPORTED | wrong)
    found = compared_refund_state(said, refund_id="rf1", reference=REFERENCE, amount=rupees(65))
    assert found is state


# Webhook signature


VECTOR = (
    b'{"data":{"order":{"order_id":"AS_01J8ZK3X6T","order_amount":70.00,"order_currency":"INR",'
    b'"order_tags":null},"payment":{"cf_payment_id":"1453002795","payment_status":"SUCCESS",'
    b'"payment_amount":70.00,"payment_currency":"INR","payment_message":"00::Transaction success"}},'
    b'"event_time":"2025-01-15T12:20:29+05:30","type":"PAYMENT_SUCCESS_WEBHOOK"}'
)
SIGNED = "Ob5D31i5+Q51NtaB2Ii+drRL0MWtbejmSR6l9Qq71YY="
STAMP = "1746427759733"
SIGNED_AT = datetime.fromtimestamp(1746427759, UTC)


def test_signature_equals_that_of_cashfrees_sdk():
    """The expected value was computed with Cashfree's SDK."""
    assert base64.b64encode(signature("cf-test-secret", STAMP, VECTOR)).decode() == SIGNED
    for stamp in (STAMP, STAMP[:10]):  # milliseconds or seconds
        given = base64.b64encode(signature("cf-test-secret", stamp, VECTOR)).decode()
        headers = {"x-webhook-signature": given, "x-webhook-timestamp": stamp}
        verify(headers, VECTOR, ["cf-test-secret"], SIGNED_AT)


@pytest.mark.parametrize(
    "message",
    [
        pytest.param(STAMP.encode() + b"." + VECTOR, id="with a dot between"),
        pytest.param(VECTOR + STAMP.encode(), id="the other way round"),
        pytest.param(VECTOR, id="without the time"),
        pytest.param(STAMP.encode() + VECTOR.replace(b"70.00", b"70.0"), id="written anew"),
    ],
)
def test_verify_raises_bad_signature_for_other_signatures(message):
    wrong = base64.b64encode(signature("cf-test-secret", "", message)).decode()
    headers = {"x-webhook-signature": wrong, "x-webhook-timestamp": STAMP}
    with pytest.raises(BadSignature):
        verify(headers, VECTOR, ["cf-test-secret"], SIGNED_AT)


@pytest.mark.parametrize("secrets", [[], [""], ["", "another"]], ids=str)
def test_verify_raises_bad_signature_without_secret(secrets):
    empty = base64.b64encode(signature("", STAMP, VECTOR)).decode()
    headers = {"x-webhook-signature": empty, "x-webhook-timestamp": STAMP}
    with pytest.raises(BadSignature):
        verify(headers, VECTOR, secrets, SIGNED_AT)


async def test_verify_accepts_both_secrets_during_rotation(open_account, fake):
    provider = open_account(
        client_secret=SecretStr("a new one"), previous_client_secret=SecretStr(CLIENT_SECRET)
    )
    _headers, body = fake.webhook(REFERENCE)
    for secret in ("a new one", CLIENT_SECRET):
        assert provider.parse_webhook(*fake.signed(body, secret=secret), fake.clock.now())
    with pytest.raises(BadSignature):
        provider.parse_webhook(*fake.signed(body, secret="a third"), fake.clock.now())


async def test_payment_form_webhook_is_only_logged(provider, fake, caplog):
    body = b'{"type": "PAYMENT_FORM_ORDER_WEBHOOK", "data": {"order": {"order_id": "CFPay_1"}}}'
    assert provider.parse_webhook(*fake.signed(body), fake.clock.now()) == []
    assert "payment form" in caplog.text


# Cancelling and refunding


async def test_cancel_returns_paid_when_paid_meanwhile(provider, fake):
    # Source: specification P2.8.
    await provider.create(REQUEST)
    fake.pays_before_cancel = True
    assert (await provider.cancel(REFERENCE)).state is PaymentState.PAID
    assert counted(fake)[1:] == ["order", "order", "order", "payments"]


async def test_refund_is_found_when_response_was_lost(provider, fake):
    await provider.create(REQUEST)
    fake.attempt(REFERENCE, "SUCCESS")
    fake.fail_next("refund", Fault(500, executes_first=True))
    assert (await provider.refund(REFUND)).state is RefundState.DONE
    assert counted(fake)[-3:] == ["get refund", "refund", "get refund"]
    assert (await provider.refund(REFUND)).state is RefundState.DONE
    assert len(fake.calls("refund")) == 1


async def test_refund_sends_note(provider, fake):
    await provider.create(REQUEST)
    fake.attempt(REFERENCE, "SUCCESS")
    await provider.refund(REFUND)
    (seen,) = fake.calls("refund")
    assert seen.body == {
        "refund_id": "rf01231",
        "refund_amount": Decimal("65.5"),
        "refund_note": "It was paid twice.",
        "refund_speed": "STANDARD",
    }
