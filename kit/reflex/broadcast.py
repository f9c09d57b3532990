"""One update for every browser that is connected to this process, serialised once."""

from typing import Any

import reflex as rx


async def broadcast(app: rx.App, state: type[rx.State], variable: str, value: str) -> None:
    """Set a state variable in every connected browser, without loading or changing a session.

    Browsers that connect later get the value from an event of their page.
    """
    events: Any = app.event_namespace
    server: Any = app.sio
    if events is None:  # the app has no state
        return
    # A class's variable as a string is its name in the browser: `<state>.<name>_rx_state_`.
    _, _, name = str(getattr(state, variable)).rpartition(".")
    update: dict[str, Any] = {"delta": {state.get_full_name(): {name: value}}, "events": []}
    await server.emit("event", update, namespace=events.namespace)
