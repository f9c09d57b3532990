"""A limit on each value that a browser's storage gives to a session.

A session keeps these values after its page has closed, in memory or in Redis.
"""

from typing import Any

import reflex as rx

MAXIMUM_VALUE_BYTES = 16 * 1024
"""Of one value in UTF-8. The largest that pages store is a checkout draft of some 8 kB."""
_VARS = "vars"
"""The argument of both events of Reflex that set variables from a browser's storage."""
_STORAGE_EVENTS = ("hydrate_and_load", "update_vars_internal")


class StorageLimit(rx.Middleware):
    """Drops the values of browser storage that are too large or not text.

    The variable of a dropped value keeps its value; that of a page that connects has its default.
    It must run before any middleware that handles these events itself.
    """

    # Reflex calls plain functions as well as coroutines; the base class declares a coroutine.
    def preprocess(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        app: rx.App,  # noqa: ARG002
        state: Any,  # noqa: ARG002
        event: Any,
    ) -> None:
        """Remove the values from the event, in place: Reflex reads the same payload later."""
        if event.name.endswith(_STORAGE_EVENTS) and isinstance(event.payload.get(_VARS), dict):
            stored: dict[str, object] = event.payload[_VARS]
            for name in [name for name, value in stored.items() if not _is_allowed(value)]:
                del stored[name]


def _is_allowed(value: object) -> bool:
    # Browsers can store half a surrogate pair, which UTF-8 cannot encode.
    return isinstance(value, str) and len(value.encode(errors="replace")) <= MAXIMUM_VALUE_BYTES
