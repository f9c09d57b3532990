"""The site on the services of one process."""

import pytest

from tests.helpers.demo import site_on


@pytest.fixture
def site(services):
    return site_on(services)
