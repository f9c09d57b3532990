"""Ten thousand events that nobody should send: `python -m tests.hostile.flood <port> <events>`."""

import random
import sys
from collections.abc import Iterator
from itertools import islice
from typing import Any

from tests.hostile import surface
from tests.hostile.nonsense import BROKEN_PAGES, KEPT, PAGES, PAYLOADS, VALUES
from tests.hostile.stranger import Stranger, at

EVENTS = 10_000
_EVENTS_OF_ONE = 500
_BETWEEN_BREATHS = 100
"""So many are sent before the answers are read: a socket whose answers nobody reads is closed."""
surface.import_states()
_HANDLERS = surface.handlers()
_MENU = at("/menu/5", restaurant_id="5")
_PAGES = (_MENU, *PAGES, *BROKEN_PAGES)
_MOST_CHARACTERS = 2_000
"""Longer texts are attacks of their own; here the number of events is."""


def flood(port: int, events: int = EVENTS) -> None:
    """Send so many hostile events, always the same ones, over one socket after the other."""
    hostile = _hostile_events()
    for _ in range(events // _EVENTS_OF_ONE):
        with Stranger(port) as stranger:
            stranger.enter(_MENU, surface.in_full(KEPT))
            for number, event in enumerate(islice(hostile, _EVENTS_OF_ONE), 1):
                stranger.send(*event)
                if number % _BETWEEN_BREATHS == 0:
                    stranger.catch_up()


def _hostile_events() -> Iterator[tuple[Any, Any, Any]]:
    surface.import_states()
    values = [value for value in VALUES if len(repr(value)) < _MOST_CHARACTERS]
    chance = random.Random(5)
    while True:
        handler = chance.choice(_HANDLERS)
        arguments = {name: chance.choice(values) for name in handler.parameters}
        payload = chance.choice((handler.arguments(**arguments), arguments, *PAYLOADS))
        yield handler.name, payload, chance.choice(_PAGES)


if __name__ == "__main__":
    print("the flood begins", flush=True)
    flood(*map(int, sys.argv[1:]))
