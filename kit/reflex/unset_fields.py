"""Fields that a session has not set take no memory in it.

For the snapshot of a page that connects, Reflex reads every field of every state, and a field that
is read keeps its default in the session. That is 6 kB of each visitor, half of it for the desk,
which no visitor opens.
"""

import functools
from typing import Any, cast

import reflex as rx


def share_defaults() -> None:
    """Let the snapshots of all sessions show one default of each field that a session has not set.

    Nothing changes a value in a snapshot. A handler that reads a field still gets a default of the
    session's own.
    """
    read = rx.State.get_value

    def get_value(self: Any, key: str) -> Any:
        state = cast("Any", type(self))
        is_unset = key in state.base_vars and key not in vars(self)
        return _default(state, key) if is_unset else read(self, key)

    rx.State.get_value = get_value


@functools.cache
def _default(state: Any, name: str) -> Any:
    return state.get_fields()[name].default_value()
