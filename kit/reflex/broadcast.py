"""Sets a state variable in every connected browser, or in one, without an event of the browser."""

from typing import Any

import reflex as rx


async def broadcast(app: rx.App, state: type[rx.State], variable: str, value: str | int) -> None:
    """Set a state variable in every connected browser, without loading or changing a session.

    Browsers that connect later get the value from an event of their page.
    """
    await _emit(app, state, variable, value)


async def send_to(
    app: rx.App, socket_id: str, state: type[rx.State], variable: str, value: Any
) -> None:
    """Set a state variable in the browser at the other end of a socket, as `broadcast` does."""
    await _emit(app, state, variable, value, to=socket_id)


def is_connected(app: rx.App, socket_id: str) -> bool:
    """Whether this process has a socket with this id."""
    events: Any = app.event_namespace
    server: Any = app.sio
    return events is not None and server.manager.is_connected(socket_id, events.namespace)


async def _emit(
    app: rx.App, state: type[rx.State], variable: str, value: Any, **recipient: str
) -> None:
    events: Any = app.event_namespace
    server: Any = app.sio
    if events is None:  # an app without states has no sockets
        return
    # A class's variable as a string is its name in the browser: `<state>.<name>_rx_state_`.
    _, _, name = str(getattr(state, variable)).rpartition(".")
    delta = {state.get_full_name(): {name: value}}
    # `isPush` tells the browser that this answers none of its events (connection_events.patch).
    update: dict[str, Any] = {"delta": delta, "events": [], "isPush": True}
    await server.emit("event", update, namespace=events.namespace, **recipient)
