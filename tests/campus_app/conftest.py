"""Payment providers, each with its world around it."""

import httpx
import pytest

from campus_app import wiring
from tests.support.provider_worlds import WORLDS, cashfree_world
from tests.support.settings import ORIGIN


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
