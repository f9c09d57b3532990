"""Ten thousand hostile events leave a server as it was. Source: specification P5.7.

How long others wait meanwhile is measured by `make bench`.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.hostile.flood import EVENTS, flood
from tests.hostile.raw_socket_client import Stranger, at
from tests.hostile.server import running_server

MOST_GROWTH = 1.2
AT_EASE_SECONDS, HELD_UP_SECONDS = 1.5, 2.0


@pytest.fixture
def server(tmp_path):
    """An installation of its own: nobody else's visits count as growth."""
    with running_server(tmp_path, shares_memory=False) as server:
        yield server


@contextmanager
def often_held_up(server) -> Iterator[None]:
    """Let the server stand still every now and then: what has come meanwhile is worked on at once."""
    is_over = threading.Event()

    def hold_up() -> None:
        while not is_over.wait(AT_EASE_SECONDS):
            server.stand_still(HELD_UP_SECONDS)

    holding_up = threading.Thread(target=hold_up)
    holding_up.start()
    try:
        yield
    finally:
        is_over.set()
        holding_up.join()


def test_ten_thousand_hostile_events_change_no_rows_and_leak_no_memory(server):
    flood(server.port, EVENTS // 10)  # what is imported and cached once is no growth
    rows, before = server.rows(), server.memory_bytes()
    with often_held_up(server):
        flood(server.port, EVENTS)
    assert server.is_well()
    assert server.rows() == rows
    assert server.memory_bytes() <= MOST_GROWTH * before
    with Stranger(server.port) as visitor:
        visitor.enter(at("/menu/5", restaurant_id="5"), {})
