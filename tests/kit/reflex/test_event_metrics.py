"""The histogram of events: a sample for each event, with the name of its handler."""

import asyncio
from types import SimpleNamespace

import pytest
from prometheus_client import REGISTRY

from kit.reflex.event_metrics import TimedEvents

pytestmark = pytest.mark.anyio

STATE = "reflex___state____state.campus_app___states___test____metrics_state"
BOUNDS = ("0.0005", "0.005", "0.25", "+Inf")


def sample(suffix, handler, **labels):
    labels = {"event": f"metrics_state.{handler}", **labels}
    return REGISTRY.get_sample_value(f"campus_event_seconds_{suffix}", labels)


async def handle(handler, seconds=0.0):
    """Run the task of an event through the middleware."""

    async def task():
        TimedEvents().preprocess(None, None, SimpleNamespace(name=f"{STATE}.{handler}"))
        await asyncio.sleep(seconds)

    await asyncio.create_task(task())
    await asyncio.sleep(0)


async def test_histogram_counts_event_below_every_bound_above_its_duration():
    await handle("slow", 0.3)
    counts = [sample("bucket", "slow", le=bound) for bound in BOUNDS]
    assert counts == [0, 0, 0, 1]
    assert sample("sum", "slow") >= 0.25


async def test_histogram_counts_events_per_handler():
    assert sample("count", "never_called") is None
    for handler in ("add", "add", "add", "remove"):
        await handle(handler)
    assert sample("count", "add") == 3
    assert sample("count", "remove") == 1
