"""Send ten thousand hostile events: `python -m tests.hostile.flood <port> <events>`."""

import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from tests.hostile import handler_inventory
from tests.hostile.invalid_values import BROKEN_PAGES, PAGES, PAYLOADS, STORED_VALUES, VALUES
from tests.hostile.raw_socket_client import RawSocketClient, at

EVENTS = 10_000
_EVENTS_PER_SOCKET = 500
_CONCURRENT_SOCKETS = 10
_ADDRESS = "127.0.0.66"
"""A client address of its own, so that its rate limit does not delay the other clients."""
_EVENTS_BETWEEN_READS = 100
"""Events sent before responses are read: the server closes the socket of a client that reads nothing."""
HostileEvent = tuple[Any, Any, Any]
"""Name, payload and router data of an event."""
handler_inventory.import_states()
_HANDLERS = handler_inventory.handlers()
_STORAGE = handler_inventory.storage_payload(STORED_VALUES)
_MENU = at("/menu/5", restaurant_id="5")
_PAGES = (_MENU, *PAGES, *BROKEN_PAGES)
_MAXIMUM_CHARACTERS = 2_000
"""Limit of a value's `repr`: other tests send long texts, this module sends many events."""


def flood(port: int, events: int = EVENTS) -> None:
    """Send this many hostile events, the same ones in every run, over several sockets at once.

    One socket would be too slow, because the server limits the rate of each socket.
    """
    attacks = [list(_hostile_events(number)) for number in range(events // _EVENTS_PER_SOCKET)]
    with ThreadPoolExecutor(_CONCURRENT_SOCKETS) as clients:
        for _ in clients.map(partial(_attack, port), attacks):
            pass


def _attack(port: int, events: list[HostileEvent]) -> None:
    with RawSocketClient(port, address=_ADDRESS) as socket_client:
        socket_client.open_page(_MENU, _STORAGE)
        for sent, event in enumerate(events, 1):
            socket_client.send(*event)
            if sent % _EVENTS_BETWEEN_READS == 0:
                socket_client.wait_until_processed()


def _hostile_events(number: int) -> Iterator[HostileEvent]:
    values = [value for value in VALUES if len(repr(value)) < _MAXIMUM_CHARACTERS]
    rng = random.Random(number)
    for _ in range(_EVENTS_PER_SOCKET):
        handler = rng.choice(_HANDLERS)
        arguments = {name: rng.choice(values) for name in handler.parameters}
        payload = rng.choice((handler.arguments(**arguments), arguments, *PAYLOADS))
        yield handler.name, payload, rng.choice(_PAGES)


if __name__ == "__main__":
    print("sending events", flush=True)
    flood(*map(int, sys.argv[1:]))
