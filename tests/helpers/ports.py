"""Free TCP ports on this machine."""

import os
import socket
from itertools import cycle

_FIRST_PORT = 20_000
_PORTS_PER_WORKER = 1_000
"""All ports are below 32,768, where the ports of outgoing connections begin."""


def _ports_of_this_worker() -> range:
    # Parallel test processes search for ports at the same time, so each has its own range.
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return range(
        _FIRST_PORT + worker * _PORTS_PER_WORKER, _FIRST_PORT + (worker + 1) * _PORTS_PER_WORKER
    )


def _rotated(ports: range) -> list[int]:
    start = os.getpid() % len(ports)  # so that concurrent test runs start at different ports
    return [*ports[start:], *ports[:start]]


_next = cycle(_rotated(_ports_of_this_worker()))


def free_port() -> int:
    """Return a free port; the following calls return other ports."""
    for port in _next:
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("unreachable: the iterator is endless")
