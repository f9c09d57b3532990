"""What runs when a page opens, as one event: its session is locked, read and stored once."""

import inspect
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import reflex as rx
from reflex.event import EventCallback


@dataclass(frozen=True)
class _PageLoad:
    handlers: Sequence[Any]
    failed: Callable[[Exception], Any]


_NOTHING = _PageLoad((), lambda _: None)
_loads: dict[str, _PageLoad] = {}
"""What runs when a page opens, by its route."""


class PageLoad(rx.State, mixin=True):
    """The event of a page that opens, for one of the app's states.

    A state of its own would be a part of every session, and of every page's script.
    """

    @rx.event
    async def load_page(self, route: str):
        """Run the handlers of a page in their order; the page shows what each one changed.

        What they return comes last: a redirect cancels what is still to do for the page it leaves,
        and with it what Redis has not stored.
        """
        load = _load_of(route)
        events: list[Any] = []
        for handler in load.handlers:
            try:
                returned = handler.fn(await self.get_state(handler.state))
                if inspect.isawaitable(returned):
                    returned = await returned
            except Exception as error:  # noqa: BLE001 - the others run, as events of their own would
                returned = load.failed(error)
            events += returned if isinstance(returned, list) else [returned]
            yield
        yield [each for each in events if each is not None]


def _load_of(route: object) -> _PageLoad:
    """Return what runs at a route: nothing for what a client sends instead of one."""
    return _loads.get(route, _NOTHING) if isinstance(route, str) else _NOTHING


def as_one_event(
    state: type[PageLoad],
    route: str,
    handlers: Sequence[EventCallback[()]],
    failed: Callable[[Exception], Any],
) -> EventCallback[()]:
    """Return the event that runs these handlers when the page of this route opens.

    It is an event of `state`. `failed` returns the event for the exception of a handler, or None.

    Raises:
        TypeError: If a handler yields, which only Reflex could run.
    """
    for each in handlers:
        function = getattr(each, "fn", each)
        if inspect.isgeneratorfunction(function) or inspect.isasyncgenfunction(function):
            raise TypeError(f"{function.__qualname__} yields: on_load of {route}")
    _loads[route] = _PageLoad(handlers, failed)
    return state.load_page(route)
