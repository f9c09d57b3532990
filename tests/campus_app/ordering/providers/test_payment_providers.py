"""The contract of every payment provider, each with its own fake.

Source: specification P2.
"""

import asyncio
import contextlib
from dataclasses import replace
from datetime import timedelta
from urllib.parse import parse_qs, urlsplit

import pytest

from campus_app.ordering.rules.errors import BadSignature, ProviderRejected, StaleWebhook
from campus_app.ordering.rules.payment import AmountMatch, Payment, PaymentState, match_amounts
from campus_app.ordering.rules.payment_provider import (
    Checkout,
    CheckoutRequest,
    CheckoutSession,
    Refund,
)
from campus_app.ordering.rules.refund import RefundState, compared_refund_state
from campus_app.shared.rules.money import rupees
from tests.helpers.clock import WEDNESDAY
from tests.helpers.provider_harness import misreport_params
from tests.helpers.settings import ORIGIN

pytestmark = pytest.mark.anyio

REFERENCE = "AS-0123456789abcdef0123456789abcdef"
REQUEST = CheckoutRequest(
    reference=REFERENCE,
    order_number="AS_482",
    amount=rupees("65.50"),
    customer_phone="+919800000001",
    return_url=f"{ORIGIN}/forms/response/token",
    expires_at=WEDNESDAY + timedelta(minutes=20),
    webhook_url=f"{ORIGIN}/payment/webhook",
)


def refund(number=1, *, amount="65.50", reference=REFERENCE):
    return Refund(f"rf0123{number}", reference, rupees(amount), "It was paid twice.")


async def state(harness):
    return (await harness.provider.fetch(REFERENCE)).state


# P2.1: opening a payment


async def test_create_returns_url_for_browser(harness):
    opened = await harness.provider.create(REQUEST)
    address = opened.url if isinstance(opened, Checkout) else opened.action
    assert address.startswith(("http://", "https://"))
    assert await state(harness) is PaymentState.PENDING


async def test_create_repeated_or_concurrent_is_one_payment(harness):
    first = await harness.provider.create(REQUEST)
    assert (
        await asyncio.gather(*(harness.provider.create(REQUEST) for _ in range(3))) == [first] * 3
    )
    await harness.pay(REFERENCE)
    assert (await harness.provider.fetch(REFERENCE)).surplus == 0


async def test_create_with_other_amount_does_not_change_amount(harness):
    await harness.provider.create(REQUEST)
    other = replace(REQUEST, amount=rupees(100))
    with contextlib.suppress(ProviderRejected):
        await harness.provider.create(other)
    await harness.pay(REFERENCE)
    assert (await harness.provider.fetch(REFERENCE)).paid == REQUEST.amount


async def test_failed_payment_can_be_reopened_and_paid(harness):
    await harness.provider.create(REQUEST)
    await harness.fail(REFERENCE)
    opened = await harness.provider.create(REQUEST)
    assert isinstance(opened, Checkout | CheckoutSession)
    await harness.pay(REFERENCE)
    assert await state(harness) is PaymentState.PAID


# P2.2, P2.3: states


async def test_fetch_state_is_none_for_unknown_payment(harness):
    snapshot = await harness.provider.fetch(REFERENCE)
    assert (snapshot.state, snapshot.paid) == (None, None)


@pytest.mark.parametrize(
    ("does", "expected"),
    [
        ("pay", PaymentState.PAID),
        ("fail", PaymentState.FAILED),
        ("drop", PaymentState.CANCELLED),
        ("leave_pending", PaymentState.PENDING),
    ],
)
async def test_fetch_returns_outcome_of_customers_action(harness, does, expected):
    await harness.provider.create(REQUEST)
    await getattr(harness, does)(REFERENCE)
    snapshot = await harness.provider.fetch(REFERENCE)
    assert snapshot.state is expected
    assert bool(snapshot.reason) == (expected in {PaymentState.FAILED, PaymentState.CANCELLED})
    assert bool(snapshot.provider_payment_id and snapshot.paid) == (expected is PaymentState.PAID)


async def test_unpaid_payment_expires_and_cannot_be_paid(harness):
    await harness.provider.create(REQUEST)
    harness.clock.advance(minutes=20)
    assert await state(harness) is PaymentState.EXPIRED
    await harness.pay(REFERENCE)
    assert await state(harness) is PaymentState.EXPIRED


async def test_paid_payment_stays_paid(harness):
    await harness.provider.create(REQUEST)
    await harness.pay(REFERENCE)
    await harness.provider.create(REQUEST)
    harness.clock.advance(hours=24)
    assert await state(harness) is PaymentState.PAID
    assert (await harness.provider.cancel(REFERENCE)).state is PaymentState.PAID


@pytest.mark.parametrize("amount", ["1.00", "19.99", "70.10", "99999.99"])
async def test_amount_is_exact_to_the_paisa(harness, amount):
    await harness.provider.create(replace(REQUEST, amount=rupees(amount)))
    await harness.pay(REFERENCE)
    snapshot = await harness.provider.fetch(REFERENCE)
    assert (snapshot.paid, snapshot.currency) == (rupees(amount), "INR")


# Source: specification P3.1


OURS = Payment(
    id="p1",
    order_id="o1",
    provider="any",
    reference=REFERENCE,
    amount=rupees(65),
    state=PaymentState.PENDING,
    created_at=WEDNESDAY,
    expires_at=REQUEST.expires_at,
)


async def amount_match_of(harness, misreport):
    await harness.provider.create(replace(REQUEST, amount=OURS.amount))
    await harness.pay(REFERENCE)
    assert match_amounts(OURS, await harness.provider.fetch(REFERENCE)) is AmountMatch.MATCHES
    await harness.misreport(REFERENCE, misreport)
    snapshot = await harness.provider.fetch(REFERENCE)
    assert snapshot.state is PaymentState.PAID
    return match_amounts(OURS, snapshot)


@pytest.mark.parametrize(
    ("harness", "misreport"), misreport_params("contradictions"), indirect=["harness"]
)
async def test_fetch_mismatches_when_amount_differs(harness, misreport):
    assert await amount_match_of(harness, misreport) is AmountMatch.MISMATCHES


@pytest.mark.parametrize(
    ("harness", "misreport"), misreport_params("unreadable"), indirect=["harness"]
)
async def test_fetch_is_unreadable_when_amount_is_unknown(harness, misreport):
    assert await amount_match_of(harness, misreport) is AmountMatch.UNREADABLE


# P2.4, P2.5: webhooks


async def opened_webhook(harness):
    await harness.provider.create(REQUEST)
    return harness.webhook(REFERENCE)


def read(harness, headers, body, *, after=timedelta(0)):
    return harness.provider.parse_webhook(headers, body, harness.clock.now() + after)


async def test_parse_webhook_returns_reference_only(harness):
    (nudge,) = read(harness, *await opened_webhook(harness))
    assert (nudge.reference, nudge.is_refund) == (REFERENCE, False)


async def test_webhook_event_has_no_state(harness):
    await opened_webhook(harness)
    assert await state(harness) is PaymentState.PENDING


@pytest.mark.parametrize("flip", [0x01, 0x20, 0x80, 0xFF], ids=hex)
async def test_parse_webhook_raises_bad_signature_for_changed_byte(harness, flip):
    headers, body = harness.webhook(REFERENCE)
    for place, byte in enumerate(body):
        with pytest.raises(BadSignature):
            read(harness, headers, body[:place] + bytes([byte ^ flip]) + body[place + 1 :])


@pytest.mark.parametrize(
    "forge",
    [
        # P1.11: what is missing
        lambda h, w: h.pop(w.signature_header),
        lambda h, w: h.pop(w.timestamp_header),
        lambda h, w: h.clear(),
        # another signature
        lambda h, w: h.update({w.signature_header: ""}),
        lambda h, w: h.update({w.signature_header: "Zm9v"}),
        lambda h, w: h.update({w.signature_header: "₹" * 8}),
        lambda h, w: h.update({w.signature_header: h[w.signature_header][:-4]}),
        lambda h, w: h.update({w.signature_header: h[w.signature_header].swapcase()}),
        lambda h, w: h.update({w.signature_header: h[w.signature_header] + " "}),
        lambda h, w: h.update(w.signed(w.webhook(REFERENCE)[1], secret="another secret")[0]),
        # another time
        lambda h, w: h.update({w.timestamp_header: str(int(h[w.timestamp_header]) + 1)}),
        lambda h, w: h.update({w.timestamp_header: "-1"}),
        lambda h, w: h.update({w.timestamp_header: "१७४६"}),
        lambda h, w: h.update({w.timestamp_header: "9" * 400}),
    ],
)
async def test_parse_webhook_raises_bad_signature_for_other_headers(harness, forge):
    headers, body = harness.webhook(REFERENCE)
    forge(headers, harness)
    with pytest.raises(BadSignature):
        read(harness, headers, body)


async def test_parse_webhook_raises_bad_signature_for_any_bytes(harness):
    headers, body = harness.webhook(REFERENCE)
    compact, longer, cut = body.replace(b" ", b""), body + b"\n", body.strip(b"}")
    for changed in (compact, longer, cut, b"", body[:-1] + b"\xff}"):
        with pytest.raises(BadSignature):
            read(harness, headers, changed)


async def test_parse_webhook_accepts_retries_for_three_days(harness):
    # Source: specification P1.12.
    assert read(harness, *harness.webhook(REFERENCE), after=timedelta(hours=71))
    for hours in (73, -73, 24 * 365):
        with pytest.raises(StaleWebhook):
            read(harness, *harness.webhook(REFERENCE), after=timedelta(hours=hours))


async def test_parse_webhook_returns_no_events_when_malformed(harness):
    bodies = [
        *(b"", b"null", b"[]", b"\xff\xfe"),
        *(b'{"type": "PAYMENT_SUCCESS_WEBHOOK"}', b'{"type": [], "data": {}}'),
        b'{"type": "PAYMENT_SUCCESS_WEBHOOK", "data": {"order": null}}',
        b'{"type": "SETTLEMENT_WEBHOOK", "data": {}}',
        *(b"[" * 100_000, b'{"a": "' + b"x" * 200_000 + b'"}'),
    ]
    for body in bodies:
        assert list(read(harness, *harness.signed(body))) == [], body[:50]


# Contract tests C6, refunds


async def test_refund_is_idempotent(harness):
    # Source: specification P1.19.
    await harness.provider.create(REQUEST)
    await harness.pay(REFERENCE)
    asked = [(await harness.provider.refund(refund())).state for _ in range(3)]
    assert asked == [RefundState.DONE] * 3
    with pytest.raises(ProviderRejected):
        await harness.provider.refund(refund(2))


async def test_refund_reports_requested_figures(harness):
    # Source: specification P3.2.
    await harness.provider.create(REQUEST)
    await harness.pay(REFERENCE)
    asked = refund(amount="20.50")
    for _ in range(2):
        said = await harness.provider.refund(asked)
        state = compared_refund_state(
            said, refund_id=asked.id, reference=REFERENCE, amount=asked.amount
        )
        assert state is RefundState.DONE


async def test_refund_raises_rejected_for_more_than_paid(harness):
    await harness.provider.create(REQUEST)
    for asked in (refund(), refund(reference="AS-unknown")):
        with pytest.raises(ProviderRejected):
            await harness.provider.refund(asked)
    await harness.pay(REFERENCE)
    for amount in ("65.51", "6550", "99999.99"):
        with pytest.raises(ProviderRejected):
            await harness.provider.refund(refund(amount=amount))


# Contract tests C8, cancelling


async def test_cancelled_payment_cannot_be_paid(harness):
    await harness.provider.create(REQUEST)
    assert (await harness.provider.cancel(REFERENCE)).state is PaymentState.EXPIRED
    await harness.pay(REFERENCE)
    assert await state(harness) is PaymentState.EXPIRED


async def test_cancel_accepts_unknown_payment(harness):
    assert (await harness.provider.cancel(REFERENCE)).state is None


# M18: the address of the payment page


async def test_payment_address_has_no_personal_data(harness):
    opened = await harness.provider.create(REQUEST)
    assert REQUEST.customer_phone.removeprefix("+91") not in repr(opened)
    # Cashfree's checkout is opened by its script, with the id of a session.
    address = "" if isinstance(opened, CheckoutSession) else opened.url
    assert set(parse_qs(urlsplit(address).query)) <= {"order_id", "key"}


# P2.9: secrets and personal data


async def test_log_and_repr_contain_no_secrets_or_personal_data(harness, caplog, capsys):
    caplog.set_level("DEBUG", "campus_app")
    opened = await harness.provider.create(REQUEST)
    await harness.fail(REFERENCE)
    await harness.provider.fetch(REFERENCE)
    read(harness, *harness.signed(b"{}"))
    with pytest.raises(ProviderRejected):
        await harness.provider.refund(refund(reference="AS-unknown"))
    settings = harness.services.settings
    secrets = [settings.cashfree_client_secret.get_secret_value(), "sandbox.secret"]
    people = [REQUEST.customer_phone, "9800000001"]
    ours = [line.getMessage() for line in caplog.records if line.name.startswith("campus_app")]
    printed = f"{harness.provider!r} {vars(harness.provider)!r} {settings!r} {opened!r} {ours}"
    printed += "".join(capsys.readouterr())
    assert [word for word in (*secrets, *people) if word and word in printed] == []
