"""Fixtures of the outbox tests."""

import pytest

from kit.outbox.store import Outbox
from tests.helpers.outbox import LEASE_SECONDS


@pytest.fixture
def outbox(database, clock):
    return Outbox(database, clock, lease_seconds=LEASE_SECONDS)
