"""What runs when a page opens, as one event: its session is locked, read and stored once.

Reflex has an event for the session's snapshot, one that looks up the page's `on_load` handlers, one
for each of them, and one at their end.
"""

import inspect
from collections.abc import Callable, Sequence
from typing import Any

import reflex as rx
from reflex.event import EventSpec
from reflex.state import OnLoadInternalState, StateUpdate
from reflex_base.event.processor.base_state_processor import chain_updates

_CONNECT = f"{rx.State.get_full_name()}.hydrate_and_load"
_NAVIGATE = f"{OnLoadInternalState.get_full_name()}.on_load_internal"


class PageLoad(rx.Middleware):
    """Runs the handlers of a page in the event that Reflex would queue them from.

    The session of a page that navigates may have been lost: then Reflex's own events send its
    snapshot, and run the handlers. A redirect of a page that connects is sent even if its visitor
    has just left it.
    """

    def __init__(self, failed: Callable[[Exception], EventSpec | None]) -> None:
        """`failed` returns the event for the exception of a handler, or None."""
        self._failed = failed

    async def preprocess(self, app: rx.App, state: Any, event: Any) -> StateUpdate | None:
        """Handle the event of a page that connects or navigates, in place of Reflex."""
        if event.name == _CONNECT:
            await rx.State.event_handlers["hydrate_and_load"].fn(state, **event.payload)
        elif event.name == _NAVIGATE and state.is_hydrated:
            state.is_hydrated = False
            await chain_updates(None, event.name, state)
        else:
            return None
        events = await self._run(app.get_load_events(state.router.url.path), state)
        if events:
            await chain_updates(events, event.name, state)
        state.is_hydrated = True
        await chain_updates(None, event.name, state)
        return StateUpdate()

    async def _run(self, handlers: Sequence[Any], state: rx.State) -> list[Any]:
        """Run the handlers in their order; return the events that they return.

        They are sent when all handlers have run: a redirect cancels what is still to do for the
        page it leaves, and with it what Redis has not stored.
        """
        events: list[Any] = []
        for handler in handlers:
            try:
                returned = handler.fn(await state.get_state(handler.state))
                if inspect.isawaitable(returned):
                    returned = await returned
            except Exception as error:  # noqa: BLE001 - the others run, as events of their own would
                returned = self._failed(error)
            events += returned if isinstance(returned, list) else [returned]
        return [each for each in events if each is not None]
