"""How long visitors wait for the answers to what they do."""

import asyncio
from functools import cache
from time import perf_counter

import reflex as rx
from prometheus_client import Histogram
from reflex.state import BaseState
from reflex_base.event import Event

_SECONDS = Histogram(
    "campus_event_seconds",
    "From when a visitor's session is at hand until their event is answered and stored.",
    ["event"],
    buckets=(0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10),
)


class TimedEvents(rx.Middleware):
    """Notes how long every event takes; one that runs in the background until its end."""

    async def preprocess(self, app: rx.App, state: BaseState, event: Event) -> None:  # noqa: ARG002
        """Begin to count; the event's own task says when it is over."""
        task = asyncio.current_task()
        if task is not None:
            seconds, began = _of(event.name), perf_counter()
            task.add_done_callback(lambda _: seconds.observe(perf_counter() - began))


@cache
def _of(name: str) -> Histogram:
    """Return where the times of an event go. Only events that there are come this far."""
    state, _, handler = name.rpartition(".")
    return _SECONDS.labels(f"{state.rpartition('____')[2]}.{handler}")
