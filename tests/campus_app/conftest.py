"""Payment providers, each with its world around it; a telephone."""

import contextlib

import httpx
import pytest

from campus_app import wiring
from tests.fakes.telephone import give_kitchen_a_phone, opened_telephone
from tests.helpers.provider_worlds import WORLDS, cashfree_world
from tests.helpers.settings import ORIGIN


@pytest.fixture(params=WORLDS)
async def world(request, new_services, clock):
    """Every payment provider in turn, with services that it takes the money for."""
    async with WORLDS[request.param](new_services, clock) as opened:
        yield opened


@pytest.fixture
async def cashfree(new_services, clock):
    """Cashfree alone."""
    async with cashfree_world(new_services, clock) as opened:
        yield opened


@pytest.fixture
async def shop(world, application, monkeypatch):
    """A client of the HTTP interface of those services."""
    monkeypatch.setattr(wiring, "services", lambda: world.services)
    transport = httpx.ASGITransport(app=application)
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
        yield client


@pytest.fixture
def open_telephone(new_services, clock, data_dir, application, monkeypatch):
    """Opens a product whose missed calls go through a Twilio of our own."""

    @contextlib.asynccontextmanager
    async def client_of(services):
        monkeypatch.setattr(wiring, "services", lambda: services)
        transport = httpx.ASGITransport(app=application)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            yield client

    def open_telephone(**changes):
        folder = give_kitchen_a_phone(data_dir, **changes.pop("kitchen", {}))
        return opened_telephone(new_services, clock, folder, client_of, **changes)

    return open_telephone


@pytest.fixture
async def telephone(open_telephone):
    """A product whose missed calls go through a Twilio of our own."""
    async with open_telephone() as opened:
        yield opened
