"""A Prometheus histogram of the duration of events."""

import asyncio
from functools import partial
from time import perf_counter
from typing import Any

import reflex as rx
from prometheus_client import Histogram

_SECONDS = Histogram(
    "campus_event_seconds",
    "From when a visitor's session is at hand until their event is answered and stored.",
    ["event"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0),
)


class TimedEvents(rx.Middleware):
    """Observes the duration of every event; of a background event until its end."""

    # Reflex calls plain functions as well as coroutines; the base class declares a coroutine.
    def preprocess(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        app: rx.App,  # noqa: ARG002
        state: Any,  # noqa: ARG002
        event: Any,
    ) -> None:
        """Start the timer; the end of the event's own task stops it."""
        task = asyncio.current_task()
        if task is not None:
            # Reflex has resolved the handler by now, so that clients cannot invent label values.
            task.add_done_callback(partial(_observe, _handler(event.name), perf_counter()))


def _observe(handler: str, start: float, _task: object) -> None:
    _SECONDS.labels(handler).observe(perf_counter() - start)


def _handler(event: str) -> str:
    """Return an event's name without the module of its state: `cart_state.add_dish`."""
    state, _, handler = event.rpartition(".")
    return f"{state.rpartition('____')[2]}.{handler}"
