"""The contract of every phone caller, each with its own fake."""

import asyncio
import dataclasses

import pytest

from campus_app.notifications.rules.missed_call import CallReason
from tests.fakes.twilio import VENDOR_PHONE
from tests.fakes.twilio_scenario import set_vendor_phone
from tests.helpers.builders import order_request
from tests.helpers.call_harness import folder_harness, twilio_harness
from tests.helpers.databases import sqlite_only
from tests.helpers.flows import drain, pay

pytestmark = pytest.mark.anyio

OTHER_VENDOR_PHONE = "+919800000002"


@pytest.fixture(params=["outbox", "twilio"])
async def harness(request, new_services, clock, data_dir, open_twilio):
    """Each phone caller in turn."""
    if request.param == "twilio":
        opened = twilio_harness(open_twilio)
    else:
        folder = set_vendor_phone(data_dir)
        opened = folder_harness(lambda: new_services(data_dir=folder), clock)
    async with opened as ready:
        yield ready


@sqlite_only
async def test_different_orders_have_different_calls(harness):
    await harness.complete_call(await harness.call())
    await harness.complete_call(await harness.call(OTHER_VENDOR_PHONE))
    assert harness.called_numbers() == [VENDOR_PHONE, OTHER_VENDOR_PHONE]


async def test_concurrent_calls_are_all_made(harness):
    wanted = [await harness.call() for _ in range(8)]
    await asyncio.gather(*(harness.complete_call(call) for call in wanted))
    assert harness.called_numbers() == [VENDOR_PHONE] * 8


@sqlite_only
async def test_call_is_not_made_when_it_is_not_wanted(harness):
    async def is_wanted():
        return False

    await harness.complete_call(dataclasses.replace(await harness.call(), is_wanted=is_wanted))
    assert harness.called_numbers() == []


async def test_order_is_called_once_per_reason(harness):
    first = await harness.call()
    for reason in CallReason:
        await harness.complete_call(dataclasses.replace(first, reason=reason))
    assert harness.called_numbers() == [VENDOR_PHONE] * 2


@sqlite_only
@pytest.mark.parametrize("number", ["AS_\n482", "AS_482&To=%2B14155552671", "<Dial>", "€" * 500])
async def test_order_number_does_not_affect_call(harness, number):
    await harness.complete_call(dataclasses.replace(await harness.call(), order_number=number))
    assert harness.called_numbers() == [VENDOR_PHONE]


async def test_duplicate_jobs_call_once(harness):
    # Source: specification S9.
    number = await harness.order_and_notify()
    for _ in range(3):
        await harness.services.payments.refresh_by_number(number)
        harness.clock.advance(minutes=11)
        await harness.work()
    assert harness.called_numbers() == [VENDOR_PHONE]
    progress = await harness.services.lookup.progress(number)
    assert progress.notifications.missed_call == "success"


async def test_two_outbox_workers_call_once(harness, new_services):
    settings = harness.services.settings.model_dump()
    changed = {name: settings[name] for name in settings if name.startswith(("twilio", "call_"))}
    other = new_services(data_dir=harness.services.settings.data_dir, **changed)
    await pay(harness.services, await harness.services.ordering.prepare(order_request()))
    await asyncio.gather(
        drain(harness.services), drain(other), drain(harness.services), drain(other)
    )
    await harness.finish_calls()
    await asyncio.gather(drain(harness.services), drain(other))
    assert harness.called_numbers() == [VENDOR_PHONE]
