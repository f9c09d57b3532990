"""The pages of a killed process come back to the other one, and no tap of theirs is lost."""

import asyncio
from random import Random

import pytest

from tests.helpers.deployment import running_deployment
from tests.helpers.menu_page import (
    MenuPage,
    open_pages,
    wait_until_confirmed,
    wait_until_hydrated,
)
from tests.helpers.product import eventually

pytestmark = pytest.mark.anyio

PAGES = 200
_TIMEOUT_SECONDS = 60.0
"""A test does not measure speed, which depends on the machine: the benchmark does."""
_FEW_PAGES = 10
_DISHES = ("104", "105", "106")
_TAPS_IN_STORM = 4
_LONGEST_PAUSE_SECONDS = 1.0


class ForgetfulPage(MenuPage):
    """A page that does not send its unconfirmed taps with the next connection."""

    def _store_taps(self) -> None:
        pass


@pytest.fixture(scope="module")
def deployment():
    with running_deployment() as deployment:
        yield deployment


@pytest.fixture
def both_processes(deployment):
    """A deployment whose first process is killed by the test, and started again after it."""
    yield deployment
    deployment.parts.backends[0].start()


async def open_and_tap(pages):
    """Wait until the pages are open, and have a dish in their cart."""
    async with asyncio.timeout(_TIMEOUT_SECONDS):
        await wait_until_hydrated(pages)
        await asyncio.gather(*(page.tap(_DISHES[0]) for page in pages))
        await wait_until_confirmed(pages)


async def kill_with_unanswered_taps(deployment, pages):
    """Kill a process that has received a tap of each of its pages, and answered none."""
    process = deployment.parts.backends[0]
    process.suspend()
    await asyncio.gather(*(page.tap(_DISHES[0]) for page in pages))
    await asyncio.to_thread(process.kill)


async def tap_on(page):
    for number in range(_TAPS_IN_STORM):
        await page.tap(_DISHES[number % len(_DISHES)])
        await asyncio.sleep(page.rng.uniform(0, _LONGEST_PAUSE_SECONDS))


async def test_pages_of_killed_process_come_back_at_first_attempt_with_all_taps(both_processes):
    # Source: specification P5.8.
    deployment = both_processes
    async with open_pages(deployment.url, deployment.now, PAGES) as pages:
        await open_and_tap(pages)
        shares = [deployment.pages_at(process) for process in (0, 1)]
        assert sum(shares) == PAGES
        assert min(shares) > PAGES / 4, "nginx divides the pages between the processes"
        await kill_with_unanswered_taps(deployment, pages)
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await asyncio.gather(*map(tap_on, pages))
            await wait_until_confirmed(pages)
        assert deployment.pages_at(1) == PAGES
    assert [page.cart() for page in pages] == [dict(page.quantities) for page in pages]
    reconnected = [page for page in pages if page.connection_count > 1]
    assert len(reconnected) == shares[0]
    assert {page.connection_count for page in pages} == {1, 2}
    assert [page.attempts for page in pages] == [page.connection_count for page in pages]
    assert {message for page in pages for message in page.messages} == set()
    assert deployment.logged_errors() == []


async def test_control_unanswered_taps_are_lost_when_pages_forget_them(both_processes):
    deployment = both_processes
    pages = [ForgetfulPage(deployment.url, deployment.now, Random(n)) for n in range(_FEW_PAGES)]
    async with open_pages(deployment.url, deployment.now, pages=pages):
        await open_and_tap(pages)
        await kill_with_unanswered_taps(deployment, pages)
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            # A page that has not noticed the loss would forget the next tap, too.
            await asyncio.to_thread(
                eventually, lambda: deployment.pages_at(1) == _FEW_PAGES, "all pages are back"
            )
            await wait_until_hydrated(pages)
            await asyncio.gather(*(page.tap(_DISHES[1]) for page in pages))
            await wait_until_confirmed(pages)
    lost = [page for page in pages if page.cart() != dict(page.quantities)]
    assert lost
    assert all(page.cart()[_DISHES[0]] == page.quantities[_DISHES[0]] - 1 for page in lost)
