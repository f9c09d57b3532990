"""Running a module as a program with limits."""

import asyncio
import time

import psutil
import pytest
import uvloop

from kit.limited_program import Failure, Limits, ProgramFailed, answer_of

pytestmark = pytest.mark.anyio

PROGRAM = "tests.helpers.limited"
LIMITS = Limits(seconds=20, memory_bytes=1024**3, output_bytes=1_000_000)


async def test_answer_is_what_the_program_writes():
    asked = b"x" * 1_000_000
    assert await answer_of(PROGRAM, asked, LIMITS) == asked


@pytest.mark.parametrize(
    ("asked", "seconds", "failure", "said"),
    [
        ("sleep", 0.5, Failure.TOO_SLOW, ""),
        ("compute", 0.5, Failure.TOO_SLOW, ""),
        ("talk", 20, Failure.TOO_LARGE, ""),
        ("allocate", 20, Failure.ENDED, "MemoryError"),
        ("write", 20, Failure.ENDED, "OSError: [Errno 27] File too large"),
        ("fail", 20, Failure.ENDED, "last"),
    ],
)
async def test_program_that_breaks_a_limit_or_fails_is_ended(asked, seconds, failure, said):
    deadline = asyncio.get_running_loop().time() + seconds
    with pytest.raises(ProgramFailed) as failed:
        await answer_of(PROGRAM, asked.encode(), LIMITS, deadline)
    assert (failed.value.failure, failed.value.said) == (failure, said)


async def test_unknown_program_is_said():
    with pytest.raises(ProgramFailed, match="No module named"):
        await answer_of("tests.helpers.none", b"", LIMITS)


def test_program_may_end_before_a_busy_server_goes_on():
    before = len(psutil.Process().children())

    async def block_when_it_has_started():
        while len(psutil.Process().children()) == before:  # noqa: ASYNC110 - within a few turns
            await asyncio.sleep(0)
        time.sleep(1)  # noqa: ASYNC251 - the loop is busy meanwhile

    async def start():
        blocking = asyncio.create_task(block_when_it_has_started())
        await test_unknown_program_is_said()
        await blocking

    uvloop.run(start())


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 4, 5, 6, 8, 12, 2_000])
def test_program_has_ended_when_its_task_is_cancelled_again_and_again(turns):
    before = psutil.Process().children()

    async def cancel():
        running = asyncio.create_task(answer_of(PROGRAM, b"sleep", LIMITS))
        for _ in range(turns):
            await asyncio.sleep(0)
        while not running.done():
            running.cancel()
            await asyncio.sleep(0)
        assert running.cancelled()
        assert psutil.Process().children() == before

    uvloop.run(cancel())
