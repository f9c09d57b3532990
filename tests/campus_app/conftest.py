"""Fixtures: payment providers with their harnesses, and the fake Twilio."""

import contextlib

import httpx
import pytest

from campus_app.shared import current
from tests.fakes.twilio import VENDOR_PHONE
from tests.fakes.twilio_scenario import open_twilio_scenario, set_vendor_phone
from tests.helpers.builders import order_request
from tests.helpers.flows import pay
from tests.helpers.provider_harness import HARNESSES, cashfree_harness
from tests.helpers.service_fixtures import *  # noqa: F403
from tests.helpers.settings import ORIGIN


@pytest.fixture(params=HARNESSES)
async def harness(request, new_services, clock):
    """Each payment provider's harness in turn."""
    async with HARNESSES[request.param](new_services, clock) as opened:
        yield opened


@pytest.fixture
async def cashfree(new_services, clock):
    """Cashfree's harness."""
    async with cashfree_harness(new_services, clock) as opened:
        yield opened


@pytest.fixture
def current_services(services, monkeypatch):
    """These services, which pages and screens use, too."""
    monkeypatch.setattr(current, "services", lambda: services)
    return services


@pytest.fixture
def paid(services):
    """Places and pays an order; returns it."""

    async def paid(**changes):
        stored = await services.ordering.prepare(order_request(**changes))
        return (await pay(services, stored)).order

    return paid


@pytest.fixture
async def shop(harness, application, monkeypatch):
    """An HTTP client of those services."""
    monkeypatch.setattr(current, "services", lambda: harness.services)
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def open_twilio(new_services, clock, data_dir, application, monkeypatch):
    """Opens a product whose missed calls go to a fake Twilio."""

    @contextlib.asynccontextmanager
    async def client_of(services):
        monkeypatch.setattr(current, "services", lambda: services)
        transport = httpx.ASGITransport(app=application)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            yield client

    def open_twilio(**changes):
        folder = set_vendor_phone(data_dir, changes.pop("vendor_phone", VENDOR_PHONE))
        return open_twilio_scenario(new_services, clock, folder, client_of, **changes)

    return open_twilio


@pytest.fixture
async def scenario(open_twilio):
    """A product whose missed calls go to a fake Twilio."""
    async with open_twilio() as opened:
        yield opened
