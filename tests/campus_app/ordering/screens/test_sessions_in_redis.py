"""Sessions in Redis: lost or overwritten at any moment, without duplicate effects."""

import pytest
from redis.asyncio import Redis
from reflex.istate.manager.redis import StateManagerRedis

from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.payment_return_state import PaymentReturnState
from campus_app.ordering.screens.waiting_room_state import WaitingRoomState
from campus_app.ordering.sql.tables import OrderRow
from campus_app.shared.rules.messages import OrderMessage
from kit.outbox.models import OutboxRow
from tests.helpers.builders import QUANTITIES
from tests.helpers.flows import press
from tests.helpers.steps import banner, cart_totals, stored_cart, to_payment, to_waiting_room
from tests.helpers.tables import count, rows
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio


@pytest.fixture
async def sessions(redis):
    """Session storage in Redis."""
    manager = StateManagerRedis(redis=Redis.from_url(redis.url))
    yield manager
    await manager.close()


class LockExpiringProvider:
    """A provider whose first response arrives after the session's lock has expired."""

    def __init__(self, provider, client):
        self._provider = provider
        self._client = client
        self.is_late = True

    def __getattr__(self, name):
        return getattr(self._provider, name)

    async def fetch(self, reference):
        snapshot = await self._provider.fetch(reference)
        if self.is_late:
            self.is_late = False
            locks = await self._client.keys("*_lock")
            assert len(locks) == 1, "the event holds its session"
            await self._client.delete(*locks)
        return snapshot


async def test_payment_return_counts_once_when_session_lock_expired_during_query(
    tab, services, replace_parts, client
):
    stored = await to_payment(tab, services)
    await press(services, stored)
    replace_parts(provider=LockExpiringProvider(services.payments.provider, client))
    await tab.visit(f"/forms/response/{stored.order.response_token}")
    await eventually(lambda: banner(tab) == OrderMessage.FAILED, "the visitor is told")
    await tab.visit(f"/forms/response/{stored.order.response_token}")
    assert tab.get(PaymentReturnState.stored_number) == stored.order.number
    (order,) = await rows(services.database, OrderRow)
    assert order.state == OrderState.CONFIRMED
    assert await count(services.database, OutboxRow) == 3


async def test_pay_creates_no_second_order_when_session_is_lost(tab, services, client):
    await to_waiting_room(tab)
    await tab.call(WaitingRoomState.pay)
    first = tab.get(WaitingRoomState.pay_url)
    await client.flushall()
    await tab.visit("/waiting-room")
    assert tab.redirects == []
    await tab.call(WaitingRoomState.pay)
    assert tab.get(WaitingRoomState.pay_url) == first
    assert await count(services.database, OrderRow) == 1


async def test_cart_is_restored_on_hydration_when_session_was_lost(tab, client):
    tab.local["cart"] = stored_cart(QUANTITIES)
    await tab.visit("/menu/1")
    await client.flushall()
    await tab.visit("/menu/1")
    await tab.call(CartState.add_dish, 1, "103")
    assert cart_totals(tab)[0] == "₹470"


async def test_event_empties_cart_when_session_is_lost_without_hydration(tab, client):
    """The negative control: the reason why sockets are closed while Redis is unavailable."""
    tab.local["cart"] = stored_cart(QUANTITIES)
    await tab.visit("/menu/1")
    await client.flushall()
    await tab.call(CartState.add_dish, 1, "103")
    assert cart_totals(tab)[0] == "₹90"
