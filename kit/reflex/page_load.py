"""The `on_load` handlers of a page as one event, so that its session is locked and stored once.

Reflex has an event that sends the session's snapshot to a page that connects, one that looks up the
handlers, one for each of them, and one at their end.
"""

import inspect
from collections.abc import Awaitable, Callable, Collection
from typing import Any

import reflex as rx
from reflex.event import EventSpec
from reflex.state import OnLoadInternalState, StateUpdate
from reflex_base.event.processor.base_state_processor import chain_updates

from kit.reflex.events import current_event

_CONNECT = f"{rx.State.get_full_name()}.hydrate_and_load"
_LOAD = f"{OnLoadInternalState.get_full_name()}.on_load_internal"


class PageLoad(rx.Middleware):
    """Runs the handlers of a page in the event that would queue them.

    Reflex cancels that event when the visitor leaves the page, and so the handlers. If they need no
    cancellation, they run in the event that connects the page. The middleware must be the last one:
    those after it do not see these events.
    """

    def __init__(
        self, failed: Callable[[Exception], EventSpec | None], loads_on_connect: Collection[str]
    ) -> None:
        """`failed` returns the event for the exception of a handler, or None.

        `loads_on_connect` are the routes of the pages whose handlers need no cancellation.
        """
        self._failed = failed
        self._loads_on_connect = {route.strip("/") or "index" for route in loads_on_connect}

    async def preprocess(self, app: rx.App, state: Any, event: Any) -> StateUpdate | None:
        """Handle the event of a page that connects or loads, in place of Reflex.

        The events that handlers return are sent when all have run: a redirect cancels what is still
        to do for the page it leaves, and with it what Redis has not stored.
        """
        if event.name == _CONNECT and self._is_loaded_on_connect(app, state):
            await rx.State.event_handlers["hydrate_and_load"].fn(state, **event.payload)
        elif event.name != _LOAD or not _has_snapshot(state):
            return None
        elif state.is_hydrated:
            state.is_hydrated = False
            await chain_updates(None, event.name, state)
        handlers: list[Any] = app.get_load_events(state.router.url.path)
        returned: list[Any] = []
        for handler in handlers:
            returned.append(await self._attempt(_run(handler, state)))
            # The next handler may wait for a service, unless the page loads on connect.
            if event.name == _LOAD or handler is handlers[-1]:
                returned.append(await self._attempt(chain_updates(None, event.name, state)))
        failures = [await self._attempt(chain_updates(each, event.name)) for each in returned]
        state.is_hydrated = True
        await chain_updates([each for each in failures if each], event.name, state)
        return StateUpdate()

    def _is_loaded_on_connect(self, app: rx.App, state: Any) -> bool:
        return app.router(state.router.url.path) in self._loads_on_connect

    async def _attempt(self, step: Awaitable[Any]) -> Any:
        """Return the result of a step; if it fails, the event for its exception."""
        try:
            return await step
        except Exception as error:  # noqa: BLE001 - the others run, as events of their own would
            return self._failed(error)


def _has_snapshot(state: Any) -> bool:
    """Whether the page has the session's snapshot: Reflex sends that of a lost session first."""
    _, connect = current_event()
    return state.is_hydrated or connect is not None


async def _run(handler: Any, state: Any) -> Any:
    """Return the events that a handler returns."""
    returned = handler.fn(await state.get_state(handler.state))
    return await returned if inspect.isawaitable(returned) else returned
