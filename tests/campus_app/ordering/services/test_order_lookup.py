"""Receipts: of paid orders only, by the unguessable token only."""

import pytest

from campus_app.ordering.rules.notification import NotificationState, NotificationStatus
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.refund import RefundState
from campus_app.ordering.services.order_lookup import OrderLookup
from tests.helpers.builders import order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import CANCEL, drain, pay, press

pytestmark = pytest.mark.anyio

SENT, PENDING = NotificationState.SENT, NotificationState.PENDING


@both_databases
async def test_receipt_of_paid_order_has_notification_status(services):
    stored = await pay(services, await services.ordering.prepare(order_request()))
    token = stored.order.response_token
    before = await services.lookup.receipt_by_token(token)
    assert before.stored == stored
    assert before.notifications == NotificationStatus(PENDING, PENDING, PENDING)
    await drain(services)
    after = await services.lookup.receipt_by_token(token)
    assert after.notifications == NotificationStatus(SENT, SENT, SENT)
    assert after.refunds == []
    for guessed in (stored.order.number, stored.order.id, stored.payment.reference):
        assert await services.lookup.receipt_by_token(guessed) is None


async def test_receipt_is_the_same_on_another_server_next_day(new_services, clock):
    services = new_services()
    stored = await pay(services, await services.ordering.prepare(order_request()))
    await drain(services)
    clock.advance(hours=24)
    receipt = await new_services().lookup.receipt_by_token(stored.order.response_token)
    assert receipt.stored.order == stored.order
    assert receipt.notifications == NotificationStatus(SENT, SENT, SENT)


@pytest.mark.parametrize("becomes", ["nothing", "cancelled", "lapsed"])
async def test_receipt_is_none_when_unpaid(services, clock, becomes):
    # Source: specification M10.
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    if becomes == "cancelled":
        await press(services, stored, CANCEL)
    if becomes == "lapsed":
        clock.advance(hours=1)
    await services.payments.reconcile(stored.payment)
    assert await services.lookup.receipt_by_token(stored.order.response_token) is None


@both_databases
async def test_receipt_lists_refunds(services):
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    await press(services, stored)
    await services.statuses.set_override(1, is_open=False, message="")
    paid = await services.payments.reconcile(stored.payment)
    receipt = await services.lookup.receipt_of(paid)
    assert receipt.stored.order.state is OrderState.REFUND_DUE
    assert [(each.amount, each.state) for each in receipt.refunds] == [
        (stored.payment.amount, RefundState.DUE)
    ]


@both_databases
async def test_by_tokens_leaves_out_replaced_orders(services):
    replaced = await services.carts.prepare(order_request(), "a-cart")
    newest = await services.carts.prepare(order_request(note="less spice"), "a-cart")
    tokens = [each.order.response_token for each in (replaced, newest)]
    assert [each.order for each in await services.lookup.by_tokens(tokens)] == [newest.order]


NUMBERS = [f"AS_{value}" for value in range(100, 1_000)]


async def people_found(lookup, names):
    """Return the orders that these tokens find."""
    found = [await lookup.receipt_by_token(name) for name in names]
    return [receipt.stored.order.customer.full_name for receipt in found if receipt]


async def test_crawling_all_numbers_finds_no_receipt(services):
    # Source: docs/invariants.md I18.
    await pay(services, await services.ordering.prepare(order_request()))
    assert await people_found(services.lookup, NUMBERS) == []


async def test_control_crawl_finds_receipts_when_number_suffices(services):
    class ByNumber(OrderLookup):
        async def receipt_by_token(self, token):
            stored = await self.orders.by_number(token)
            return stored and await self.receipt_of(stored)

    await pay(services, await services.ordering.prepare(order_request()))
    by_number = ByNumber(services.lookup.orders, services.lookup.refunds)
    assert await people_found(by_number, NUMBERS) == ["Aarav Sharma"]
