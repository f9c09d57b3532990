"""A process is killed with 2,000 pages: seconds until all are back at the other one, and then its p99.

nginx, PostgreSQL, Redis, the processes and the pages share this machine's cores.
"""

import asyncio
import gc
import statistics
import time
from collections import Counter
from collections.abc import Coroutine, Sequence
from pathlib import Path

import uvloop
from apps import stack_settings
from plan import Plan
from report import Figure, Goal, Limit, MeasurementFailed, Result

from deploy.local_stack import Deployment, started_stack
from tests.helpers.clock import WEDNESDAY
from tests.helpers.deployment import RunningDeployment
from tests.helpers.menu_page import (
    MenuPage,
    open_pages,
    wait_until_confirmed,
    wait_until_hydrated,
)

_BACK_SECONDS, _LOST_TAPS, _ERRORS = (Goal(Limit.AT_MOST, figure) for figure in (10, 0, 0))
_P99_RATIO = Goal(Limit.RATIO_AT_MOST, 2)
_DISHES = ("104", "105", "106")
_LONGEST_SECONDS = 90.0
_OPENED_PER_SECOND = 70
"""Less than a process can open."""
_FIRST, _OTHER = 0, 1


def measure(plan: Plan, folder: Path) -> Result:
    """Measure the deployment of `deploy/local_stack.py` with two processes."""
    with started_stack(2, stack_settings(folder)) as stack:
        try:
            return uvloop.run(_measure(stack, plan))
        except TimeoutError:
            raise MeasurementFailed(f"not finished after {_LONGEST_SECONDS:.0f} s") from None


async def _measure(stack: Deployment, plan: Plan) -> Result:
    # Stopped until the storm, so that all pages are at the first process: the second one then has
    # as many as the first one had, and their response times can be compared.
    await asyncio.to_thread(stack.backends[_OTHER].stop)
    async with open_pages(
        stack.url,
        WEDNESDAY,
        plan.storm_pages,
        within_seconds=plan.storm_pages / _OPENED_PER_SECOND,
    ) as pages:
        await _within(wait_until_hydrated(pages))
        gc.collect()
        gc.freeze()  # collections of this program would delay its responses
        before = await _tap_regularly(pages, plan)
        await asyncio.to_thread(stack.backends[_OTHER].start)
        opened = [page.connection_count for page in pages]
        killed_at = time.perf_counter()
        stack.backends[_FIRST].suspend()
        await asyncio.gather(*(page.tap(_DISHES[1]) for page in pages))
        await asyncio.to_thread(stack.backends[_FIRST].kill)
        await _within(wait_until_confirmed(pages))
        back = sorted(page.hydrated_at - killed_at for page in pages)
        after = await _tap_regularly(pages, plan)
        messages = Counter(message for page in pages for message in page.messages)
        lost = sum((page.quantities - Counter(page.cart())).total() for page in pages)
        repeated = sum((Counter(page.cart()) - page.quantities).total() for page in pages)
    if {page.connection_count - count for page, count in zip(pages, opened, strict=True)} != {1}:
        raise MeasurementFailed("a page connected more than once, or not at all")
    errors = RunningDeployment(stack).logged_errors()
    name = f"Reconnect storm, {plan.storm_pages} pages"
    return Result(
        figures=[
            Figure(f"{name}: until all are back", "s", back[-1], goal=_BACK_SECONDS),
            Figure(f"{name}: p99 of a tap, before as baseline", "ms", after, before, _P99_RATIO),
            Figure(f"{name}: taps lost or counted twice", "", lost + repeated, goal=_LOST_TAPS),
            Figure(f"{name}: errors", "", messages.total() + len(errors), goal=_ERRORS),
        ],
        details={
            "back_seconds": {str(share): back[len(back) * share // 100] for share in (1, 50, 90)},
            "messages": messages,
            "logged_errors": errors,
        },
    )


async def _tap_regularly(pages: Sequence[MenuPage], plan: Plan) -> float:
    """Tap on each page at regular intervals; return the 99th percentile of the response times, in ms."""
    for page in pages:
        page.seconds.clear()
    interval = plan.storm_tap_seconds
    start = time.perf_counter()
    end = start + plan.storm_seconds

    async def one(page: MenuPage, first: float) -> None:
        at = first
        while at < end:
            await asyncio.sleep(at - time.perf_counter())
            await page.tap(_DISHES[0])
            at += interval

    await asyncio.gather(
        *(one(page, start + interval * number / len(pages)) for number, page in enumerate(pages))
    )
    await _within(wait_until_confirmed(pages))
    times = [seconds for page in pages for seconds in page.seconds]
    return statistics.quantiles(times, n=100)[98] * 1000


async def _within(work: Coroutine[None, None, None]) -> None:
    async with asyncio.timeout(_LONGEST_SECONDS):
        await work
