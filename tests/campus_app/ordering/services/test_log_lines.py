"""The log records of an order's events; each one names its order."""

import logging
from dataclasses import replace

import pytest

from campus_app.ordering.rules.errors import ProviderRejected, ProviderUnavailable
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.shared.rules.audit import Actor
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import rupees
from tests.fakes.twilio import Fault
from tests.helpers.builders import order_request
from tests.helpers.flows import pay, with_orders
from tests.helpers.providers import ScriptedProvider, reported

pytestmark = pytest.mark.anyio

LOST = Fault(drops=True, executes_first=True)


@pytest.fixture
def logged(caplog):
    """Returns the services' log records since the last call."""
    caplog.set_level(logging.INFO)

    def logged():
        lines = [
            (record.levelname, record.getMessage(), getattr(record, "subject", ""))
            for record in caplog.records
            if record.name.startswith("campus_app.") and ".services." in record.name
        ]
        caplog.clear()
        return lines

    return logged


class Scripted(ScriptedProvider):
    """Returns the refund state that a test sets."""

    refunded = RefundState.PENDING

    async def refund(self, refund):
        self._raise_error()
        return reported(refund, self.refunded)

    async def cancel(self, reference):
        raise ProviderUnavailable("away")


@pytest.fixture
def provider():
    return Scripted()


@pytest.fixture
def payments(services, provider):
    refunds = replace(services.payments.refunds, provider=provider)
    return replace(services.payments, provider=provider, refunds=refunds)


@pytest.fixture
async def stored(services, logged):
    stored = await services.ordering.prepare(order_request())
    placed = f"orders: order {stored.order.id} created"
    assert logged() == [("INFO", placed, stored.order.id)]
    return stored


async def test_order_of_cart_and_its_payment_are_logged_once(services, logged):
    for _ in range(2):
        stored = await services.carts.prepare(order_request(), "cart")
    id_ = stored.order.id
    assert logged() == [("INFO", f"orders: order {id_} created", id_)]
    await pay(services, stored)
    assert logged() == [("INFO", f"payments: order {id_} is paid", id_)]


async def test_due_refund_is_logged_with_reason(services, payments, provider, stored, logged):
    await services.statuses.set_override(1, is_open=False, message="")
    provider.set_state(stored, PaymentState.PAID)
    await payments.reconcile(stored.payment)
    id_, reason = stored.order.id, RefundReason.RESTAURANT_CLOSED
    assert logged() == [
        ("WARNING", f"payments: order {id_} is paid and will be refunded: {reason}", id_)
    ]


async def test_failed_payment_is_logged_once(payments, provider, stored, logged):
    provider.set_state(stored, PaymentState.FAILED)
    for _ in range(2):
        await payments.reconcile(stored.payment)
    assert logged() == [("INFO", f"payments: order {stored.order.id} is failed", stored.order.id)]


async def test_expired_order_is_logged_with_failed_cancellation(payments, stored, clock, logged):
    clock.set(stored.payment.expires_at)
    await payments.reconcile(stored.payment)
    id_ = stored.order.id
    assert logged() == [
        ("INFO", f"payments: order {id_} is expired", id_),
        ("WARNING", f"payments: order {id_}: ProviderUnavailable", id_),
    ]


async def test_missing_order_is_logged(services, payments, stored, logged):
    class Forgetful(SqlOrders):
        async def by_id(self, order_id):
            return None

    forgetful = with_orders(replace(services, payments=payments), Forgetful).payments
    await forgetful.refresh_by_number(stored.order.number)
    assert logged() == [("INFO", f"payments: order {stored.order.id} does not exist", "")]


async def test_second_payment_is_logged_as_error_once(payments, provider, stored, clock, logged):
    provider.set_state(stored, PaymentState.PAID)
    await payments.reconcile(stored.payment)
    logged()
    provider.set_state(stored, PaymentState.PAID, surplus=rupees(5))
    for _ in range(2):
        clock.advance(minutes=30)
        await payments.reconcile_due()
    id_ = stored.order.id
    assert logged() == [("ERROR", f"payments: order {id_} was paid a second time", id_)]


async def test_payment_of_another_provider_is_logged_as_error(payments, provider, stored, logged):
    provider.name = "another"
    await payments.reconcile(stored.payment)
    id_ = stored.order.id
    assert logged() == [("ERROR", f"payments: order {id_} was opened at another provider", id_)]
    assert provider.fetched == []


@pytest.fixture
async def refund(services, payments, stored, logged):
    """A refund that the provider has accepted."""
    paid = await pay(services, stored)
    report = await payments.refunds.refund_order(paid, Actor("asha"), force=True)
    logged()
    return report.refunds[0]


REJECTED = [
    ("WARNING", "refunds: {id} was rejected"),
    ("WARNING", "refunds: {id}: ProviderRejected"),
]
CONTRADICTED = "refunds: the provider's answer for {id} names another refund or amount"


@pytest.mark.parametrize(
    ("error", "refunded", "lines"),
    [
        (ProviderUnavailable("away"), None, [("WARNING", "refunds: {id}: ProviderUnavailable")]),
        (ProviderRejected("no"), None, REJECTED),
        (None, RefundState.FAILED, [("ERROR", "refunds: {id} failed; its amount is due again")]),
        (None, RefundState.CONTRADICTED, [("ERROR", CONTRADICTED)]),
        (None, RefundState.DONE, []),
    ],
    ids=["unavailable", "rejected", "failed", "another refund", "done"],
)
async def test_refund_problem_is_logged(
    payments, provider, stored, refund, clock, logged, error, refunded, lines
):
    provider.error, provider.refunded = error, refunded
    clock.advance(hours=1)
    await payments.refunds.reconcile_due()
    assert logged() == [
        (level, text.format(id=refund.id), stored.order.id) for level, text in lines
    ]


async def test_created_call_is_logged(scenario, logged):
    id_ = (await scenario.paid()).order.id
    line = f"calls: the call for order {id_} is {scenario.fake.only.sid}"
    assert ("INFO", line, id_) in logged()


async def test_call_with_unknown_outcome_is_logged(scenario, logged):
    scenario.fake.fail_next("create", LOST)
    id_ = (await scenario.paid()).order.id
    line = f"calls: unknown whether the call for order {id_} was made"
    assert ("WARNING", line, id_) in logged()


async def test_failed_call_status_query_is_logged_with_reason(scenario, logged):
    id_ = (await scenario.paid()).order.id
    scenario.fake.fail_next("fetch", Fault(500))
    logged()
    await scenario.run_due_jobs(minutes=1)
    line = f"calls: cannot fetch the status of the call for order {id_}: Twilio does not answer"
    assert logged() == [("WARNING", line, id_)]
