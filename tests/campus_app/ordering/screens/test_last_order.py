"""The link on the block screen of `/` to this browser's last order. Source: specification 10.56."""

import pytest

from campus_app.ordering.screens.last_order import RECENT, LastOrderState
from tests.helpers.flows import CANCEL, drain, pay, press
from tests.helpers.steps import to_payment

pytestmark = pytest.mark.anyio

NOTHING = ("", "")


def shown(tab):
    return tab.get(LastOrderState.number), tab.get(LastOrderState.path)


@pytest.mark.parametrize("is_paid", [True, False])
async def test_home_links_to_a_recent_order_until_it_is_old(is_paid, tab, services, clock):
    stored = await to_payment(tab, services)
    if is_paid:
        await pay(services, stored)
        await drain(services)
    await tab.visit("/")
    assert shown(tab) == (stored.order.number, stored.order.response_path)
    clock.set(stored.order.created_at + RECENT)
    await tab.visit("/")
    assert shown(tab) == NOTHING


async def test_home_links_to_no_order_whose_payment_failed(tab, services):
    stored = await to_payment(tab, services)
    await press(services, stored, CANCEL)
    await services.payments.reconcile(stored.payment)
    await tab.visit("/")
    assert shown(tab) == NOTHING


async def test_home_ignores_forged_tokens(open_tab):
    for forged in (None, "a" * 43, "", ",", "x" * 20_000, "<script>"):
        tab = open_tab({"ownOrders": forged} if forged is not None else {})
        await tab.visit("/")
        assert shown(tab) == NOTHING


async def test_home_opens_when_the_order_can_not_be_read(tab, services, failing_orders):
    await to_payment(tab, services)
    failing_orders.error = RuntimeError("away")
    await tab.visit("/")
    assert shown(tab) == NOTHING
