"""One message to every open browser of this process: a variable's new value, serialised once."""

from typing import Any

import reflex as rx
from reflex.state import StateUpdate
from reflex_base.constants.state import FIELD_MARKER
from reflex_base.registry import RegistrationContext


async def broadcast(state: type[rx.State], variable: str, value: str) -> None:
    """Show a value on all screens; no session is loaded, locked or changed for it.

    Browsers that come later read the variable as an event of theirs sets it.
    """
    app: Any = RegistrationContext.get().app
    events: Any = app.event_namespace
    if events is None:  # the app has no states to show
        return
    delta = {state.get_full_name(): {variable + FIELD_MARKER: value}}
    await app.sio.emit("event", StateUpdate(delta=delta), namespace=events.namespace)
