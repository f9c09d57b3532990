"""Payments with a scripted provider: every outcome, and its effect on the order."""

from dataclasses import fields, replace
from datetime import timedelta

import pytest

from campus_app.adapters.sandbox.payments import WebhookDelivery
from campus_app.adapters.sql.orders import SqlOrders
from campus_app.adapters.sql.tables import PaymentRow
from campus_app.domain.errors import (
    BadSignature,
    Conflict,
    NotFound,
    ProviderBusy,
    ProviderRejected,
    ProviderUnavailable,
)
from campus_app.domain.messages import OperatorMessage, OrderMessage, RefundReason
from campus_app.domain.money import rupees
from campus_app.domain.notification import NotificationStatus
from campus_app.domain.order import OrderState
from campus_app.domain.payment import OrderOutcome, PaymentState, PublicStatus, ReportedMoney
from campus_app.ports.payments import WebhookEvent
from campus_app.services.ordering import Ordering
from campus_app.services.payments import UNKNOWN, Payments
from kit.clock import from_ms
from kit.outbox.models import OutboxRow
from tests.helpers.builders import at, order_request, reservation_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import (
    CANCEL,
    DECLINE,
    LEAVE,
    PAY,
    drain,
    notice,
    pay,
    press,
    receive_webhook,
    with_orders,
)
from tests.helpers.providers import ScriptedProvider
from tests.helpers.settings import ORIGIN
from tests.helpers.tables import execute, rows

pytestmark = pytest.mark.anyio

PAID, FAILED, PENDING = PaymentState.PAID, PaymentState.FAILED, PaymentState.PENDING
CANCELLED, EXPIRED = PaymentState.CANCELLED, PaymentState.EXPIRED


@pytest.fixture
def payments(services):
    return services.payments


@pytest.fixture
def provider():
    return ScriptedProvider()


@pytest.fixture
def scripted(services, provider):
    """Payments with a provider that answers what the test sets."""
    return replace(services.payments, provider=provider)


@pytest.fixture
def prepare(services):
    async def prepare(**changes):
        return await services.ordering.prepare(order_request(**changes))

    return prepare


async def notices_of(services):
    return sorted(job.topic for job in await rows(services.database, OutboxRow))


def without_a_guard(kind, whole, **changes):
    """Return a service of this class, which lacks a guard, with the parts of another."""
    parts = {each.name: getattr(whole, each.name) for each in fields(whole)}
    public = {name: part for name, part in parts.items() if not name.startswith("_")}
    return kind(**public | changes)


ALL_THREE = ["call.vendor", "mail.customer", "mail.vendor"]


async def planned(services):
    (payment,) = await rows(services.database, PaymentRow)
    return payment.next_check_at_ms and from_ms(payment.next_check_at_ms)


# Opening the payment page


@sqlite_only
async def test_open_checkout_sends_amount_and_data_of_order(scripted, provider, prepare):
    stored = await prepare()
    checkout = await scripted.open_checkout(stored)
    (request,) = provider.created
    assert checkout.url == f"https://pay.example/{stored.payment.reference}"
    assert (request.reference, request.amount) == (stored.payment.reference, stored.payment.amount)
    assert request.order_number == stored.order.number
    assert request.customer_phone == stored.order.customer.phone
    assert request.return_url == f"{ORIGIN}/forms/response/{stored.order.response_token}"
    assert request.webhook_url == f"{ORIGIN}/payment/sandbox/webhook"
    assert request.expires_at == stored.payment.expires_at


async def test_order_is_stored_before_provider_is_called(services):
    # Source: docs/invariants.md I1.
    class Looking(ScriptedProvider):
        async def create(self, request):
            known = await services.payments.orders.by_reference(request.reference)
            assert (known.order.number, known.payment.amount) == (
                request.order_number,
                request.amount,
            )
            return await super().create(request)

    looking = Looking()
    stored = await services.ordering.prepare(order_request())
    await replace(services.payments, provider=looking).open_checkout(stored)
    assert len(looking.created) == 1


@sqlite_only
async def test_control_provider_takes_unknown_payment_when_order_is_stored_late(services):
    class Forgetful(SqlOrders):
        """Reports an order as stored and deletes it."""

        async def create(self, draft, at, provider):
            placed = await super().create(draft, at, provider)
            for table in ("payments", "order_numbers", "orders"):
                await execute(services.database, f"DELETE FROM {table}")
            return placed

        async def mark_opened(self, payment_id, next_check_at):
            """Do nothing: the payment does not exist."""

    forgetful, provider = with_orders(services, Forgetful), ScriptedProvider()
    stored = await forgetful.ordering.prepare(order_request())
    await replace(forgetful.payments, provider=provider).open_checkout(stored)
    (asked,) = provider.created
    assert await services.payments.orders.by_reference(asked.reference) is None


async def test_open_checkout_schedules_check_soon(scripted, services, prepare, clock):
    await scripted.open_checkout(await prepare())
    assert await planned(services) == clock.now() + timedelta(seconds=10)


@pytest.mark.parametrize("state", [FAILED, CANCELLED], ids=lambda state: state.value)
async def test_open_checkout_makes_failed_payment_pending(payments, prepare, state):
    stored = await prepare()
    await payments.orders.transition(stored.payment, state, "declined")
    await payments.open_checkout(await payments.orders.by_id(stored.order.id))
    current = await payments.orders.by_id(stored.order.id)
    assert (current.payment.state, current.payment.reason) == (PENDING, "")


async def test_open_checkout_raises_conflict_when_paid(services, scripted, provider, prepare):
    paid = await pay(services, await prepare())
    with pytest.raises(Conflict) as refused:
        await scripted.open_checkout(paid)
    assert refused.value.code == "already_paid"
    assert provider.created == []


async def test_open_checkout_raises_conflict_after_expiry(scripted, provider, prepare, clock):
    stored = await prepare()
    clock.set(stored.payment.expires_at - timedelta(seconds=1))
    await scripted.open_checkout(stored)
    clock.set(stored.payment.expires_at)
    with pytest.raises(Conflict) as refused:
        await scripted.open_checkout(stored)
    assert refused.value.code == "order_lapsed"
    assert len(provider.created) == 1


@sqlite_only
@pytest.mark.parametrize("state", [OrderState.REPLACED, OrderState.LAPSED])
async def test_open_checkout_raises_conflict_when_order_is_not_pending(
    scripted, provider, prepare, state
):
    stored = await prepare()
    gone = replace(stored, order=replace(stored.order, state=state))
    with pytest.raises(Conflict) as refused:
        await scripted.open_checkout(gone)
    assert refused.value.code == "order_lapsed"
    assert provider.created == []


class Welcoming(Ordering):
    """Does not check whether the restaurant is open."""

    def require_open(self, _restaurant):
        pass


@sqlite_only
async def test_control_closed_restaurant_is_paid_without_check(services, provider, prepare):
    welcoming = without_a_guard(Welcoming, services.ordering)
    stored = await prepare()
    await services.board.set_override(1, is_open=False, message="")
    payments = replace(services.payments, provider=provider, ordering=welcoming)
    await payments.open_checkout(stored)
    await welcoming.prepare(order_request(note="another"))
    assert len(provider.created) == 1


@sqlite_only
async def test_open_checkout_raises_conflict_when_restaurant_has_closed(
    services, scripted, provider, prepare, clock
):
    # Source: docs/invariants.md I11.
    stored = await prepare()
    await services.board.set_override(1, is_open=False, message="")
    with pytest.raises(Conflict) as refused:
        await scripted.open_checkout(stored)
    assert refused.value.code == "restaurant_closed"
    await services.board.set_override(1, is_open=True, message="")
    clock.set(at(20, 15))
    late = await prepare()
    clock.set(at(20, 30))
    with pytest.raises(Conflict):
        await scripted.open_checkout(late)
    assert provider.created == []


@sqlite_only
async def test_open_checkout_raises_not_found_when_restaurant_is_removed(scripted, prepare):
    stored = await prepare()
    gone = replace(stored, order=replace(stored.order, restaurant_id=99))
    with pytest.raises(NotFound):
        await scripted.open_checkout(gone)


@sqlite_only
@pytest.mark.parametrize("trouble", [ProviderUnavailable("busy"), ProviderRejected("no")])
async def test_open_checkout_can_be_retried_after_provider_error(
    services, scripted, provider, prepare, trouble
):
    stored = await prepare()
    provider.error = trouble
    with pytest.raises(type(trouble)):
        await scripted.open_checkout(stored)
    assert await services.payments.orders.by_id(stored.order.id) == stored
    provider.error = None
    assert await scripted.open_checkout(stored)


# The form's address


@sqlite_only
async def test_payment_form_opens_for_amount_of_order(scripted, prepare):
    stored = await prepare()
    checkout = await scripted.payment_form(stored.order.number, stored.payment.amount)
    assert stored.payment.reference in checkout.url


@sqlite_only
@pytest.mark.parametrize("off_by", ["0.01", "-0.01", "1000", "-65"])
async def test_payment_form_raises_conflict_for_another_amount(scripted, provider, prepare, off_by):
    stored = await prepare()
    with pytest.raises(Conflict) as refused:
        await scripted.payment_form(stored.order.number, stored.payment.amount + rupees(off_by))
    assert refused.value.code == "amount_mismatch"
    assert refused.value.message == OrderMessage.AMOUNT
    assert provider.created == []


@sqlite_only
@pytest.mark.parametrize("number", ["", "AS_1", "AS_482", "482", "'; --"])
async def test_payment_form_raises_not_found_for_unknown_order(scripted, number):
    with pytest.raises(NotFound) as refused:
        await scripted.payment_form(number, rupees(65))
    assert refused.value.code == "unknown_order"


async def test_payment_form_raises_not_found_for_order_of_cart(services, scripted, provider):
    # The number can be guessed, and the return from paying leads to the order's own link.
    stored = await services.ordering.prepare_cart(order_request(), "cart")
    with pytest.raises(NotFound) as refused:
        await scripted.payment_form(stored.order.number, stored.payment.amount)
    assert refused.value.code == "unknown_order"
    assert provider.created == []
    assert (await scripted.open_checkout(stored)).url


async def test_open_checkout_raises_conflict_for_another_provider(scripted, provider, prepare):
    stored = await prepare()
    elsewhere = replace(stored, payment=replace(stored.payment, provider="elsewhere"))
    with pytest.raises(Conflict) as refused:
        await scripted.open_checkout(elsewhere)
    assert refused.value.code == "order_lapsed"
    assert provider.created == []


# Paid


async def test_reconcile_records_payment(services, prepare):
    # Source: specification M10, P1.1.
    paid = await pay(services, await prepare())
    assert (paid.payment.state, paid.order.state) == (PAID, OrderState.CONFIRMED)
    assert await notices_of(services) == ALL_THREE


async def test_paid_payment_is_checked_after_attempts_end(services, scripted, provider, prepare):
    stored = await prepare()
    provider.set_state(stored, PAID)
    paid = await scripted.reconcile(stored.payment)
    assert await scripted.reconcile(stored.payment) == paid
    assert await scripted.reconcile(paid.payment) == paid
    assert provider.fetched == [stored.payment.reference]
    assert await notices_of(services) == ALL_THREE
    assert await planned(services) == stored.payment.expires_at + timedelta(minutes=5)


@pytest.mark.parametrize(
    "before",
    [
        pytest.param([DECLINE], id="P1.3: declined, then paid"),
        pytest.param([CANCEL], id="P1.4: cancelled, then paid"),
        pytest.param([LEAVE], id="P1.5: left pending, then paid"),
        pytest.param([DECLINE, CANCEL, DECLINE, LEAVE], id="all of them, then paid"),
    ],
)
async def test_failed_payment_can_become_paid(services, prepare, before):
    stored = await prepare()
    states = {DECLINE: FAILED, CANCEL: CANCELLED, LEAVE: PENDING}
    await services.payments.open_checkout(stored)
    for button in before:
        await press(services, stored, button)
        current = await services.payments.reconcile(stored.payment)
        assert (current.payment.state, current.order.state) == (states[button], OrderState.PENDING)
    await press(services, stored, PAY)
    paid = await services.payments.reconcile(stored.payment)
    assert (paid.payment.state, paid.payment.reason) == (PAID, "")
    assert await notices_of(services) == ALL_THREE


@pytest.mark.parametrize(
    ("button", "state", "status"),
    [
        pytest.param(DECLINE, FAILED, PublicStatus.FAILED, id="P1.2: declined"),
        pytest.param(CANCEL, CANCELLED, PublicStatus.CANCELLED, id="P1.4: cancelled"),
    ],
)
async def test_failed_payment_has_reason_and_no_notification(
    services, prepare, button, state, status
):
    stored = await prepare()
    await services.payments.open_checkout(stored)
    await press(services, stored, button)
    current = await services.payments.reconcile(stored.payment)
    progress = await services.payments.progress_of(current)
    assert current.payment.state is state
    assert (progress.status, progress.is_processed) == (status, False)
    assert current.payment.reason.startswith("The payment was")
    assert await notices_of(services) == []


@sqlite_only
@pytest.mark.parametrize("late", [FAILED, CANCELLED, EXPIRED, PENDING, None], ids=str)
async def test_late_answers_do_not_undo_payment(services, scripted, provider, prepare, late, clock):
    # Source: specification P1.10; docs/invariants.md I5.
    stored = await prepare()
    provider.set_state(stored, PAID)
    paid = await scripted.reconcile(stored.payment)
    provider.set_state(stored, late, reason="too late")
    clock.advance(minutes=30)
    assert await scripted.reconcile(paid.payment) == paid
    if late is not None:
        assert not await services.payments.orders.transition(stored.payment, late, "too late")
    assert await services.payments.orders.by_id(stored.order.id) == paid


@sqlite_only
async def test_unknown_state_changes_nothing(scripted, provider, prepare):
    # Source: specification P1.15.
    stored = await prepare()
    provider.set_state(stored, None)
    assert await scripted.reconcile(stored.payment) == stored


@sqlite_only
async def test_reconcile_raises_payment_error_when_provider_fails(scripted, provider, prepare):
    stored = await prepare()
    provider.error = ProviderUnavailable("busy")
    with pytest.raises(ProviderUnavailable):
        await scripted.reconcile(stored.payment)


# Lapsed


async def test_unpaid_order_lapses(services, prepare, clock):
    stored = await prepare()
    await services.payments.open_checkout(stored)
    clock.set(stored.payment.expires_at)
    lapsed = await services.payments.reconcile(stored.payment)
    assert (lapsed.payment.state, lapsed.order.state) == (EXPIRED, OrderState.LAPSED)
    progress = await services.payments.progress_of(lapsed)
    assert progress.status is PublicStatus.EXPIRED
    assert lapsed.payment.reason.startswith("The time to pay ran out.")
    assert await notices_of(services) == []


@sqlite_only
@pytest.mark.parametrize(
    "trouble", [None, ProviderUnavailable("away"), ProviderRejected("no")], ids=repr
)
async def test_lapsed_order_is_cancelled_at_provider(services, provider, prepare, clock, trouble):
    class Closing(ScriptedProvider):
        async def cancel(self, reference):
            said = await super().cancel(reference)
            if trouble:
                raise trouble
            return said

    closing = Closing()
    stored = await prepare()
    clock.set(stored.payment.expires_at)
    payments = replace(services.payments, provider=closing)
    for _ in range(2):
        assert (await payments.reconcile(stored.payment)).payment.state is EXPIRED
    assert closing.cancelled == [stored.payment.reference]


@sqlite_only
@pytest.mark.parametrize("said", [PENDING, FAILED, CANCELLED, None], ids=str)
async def test_order_lapses_at_expiry_for_any_unpaid_answer(
    scripted, provider, prepare, clock, said
):
    stored = await prepare()
    clock.set(stored.payment.expires_at)
    provider.set_state(stored, said)
    for _ in range(2):
        current = await scripted.reconcile(stored.payment)
        assert (current.payment.state, current.order.state) == (EXPIRED, OrderState.LAPSED)


async def test_timely_payment_confirms_order_when_found_late(services, prepare, clock):
    """Our server was down meanwhile, which is not the customer's fault."""
    stored = await prepare()
    await services.payments.open_checkout(stored)
    clock.set(stored.payment.expires_at - timedelta(seconds=1))
    await press(services, stored)
    clock.advance(minutes=10)
    paid = await services.payments.reconcile(stored.payment)
    assert paid.order.state is OrderState.CONFIRMED


# Refunds. Source: specification M11.


async def refunded(services, payments, stored):
    current = await payments.reconcile(stored.payment)
    assert (current.payment.state, current.order.state) == (PAID, OrderState.REFUND_DUE)
    assert await notices_of(services) == ["mail.customer"]
    progress = await payments.progress_of(current)
    assert (progress.status, progress.is_processed) == (PublicStatus.FAILED, False)
    assert progress.is_refund_due
    return current.order.refund_reason


async def test_payment_after_lapse_is_refunded(services, scripted, provider, prepare, clock):
    # Source: specification P1.16.
    stored = await prepare()
    clock.set(stored.payment.expires_at)
    await scripted.reconcile(stored.payment)
    clock.advance(minutes=5)
    provider.set_state(stored, PAID)
    assert await refunded(services, scripted, stored) == RefundReason.PAID_LATE


async def test_payment_is_refunded_when_restaurant_is_forced_closed(services, prepare):
    stored = await prepare()
    await services.payments.open_checkout(stored)
    await services.board.set_override(1, is_open=False, message="")
    await press(services, stored)
    reason = await refunded(services, services.payments, stored)
    assert reason == RefundReason.RESTAURANT_CLOSED


@sqlite_only
async def test_payment_is_honoured_when_restaurant_closed_by_hours(services, prepare, clock):
    # Source: docs/invariants.md I11.
    clock.set(at(20, 29))
    stored = await prepare()
    await services.payments.open_checkout(stored)
    clock.set(at(20, 31))
    await press(services, stored)
    assert (await services.payments.reconcile(stored.payment)).order.state is OrderState.CONFIRMED


@sqlite_only
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


async def test_payment_of_replaced_order_is_refunded(services):
    # Source: specification P1.17.
    first = await services.ordering.prepare_cart(order_request(), "cart")
    await services.payments.open_checkout(first)
    second = await services.ordering.prepare_cart(order_request(donation=rupees(5)), "cart")
    await press(services, first)
    assert await refunded(services, services.payments, first) == RefundReason.PAID_TWICE
    paid = await pay(services, second)
    assert paid.order.state is OrderState.CONFIRMED


class Trusting(Payments):
    """Accepts any amount as the requested one."""

    def _decide_order_outcome(self, _stored, _snapshot, _has_seats):
        return OrderOutcome(OrderState.CONFIRMED)


@sqlite_only
async def test_control_wrong_amount_confirms_order_without_comparison(services, provider, prepare):
    trusting = without_a_guard(Trusting, services.payments, provider=provider)
    stored = await prepare()
    provider.set_state(stored, PAID, paid=rupees("0.01"))
    assert (await trusting.reconcile(stored.payment)).order.state is OrderState.CONFIRMED


@sqlite_only
@pytest.mark.parametrize(
    "told",
    [
        pytest.param({"paid": rupees("0.01")}, id="P1.13: a paisa"),
        pytest.param({"off_by": rupees("0.01")}, id="P1.13: a paisa more"),
        pytest.param({"off_by": rupees("-0.01")}, id="P1.13: a paisa less"),
        pytest.param({"times": 100}, id="P1.13: a hundred times as much"),
        pytest.param({"paid": None, "currency": "USD"}, id="no amount, of another currency"),
        pytest.param({"ordered": (ReportedMoney(rupees(1), "INR"),)}, id="another order's amount"),
        pytest.param({"currency": "USD"}, id="P1.13: another currency"),
        pytest.param({"currency": "inr"}, id="another spelling"),
    ],
)
async def test_payment_of_wrong_amount_is_refunded(services, scripted, provider, prepare, told):
    # Source: docs/invariants.md I7.
    stored = await prepare()
    told = dict(told)
    amount = stored.payment.amount
    if "off_by" in told:
        told["paid"] = amount + told.pop("off_by")
    if "times" in told:
        told["paid"] = amount * told.pop("times")
    provider.set_state(stored, PAID, **told)
    assert await refunded(services, scripted, stored) == RefundReason.WRONG_AMOUNT


@sqlite_only
@pytest.mark.parametrize("state", [PENDING, FAILED, CANCELLED])
async def test_reconcile_leaves_payment_pending_when_amount_is_unknown(
    services, scripted, provider, prepare, clock, state
):
    # Source: specification P3.1.
    stored = await prepare()
    await scripted.open_checkout(stored)
    if state is not PENDING:
        assert await services.payments.orders.transition(stored.payment, state, "")
    provider.set_state(stored, PAID, paid=None)
    for _ in range(2):
        current = await scripted.reconcile(stored.payment)
        assert (current.payment.state, current.order.state) == (PENDING, OrderState.PENDING)
        assert current.payment.reason == OperatorMessage.PAYMENT_UNREADABLE
        clock.advance(minutes=21)
    assert await notices_of(services) == []
    provider.set_state(stored, PAID)
    assert (await scripted.reconcile(stored.payment)).order.state is OrderState.CONFIRMED


async def test_refunded_payment_is_recorded(services, scripted, provider, prepare):
    stored = await prepare()
    provider.set_state(stored, PAID, paid=rupees(1), currency="USD")
    await scripted.reconcile(stored.payment)
    (payment,) = await rows(services.database, PaymentRow)
    assert (payment.state, payment.paid_paise, payment.paid_currency) == ("paid", 100, "USD")
    assert payment.provider_payment_id == "provider's id"


# Replaced


async def test_reconciler_cancels_payment_of_replaced_order(services, clock):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    await services.payments.open_checkout(first)
    await services.ordering.prepare_cart(order_request(donation=rupees(5)), "cart")
    assert await services.payments.reconcile_due() == 1
    assert not await press(services, first)
    current = await services.payments.orders.by_id(first.order.id)
    assert (current.payment.state, current.order.state) == (EXPIRED, OrderState.REPLACED)


async def test_reconciler_closes_replaced_order_that_was_never_opened(services, scripted, provider):
    first = await services.ordering.prepare_cart(order_request(), "cart")
    await services.ordering.prepare_cart(order_request(donation=rupees(5)), "cart")
    await scripted.reconcile_due()
    assert provider.cancelled == [first.payment.reference]
    assert provider.fetched == []


# Webhooks


async def test_webhook_triggers_provider_query(services, prepare):
    stored = await prepare()
    await services.payments.open_checkout(stored)
    await press(services, stored)
    await receive_webhook(services.payments, *notice(services, stored.payment.reference))
    assert (await services.payments.progress(stored.order.number)).status is PublicStatus.SUCCESS


@sqlite_only
async def test_false_webhook_changes_nothing(services, prepare):
    # Source: specification P1.14.
    stored = await prepare()
    await services.payments.open_checkout(stored)
    await receive_webhook(
        services.payments,
        *notice(services, stored.payment.reference, type="PAYMENT_SUCCESS", status="PAID"),
    )
    assert (await services.payments.progress(stored.order.number)).status is PublicStatus.PENDING


@sqlite_only
async def test_unsigned_webhook_is_rejected_without_query(services, prepare):
    stored = await prepare()
    await services.payments.open_checkout(stored)
    await press(services, stored)
    headers, body = notice(services, stored.payment.reference)
    with pytest.raises(BadSignature):
        await receive_webhook(services.payments, headers, body + b" ")
    assert (await services.payments.progress(stored.order.number)).status is PublicStatus.PENDING


@sqlite_only
async def test_stale_webhook_is_ignored(services, prepare, clock, caplog):
    stored = await prepare()
    await services.payments.open_checkout(stored)
    await press(services, stored)
    old = notice(services, stored.payment.reference)
    clock.advance(days=4)
    await receive_webhook(services.payments, *old)
    assert (await services.payments.progress(stored.order.number)).status is PublicStatus.PENDING
    assert caplog.messages == ["payments: stale webhook ignored"]


@sqlite_only
async def test_webhook_for_unknown_payment_is_ignored(services, caplog):
    await receive_webhook(services.payments, *notice(services, "AS-unknown"))
    assert caplog.messages == ["payments: webhook for an unknown payment"]


async def test_webhook_may_name_several_payments(scripted, provider, prepare):
    orders = [await prepare() for _ in range(3)]
    for stored in orders:
        provider.set_state(stored, PAID)
    body = " ".join(["unknown", *(stored.payment.reference for stored in orders)])
    await receive_webhook(scripted, {}, body.encode())
    for stored in orders:
        assert (await scripted.progress(stored.order.number)).is_processed


async def test_webhook_is_not_lost_when_provider_fails(
    services, scripted, provider, prepare, clock, caplog
):
    stored = await prepare()

    class Away(ScriptedProvider):
        async def fetch(self, reference):
            raise ProviderUnavailable("aarav@students.example")

    away = replace(scripted, provider=Away())
    await receive_webhook(away, {}, stored.payment.reference.encode())
    assert await planned(services) == clock.now() + timedelta(seconds=15)
    assert caplog.messages == [f"payments: order {stored.order.id}: ProviderUnavailable"]
    provider.set_state(stored, PAID)
    clock.advance(seconds=15)
    assert await scripted.reconcile_due() == 1
    assert (await scripted.progress(stored.order.number)).is_processed


@pytest.mark.parametrize(
    ("known", "named", "is_asked"),
    [
        pytest.param("the first", "another", True, id="another attempt than the one that paid"),
        pytest.param("the first", "the first", False, id="the attempt that paid"),
        pytest.param("the first", "", False, id="no attempt at all"),
        pytest.param("", "another", False, id="an attempt, but the paid one is unknown"),
    ],
)
@sqlite_only
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
    before = await planned(services)
    told = await payments.receive_webhook({}, stored.payment.reference.encode())
    assert await planned(services) == (clock.now() if is_asked else before)
    await payments.process_webhook(told)
    assert len(naming.fetched) == 1 + is_asked


@pytest.mark.parametrize("is_refund", [False, True], ids=["a payment", "a refund"])
@sqlite_only
async def test_webhook_schedules_check_before_query(
    services, scripted, provider, prepare, clock, is_refund
):
    class Naming(ScriptedProvider):
        def parse_webhook(self, headers, body, at):
            return [WebhookEvent(body.decode(), "an attempt", is_refund)]

    stored = await prepare()
    await scripted.open_checkout(stored)
    before = await planned(services)
    clock.advance(seconds=1)
    payments = replace(scripted, provider=Naming())
    (told,) = await payments.receive_webhook({}, stored.payment.reference.encode())
    assert await planned(services) == (before if is_refund else clock.now())
    assert told.payment.id == stored.payment.id


@pytest.mark.parametrize("is_paid", [False, True], ids=["unpaid", "paid"])
@pytest.mark.parametrize(
    ("trouble", "seconds"),
    [
        pytest.param(ProviderUnavailable("away"), 15, id="unavailable"),
        pytest.param(ProviderUnavailable("", retry_after_seconds=5), 15, id="unavailable for 5 s"),
        pytest.param(
            ProviderUnavailable("", retry_after_seconds=90), 90, id="unavailable for 90 s"
        ),
        pytest.param(ProviderRejected("no"), 15, id="refused"),
    ],
)
@sqlite_only
async def test_check_is_not_scheduled_before_retry_after(
    services, scripted, provider, prepare, clock, trouble, seconds, is_paid
):
    stored = await prepare()
    if is_paid:
        provider.set_state(stored, PAID)
        await scripted.reconcile(stored.payment)
    clock.advance(minutes=30)
    provider.error = trouble
    assert await scripted.reconcile_due() == 1
    assert await planned(services) == clock.now() + timedelta(seconds=seconds)


# Refreshes by number


async def test_refresh_by_number_queries_provider(scripted, provider, prepare):
    stored = await prepare()
    provider.set_state(stored, PAID)
    assert (
        await scripted.refresh_by_number(stored.order.number)
    ).order.state is OrderState.CONFIRMED


@sqlite_only
@pytest.mark.parametrize("number", ["", "AS_482", "AS_1", "\0", "AS_100000", "x" * 1_000])
async def test_refresh_by_number_queries_nothing_for_unknown_order(scripted, provider, number):
    assert await scripted.refresh_by_number(number) is None
    assert provider.fetched == []


@sqlite_only
async def test_refresh_by_number_raises_nothing_when_provider_fails(scripted, provider, prepare):
    stored = await prepare()
    provider.error = ProviderUnavailable("busy")
    assert await scripted.refresh_by_number(stored.order.number) == stored


@sqlite_only
async def test_refused_refresh_does_not_postpone_scheduled_check(
    services, scripted, provider, prepare, clock
):
    stored = await prepare()
    await scripted.open_checkout(stored)
    check_at = await planned(services)
    clock.advance(seconds=9)
    provider.error = ProviderBusy("too busy", retry_after_seconds=60)
    await scripted.refresh_by_number(stored.order.number)
    assert await planned(services) == check_at


# The reconciler


def ticks(clock, seconds):
    """Advance the clock in the reconciler's steps of five seconds."""
    for _ in range(0, seconds, 5):
        clock.advance(seconds=5)
        yield


@pytest.mark.parametrize(
    "seconds", [0, 1, 9, 61, 299, 607, 1_195], ids=lambda seconds: f"paid after {seconds} s"
)
async def test_reconciler_finds_payment_within_a_minute_without_webhook(
    services, prepare, clock, seconds
):
    # Source: specification P1.9.
    stored = await prepare()
    await services.payments.open_checkout(stored)
    for _ in ticks(clock, seconds):
        await services.payments.reconcile_due()
    await press(services, stored, PAY, WebhookDelivery.NEVER)
    paid_at = clock.now()
    for _ in ticks(clock, 60):
        await services.payments.reconcile_due()
    assert (await services.payments.progress(stored.order.number)).is_processed
    (payment,) = await rows(services.database, PaymentRow)
    assert from_ms(payment.paid_at_ms) - paid_at <= timedelta(seconds=60)
    assert await notices_of(services) == ALL_THREE


@sqlite_only
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
    assert await planned(services) is None


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


@sqlite_only
async def test_reconcile_due_returns_zero_when_nothing_is_due(payments):
    assert await payments.reconcile_due() == 0


async def test_reconcile_due_processes_batches_of_20(scripted, provider, prepare, clock):
    for _ in range(23):
        provider.set_state(await prepare(), PAID)
    clock.advance(minutes=20)
    assert [await scripted.reconcile_due() for _ in range(3)] == [20, 3, 0]
    assert len(set(provider.fetched)) == 23


@sqlite_only
async def test_reconcile_due_continues_after_provider_error(scripted, provider, prepare, clock):
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
    assert (await payments.progress(second.order.number)).is_processed
    assert not (await payments.progress(first.order.number)).is_processed


@sqlite_only
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


@sqlite_only
@pytest.mark.parametrize("number", ["", "AS_482", "AS_1", "\0", "AS_१००", "x" * 1_000])
async def test_progress_is_not_found_for_unknown_order(payments, number):
    assert await payments.progress(number) == UNKNOWN


@sqlite_only
async def test_progress_is_pending_when_unpaid(payments, prepare):
    stored = await prepare()
    progress = await payments.progress(stored.order.number)
    assert (progress.status, progress.is_processed) == (PublicStatus.PENDING, False)
    assert (progress.notifications, stored.payment.reason) == (NotificationStatus(), "")


async def test_progress_of_paid_order_counts_notifications(services, prepare):
    stored = await pay(services, await prepare())
    progress = await services.payments.progress(stored.order.number)
    assert (progress.status, progress.is_processed) == (PublicStatus.SUCCESS, True)
    assert (progress.notifications.emails_sent, progress.notifications.missed_call) == (
        0,
        "pending",
    )
    await drain(services)
    progress = await services.payments.progress(stored.order.number)
    assert (progress.notifications.emails_sent, progress.notifications.missed_call) == (
        2,
        "success",
    )


@sqlite_only
async def test_progress_queries_no_provider(scripted, provider, prepare):
    stored = await prepare()
    provider.set_state(stored, PAID)
    assert (await scripted.progress(stored.order.number)).status is PublicStatus.PENDING
    assert provider.fetched == []


async def test_by_number_returns_new_holder_of_reused_number(services, prepare, clock):
    first = await pay(services, await prepare(requested_number="AS_482"))
    clock.advance(hours=24)
    await prepare(requested_number="AS_482")
    assert (await services.payments.progress("AS_482")).status is PublicStatus.PENDING
    assert (await services.payments.progress_of(first)).status is PublicStatus.SUCCESS


@sqlite_only
async def test_repr_of_payments_contains_no_secrets(services):
    await execute(services.database, "DELETE FROM outbox")
    text = repr(services)
    secret = (services.settings.outbox_dir.parent / "sandbox.secret").read_text()
    assert secret not in text
    assert services.settings.operator_token.get_secret_value() not in text
