"""Garbage collection in small, frequent steps, so that no visitor waits for a full collection.

A full collection stops the process for about a millisecond per three open pages. Objects that are
frozen are not scanned, and are still freed when their last reference goes.
Source: docs/decisions/0005.
"""

import asyncio
import gc
import sys
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
_BLOCKS_OF_A_PAGE = 800
_LARGEST_GROWTH = 0.25
"""Of the blocks of memory, beyond those of new pages: Python starts full collections at as much."""
_ROUNDS_BETWEEN_COUNTS = 20
"""Counting the blocks of 2,000 open pages takes less than 1 ms; the frozen objects took 120 ms."""


def configure() -> None:
    """Set the thresholds; to be called before the app is loaded."""
    gc.set_threshold(*_THRESHOLDS)


def freeze() -> None:
    """Exclude all objects that exist now from collections; to be called when the app is loaded."""
    gc.collect()
    gc.freeze()


def collect() -> None:
    """Collect what came since the last collection, and freeze what is left.

    What is frozen includes the objects of events in progress, which may be garbage later.

    While events fail, their frames and tracebacks are cyclic garbage, and so are sessions that were
    read from Redis: those of the events in progress would stay. So survivors beside garbage are
    only frozen when they are many. They are counted, as time depends on how busy the machine is.
    """
    is_clean = gc.collect() < _FEW_OBJECTS
    if is_clean or len(gc.get_objects(generation=_OLDEST_GENERATION)) >= _MANY_SURVIVORS:
        gc.freeze()


async def collect_regularly(pages: Callable[[], PageCount]) -> None:
    """Collect 20 times a second, and the frozen garbage when it may be much.

    It may be much when 500 pages were closed, or when the process has become a quarter larger than
    the new pages explain.
    """
    base, pause, rounds = _Size(pages()), _INTERVAL_SECONDS, 0
    while True:
        await asyncio.sleep(pause)
        start, rounds, now = time.thread_time(), rounds + 1, pages()
        is_counted = rounds % _ROUNDS_BETWEEN_COUNTS == 0
        is_much = base.has_lost(now) or (is_counted and base.has_grown(now))
        if is_much:
            gc.unfreeze()
        collect()
        if is_much:
            base = _Size(now)
        pause = max(_INTERVAL_SECONDS, (time.thread_time() - start) / _LARGEST_SHARE)


class _Size:
    """The pages and the blocks of memory of the process after a collection of all garbage."""

    def __init__(self, pages: PageCount) -> None:
        self._pages = pages
        self._blocks = sys.getallocatedblocks()

    def has_lost(self, pages: PageCount) -> bool:
        """Whether many pages have closed since then."""
        return pages.closed - self._pages.closed >= _CLOSED_PAGES

    def has_grown(self, pages: PageCount) -> bool:
        """Whether new pages don't explain how much larger the process is now."""
        explained = (pages.opened - self._pages.opened) * _BLOCKS_OF_A_PAGE
        return sys.getallocatedblocks() - explained >= self._blocks * (1 + _LARGEST_GROWTH)
