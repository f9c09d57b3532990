"""Background tasks are cancelled with the server, restarted after failures, and logged."""

import asyncio
import contextlib

import pytest

from kit import background

pytestmark = pytest.mark.anyio


async def swallow_first_cancellation(events):
    """Continue after the first cancellation, as `wait_for` of Python 3.11 may."""
    with contextlib.suppress(asyncio.CancelledError):
        await asyncio.sleep(60)
    events.append("swallowed")
    try:
        await asyncio.sleep(60)
    finally:
        events.append("ended")


@pytest.fixture(autouse=True)
def short_waits(monkeypatch):
    monkeypatch.setattr(background, "_CANCEL_AGAIN_SECONDS", 0.05)


async def test_running_cancels_a_task_again_when_it_swallows_a_cancellation():
    events = []
    async with asyncio.timeout(10), background.running(swallow_first_cancellation(events)):
        await asyncio.sleep(0)
    assert events == ["swallowed", "ended"]


async def test_task_goes_on_after_one_cancellation_that_it_swallows():
    """Negative control of the test above."""
    events = []
    task = asyncio.create_task(swallow_first_cancellation(events))
    await asyncio.sleep(0)
    task.cancel()
    await asyncio.wait([task], timeout=0.5)
    assert events == ["swallowed"]
    assert not task.done()
    await background.cancel_and_wait(task)


async def test_running_gives_a_cancelled_task_time_to_clean_up(monkeypatch):
    monkeypatch.setattr(background, "_CANCEL_AGAIN_SECONDS", 5)
    events = []

    async def clean_up():
        try:
            await asyncio.sleep(60)
        finally:
            await asyncio.sleep(0.1)
            events.append("cleaned up")

    async with background.running(clean_up()):
        await asyncio.sleep(0)
    assert events == ["cleaned up"]


async def test_running_logs_a_failed_task_at_once_and_ends_normally(caplog):
    async def fail():
        raise RuntimeError("it broke")

    async with background.running(fail()):
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        (record,) = caplog.records
    assert record.levelname == "ERROR"
    assert "fail failed and has ended" in record.getMessage()
    assert str(record.exc_info[1]) == "it broke"


async def test_restarting_calls_work_again_after_each_failure(caplog, monkeypatch):
    monkeypatch.setattr(background, "_RESTART_SECONDS", 0)
    calls, is_restarted = [], asyncio.Event()

    async def follow(what):
        calls.append(what)
        if len(calls) < 3:
            raise RuntimeError("it broke")
        is_restarted.set()
        await asyncio.sleep(60)

    async with background.running(background.restarting(follow, "overrides")):
        await asyncio.wait_for(is_restarted.wait(), 10)
    assert calls == ["overrides"] * 3
    logged = [(record.levelname, str(record.exc_info[1])) for record in caplog.records]
    assert logged == [("ERROR", "it broke")] * 2
    assert all("follow failed, restarting" in each.getMessage() for each in caplog.records)
