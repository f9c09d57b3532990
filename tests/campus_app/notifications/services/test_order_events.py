"""Reactions to paid and ready orders, and the example of README.md."""

import asyncio
import inspect
import re
from datetime import timedelta
from pathlib import Path

import pytest
from starlette.applications import Starlette
from starlette.responses import Response
from starlette.routing import Route

from campus_app import wiring
from campus_app.extensions import ORDER_EVENTS
from campus_app.notifications.services.order_events import OrderEvents
from campus_app.ordering.rules.cooking import CookingState
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.rules.order_event import OrderEvent
from campus_app.shared.rules.constants import HELD_SECONDS
from kit.background import running
from kit.outbox.models import JobState, OutboxRow
from tests.helpers.builders import order_request
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, mails, pay, press
from tests.helpers.kitchens import OPERATOR, enrol, press_on_board
from tests.helpers.races import PROCESSES
from tests.helpers.server import serving
from tests.helpers.settings import settings_for
from tests.helpers.tables import rows
from tests.helpers.waiting import eventually

pytestmark = pytest.mark.anyio

README = (Path(__file__).parents[4] / "README.md").read_text(encoding="utf-8")
CHAT_URL = "https://chat.example/hooks/kitchen"
MAXIMUM_TRIES = 61
SENT, SEEN, READY, HANDED_OVER = CookingState


@pytest.fixture
def order_events():
    """Reactions that no other test sees."""
    return OrderEvents()


@pytest.fixture
def reacting(database_url, tmp_path, clock):
    """Builds services with these reactions, once they are registered."""
    opened = []

    def reacting(order_events):
        settings = settings_for(database_url, tmp_path)
        services = wiring.build(settings, clock, order_events=order_events)
        opened.append(services)
        return services

    yield reacting
    for services in opened:
        services.close()


def record(order_events, event):
    """Register a reaction that records its orders; return them."""
    orders = []

    @order_events.on(event)
    async def recorded(order):
        orders.append(order)

    return orders


async def place_paid(services):
    return await pay(services, await services.ordering.prepare(order_request()))


# The example


class Chat:
    """A chat that answers with these statuses, then with 204, and records the messages."""

    def __init__(self, *statuses):
        self.statuses = list(statuses)
        self.messages = []
        self.app = Starlette(routes=[Route("/hooks/kitchen", self.receive, methods=["POST"])])

    async def receive(self, request):
        self.messages.append(await request.json())
        return Response(status_code=self.statuses.pop(0) if self.statuses else 204)


def example(address):
    """Run the example of README.md, for a chat at this address; return its reactions."""
    (code,) = re.findall(r"```python\n(.*?ORDER_EVENTS\.on.*?)```", README, re.DOTALL)
    assert CHAT_URL in code
    order_events = OrderEvents()
    code = code.replace(CHAT_URL, f"{address}/hooks/kitchen")
    exec(compile(code, "README.md", "exec"), {"ORDER_EVENTS": order_events})
    return order_events


async def test_example_of_readme_posts_each_paid_order_once(reacting, monkeypatch):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    chat = Chat()
    async with serving(chat.app) as address:
        services = reacting(example(address))
        unpaid = await services.ordering.prepare(order_request())
        await drain(services)
        assert chat.messages == []
        stored = await pay(services, unpaid)
        for _ in range(2):
            await services.payments.reconcile(stored.payment)
            await drain(services)
    assert chat.messages == [{"text": f"Paid: {stored.order.number}"}]


async def test_example_of_readme_is_retried_when_chat_fails(reacting, monkeypatch, clock):
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    chat = Chat(500, 503)
    async with serving(chat.app) as address:
        services = reacting(example(address))
        await place_paid(services)
        for _ in range(4):
            await drain(services)
            clock.advance(minutes=11)
    assert len(chat.messages) == 3
    assert len({str(message) for message in chat.messages}) == 1


# Registration


async def test_reaction_gets_the_confirmed_order(order_events, reacting):
    orders = record(order_events, OrderEvent.PAID)
    services = reacting(order_events)
    stored = await place_paid(services)
    await drain(services)
    assert [(order.id, order.state) for order in orders] == [
        (stored.order.id, OrderState.CONFIRMED)
    ]


@sqlite_only
async def test_on_raises_value_error_when_name_is_registered(order_events, reacting):
    orders = record(order_events, OrderEvent.PAID)
    with pytest.raises(ValueError, match=r"there is a reaction order_paid\.recorded already"):
        record(order_events, OrderEvent.PAID)
    record(order_events, OrderEvent.READY)
    services = reacting(order_events)
    await place_paid(services)
    await drain(services)
    assert len(orders) == 1


def test_services_have_the_reactions_of_extensions_by_default():
    assert inspect.signature(wiring.build).parameters["order_events"].default is ORDER_EVENTS
    assert ORDER_EVENTS.topics() == {}


# Paid


async def test_order_that_is_refunded_at_once_is_not_paid(order_events, reacting):
    orders = record(order_events, OrderEvent.PAID)
    services = reacting(order_events)
    stored = await services.ordering.prepare(order_request())
    await services.checkouts.open(stored)
    await services.statuses.set_override(1, is_open=False, message="", by=OPERATOR)
    assert await press(services, stored)
    assert (await services.payments.reconcile(stored.payment)).order.state is OrderState.REFUND_DUE
    await drain(services)
    assert orders == []


async def test_reaction_runs_once_when_processes_share_the_jobs(order_events, reacting):
    orders = record(order_events, OrderEvent.PAID)
    processes = [reacting(order_events) for _ in range(PROCESSES)]
    stored = await place_paid(processes[0])
    await asyncio.gather(*(services.payments.reconcile(stored.payment) for services in processes))
    await asyncio.gather(*(drain(services) for services in processes))
    assert len(orders) == 1


async def test_failing_reaction_is_tried_for_a_day_and_delays_nothing(
    order_events, reacting, clock
):
    tries = []

    @order_events.on(OrderEvent.PAID)
    async def fail(order):
        tries.append(order.id)
        raise ConnectionError

    orders = record(order_events, OrderEvent.PAID)
    services = reacting(order_events)
    stored = await place_paid(services)
    await drain(services)
    assert stored.order.state is OrderState.CONFIRMED
    assert (len(tries), len(orders), len(mails(services))) == (1, 1, 2)
    for _ in range(MAXIMUM_TRIES + 5):
        clock.advance(minutes=31)
        await drain(services)
    assert (len(tries), len(orders)) == (MAXIMUM_TRIES, 1)
    (job,) = await rows(services.database, OutboxRow, topic="order_paid.fail")
    assert (job.state, job.last_error) == (JobState.DEAD, "ConnectionError")


@sqlite_only
async def test_hanging_reaction_delays_neither_payment_nor_others(order_events, reacting):
    may_end = asyncio.Event()

    @order_events.on(OrderEvent.PAID)
    async def hang(_order):
        await may_end.wait()

    orders = record(order_events, OrderEvent.PAID)
    services = reacting(order_events)
    async with running(services.worker.run()):
        for expected in (1, 2):
            stored = await place_paid(services)
            assert stored.order.state is OrderState.CONFIRMED
            await eventually(lambda expected=expected: len(orders) == expected, "the others run")
        assert not may_end.is_set()
        may_end.set()


# Ready


@pytest.fixture
async def cooking(order_events, reacting):
    """A paid order, two devices of its kitchen, and the orders that became ready."""
    orders = record(order_events, OrderEvent.READY)
    services = reacting(order_events)
    devices = [(await enrol(services)).device for _ in range(2)]
    stored = await place_paid(services)
    await drain(services)
    assert orders == []
    return services, devices, stored.order.id, orders


async def test_order_is_ready_once_when_press_is_repeated_and_undone(cooking, clock):
    services, (device, other), order_id, orders = cooking
    assert await press_on_board(services, device, order_id, SEEN)
    await drain(services)
    assert orders == []
    for _ in range(2):
        assert await press_on_board(services, device, order_id, READY, saw=SEEN, press_id="one")
        assert await press_on_board(services, other, order_id, READY, saw=SEEN)
    clock.advance(seconds=HELD_SECONDS + 1)
    await drain(services)
    assert [order.id for order in orders] == [order_id]
    clock.advance(seconds=30)
    assert await press_on_board(services, device, order_id, SEEN, saw=READY)
    assert await press_on_board(services, device, order_id, READY, saw=SEEN)
    clock.advance(seconds=HELD_SECONDS + 1)
    await drain(services)
    assert len(orders) == 1


async def test_order_is_not_ready_when_press_is_undone_within_two_seconds(cooking, clock):
    services, (device, _other), order_id, orders = cooking
    assert await press_on_board(services, device, order_id, READY)
    clock.advance(seconds=1)
    await drain(services)
    assert await press_on_board(services, device, order_id, SENT, saw=READY)
    clock.advance(seconds=HELD_SECONDS)
    await drain(services)
    assert orders == []
    assert await press_on_board(services, device, order_id, READY)
    clock.advance(seconds=HELD_SECONDS)
    await drain(services)
    assert [order.id for order in orders] == [order_id]


async def test_order_is_ready_once_when_devices_press_at_once(cooking, clock):
    services, devices, order_id, orders = cooking
    presses = [press_on_board(services, device, order_id, READY) for device in devices * 4]
    assert all(await asyncio.gather(*presses))
    clock.advance(seconds=HELD_SECONDS)
    await drain(services)
    assert len(orders) == 1


async def test_order_is_not_ready_when_it_is_only_handed_over(cooking, clock):
    services, (device, _other), order_id, orders = cooking
    assert await press_on_board(services, device, order_id, HANDED_OVER)
    clock.advance(seconds=timedelta(minutes=1).total_seconds())
    await drain(services)
    assert orders == []


async def test_order_is_not_ready_when_it_is_refunded_before_press(cooking):
    services, (device, _other), order_id, orders = cooking
    await services.operations.refund(order_id, OPERATOR, force=True)
    assert await press_on_board(services, device, order_id, READY)
    await drain(services)
    assert orders == []
