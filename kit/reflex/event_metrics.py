"""How long visitors wait for the answers to what they do."""

import asyncio
from bisect import bisect_left
from collections.abc import Iterable
from functools import partial
from itertools import accumulate
from time import perf_counter

import reflex as rx
from prometheus_client import REGISTRY
from prometheus_client.core import HistogramMetricFamily
from prometheus_client.registry import Collector
from reflex.state import BaseState
from reflex_base.event import Event

_BOUNDS = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0)
_NAMES = (*map(str, _BOUNDS), "+Inf")


class _Times:
    """How often an event took how long."""

    __slots__ = ("counts", "seconds")

    def __init__(self) -> None:
        self.counts = [0] * len(_NAMES)
        self.seconds = 0.0


class EventTimes(Collector):
    """Adds up the times of all events.

    The client's own histogram takes three times as long, and this is asked at every click.
    """

    def __init__(self) -> None:
        self._of: dict[str, _Times] = {}

    def note(self, event: str, began: float, _done: object = None) -> None:
        """Note that an event which began then is over now."""
        seconds = perf_counter() - began
        times = self._of.get(event)
        if times is None:
            times = self._of[event] = _Times()
        times.counts[bisect_left(_BOUNDS, seconds)] += 1
        times.seconds += seconds

    def collect(self) -> Iterable[HistogramMetricFamily]:
        told = HistogramMetricFamily(
            "campus_event_seconds",
            "From when a visitor's session is at hand until their event is answered and stored.",
            labels=["event"],
        )
        for event, times in list(self._of.items()):
            buckets = list(zip(_NAMES, accumulate(times.counts), strict=True))
            told.add_metric([_handler(event)], buckets, times.seconds)
        yield told


_times = EventTimes()
REGISTRY.register(_times)


class TimedEvents(rx.Middleware):
    """Notes how long every event takes; one that runs in the background until its end."""

    # No coroutine, though the framework's own are: it takes both, and this runs at every click.
    def preprocess(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        app: rx.App,  # noqa: ARG002
        state: BaseState,  # noqa: ARG002
        event: Event,
    ) -> None:
        """Begin to count; the event's own task says when it is over."""
        task = asyncio.current_task()
        if task is not None:
            # Only events that there are come this far: their names are few.
            task.add_done_callback(partial(_times.note, event.name, perf_counter()))


def _handler(event: str) -> str:
    """Return an event's name without where its state stands in the tree."""
    state, _, handler = event.rpartition(".")
    return f"{state.rpartition('____')[2]}.{handler}"
