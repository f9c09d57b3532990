"""Ten thousand hostile events leave a server as it was. Source: issue 5.

How long others wait meanwhile is measured by `make bench`.
"""

import pytest

from tests.hostile.flood import EVENTS, flood
from tests.hostile.server import running_server
from tests.hostile.stranger import Stranger, at

MOST_GROWTH = 1.2


@pytest.fixture
def server(tmp_path):
    """An installation of its own: nobody else's visits count as growth."""
    with running_server(tmp_path, shares_memory=False) as server:
        yield server


def test_ten_thousand_hostile_events_do_no_harm(server):
    flood(server.port, EVENTS // 10)  # what is imported and cached once is no growth
    rows, before = server.rows(), server.memory_bytes()
    flood(server.port, EVENTS)
    assert server.is_well()
    assert server.rows() == rows
    assert server.memory_bytes() <= MOST_GROWTH * before
    with Stranger(server.port) as visitor:
        visitor.enter(at("/menu/5", restaurant_id="5"), {})
