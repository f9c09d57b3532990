"""Garbage collection in small, frequent steps, so that no visitor waits for a full collection.

A full collection stops the process for about a millisecond per three open pages. Objects that are
frozen are not scanned, and are still freed when their last reference goes.
Source: docs/decisions/0005.
"""

import asyncio
import gc
import time
from collections.abc import Callable

_THRESHOLDS = (5_000, 20, 1_000)
"""Python collects young objects by itself, and the oldest generation hardly ever."""
_INTERVAL_SECONDS = 0.05
_LARGEST_SHARE = 0.1
"""Of the processor time that collections take at most."""
_FEW_OBJECTS = 100
_LONGEST_SECONDS = 0.005
"""What a visitor may wait for a collection."""
_CLOSED_PAGES = 500
"""A closed page leaves about 13 kB of cyclic garbage, some of it frozen."""


def configure() -> None:
    """Set the thresholds; to be called before the app is loaded."""
    gc.set_threshold(*_THRESHOLDS)


def freeze() -> None:
    """Exclude all objects that exist now from collections; to be called when the app is loaded."""
    gc.collect()
    gc.freeze()


def collect() -> None:
    """Collect what came since the last collection, and freeze what is left.

    Nothing is frozen while there is garbage, unless the collection took long. While events fail,
    their frames and tracebacks are cyclic garbage, and so are sessions that were read from Redis:
    those of the events in progress would stay.
    """
    start = time.thread_time()
    if gc.collect() < _FEW_OBJECTS or time.thread_time() - start > _LONGEST_SECONDS:
        gc.freeze()


async def collect_regularly(closed_pages: Callable[[], int]) -> None:
    """Collect 20 times a second, and frozen garbage whenever 500 pages have been closed.

    `closed_pages` returns how many pages have disconnected since the process started.
    """
    before, pause = closed_pages(), _INTERVAL_SECONDS
    while True:
        await asyncio.sleep(pause)
        start = time.thread_time()
        if closed_pages() - before >= _CLOSED_PAGES:
            before = closed_pages()
            gc.unfreeze()
        collect()
        pause = max(_INTERVAL_SECONDS, (time.thread_time() - start) / _LARGEST_SHARE)
