"""Garbage collection in small, frequent steps, so that no visitor waits for a full collection.

A full collection stops the process for about a millisecond per three open pages. Objects that are
frozen are not scanned, and are still freed when their last reference goes.
Source: docs/decisions/0005.
"""

import asyncio
import gc
import time
from collections.abc import Callable

from kit.http.sockets import PageCount

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
"""A closed page leaves about 13 kB in reference cycles, and some of these objects are frozen."""
_OBJECTS_OF_A_PAGE = 400
_LARGEST_GROWTH = 0.25
"""Of the frozen objects, beyond those of new pages: Python starts full collections at as much."""
_COUNTED_GROWTH = 0.05
"""Of the frozen objects; they are counted when so many were added, which takes 12 ms a million."""
_FEWEST_FROZEN = 100_000


def configure() -> None:
    """Set the thresholds; to be called before the app is loaded."""
    gc.set_threshold(*_THRESHOLDS)


def freeze() -> None:
    """Exclude all objects that exist now from collections; to be called when the app is loaded."""
    gc.collect()
    gc.freeze()


def collect() -> int:
    """Collect what came since the last collection, and freeze what is left.

    Return how many objects were frozen. They include those of events in progress, which may be
    garbage as soon as the event ends.

    While events fail, their frames and tracebacks are cyclic garbage, and so are sessions that were
    read from Redis: those of the events in progress would stay. So survivors beside garbage are
    only frozen when they are many. They are counted, as time depends on how busy the machine is.
    """
    is_clean = gc.collect() < _FEW_OBJECTS
    survivors = len(gc.get_objects(generation=_OLDEST_GENERATION))
    if not is_clean and survivors < _MANY_SURVIVORS:
        return 0
    gc.freeze()
    return survivors


async def collect_regularly(pages: Callable[[], PageCount]) -> None:
    """Collect 20 times a second, and the frozen garbage when it may be much.

    It may be much when 500 pages were closed, or when the frozen objects have become a quarter more
    than the new pages explain.
    """
    frozen, pause = _Frozen(pages()), _INTERVAL_SECONDS
    while True:
        await asyncio.sleep(pause)
        start = time.thread_time()
        if frozen.may_be_much_garbage(pages()):
            gc.unfreeze()
            collect()
            frozen = _Frozen(pages())
        else:
            frozen.added += collect()
        pause = max(_INTERVAL_SECONDS, (time.thread_time() - start) / _LARGEST_SHARE)


class _Frozen:
    """The frozen objects, since the last time that all garbage was collected."""

    def __init__(self, pages: PageCount) -> None:
        self.added = 0
        """Since they were last counted; many of these are freed by now."""
        self._pages = pages
        self._count = max(gc.get_freeze_count(), _FEWEST_FROZEN)

    def may_be_much_garbage(self, pages: PageCount) -> bool:
        if pages.closed - self._pages.closed >= _CLOSED_PAGES:
            return True
        if self.added < self._count * _COUNTED_GROWTH:
            return False
        self.added = 0
        explained = (pages.opened - self._pages.opened) * _OBJECTS_OF_A_PAGE
        return gc.get_freeze_count() - explained >= self._count * (1 + _LARGEST_GROWTH)
