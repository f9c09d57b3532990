"""Webhooks and refreshes with a scripted provider: they only trigger queries."""

from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.ordering.rules.errors import ProviderBusy, ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState, PublicStatus
from campus_app.ordering.rules.payment_provider import WebhookEvent
from campus_app.ordering.services.payment_webhooks import PaymentWebhooks
from tests.helpers.flows import press, receive_webhook, signed_webhook
from tests.helpers.payments import next_check
from tests.helpers.providers import ScriptedProvider

pytestmark = pytest.mark.anyio

PAID = PaymentState.PAID


# Webhooks


async def test_stale_webhook_is_ignored(checkouts, services, clock, caplog, stored):
    await services.checkouts.open(stored)
    await press(services, stored)
    old = signed_webhook(services, stored.payment.reference)
    clock.advance(days=4)
    await receive_webhook(services.payments, *old)
    assert (await services.lookup.progress(stored.order.number)).status is PublicStatus.PENDING
    assert caplog.messages == ["payments: stale webhook ignored"]


async def test_webhook_may_name_several_payments(services, scripted, provider, prepare):
    orders = [await prepare() for _ in range(3)]
    for stored in orders:
        provider.set_state(stored, PAID)
    body = " ".join(["unknown", *(stored.payment.reference for stored in orders)])
    await receive_webhook(scripted, {}, body.encode())
    for stored in orders:
        assert (await services.lookup.progress(stored.order.number)).is_processed


async def test_webhook_is_not_lost_when_provider_fails(
    services, scripted, provider, clock, caplog, stored
):

    class Away(ScriptedProvider):
        async def fetch(self, reference):
            raise ProviderUnavailable("aarav@students.example")

    away = replace(scripted, provider=Away())
    await receive_webhook(away, {}, stored.payment.reference.encode())
    assert await next_check(services) == clock.now() + timedelta(seconds=15)
    assert caplog.messages == [f"payments: order {stored.order.id}: ProviderUnavailable"]
    provider.set_state(stored, PAID)
    clock.advance(seconds=15)
    assert await scripted.reconcile_due() == 1
    assert (await services.lookup.progress(stored.order.number)).is_processed


@pytest.mark.parametrize(
    ("known", "named", "is_asked"),
    [
        pytest.param("the first", "another", True, id="another attempt than the one that paid"),
        pytest.param("the first", "the first", False, id="the attempt that paid"),
        pytest.param("the first", "", False, id="no attempt at all"),
        pytest.param("", "another", False, id="an attempt, but the paid one is unknown"),
    ],
)
async def test_webhook_for_paid_order_is_processed_when_attempt_differs(
    services, scripted, prepare, clock, known, named, is_asked
):
    class Naming(ScriptedProvider):
        def parse_webhook(self, headers, body, at):
            return [WebhookEvent(body.decode(), named)]

    naming = Naming()
    stored = await prepare()
    naming.set_state(stored, PAID, provider_payment_id=known)
    payments = replace(scripted, provider=naming)
    await payments.reconcile(stored.payment)
    before = await next_check(services)
    events = await PaymentWebhooks(payments).receive({}, stored.payment.reference.encode())
    assert await next_check(services) == (clock.now() if is_asked else before)
    await PaymentWebhooks(payments).process(events)
    assert len(naming.fetched) == 1 + is_asked


@pytest.mark.parametrize("is_refund", [False, True], ids=["a payment", "a refund"])
async def test_webhook_schedules_check_before_query(
    checkouts, services, scripted, prepare, clock, is_refund
):
    class Naming(ScriptedProvider):
        def parse_webhook(self, headers, body, at):
            return [WebhookEvent(body.decode(), "an attempt", is_refund)]

    stored = await prepare()
    await checkouts.open(stored)
    before = await next_check(services)
    clock.advance(seconds=1)
    payments = replace(scripted, provider=Naming())
    (event,) = await PaymentWebhooks(payments).receive({}, stored.payment.reference.encode())
    assert await next_check(services) == (before if is_refund else clock.now())
    assert event.payment.id == stored.payment.id


@pytest.mark.parametrize("is_paid", [False, True], ids=["unpaid", "paid"])
@pytest.mark.parametrize(
    ("error", "seconds"),
    [
        pytest.param(ProviderUnavailable("away"), 15, id="unavailable"),
        pytest.param(ProviderUnavailable("", retry_after_seconds=5), 15, id="unavailable for 5 s"),
        pytest.param(
            ProviderUnavailable("", retry_after_seconds=90), 90, id="unavailable for 90 s"
        ),
        pytest.param(ProviderRejected("no"), 15, id="refused"),
    ],
)
async def test_check_is_not_scheduled_before_retry_after(
    services, scripted, provider, clock, error, seconds, is_paid, stored
):
    if is_paid:
        provider.set_state(stored, PAID)
        await scripted.reconcile(stored.payment)
    clock.advance(minutes=30)
    provider.error = error
    assert await scripted.reconcile_due() == 1
    assert await next_check(services) == clock.now() + timedelta(seconds=seconds)


# Refreshes by number


async def test_refresh_by_number_queries_provider(scripted, provider, prepare):
    for unknown in ("", "AS_482", "AS_1", "\0", "AS_100000", "x" * 1_000):
        assert await scripted.refresh_by_number(unknown) is None
    assert provider.fetched == []
    stored = await prepare()
    provider.set_state(stored, PAID)
    found = await scripted.refresh_by_number(stored.order.number)
    assert found.order.state is OrderState.CONFIRMED


async def test_refresh_by_number_raises_nothing_when_provider_fails(scripted, provider, stored):
    provider.error = ProviderUnavailable("busy")
    assert await scripted.refresh_by_number(stored.order.number) == stored


async def test_refused_refresh_does_not_postpone_scheduled_check(
    checkouts, services, scripted, provider, clock, stored
):
    await checkouts.open(stored)
    check_at = await next_check(services)
    clock.advance(seconds=9)
    provider.error = ProviderBusy("too busy", retry_after_seconds=60)
    await scripted.refresh_by_number(stored.order.number)
    assert await next_check(services) == check_at
