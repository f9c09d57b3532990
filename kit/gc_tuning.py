"""Settings of Python's garbage collector for short pauses and little old garbage.

A full collection stops the process for about a millisecond per three open pages. Python starts one
when the oldest generation has grown by a quarter; frozen objects are neither counted nor scanned.
Source: docs/decisions/0005.
"""

import asyncio
import gc
from collections.abc import Callable

_THRESHOLDS = (1_000, 10, 2)
_OLDEST = 2
_FEW = 100
_CHECK_EVERY_SECONDS = 5.0
_CLOSED_PAGES = 500
"""A closed page leaves about 13 kB of cyclic garbage, some of it frozen."""


def configure() -> None:
    """Set the thresholds, and freeze what full collections leave."""
    gc.set_threshold(*_THRESHOLDS)
    gc.callbacks.append(_freeze_survivors)


def freeze() -> None:
    """Exclude all objects that exist now from collections; to be called when the app is loaded."""
    gc.collect()
    gc.freeze()
    gc.collect()  # resets the size that Python recorded for the oldest generation


def _freeze_survivors(phase: str, info: dict[str, int]) -> None:
    """Exclude the sessions that a full collection has found alive from the next ones.

    Failing events leave garbage: those that are in progress would stay if they were frozen.
    """
    if phase == "stop" and info["generation"] == _OLDEST and info["collected"] < _FEW:
        gc.freeze()


async def collect_closed_pages(closed_pages: Callable[[], int]) -> None:
    """Collect frozen garbage whenever 500 pages have been closed, until cancelled.

    `closed_pages` returns how many pages have disconnected since the process started.
    """
    before = closed_pages()
    while True:
        await asyncio.sleep(_CHECK_EVERY_SECONDS)
        if closed_pages() - before >= _CLOSED_PAGES:
            before = closed_pages()
            gc.unfreeze()
            gc.collect()
            gc.freeze()
