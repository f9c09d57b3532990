"""Free TCP ports on this machine."""

import os
import socket
from itertools import cycle

_FIRST = 20_000
_EACH = 1_000
"""All below 32,768, where the ports of outgoing connections begin."""


def _of_this_process() -> range:
    # Parallel test processes look for ports at the same time: each has its own range.
    worker = int(os.environ.get("PYTEST_XDIST_WORKER", "gw0").removeprefix("gw"))
    return range(_FIRST + worker * _EACH, _FIRST + (worker + 1) * _EACH)


def _turned(ports: range) -> list[int]:
    start = os.getpid() % len(ports)  # another run of the tests starts at another port
    return [*ports[start:], *ports[:start]]


_next = cycle(_turned(_of_this_process()))


def free_port() -> int:
    """Return a free port; it is not returned again soon."""
    for port in _next:
        with socket.socket() as listener:
            listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                listener.bind(("127.0.0.1", port))
            except OSError:
                continue
            return port
    raise AssertionError("unreachable: the ports go round")
