"""Fixtures: a push service, and services of the product that may send to it."""

import pytest

from tests.fakes.push_service import push_service

__all__ = ["service", "services"]


@pytest.fixture
async def service():
    """The push service of every browser in these tests."""
    async with push_service() as opened:
        yield opened


@pytest.fixture
def services(new_services, service):
    """The services of one process, which may send to that push service."""
    return new_services(web_push_origins=service.origin)
