"""The reconciler with a scripted provider, and the progress of payments."""

from dataclasses import replace
from datetime import timedelta

import pytest

from campus_app.ordering.providers.sandbox.payments import WebhookDelivery
from campus_app.ordering.rules.errors import ProviderUnavailable
from campus_app.ordering.rules.payment import PaymentState, PublicStatus
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import PaymentRow
from campus_app.shared.rules.messages import RefundReason
from kit.clock import from_ms
from tests.helpers.databases import both_databases
from tests.helpers.flows import PAY, pay, press
from tests.helpers.payments import ALL_NOTIFICATIONS, next_check, queued_topics
from tests.helpers.providers import ScriptedProvider
from tests.helpers.tables import execute, rows

pytestmark = pytest.mark.anyio

PAID = PaymentState.PAID


# The reconciler


def ticks(clock, seconds):
    """Advance the clock in the reconciler's steps of five seconds."""
    for _ in range(0, seconds, 5):
        clock.advance(seconds=5)
        yield


@pytest.mark.parametrize("seconds", [0, 61, 1_195], ids=lambda seconds: f"paid after {seconds} s")
async def test_reconciler_finds_payment_within_a_minute_without_webhook(
    checkouts, services, prepare, clock, seconds
):
    # Source: specification P1.9.
    stored = await prepare()
    await services.checkouts.open(stored)
    for _ in ticks(clock, seconds):
        await services.payments.reconcile_due()
    await press(services, stored, PAY, WebhookDelivery.NEVER)
    paid_at = clock.now()
    for _ in ticks(clock, 60):
        await services.payments.reconcile_due()
    assert (await services.lookup.progress(stored.order.number)).is_processed
    (payment,) = await rows(services.database, PaymentRow)
    assert from_ms(payment.paid_at_ms) - paid_at <= timedelta(seconds=60)
    assert await queued_topics(services) == ALL_NOTIFICATIONS


async def test_reconciler_polls_until_30_minutes_after_expiry(
    services, scripted, provider, prepare, clock
):
    stored = await prepare()
    clock.set(stored.payment.expires_at)
    asked = 0
    for _ in range(24):
        asked += await scripted.reconcile_due()
        clock.advance(minutes=5)
    assert asked == 7
    assert await next_check(services) is None


async def test_reconciler_finds_late_payment_of_lapsed_order(
    services, scripted, provider, prepare, clock
):
    stored = await prepare()
    clock.set(stored.payment.expires_at)
    await scripted.reconcile_due()
    provider.set_state(stored, PAID)
    clock.advance(minutes=29)
    assert await scripted.reconcile_due() == 1
    current = await services.payments.orders.by_id(stored.order.id)
    assert current.order.refund_reason == RefundReason.PAID_LATE


async def test_reconcile_due_returns_zero_when_nothing_is_due(payments):
    assert await payments.reconcile_due() == 0


@both_databases
async def test_reconcile_due_processes_batches_of_20(scripted, provider, prepare, clock):
    for _ in range(23):
        provider.set_state(await prepare(), PAID)
    clock.advance(minutes=20)
    assert [await scripted.reconcile_due() for _ in range(3)] == [20, 3, 0]
    assert len(set(provider.fetched)) == 23


async def test_reconcile_due_continues_after_provider_error(
    services, scripted, provider, prepare, clock
):
    first, second = await prepare(), await prepare()

    class Partly(ScriptedProvider):
        async def fetch(self, reference):
            if reference == first.payment.reference:
                raise ProviderUnavailable("busy")
            return await super().fetch(reference)

    partly = Partly()
    partly.set_state(second, PAID)
    clock.advance(minutes=20)
    payments = replace(scripted, provider=partly)
    assert await payments.reconcile_due() == 2
    assert (await services.lookup.progress(second.order.number)).is_processed
    assert not (await services.lookup.progress(first.order.number)).is_processed


async def test_reconcile_due_continues_after_missing_order(
    services, scripted, provider, prepare, clock
):
    class Forgetful(SqlOrders):
        async def by_id(self, order_id):
            return None

    await prepare()
    clock.advance(minutes=20)
    forgetful = Forgetful(services.database, services.outbox.wake.set)
    assert await replace(scripted, orders=forgetful).reconcile_due() == 1
    assert provider.fetched == []


# Progress


async def test_progress_queries_no_provider(services, scripted, provider, prepare):
    stored = await prepare()
    provider.set_state(stored, PAID)
    assert (await services.lookup.progress(stored.order.number)).status is PublicStatus.PENDING
    assert provider.fetched == []


async def test_by_number_returns_new_holder_of_reused_number(services, prepare, clock):
    first = await pay(services, await prepare(requested_number="AS_482"))
    clock.advance(hours=24)
    await prepare(requested_number="AS_482")
    assert (await services.lookup.progress("AS_482")).status is PublicStatus.PENDING
    assert (await services.lookup.progress_of(first)).status is PublicStatus.SUCCESS


async def test_repr_of_payments_contains_no_secrets(services):
    await execute(services.database, "DELETE FROM outbox")
    text = repr(services)
    secret = (services.settings.outbox_dir.parent / "sandbox.secret").read_text()
    assert secret not in text
    assert services.settings.operator_token.get_secret_value() not in text
