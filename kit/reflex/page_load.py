"""The `on_load` handlers of a page as one event, so that its session is locked and stored once.

Reflex alone uses more events: one sends the session's snapshot to a page that connects, one looks
up the handlers, one runs for each handler, and one after the last.
"""

import inspect
from collections.abc import Awaitable, Callable, Collection, Sequence
from typing import Any

import reflex as rx
from reflex.event import EventSpec
from reflex.state import OnLoadInternalState, StateUpdate
from reflex_base.event.processor.base_state_processor import chain_updates

from kit.reflex.events import current_event

_CONNECT = f"{rx.State.get_full_name()}.hydrate_and_load"
_LOAD = f"{OnLoadInternalState.get_full_name()}.on_load_internal"


def opens_page(event: str) -> bool:
    """Whether the event with this name is the first one of a page that was opened."""
    return event in (_CONNECT, _LOAD)


class PageLoad(rx.Middleware):
    """Runs the handlers of a page in the event that would queue them.

    Reflex cancels that event, and so the handlers, when the visitor leaves the page; what Redis has
    not stored by then is lost. Handlers that need no cancellation run in the event that connects
    the page instead. This middleware must be the last one: those after it do not see these events.
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
        """Handle the event of a page that connects or loads, in place of Reflex."""
        if not opens_page(event.name):
            return None
        path = state.router.url.path
        if event.name == _CONNECT and app.router(path) in self._loads_on_connect:
            await rx.State.event_handlers["hydrate_and_load"].fn(state, **event.payload)
            if not await _has_loaded(app.get_load_events(path), state):
                await chain_updates(OnLoadInternalState.on_load_internal, event.name)
                return StateUpdate()
        elif event.name == _LOAD and _has_snapshot(state):
            await self._load(app.get_load_events(path), state)
        else:
            return None
        state.is_hydrated = True
        await chain_updates(None, event.name, state)
        return StateUpdate()

    async def _load(self, handlers: Sequence[Any], state: Any) -> None:
        """Run the handlers; the page shows what one changed before the next one, which may wait.

        The events that they return are sent when all have run: a redirect makes the browser open
        another page, which cancels this event.
        """
        if state.is_hydrated:
            state.is_hydrated = False
            await chain_updates(None, _LOAD, state)
        returned: list[Any] = []
        for handler in handlers:
            returned.append(await self._attempt(_run(handler, state)))
            returned.append(await self._attempt(chain_updates(None, _LOAD, state)))
        for events in returned:
            failure = await self._attempt(chain_updates(events, _LOAD))
            await chain_updates(failure, _LOAD)

    async def _attempt(self, step: Awaitable[Any]) -> Any:
        """Return the result of a step, or the event for its exception."""
        try:
            return await step
        except Exception as error:  # noqa: BLE001 - the others run, as events of their own would
            return self._failed(error)


def _has_snapshot(state: Any) -> bool:
    """Whether the page has the session's snapshot.

    If not, because the session was lost or a load was cancelled, Reflex has to handle the event: it
    sends the snapshot first.
    """
    _, connect = current_event()
    return state.is_hydrated or connect is not None


async def _has_loaded(handlers: Sequence[Any], state: Any) -> bool:
    """Run the handlers; return whether none failed or returned an event.

    If one did, they run again in an event that Reflex cancels when the visitor leaves the page: a
    visitor who has left must not be redirected from the next page.
    """
    try:
        returned = [await _run(each, state) for each in handlers]
        await chain_updates(None, _CONNECT, state)
    except Exception:  # noqa: BLE001 - the other event reports it
        return False
    return not any(returned)


async def _run(handler: Any, state: Any) -> Any:
    """Return the events that a handler returns."""
    returned = handler.fn(await state.get_state(handler.state))
    return await returned if inspect.isawaitable(returned) else returned
