"""kill -9 at each step from cart to notifications: nothing is lost, no call is repeated."""

import signal
from itertools import product

import pytest

from campus_app.notifications.rules.callers import MissedCall
from campus_app.notifications.services.notifications import NotificationSender
from campus_app.ordering.providers.sandbox.tables import SandboxPaymentRow
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.sql.tables import OrderRow
from kit.outbox.worker import Effect, OutboxWorker
from tests.helpers.builders import order_request
from tests.helpers.crash import CART, PAID, UNPAID
from tests.helpers.databases import both_databases
from tests.helpers.flows import calls, mails, pay, settle_down
from tests.helpers.outbox import run_batch
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio

CALLED = {
    "before the effect of call.vendor": (0, "failed"),
    "after the effect of call.vendor": (1, "failed"),
    "after acknowledging call.vendor": (1, "success"),
}
"""A call whose outcome is unknown after the crash is not repeated."""

NOTHING_HAD_BEGUN = PAID[: PAID.index("after the jobs are claimed") + 1]


def message_ids(services):
    return {to: mail["Message-ID"] for to, mail in mails(services).items()}


async def exactly_one_paid_order(services):
    stored = await services.payments.orders.latest_of_cart(CART)
    assert await count(services.database, OrderRow) == 1
    assert await count(services.database, SandboxPaymentRow) == 1
    assert (stored.payment.state, stored.order.state) == (PaymentState.PAID, OrderState.CONFIRMED)
    return await services.lookup.progress_of(stored)


@pytest.mark.parametrize(
    ("database_url", "step"),
    [
        *product(["sqlite"], PAID),
        # That a job's lease ends on both databases: tests of `kit/outbox`.
        *product(["postgresql"], NOTHING_HAD_BEGUN),
    ],
    indirect=["database_url"],
)
async def test_paid_order_is_notified_once_after_crash(die, new_services, clock, step):
    # Source: specification P1.20; docs/invariants.md I3, I13.
    assert die(step) == -signal.SIGKILL
    services = new_services()
    before = message_ids(services), calls(services)
    await settle_down(services, clock)
    progress = await exactly_one_paid_order(services)
    assert progress.notifications.emails_sent == 2
    assert set(mails(services)) == {"mail.customer", "mail.vendor"}
    assert message_ids(services) == message_ids(services) | before[0]
    call_outcome = len(calls(services)), progress.notifications.missed_call
    if step in NOTHING_HAD_BEGUN:
        assert call_outcome == (1, "success")
    elif step in CALLED:
        assert call_outcome == CALLED[step]
    else:
        # The three jobs run concurrently: a crash during a mail may have interrupted the call.
        assert call_outcome in {(1, "success"), (len(before[1]), "failed")}


@both_databases
@pytest.mark.parametrize("step", UNPAID)
async def test_customer_pays_once_when_process_crashes_before_payment(
    die, new_services, clock, step
):
    # Source: docs/invariants.md I1, I2.
    assert die(step) == -signal.SIGKILL
    services = new_services()
    assert (mails(services), calls(services)) == ({}, [])
    stored = await services.carts.prepare(order_request(), CART)
    await pay(services, stored)
    await settle_down(services, clock)
    progress = await exactly_one_paid_order(services)
    assert (progress.notifications.emails_sent, progress.notifications.missed_call) == (
        2,
        "success",
    )
    assert set(mails(services)) == {"mail.customer", "mail.vendor"}
    assert len(calls(services)) == 1


@both_databases
async def test_control_process_completes_without_crash_step(die, new_services):
    """Without a known step the process completes, so the other tests end by their step."""
    assert die("no such step") == 0
    services = new_services()
    assert (await exactly_one_paid_order(services)).notifications.emails_sent == 2


@both_databases
async def test_control_vendor_is_called_twice_when_call_is_retried_like_mail(
    die, new_services, clock
):
    """The negative control of the tests above."""
    assert die("after the effect of call.vendor") == -signal.SIGKILL
    services = new_services()
    assert len(calls(services)) == 1
    called_orders = []

    class Caller:
        async def place_call(self, call):
            assert isinstance(call, MissedCall)
            called_orders.append(call.order_number)

    sender = NotificationSender(
        services.payments.orders, services.catalogue, None, Caller(), services.shortages, ""
    )
    repeated = {"call.vendor": Effect(lambda job: sender.call_vendor(job.subject))}
    clock.advance(seconds=61)
    await run_batch(OutboxWorker(services.outbox, repeated, clock))
    assert called_orders == [calls(services)[0]["orderId"]]
