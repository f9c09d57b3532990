"""Fields that only a snapshot has read take no memory in a session.

For the snapshot of a page that connects, Reflex reads every field of every state, and a field that
is read keeps its default in the session. That is 6 kB of each visitor, half of it for the desk,
which no visitor opens.
"""

import copy
import functools
from typing import Any, cast

import reflex as rx


def share_defaults() -> None:
    """Let the snapshots of all sessions show one default of each field that a session has not set.

    Snapshots and updates are serialised, so nothing changes a value in them. A handler that reads a
    field still gets a default of the session's own, and so does a snapshot where a function of
    ours makes the default: it may be another one for each session.
    """
    read = rx.State.get_value

    def get_value(self: Any, key: str) -> Any:
        state = cast("Any", type(self))
        # A background task has a proxy of the state, whose class is not its type.
        if state is self.__class__ and key in state.base_vars and key not in vars(self):
            field = state.get_fields()[key]
            factory = field.default_factory
            if factory is None:
                return field.default_value()
            if isinstance(factory, functools.partial) and factory.func is copy.deepcopy:
                return factory.args[0]
        return read(self, key)

    rx.State.get_value = get_value
