"""Ten thousand events that nobody should send: `python -m tests.hostile.flood <port> <events>`."""

import random
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import Any

from tests.hostile import handler_inventory
from tests.hostile.invalid_values import BROKEN_PAGES, KEPT, PAGES, PAYLOADS, VALUES
from tests.hostile.raw_socket_client import Stranger, at

EVENTS = 10_000
_EVENTS_OF_ONE = 500
_AT_ONCE = 10
_ADDRESS = "127.0.0.66"
"""What is not read in time from here keeps nobody waiting who is somewhere else."""
_BETWEEN_BREATHS = 100
"""So many are sent before the answers are read: a socket whose answers nobody reads is closed."""
HostileEvent = tuple[Any, Any, Any]
"""A name, a payload and where it is said to come from."""
handler_inventory.import_states()
_HANDLERS = handler_inventory.handlers()
_STORAGE = handler_inventory.in_full(KEPT)
_MENU = at("/menu/5", restaurant_id="5")
_PAGES = (_MENU, *PAGES, *BROKEN_PAGES)
_MOST_CHARACTERS = 2_000
"""Longer texts are attacks of their own; here the number of events is."""


def flood(port: int, events: int = EVENTS) -> None:
    """Send so many hostile events, always the same ones, over several sockets at once.

    Each is read no faster than is allowed: one alone could not do much.
    """
    attacks = [list(_hostile_events(number)) for number in range(events // _EVENTS_OF_ONE)]
    with ThreadPoolExecutor(_AT_ONCE) as strangers:
        for _ in strangers.map(partial(_attack, port), attacks):
            pass


def _attack(port: int, events: list[HostileEvent]) -> None:
    with Stranger(port, address=_ADDRESS) as stranger:
        stranger.enter(_MENU, _STORAGE)
        for sent, event in enumerate(events, 1):
            stranger.send(*event)
            if sent % _BETWEEN_BREATHS == 0:
                stranger.catch_up()


def _hostile_events(number: int) -> Iterator[HostileEvent]:
    values = [value for value in VALUES if len(repr(value)) < _MOST_CHARACTERS]
    chance = random.Random(number)
    for _ in range(_EVENTS_OF_ONE):
        handler = chance.choice(_HANDLERS)
        arguments = {name: chance.choice(values) for name in handler.parameters}
        payload = chance.choice((handler.arguments(**arguments), arguments, *PAYLOADS))
        yield handler.name, payload, chance.choice(_PAGES)


if __name__ == "__main__":
    print("the flood begins", flush=True)
    flood(*map(int, sys.argv[1:]))
