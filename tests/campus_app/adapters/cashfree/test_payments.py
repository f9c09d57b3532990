"""Cashfree: what it gets from us, what its words mean, and what each failure of its server does.

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

from campus_app.adapters.cashfree.account import CashfreeAccount
from campus_app.adapters.cashfree.mapping import (
    order_body,
    reported_refund,
    snapshot_of,
)
from campus_app.adapters.cashfree.payments import CashfreePayments
from campus_app.adapters.cashfree.webhooks import signature, verify
from campus_app.domain.errors import BadSignature, ProviderRejected, ProviderUnavailable
from campus_app.domain.money import rupees
from campus_app.domain.payment import PaymentState, ReportedMoney
from campus_app.domain.refund import RefundState
from campus_app.ports.payments import Checkout
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET, FakeCashfree, Fault
from tests.fakes.cashfree_account import REFERENCE, REFUND, REQUEST, account_at
from tests.helpers.builders import order_request
from tests.helpers.clock import WEDNESDAY
from tests.helpers.server import serving
from tests.helpers.settings import ORIGIN

pytestmark = pytest.mark.anyio

QUICK = 0.3


@pytest.fixture
async def fake(clock):
    """A Cashfree of our own; `address` is where it is."""
    opened = FakeCashfree(clock)
    async with serving(opened.app) as address:
        opened.address = address
        yield opened


@pytest.fixture
def open_account(fake, clock):
    """Opens the account; changes are of its settings."""

    def open_account(**changes):
        return CashfreePayments(replace(account_at(fake.address), **changes), clock)

    return open_account


@pytest.fixture
def provider(open_account):
    return open_account()


def counted(fake):
    return [each.call for each in fake.seen]


# What it gets


async def test_an_order_is_created_with_what_it_needs_and_no_more(provider, fake):
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


async def test_nobodys_name_mail_or_address_leaves_us(provider, fake):
    await provider.create(REQUEST)
    sent = str(fake.seen)
    assert not any(word in sent for word in ("Aarav", "students.example", "Hostel"))


@pytest.mark.parametrize("version", ["2025-01-01", "2026-01-01"])
async def test_every_call_says_who_we_are_and_which_version_we_speak(open_account, fake, version):
    provider = open_account(api_version=version)
    await provider.create(REQUEST)
    await provider.fetch(REFERENCE)
    for seen in fake.seen:
        assert seen.headers["x-client-id"] == CLIENT_ID
        assert seen.headers["x-client-secret"] == CLIENT_SECRET
        assert seen.headers["x-api-version"] == version
        assert seen.headers["x-request-id"]
    assert len({seen.headers["x-request-id"] for seen in fake.seen}) == len(fake.seen) == 3


async def test_a_version_that_it_does_not_speak_is_refused(open_account):
    with pytest.raises(ProviderRejected):
        await open_account(api_version="2019-01-01").create(REQUEST)


def test_a_payment_that_is_opened_late_is_kept_open_as_long_as_it_must_be():
    body = order_body(REQUEST, WEDNESDAY + timedelta(minutes=18))
    assert body["order_expiry_time"] == "2026-11-18T13:34:00+05:30"


def test_a_machine_of_ones_own_names_no_place_for_notices():
    body = order_body(replace(REQUEST, webhook_url="http://localhost:3000/x"), WEDNESDAY)
    assert "notify_url" not in body["order_meta"]


@pytest.mark.parametrize(
    ("uses_script", "script", "starter"),
    [
        (True, "https://sdk.cashfree.com/js/v3/cashfree.js", "/js/pay_cashfree.js"),
        (False, "", "/js/pay_form.js"),
    ],
)
async def test_the_browser_is_handed_over_by_script_or_by_form(
    open_account, fake, uses_script, script, starter
):
    handover = await open_account(uses_script=uses_script).create(REQUEST)
    assert handover.action == f"{fake.address}/pg/view/sessions/checkout"
    assert handover.fields == {"payment_session_id": fake.orders[REFERENCE].session}
    assert (handover.script, handover.starter, handover.mode) == (script, starter, "sandbox")


def test_its_real_world_is_told_by_its_address():
    real = CashfreeAccount("id", SecretStr("x"), "https://api.cashfree.com/pg", "2025-01-01")
    assert real.is_production
    assert not replace(real, base_url="https://sandbox.cashfree.com/pg").is_production
    assert not replace(real, base_url="https://api.cashfree.com.evil.example/pg").is_production


# P1.18: opening, when something goes wrong


async def test_an_order_that_arrived_though_its_answer_did_not_is_found_again(open_account, fake):
    provider = open_account(timeout_seconds=QUICK)
    fake.fail_next("create", Fault(seconds=1, executes_first=True))
    handover = await provider.create(REQUEST)
    assert handover.fields["payment_session_id"] == fake.orders[REFERENCE].session
    assert counted(fake) == ["create", "order"]


async def test_an_order_that_did_not_arrive_is_created_under_another_key(provider, fake):
    """Cashfree repeats what it answered to a key, a failure too."""
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
async def test_a_server_that_stays_in_trouble_is_unavailable(provider, fake, fault):
    fake.fail_next("create", fault, fault)
    fake.fail_next("order", fault)
    with pytest.raises(ProviderUnavailable):
        await provider.create(REQUEST)
    assert len(fake.seen) <= 3


async def test_another_orders_payment_is_no_answer(provider, fake):
    # Source: docs/invariants.md I7.
    await provider.create(REQUEST)
    paid = b'{"order_id": "AS-of-another", "order_status": "PAID", "order_amount": 65.0}'
    fake.fail_next("order", Fault(200, content=paid))
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert (await provider.fetch(REFERENCE)).state is PaymentState.PENDING


async def test_nobody_follows_to_where_an_answer_leads(provider, fake):
    # Source: specification P2.12.
    await provider.create(REQUEST)
    fake.seen.clear()
    elsewhere = {"location": f"{fake.address}/pg/orders/{REFERENCE}/payments"}
    fake.fail_next("order", *(Fault(status, elsewhere) for status in (302, 307)))
    for _ in range(2):
        with pytest.raises(ProviderUnavailable):
            await provider.fetch(REFERENCE)
    assert set(counted(fake)) == {"order"}


async def test_nothing_of_the_machines_environment_leads_payments_elsewhere(
    open_account, fake, monkeypatch
):
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    await open_account().create(REQUEST)
    assert counted(fake) == ["create"]


async def test_our_cashfree_keeps_the_real_ones_rule_for_repeated_keys(fake):
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


async def test_an_order_that_is_there_already_is_used(provider, fake):
    first = await provider.create(REQUEST)
    assert await provider.create(REQUEST) == first
    assert counted(fake) == ["create", "create", "order"]


async def test_a_key_that_was_used_for_another_body_is_no_end(provider, fake):
    await provider.create(REQUEST)
    fake.fail_next("create", Fault(422))
    assert await provider.create(REQUEST)


async def test_an_order_that_is_paid_already_leads_back_to_us(provider, fake):
    await provider.create(REQUEST)
    fake.attempt(REFERENCE, "SUCCESS")
    assert await provider.create(REQUEST) == Checkout(REQUEST.return_url)


async def test_an_order_that_is_over_or_of_another_amount_is_not_opened(provider, fake):
    await provider.create(REQUEST)
    with pytest.raises(ProviderRejected, match="another amount"):
        await provider.create(replace(REQUEST, amount=rupees("65.51")))
    fake.orders[REFERENCE].status = "TERMINATED"
    with pytest.raises(ProviderRejected, match="over"):
        await provider.create(REQUEST)


@pytest.mark.parametrize("session", [None, "", 7, "a b", "x" * 2_000, "<script>alert(1)"])
async def test_a_session_that_is_none_is_not_shown(provider, fake, session):
    await provider.create(REQUEST)
    fake.orders[REFERENCE].session = session
    with pytest.raises(ProviderUnavailable):
        await provider.create(REQUEST)


async def test_a_server_that_is_not_there_is_unavailable(open_account):
    provider = open_account(base_url="http://127.0.0.1:1/pg")
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert not provider.is_up()


@pytest.mark.parametrize(
    "fault", [Fault(seconds=1), Fault(trickles=True)], ids=["slow", "byte by byte"]
)
async def test_no_answer_is_waited_for_longer_than_we_will(open_account, fake, fault):
    # Source: specification P2.10.
    fake.fail_next("order", fault)
    provider = open_account(timeout_seconds=QUICK)
    began = time.monotonic()
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert time.monotonic() - began < 1
    assert not provider.is_up()


# Its errors


async def test_after_refused_credentials_it_is_left_alone_for_a_while(open_account, fake, caplog):
    provider = open_account(client_secret=SecretStr("hunter2"))
    for _ in range(5):
        with pytest.raises(ProviderUnavailable) as refused:
            await provider.fetch(REFERENCE)
        assert 50 < refused.value.retry_after_seconds <= 60
    assert counted(fake) == ["order"]
    assert not provider.is_up()
    assert "credentials are refused" in caplog.text
    assert "hunter2" not in caplog.text


@pytest.mark.parametrize("status", [500, 503])
async def test_it_counts_as_away_when_it_did_not_answer_until_it_does(provider, fake, status):
    assert provider.is_up()
    fake.fail_next("order", Fault(status))
    with pytest.raises(ProviderUnavailable):
        await provider.fetch(REFERENCE)
    assert not provider.is_up()
    await provider.create(REQUEST)
    assert provider.is_up()


async def test_a_call_that_is_wrong_says_nothing_against_cashfree(provider, fake):
    fake.fail_next("create", Fault(400))
    with pytest.raises(ProviderRejected):
        await provider.create(REQUEST)
    assert provider.is_up()


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({"x-ratelimit-retry": "7"}, 7),
        ({"retry-after": "9"}, 9),
        ({}, 60),
        ({"x-ratelimit-retry": "soon"}, 60),
        ({"x-ratelimit-retry": "86400"}, 60),
        ({"x-ratelimit-retry": "0"}, 1),
    ],
    ids=str,
)
async def test_where_it_is_too_much_we_come_back_when_it_says(provider, fake, headers, seconds):
    fake.fail_next("order", Fault(429, headers))
    with pytest.raises(ProviderUnavailable) as refused:
        await provider.fetch(REFERENCE)
    assert refused.value.retry_after_seconds == seconds
    if seconds > 5:
        with pytest.raises(ProviderUnavailable):
            await provider.fetch(REFERENCE)
        assert len(fake.seen) == 1


@pytest.mark.parametrize("status", [400, 404, 405, 413])
async def test_a_call_that_is_wrong_is_refused_for_good(provider, fake, status):
    fake.fail_next("create", Fault(status))
    with pytest.raises(ProviderRejected):
        await provider.create(REQUEST)
    assert counted(fake) == ["create"]


async def test_what_it_says_of_people_is_not_in_our_log(provider, fake, caplog):
    caplog.set_level("DEBUG", "campus_app")
    body = b'{"message": "9800000001 is wrong", "code": "aarav@students.example", "type": "x"}'
    fake.fail_next("create", Fault(400, content=body))
    with pytest.raises(ProviderRejected) as refused:
        await provider.create(REQUEST)
    written = " ".join(each.getMessage() for each in caplog.records if "campus" in each.name)
    assert "without a code" in written
    for word in ("9800000001", "aarav"):
        assert word not in written + str(refused.value)


# Its limits


async def test_our_own_limits_keep_us_below_its(fake, open_account):
    provider = open_account(limit_percent=10)  # of 30 a minute: one at once
    await provider.create(REQUEST)
    with pytest.raises(ProviderUnavailable, match="too busy") as refused:
        await provider.create(replace(REQUEST, reference="AS-0002"))
    assert refused.value.retry_after_seconds > 5
    assert counted(fake) == ["create"]


async def test_without_ours_the_server_would_say_that_it_is_too_much(fake, provider):
    """The negative control: the server counts."""
    fake.limits["create"] = 2
    for number in range(2):
        await provider.create(replace(REQUEST, reference=f"AS-{number:04}"))
    with pytest.raises(ProviderUnavailable, match="too many calls"):
        await provider.create(replace(REQUEST, reference="AS-0002"))


def test_it_uses_four_fifths_of_its_limits_unless_an_operator_says_otherwise():
    account = CashfreeAccount("id", SecretStr("x"), "https://api.cashfree.com/pg", "2025-01-01")
    assert account.limit_percent == 80


async def test_fifty_who_ask_at_once_share_two_answers(cashfree):
    services = cashfree.services
    stored = await services.ordering.prepare(order_request())
    await services.payments.open_checkout(stored)
    await asyncio.gather(*(services.payments.reconcile(stored.payment) for _ in range(50)))
    assert len(cashfree.fake.calls("order")) <= 2


# Its words


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
def test_what_an_order_and_its_attempts_amount_to(status, tried, expected, caplog):
    # Source: specification P2.2.
    assert snapshot_of({**ACTIVE, "order_status": status}, attempts(*tried)).state is expected
    assert ("cashfree: unknown" in caplog.text) == (expected is None)


def test_attempts_are_read_in_the_order_of_their_times():
    assert snapshot_of(ACTIVE, attempts("FAILED", "USER_DROPPED")[::-1]).state is (
        PaymentState.CANCELLED
    )


@pytest.mark.parametrize("number", [1453002795, "1453002795"])
def test_its_numbers_may_be_text_and_its_text_numbers(number):
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


@pytest.mark.parametrize("amount", [None, True, 65.1, "65.001", "a lot", [], {}, "NaN", 10**30])
def test_an_amount_that_is_none_is_no_amount(amount):
    order = {**ACTIVE, "order_status": "PAID", "order_amount": amount}
    attempt = {"order_id": REFERENCE, "payment_status": "SUCCESS", "payment_amount": amount}
    snapshot = snapshot_of(order, [attempt])
    assert snapshot.paid is None
    assert snapshot.ordered == (ReportedMoney(None, "INR"),) * 2


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
def test_snapshot_states_the_orders_amount_as_each_attempt_has_it(stated, expected):
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
def test_how_far_a_refund_is(said, state, caplog):
    assert reported_refund({"refund_status": said}).state is state
    assert ("cashfree: unknown" in caplog.text) == (said in {None, "SOMETHING_NEW"})


# Its signature


VECTOR = (
    b'{"data":{"order":{"order_id":"AS_01J8ZK3X6T","order_amount":70.00,"order_currency":"INR",'
    b'"order_tags":null},"payment":{"cf_payment_id":"1453002795","payment_status":"SUCCESS",'
    b'"payment_amount":70.00,"payment_currency":"INR","payment_message":"00::Transaction success"}},'
    b'"event_time":"2025-01-15T12:20:29+05:30","type":"PAYMENT_SUCCESS_WEBHOOK"}'
)
SIGNED = "Ob5D31i5+Q51NtaB2Ii+drRL0MWtbejmSR6l9Qq71YY="
STAMP = "1746427759733"
SIGNED_AT = datetime.fromtimestamp(1746427759, UTC)


def test_it_signs_as_its_own_sdk_does():
    """The figures were made with Cashfree's SDK, which agreed."""
    assert base64.b64encode(signature("cf-test-secret", STAMP, VECTOR)).decode() == SIGNED
    headers = {"x-webhook-signature": SIGNED, "x-webhook-timestamp": STAMP}
    verify(headers, VECTOR, ["cf-test-secret"], SIGNED_AT)


def test_a_time_in_seconds_is_read_too():
    stamp = STAMP[:10]
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
def test_what_is_signed_otherwise_is_not_signed(message):
    wrong = base64.b64encode(signature("cf-test-secret", "", message)).decode()
    headers = {"x-webhook-signature": wrong, "x-webhook-timestamp": STAMP}
    with pytest.raises(BadSignature):
        verify(headers, VECTOR, ["cf-test-secret"], SIGNED_AT)


@pytest.mark.parametrize("secrets", [[], [""], ["", "another"]], ids=str)
def test_without_a_secret_nothing_is_signed(secrets):
    empty = base64.b64encode(signature("", STAMP, VECTOR)).decode()
    headers = {"x-webhook-signature": empty, "x-webhook-timestamp": STAMP}
    with pytest.raises(BadSignature):
        verify(headers, VECTOR, secrets, SIGNED_AT)


async def test_while_the_secret_is_changed_both_are_good(open_account, fake):
    provider = open_account(
        client_secret=SecretStr("a new one"), previous_client_secret=SecretStr(CLIENT_SECRET)
    )
    _headers, body = fake.webhook(REFERENCE)
    for secret in ("a new one", CLIENT_SECRET):
        assert provider.parse_webhook(*fake.signed(body, secret=secret), fake.clock.now())
    with pytest.raises(BadSignature):
        provider.parse_webhook(*fake.signed(body, secret="a third"), fake.clock.now())


async def test_a_notice_of_a_payment_form_is_only_said_to_us(provider, fake, caplog):
    body = b'{"type": "PAYMENT_FORM_ORDER_WEBHOOK", "data": {"order": {"order_id": "CFPay_1"}}}'
    assert provider.parse_webhook(*fake.signed(body), fake.clock.now()) == []
    assert "payment form" in caplog.text


# Closing and giving back


async def test_what_is_paid_while_it_is_closed_stays_paid(provider, fake):
    # Source: specification P2.8.
    await provider.create(REQUEST)
    fake.pays_before_cancel = True
    assert (await provider.cancel(REFERENCE)).state is PaymentState.PAID
    assert counted(fake)[1:] == ["order", "order", "order", "payments"]


async def test_a_refund_whose_answer_was_lost_is_found_again(provider, fake):
    await provider.create(REQUEST)
    fake.attempt(REFERENCE, "SUCCESS")
    fake.fail_next("refund", Fault(500, executes_first=True))
    assert (await provider.refund(REFUND)).state is RefundState.DONE
    assert counted(fake)[-3:] == ["get refund", "refund", "get refund"]
    assert (await provider.refund(REFUND)).state is RefundState.DONE
    assert len(fake.calls("refund")) == 1


async def test_a_refund_says_what_it_is_for(provider, fake):
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
