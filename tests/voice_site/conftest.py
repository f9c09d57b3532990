"""Fixtures of the landing page's tests."""

import pytest

from tests.helpers.demo import site_on


@pytest.fixture
def site(services):
    """The landing page's services; the worker of `services` runs their jobs."""
    return site_on(services)
