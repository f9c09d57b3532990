"""What every way to ring a phone must do, each in its own world."""

import asyncio
import dataclasses

import pytest

from tests.fakes.telephone import give_kitchen_a_phone
from tests.fakes.twilio import KITCHEN
from tests.helpers.builders import order_request
from tests.helpers.call_worlds import folder_world, twilio_world
from tests.helpers.flows import drain, pay

pytestmark = pytest.mark.anyio

OTHER_KITCHEN = "+919800000002"


@pytest.fixture(params=["outbox", "twilio"])
async def world(request, new_services, clock, data_dir, open_telephone):
    """Every way in turn."""
    if request.param == "twilio":
        opened = twilio_world(open_telephone)
    else:
        folder = give_kitchen_a_phone(data_dir)
        opened = folder_world(lambda: new_services(data_dir=folder), clock)
    async with opened as ready:
        yield ready


async def test_the_phone_that_is_named_rings_once(world):
    await world.ring(await world.call())
    assert world.rung() == [KITCHEN]


async def test_calls_about_different_orders_are_different_calls(world):
    await world.ring(await world.call())
    await world.ring(await world.call(OTHER_KITCHEN))
    assert world.rung() == [KITCHEN, OTHER_KITCHEN]


async def test_many_calls_at_once_are_all_made(world):
    wanted = [await world.call() for _ in range(8)]
    await asyncio.gather(*(world.ring(call) for call in wanted))
    assert world.rung() == [KITCHEN] * 8


@pytest.mark.parametrize("number", ["AS_\n482", "AS_482&To=%2B14155552671", "<Dial>", "€" * 500])
async def test_an_order_number_decides_nothing_about_the_call(world, number):
    await world.ring(dataclasses.replace(await world.call(), order_number=number))
    assert world.rung() == [KITCHEN]


async def test_a_paid_order_rings_once_through_the_outbox_and_is_shown_so(world):
    number = await world.order_and_tell()
    progress = await world.services.payments.progress(number)
    assert (progress.notifications.missed_call, world.rung()) == ("success", [KITCHEN])


async def test_whatever_is_repeated_the_phone_rings_once(world):
    # Source: specification S9.
    number = await world.order_and_tell()
    for _ in range(3):
        await world.services.payments.refresh_by_number(number)
        world.clock.advance(minutes=11)
        await world.work()
    assert world.rung() == [KITCHEN]


async def test_nobody_is_rung_about_an_order_that_is_not_paid(world):
    await world.call()
    await world.work()
    assert world.rung() == []


async def test_two_workers_of_two_processes_ring_once(world, new_services):
    settings = world.services.settings.model_dump()
    changed = {name: settings[name] for name in settings if name.startswith(("twilio", "call_"))}
    other = new_services(data_dir=world.services.settings.data_dir, **changed)
    await pay(world.services, await world.services.ordering.prepare(order_request()))
    await asyncio.gather(drain(world.services), drain(other), drain(world.services), drain(other))
    await world.phones_ring()
    await asyncio.gather(drain(world.services), drain(other))
    assert world.rung() == [KITCHEN]
