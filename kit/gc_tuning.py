"""When Python looks for garbage that refers to itself, so that no visitor waits for it.

To look at everything takes a millisecond for each three visitors, in which nobody is answered.
What has stood for a while is therefore put aside, where the collector does not look, and is looked
at as well when next to nobody is there. Source: specification H5.
"""

import asyncio
import contextlib
import gc
import logging
import time
from collections.abc import AsyncGenerator, Callable

from kit.background import restarting, running

logger = logging.getLogger(__name__)

_COLLECT_AFTER = (5_000, 20, 1_000)
"""Few young objects at a time: nobody waits for longer than some milliseconds. All, hardly ever."""
_YOUNG, _OLD = 1, 2
"""Generations: up to which it is young; what came through a look since all was put aside."""
_EVERY_SECONDS = 0.05
"""What two thousand visitors leave in so long is looked at within 4 ms; after 0.5 s it took 40."""
_MANY = 20_000
"""Objects of some hundred events at work, and still looked at within some milliseconds."""
_HARDLY_ANY_GARBAGE = 100
_FEW_VISITORS = 5
_REST_SECONDS = 600.0
"""Between one look at everything and the next, while few are there."""
_MANY_CLOSED = 2_000
"""Pages that were closed since everything was looked at: each leaves some 13 kB of cyclic garbage.

Without this limit a client that opens and closes pages would fill the memory for a day.
"""
_LONGEST_REST_SECONDS = 24 * 3600.0
"""Until then, what those who left meanwhile have left behind stays: some 60 kB each."""


def begin() -> None:
    """Be patient, from before anything is made."""
    gc.set_threshold(*_COLLECT_AFTER)


def look_at_everything() -> None:
    """Collect all garbage, also of what was put aside, and put aside what is left."""
    began = time.perf_counter()
    gc.unfreeze()
    found = gc.collect()
    gc.freeze()
    took_ms = (time.perf_counter() - began) * 1000
    logger.debug("collector: %d objects of garbage, %.0f ms", found, took_ms)


class Collector:
    """Decides what to look at, by how many visitors there are and how much garbage events leave."""

    def __init__(
        self,
        visitors: Callable[[], float],
        closed: Callable[[], float],
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._visitors = visitors
        self._closed = closed
        self._closed_before = 0.0
        self._steady = steady
        self._looked_at = steady()
        self._garbage = 0

    @contextlib.asynccontextmanager
    async def watch(self) -> AsyncGenerator[None]:
        """Tidy up now and then for as long as the server runs."""
        gc.freeze()
        async with running(restarting(self._run)):
            yield

    def tidy(self) -> None:
        """Look at everything when that disturbs few, or garbage may have grown too large."""
        if self._is_time():
            look_at_everything()
            self._looked_at = self._steady()
            self._closed_before = self._closed()
        else:
            self._tidy_the_young()

    def _tidy_the_young(self) -> None:
        """Collect what is young, and put aside what is left.

        Not so while events fail: they leave garbage, those at work during a look come through it,
        and put aside they would stay. They are looked at once more first, when they are many.
        """
        self._garbage += gc.collect(_YOUNG)
        if self._garbage > _HARDLY_ANY_GARBAGE:
            if _old() >= _MANY:
                gc.collect()
            if _old() < _MANY:
                return
        gc.freeze()
        self._garbage = 0

    def _is_time(self) -> bool:
        if self._closed() - self._closed_before >= _MANY_CLOSED:
            return True
        rested = self._steady() - self._looked_at
        if rested < _REST_SECONDS:
            return False
        return rested >= _LONGEST_REST_SECONDS or self._visitors() <= _FEW_VISITORS

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            self.tidy()


def _old() -> int:
    return len(gc.get_objects(_OLD))
