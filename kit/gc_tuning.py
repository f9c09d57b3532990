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
_OLDEST_GENERATION = 2
_INTERVAL_SECONDS = 0.05
_LARGEST_SHARE = 0.1
"""Of the processor time that collections take at most."""
_FEW_OBJECTS = 100
_MANY_SURVIVORS = 10_000
"""A collection that scans so many takes about 3 ms, for which a visitor may wait."""
_CLOSED_PAGES = 500
"""A closed page leaves about 13 kB of cyclic garbage, some of it frozen. So does an event during
which a collection froze its session of Redis: some 30 kB, until pages are closed."""
_FREEZES_WITH_GARBAGE = 1_000
"""Each may have frozen the events in progress."""


def configure() -> None:
    """Set the thresholds; to be called before the app is loaded."""
    gc.set_threshold(*_THRESHOLDS)


def freeze() -> None:
    """Exclude all objects that exist now from collections; to be called when the app is loaded."""
    gc.collect()
    gc.freeze()


def collect() -> bool:
    """Collect what came since the last collection, and freeze what is left.

    Return whether survivors were frozen although there was garbage: they may become garbage too.

    While events fail, their frames and tracebacks are cyclic garbage, and so are sessions that were
    read from Redis: those of the events in progress would stay. So survivors beside garbage are
    only frozen when they are many. They are counted, as time depends on how busy the machine is.
    """
    if gc.collect() < _FEW_OBJECTS:
        gc.freeze()
        return False
    if len(gc.get_objects(generation=_OLDEST_GENERATION)) < _MANY_SURVIVORS:
        return False
    gc.freeze()
    return True


async def collect_regularly(closed_pages: Callable[[], int]) -> None:
    """Collect 20 times a second; frozen garbage when 500 pages were closed, or it may be much.

    `closed_pages` returns how many pages have disconnected since the process started.
    """
    before, freezes, pause = closed_pages(), 0, _INTERVAL_SECONDS
    while True:
        await asyncio.sleep(pause)
        start = time.thread_time()
        if closed_pages() - before >= _CLOSED_PAGES or freezes >= _FREEZES_WITH_GARBAGE:
            before, freezes = closed_pages(), 0
            gc.unfreeze()
        freezes += collect()
        pause = max(_INTERVAL_SECONDS, (time.thread_time() - start) / _LARGEST_SHARE)
