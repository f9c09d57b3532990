"""kill -9 at each step of a Cashfree payment: it is made once and never lost."""

import asyncio
import signal

import pytest

from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.payment import PaymentState
from campus_app.ordering.sql.tables import OrderRow
from tests.helpers.builders import order_request
from tests.helpers.crash import AT_CASHFREE_PAID, AT_CASHFREE_UNPAID, CART
from tests.helpers.flows import calls, mails, pay_at_cashfree, settle_down
from tests.helpers.tables import count

pytestmark = pytest.mark.anyio


@pytest.fixture
def crash(die, cashfree):
    """Kills a process at a step of a payment through the fake Cashfree."""
    address = cashfree.services.settings.cashfree_base_url.removesuffix("/pg")
    return lambda step: asyncio.to_thread(die, step, cashfree=address)


async def exactly_one_paid_order(harness):
    """Check our database and the fake Cashfree."""
    services = harness.services
    await settle_down(services, harness.clock)
    stored = await services.payments.orders.latest_of_cart(CART)
    assert await count(services.database, OrderRow) == 1
    assert (stored.payment.state, stored.order.state) == (PaymentState.PAID, OrderState.CONFIRMED)
    ((reference, order),) = harness.fake.orders.items()
    assert reference == stored.payment.reference
    assert [each["payment_status"] for each in order.attempts] == ["SUCCESS"]
    assert set(mails(services)) == {"mail.customer", "mail.vendor"}
    assert len(calls(services)) == 1


@pytest.mark.parametrize("step", AT_CASHFREE_UNPAID)
async def test_customer_pays_once_when_process_crashes_before_payment(crash, cashfree, step):
    # Source: specification P1.20.
    assert await crash(step) == -signal.SIGKILL
    stored = await cashfree.services.carts.prepare(order_request(), CART)
    await pay_at_cashfree(cashfree.services, await cashfree.services.checkouts.open(stored))
    await exactly_one_paid_order(cashfree)


@pytest.mark.parametrize("step", AT_CASHFREE_PAID)
async def test_reconciler_finds_payment_when_process_crashes_after_it(crash, cashfree, step):
    # Source: specification P1.20.
    assert await crash(step) == -signal.SIGKILL
    await exactly_one_paid_order(cashfree)


async def test_control_process_completes_without_crash_step(crash, cashfree):
    """Without a known step the process completes, so the other tests end by their step."""
    assert await crash("no such step") == 0
    await exactly_one_paid_order(cashfree)
