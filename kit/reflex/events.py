"""The event that the current task handles."""

import reflex as rx
from reflex_base.event.context import EventContext


def current_event() -> tuple[str, str | None]:
    """Return the id of the event that this task handles, and the id of the event that chained it.

    Raises:
        LookupError: Outside of an event.
    """
    context = EventContext.get()
    return context.txid, context.parent_txid


def token_of(state: rx.State) -> str:
    """Return the token of an event's page session: `state.router` takes 3 % of a click."""
    return state.router_data.get(rx.constants.RouteVar.CLIENT_TOKEN, "")
