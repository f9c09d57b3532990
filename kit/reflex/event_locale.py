"""The language of the response to an event."""

from collections.abc import Callable, Mapping
from typing import Any

import reflex as rx


class EventLocale(rx.Middleware):
    """Sets the language of each event's context, by the headers of its connection.

    Every event has a task, and with it a context, of its own.
    """

    def __init__(
        self, choose: Callable[[Mapping[str, str]], str], set_locale: Callable[[str], None]
    ) -> None:
        """`choose` returns the language for headers, whose names are in lower case."""
        self._choose = choose
        self._set_locale = set_locale

    # Reflex calls plain functions as well as coroutines; the base class declares a coroutine.
    def preprocess(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        app: rx.App,  # noqa: ARG002
        state: Any,
        event: Any,  # noqa: ARG002
    ) -> None:
        headers: dict[str, str] = state.router_data.get("headers", {})
        self._set_locale(self._choose(headers))
