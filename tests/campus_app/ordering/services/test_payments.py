"""Payments with a scripted provider: outcomes, their effect on the order, the reconciler."""

from dataclasses import replace
from datetime import timedelta
from decimal import Decimal

import pytest

from campus_app.ordering.rules.errors import ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import (
    OrderOutcome,
    PaymentState,
    PublicStatus,
    ReportedMoney,
)
from campus_app.ordering.services.payments import Payments
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.tables import PaymentRow
from campus_app.shared.rules.messages import OperatorMessage, RefundReason
from campus_app.shared.rules.money import rupees
from kit.clock import from_ms
from tests.helpers.builders import at, order_request, reservation_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import pay, press
from tests.helpers.payments import ALL_NOTIFICATIONS, next_check, queued_topics, without_guard
from tests.helpers.providers import ScriptedProvider
from tests.helpers.tables import execute, rows

pytestmark = pytest.mark.anyio

PAID, FAILED, PENDING = PaymentState.PAID, PaymentState.FAILED, PaymentState.PENDING
CANCELLED, EXPIRED = PaymentState.CANCELLED, PaymentState.EXPIRED


# Paid


@both_databases
async def test_reconcile_records_payment(services, prepare):
    # Source: specification M10, P1.1.
    paid = await pay(services, await prepare())
    assert (paid.payment.state, paid.order.state) == (PAID, OrderState.CONFIRMED)
    assert await queued_topics(services) == ALL_NOTIFICATIONS


async def test_paid_payment_is_checked_after_attempts_end(services, scripted, provider, stored):
    provider.set_state(stored, PAID)
    paid = await scripted.reconcile(stored.payment)
    assert await scripted.reconcile(stored.payment) == paid
    assert await scripted.reconcile(paid.payment) == paid
    assert provider.fetched == [stored.payment.reference]
    assert await queued_topics(services) == ALL_NOTIFICATIONS
    assert await next_check(services) == stored.payment.expires_at + timedelta(minutes=5)


async def test_unknown_state_changes_nothing(scripted, provider, stored):
    # Source: specification P1.15.
    provider.set_state(stored, None)
    assert await scripted.reconcile(stored.payment) == stored


# Lapsed


@pytest.mark.parametrize(
    "error", [None, ProviderUnavailable("away"), ProviderRejected("no")], ids=repr
)
async def test_lapsed_order_is_cancelled_at_provider(services, provider, prepare, clock, error):
    class Closing(ScriptedProvider):
        async def cancel(self, reference):
            said = await super().cancel(reference)
            if error:
                raise error
            return said

    closing = Closing()
    stored = await prepare()
    clock.set(stored.payment.expires_at)
    payments = replace(services.payments, provider=closing)
    for _ in range(2):
        assert (await payments.reconcile(stored.payment)).payment.state is EXPIRED
    assert closing.cancelled == [stored.payment.reference]


async def test_order_lapses_at_expiry_for_any_unpaid_answer(scripted, provider, prepare, clock):
    orders = [(await prepare(), said) for said in (PENDING, FAILED, CANCELLED, None)]
    clock.set(orders[-1][0].payment.expires_at)
    for stored, said in orders:
        provider.set_state(stored, said)
        for _ in range(2):
            current = await scripted.reconcile(stored.payment)
            assert (current.payment.state, current.order.state) == (EXPIRED, OrderState.LAPSED)


async def test_timely_payment_confirms_order_when_found_late(checkouts, services, clock, stored):
    """Our server was down meanwhile, which is not the customer's fault."""
    await services.checkouts.open(stored)
    clock.set(stored.payment.expires_at - timedelta(seconds=1))
    await press(services, stored)
    clock.advance(minutes=10)
    paid = await services.payments.reconcile(stored.payment)
    assert paid.order.state is OrderState.CONFIRMED


# Refunds. Source: specification M11.


async def refunded(services, payments, stored):
    current = await payments.reconcile(stored.payment)
    assert (current.payment.state, current.order.state) == (PAID, OrderState.REFUND_DUE)
    assert await queued_topics(services) == ["mail.customer"]
    progress = await services.lookup.progress_of(current)
    assert (progress.status, progress.is_processed) == (PublicStatus.FAILED, False)
    assert progress.is_refund_due
    return current.order.refund_reason


async def test_payment_is_refunded_when_restaurant_is_forced_closed(checkouts, services, stored):
    await services.checkouts.open(stored)
    await services.statuses.set_override(1, is_open=False, message="")
    await press(services, stored)
    reason = await refunded(services, services.payments, stored)
    assert reason == RefundReason.RESTAURANT_CLOSED


async def test_payment_is_honoured_when_restaurant_closed_by_hours(
    checkouts, services, prepare, clock
):
    # Source: docs/invariants.md I11.
    clock.set(at(20, 29))
    stored = await prepare()
    await services.checkouts.open(stored)
    clock.set(at(20, 31))
    await press(services, stored)
    assert (await services.payments.reconcile(stored.payment)).order.state is OrderState.CONFIRMED


@pytest.mark.parametrize(
    ("is_held", "state"), [(True, OrderState.CONFIRMED), (False, OrderState.REFUND_DUE)]
)
async def test_held_table_is_confirmed_when_restaurant_is_removed(
    services, scripted, provider, is_held, state
):
    class Gone:
        def restaurant(self, restaurant_id):
            return None

    stored = await services.ordering.prepare(reservation_request(party_size=1))
    if not is_held:
        await execute(services.database, "DELETE FROM seat_holds")
    provider.set_state(stored, PAID)
    gone = replace(scripted, ordering=replace(scripted.ordering, catalogue=Gone()))
    assert (await gone.reconcile(stored.payment)).order.state is state


@both_databases
async def test_payment_of_replaced_order_is_refunded(checkouts, services):
    # Source: specification P1.17.
    first = await services.carts.prepare(order_request(), "cart")
    await services.checkouts.open(first)
    second = await services.carts.prepare(order_request(donation=rupees(5)), "cart")
    await press(services, first)
    assert await refunded(services, services.payments, first) == RefundReason.PAID_TWICE
    paid = await pay(services, second)
    assert paid.order.state is OrderState.CONFIRMED


class Trusting(Payments):
    """Accepts any amount as the requested one."""

    def _decide_order_outcome(self, _stored, _snapshot, _has_seats):
        return OrderOutcome(OrderState.CONFIRMED)


async def test_control_wrong_amount_confirms_order_without_comparison(services, provider, prepare):
    trusting = without_guard(Trusting, services.payments, provider=provider)
    stored = await prepare()
    provider.set_state(stored, PAID, paid=rupees("0.01"))
    assert (await trusting.reconcile(stored.payment)).order.state is OrderState.CONFIRMED


@pytest.mark.parametrize(
    ("surplus", "reported"),
    [
        pytest.param("-0.01", {}, id="a paisa less"),
        pytest.param("0.01", {}, id="a paisa more"),
        pytest.param("0.00", {"currency": "USD"}, id="another currency"),
        pytest.param(
            "0.00",
            {"ordered": (ReportedMoney(rupees(1), "INR"),)},
            id="another amount of the order",
        ),
    ],
)
async def test_payment_of_wrong_amount_is_refunded(
    services, scripted, provider, surplus, reported, stored
):
    # Source: docs/invariants.md I7. All amounts: tests of `match_amounts`.
    paid = stored.order.bill.online + Decimal(surplus)
    provider.set_state(stored, PAID, paid=paid, **reported)
    assert await refunded(services, scripted, stored) == RefundReason.WRONG_AMOUNT


@pytest.mark.parametrize("state", [PENDING, FAILED, CANCELLED])
async def test_reconcile_leaves_payment_pending_when_amount_is_unknown(
    checkouts, services, scripted, provider, clock, state, stored
):
    # Source: specification P3.1.
    await checkouts.open(stored)
    if state is not PENDING:
        assert await services.payments.orders.transition(stored.payment, state, "")
    provider.set_state(stored, PAID, paid=None)
    for _ in range(2):
        current = await scripted.reconcile(stored.payment)
        assert (current.payment.state, current.order.state) == (PENDING, OrderState.PENDING)
        assert current.payment.reason == OperatorMessage.PAYMENT_UNREADABLE
        clock.advance(minutes=21)
    assert await queued_topics(services) == []
    provider.set_state(stored, PAID)
    assert (await scripted.reconcile(stored.payment)).order.state is OrderState.CONFIRMED


@both_databases
async def test_refunded_payment_is_recorded(services, scripted, provider, stored):
    provider.set_state(stored, PAID, paid=rupees(1), currency="USD")
    await scripted.reconcile(stored.payment)
    (payment,) = await rows(services.database, PaymentRow)
    assert (payment.state, payment.paid_paise, payment.paid_currency) == ("paid", 100, "USD")
    assert payment.provider_payment_id == "provider's id"


# Replaced


@both_databases
async def test_reconciler_cancels_payment_of_replaced_order(checkouts, services):
    first = await services.carts.prepare(order_request(), "cart")
    await services.checkouts.open(first)
    await services.carts.prepare(order_request(donation=rupees(5)), "cart")
    assert await services.payments.reconcile_due() == 1
    assert not await press(services, first)
    current = await services.payments.orders.by_id(first.order.id)
    assert (current.payment.state, current.order.state) == (EXPIRED, OrderState.REPLACED)


async def test_reconciler_closes_replaced_order_that_was_never_opened(services, scripted, provider):
    first = await services.carts.prepare(order_request(), "cart")
    await services.carts.prepare(order_request(donation=rupees(5)), "cart")
    await scripted.reconcile_due()
    assert provider.cancelled == [first.payment.reference]
    assert provider.fetched == []


# The reconciler


def ticks(clock, seconds):
    """Advance the clock in the reconciler's steps of five seconds."""
    for _ in range(0, seconds, 5):
        clock.advance(seconds=5)
        yield


@pytest.mark.parametrize("seconds", [0, 61, 1_195], ids=lambda seconds: f"paid after {seconds} s")
async def test_reconciler_finds_payment_within_a_minute_without_webhook(
    checkouts, services, clock, seconds, stored
):
    # Source: specification P1.9.
    await services.checkouts.open(stored)
    for _ in ticks(clock, seconds):
        await services.payments.reconcile_due()
    await press(services, stored)
    paid_at = clock.now()
    for _ in ticks(clock, 60):
        await services.payments.reconcile_due()
    assert (await services.lookup.progress(stored.order.number)).is_processed
    (payment,) = await rows(services.database, PaymentRow)
    assert from_ms(payment.paid_at_ms) - paid_at <= timedelta(seconds=60)
    assert await queued_topics(services) == ALL_NOTIFICATIONS


async def test_reconciler_polls_until_30_minutes_after_expiry(services, scripted, clock, stored):
    clock.set(stored.payment.expires_at)
    asked = 0
    for _ in range(24):
        asked += await scripted.reconcile_due()
        clock.advance(minutes=5)
    assert asked == 7
    assert await next_check(services) is None


async def test_reconciler_finds_late_payment_of_lapsed_order(
    services, scripted, provider, clock, stored
):
    clock.set(stored.payment.expires_at)
    await scripted.reconcile_due()
    provider.set_state(stored, PAID)
    clock.advance(minutes=29)
    assert await scripted.reconcile_due() == 1
    current = await services.payments.orders.by_id(stored.order.id)
    assert current.order.refund_reason == RefundReason.PAID_LATE


@both_databases
async def test_reconcile_due_processes_batches_of_20(scripted, provider, prepare, clock):
    for _ in range(23):
        provider.set_state(await prepare(), PAID)
    clock.advance(minutes=20)
    assert [await scripted.reconcile_due() for _ in range(3)] == [20, 3, 0]
    assert len(set(provider.fetched)) == 23


async def test_reconcile_due_continues_after_provider_error(services, scripted, prepare, clock):
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


async def test_progress_queries_no_provider(services, scripted, provider, stored):
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
