"""Ten thousand hostile events change no row and leak no memory. Source: specification P5.7.

`make bench` measures the latency for other visitors during a flood.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from tests.helpers.product import eventually
from tests.hostile.flood import EVENTS, flood
from tests.hostile.raw_socket_client import RawSocketClient, at
from tests.hostile.server import running_server

MAXIMUM_GROWTH = 1.3
"""A quarter of the memory may be frozen garbage, see `kit/gc_tuning.py`; its tests have the control."""
RUN_SECONDS, SUSPEND_SECONDS = 1.5, 2.0


@pytest.fixture
def server(tmp_path):
    """A separate installation: visits of other tests would count as memory growth."""
    with running_server(tmp_path, shares_memory=False) as server:
        yield server


@contextmanager
def repeatedly_suspended(server) -> Iterator[None]:
    """Suspend the server repeatedly, so that events arrive in bursts."""
    is_done = threading.Event()

    def suspend_repeatedly() -> None:
        while not is_done.wait(RUN_SECONDS):
            server.suspend(SUSPEND_SECONDS)

    thread = threading.Thread(target=suspend_repeatedly)
    thread.start()
    try:
        yield
    finally:
        is_done.set()
        thread.join()


def test_ten_thousand_hostile_events_change_no_rows_and_leak_no_memory(server):
    # The first flood is no leak: imports, caches, and the peak of a burst, which the allocator keeps.
    with repeatedly_suspended(server):
        flood(server.port, EVENTS // 2)
    rows, before = server.rows(), server.memory_bytes()
    with repeatedly_suspended(server):
        flood(server.port, EVENTS)
    assert server.is_healthy()
    assert server.rows() == rows
    # On a busy machine, closed sessions are collected some time after the last event.
    eventually(lambda: server.memory_bytes() <= MAXIMUM_GROWTH * before, "the memory is free again")
    with RawSocketClient(server.port) as visitor:
        visitor.open_page(at("/menu/5", restaurant_id="5"), {})
