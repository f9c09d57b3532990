"""What runs when a page opens, as one event: its session is locked, read and stored once."""

import inspect
from collections.abc import Sequence
from typing import Any

import reflex as rx
from reflex.event import EventCallback

_handlers: dict[str, Sequence[Any]] = {}
"""The handlers of each page, by its route."""


class PageLoadState(rx.State):
    """The event that runs when a page opens."""

    @rx.event
    async def run(self, route: str):
        """Run the handlers of a page in their order until one fails; the page shows each result."""
        for handler in _handlers_of(route):
            events = handler.fn(await self.get_state(handler.state))
            yield await events if inspect.isawaitable(events) else events


def _handlers_of(route: object) -> Sequence[Any]:
    """Return the handlers of a page; none for what a client sends instead of a route."""
    return _handlers.get(route, ()) if isinstance(route, str) else ()


def as_one_event(route: str, handlers: Sequence[EventCallback[()]]) -> EventCallback[()]:
    """Return the event that runs these handlers when the page of this route opens.

    Raises:
        TypeError: If a handler yields, which only Reflex could run.
    """
    for each in handlers:
        function = getattr(each, "fn", each)
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"{function.__qualname__} yields: on_load of {route}")
    _handlers[route] = handlers
    return PageLoadState.run(route)
