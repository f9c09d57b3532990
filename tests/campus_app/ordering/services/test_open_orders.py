"""The bound on unpaid orders of one address. Source: specification M16."""

import pytest

from campus_app.ordering.services.open_orders import OpenOrders
from campus_app.shared.rules.constants import MAXIMUM_OPEN_ORDERS, PAYMENT_LIFETIME_SECONDS
from kit.rate_limit import RateLimited
from tests.helpers.builders import order_request
from tests.helpers.databases import both_databases
from tests.helpers.flows import pay

pytestmark = pytest.mark.anyio

HOME, CAMPUS = "203.0.113.7", "198.51.100.1"
MAXIMUM = 3


@pytest.fixture
def open_orders(services, clock):
    return OpenOrders(services.payments.orders, clock, MAXIMUM)


@pytest.fixture
def place(services, open_orders):
    """Places orders from an address, as far as the bound allows."""

    async def place(client, count=1):
        placed = []
        for _ in range(count):
            await open_orders.require_room(client)
            placed.append(await services.ordering.prepare(order_request()))
            open_orders.record(client, placed[-1])
        return placed

    return place


def test_maximum_allows_300_unpaid_orders_a_minute():
    assert MAXIMUM_OPEN_ORDERS * 60 == 300 * PAYMENT_LIFETIME_SECONDS


async def test_address_is_refused_when_it_reaches_the_maximum(place, clock):
    await place(HOME)
    clock.advance(minutes=5)
    await place(HOME, MAXIMUM - 1)
    with pytest.raises(RateLimited) as refused:
        await place(HOME)
    assert refused.value.seconds == 15 * 60
    await place(CAMPUS, MAXIMUM)


@both_databases
async def test_paid_orders_make_room(place, services):
    for order in await place(CAMPUS, MAXIMUM):
        await pay(services, order)
    await place(CAMPUS, MAXIMUM)
    with pytest.raises(RateLimited):
        await place(CAMPUS)


async def test_paid_orders_are_looked_up_again_after_some_seconds(place, services, clock):
    placed = await place(CAMPUS, MAXIMUM)
    with pytest.raises(RateLimited):
        await place(CAMPUS)
    await pay(services, placed[0])
    with pytest.raises(RateLimited):
        await place(CAMPUS)
    clock.advance(seconds=5)
    await place(CAMPUS)


async def test_lapsed_orders_make_room_and_take_no_memory(open_orders, place, clock):
    for address in (HOME, HOME, CAMPUS):
        await place(address, MAXIMUM)
        assert list(open_orders._expiries) == [address]
        clock.advance(seconds=PAYMENT_LIFETIME_SECONDS)


async def test_repeated_order_counts_once(services, open_orders):
    stored = await services.ordering.prepare(order_request())
    for _ in range(2 * MAXIMUM):
        open_orders.record(HOME, stored)
    await open_orders.require_room(HOME)
