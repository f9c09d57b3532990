"""Settings of Python's garbage collector that keep its pauses short.

A full collection stops the process for about a millisecond per three open pages, so it must not
run while nothing is to be freed. Source: docs/decisions/0005.
"""

import asyncio
import contextlib
import gc
import time
from collections.abc import AsyncGenerator, Callable

from kit.background import restarting, running

_YOUNG_THRESHOLDS = (2_000, 5)
_NEVER = 1 << 30
_CHECK_EVERY_SECONDS = 1.0
_PAUSE_SHARE = 0.05
"""Full collections take at most this share of the time, whatever clients do."""
_CLOSED_PAGES = 500
"""A closed page leaves about 13 kB of cyclic garbage."""
_COLLECTED_OBJECTS = 10_000
"""Failed events leave cyclic garbage; so many young objects of it mean that old ones exist too."""


def configure() -> None:
    """Set the thresholds: young generations are collected in small steps, the oldest never."""
    gc.set_threshold(*_YOUNG_THRESHOLDS, _NEVER)


def freeze() -> None:
    """Exclude all objects that exist now from collections; to be called when the app is loaded."""
    gc.collect()
    gc.freeze()


class FullCollections:
    """Runs a full collection when old cyclic garbage is likely to exist.

    Thresholds alone count allocations, of which live sessions have as many as garbage does.
    """

    def __init__(self, closed_pages: Callable[[], int]) -> None:
        """`closed_pages` returns how many pages have disconnected since the process started."""
        self._closed_pages = closed_pages
        self._before = self._counts()

    @contextlib.asynccontextmanager
    async def watch(self) -> AsyncGenerator[None]:
        """Run collections for as long as the block lasts; to be run as a lifespan task."""
        async with running(restarting(self._run)):
            yield

    async def _run(self) -> None:
        while True:
            start = time.perf_counter()
            self.collect_if_due()
            pause = time.perf_counter() - start
            await asyncio.sleep(max(_CHECK_EVERY_SECONDS, pause / _PAUSE_SHARE))

    def collect_if_due(self) -> None:
        """Run a full collection if enough pages were closed or enough garbage was found."""
        (closed, collected), (closed_before, collected_before) = self._counts(), self._before
        if (
            closed - closed_before >= _CLOSED_PAGES
            or collected - collected_before >= _COLLECTED_OBJECTS
        ):
            gc.collect()
            self._before = self._counts()

    def _counts(self) -> tuple[int, int]:
        """Return the closed pages, and the objects that collections of young generations freed."""
        return self._closed_pages(), sum(each["collected"] for each in gc.get_stats()[:2])
