"""What runs beside the server ends with it, even if a cancellation is lost."""

import asyncio
import contextlib

import pytest

from kit import background

pytestmark = pytest.mark.anyio


async def once_deaf(heard):
    """Lose the first cancellation, as `wait_for` of Python 3.11 may."""
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(60)
    heard.append("lost")
    try:
        await asyncio.sleep(60)
    finally:
        heard.append("ended")


@pytest.fixture(autouse=True)
def hurry(monkeypatch):
    monkeypatch.setattr(background, "_TIDY_UP_SECONDS", 0.05)


async def test_a_task_that_loses_a_cancellation_is_ended_all_the_same():
    heard = []
    async with asyncio.timeout(10), background.running(once_deaf(heard)):
        await asyncio.sleep(0)
    assert heard == ["lost", "ended"]


async def test_cancelled_once_it_would_go_on():
    """The negative control of the test above."""
    heard = []
    task = asyncio.create_task(once_deaf(heard))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task], timeout=0.5)
    assert heard == ["lost"]
    assert not task.done()
    await background.cancel_and_wait(task)


async def test_a_task_that_tidies_up_is_given_the_time(monkeypatch):
    monkeypatch.setattr(background, "_TIDY_UP_SECONDS", 5)
    done = []

    async def tidy():
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.1)
            done.append("tidied up")

    async with background.running(tidy()):
        await asyncio.sleep(0)
    assert done == ["tidied up"]


async def test_a_task_that_failed_keeps_nobody_from_ending_and_is_told_of_at_once(caplog):
    async def fail():
        raise RuntimeError("it broke")

    async with background.running(fail()):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        (line,) = caplog.records
    assert line.levelname == "ERROR"
    assert "fail has ended" in line.getMessage()
    assert str(line.exc_info[1]) == "it broke"


async def test_work_without_an_end_goes_on_whatever_it_raises(caplog, monkeypatch):
    monkeypatch.setattr(background, "_AGAIN_SECONDS", 0)
    tries, has_begun_again = [], asyncio.Event()

    async def follow(what):
        tries.append(what)
        if len(tries) < 3:
            raise RuntimeError("it broke")
        has_begun_again.set()
        await asyncio.sleep(60)

    async with background.running(background.restarting(follow, "switches")):
        await asyncio.wait_for(has_begun_again.wait(), 10)
    assert tries == ["switches"] * 3
    told = [(line.levelname, str(line.exc_info[1])) for line in caplog.records]
    assert told == [("ERROR", "it broke")] * 2
    assert all("follow stumbled" in line.getMessage() for line in caplog.records)
