"""Running a module as a program with limits."""

import asyncio
import signal
import subprocess
import sys
import time

import psutil
import pytest
import uvloop

from kit.limited_program import Failure, Limits, ProgramFailed, WaitingProgram, answer_of
from tests.helpers import product
from tests.helpers.processes import has_ended, kill
from tests.helpers.waiting import eventually

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


async def waiting_program():
    """Return a program that waits to be asked, and its process."""
    before = set(psutil.Process().children())
    program = WaitingProgram(PROGRAM, LIMITS)
    while not (started := set(psutil.Process().children()) - before):  # noqa: ASYNC110
        await asyncio.sleep(0.01)
    return program, started.pop()


async def test_waiting_program_answers_once():
    program, process = await waiting_program()
    try:
        await asyncio.sleep(0.5)
        assert not program.has_ended
        assert await program.answer_of(b"x" * 4_096) == b"x" * 4_096
        assert program.has_ended
    finally:
        await program.end()
    assert not process.is_running()


async def test_waiting_program_that_was_killed_says_so_when_it_is_asked():
    program, process = await waiting_program()
    kill(process)
    with pytest.raises(ProgramFailed) as failed:
        await program.answer_of(b"x")
    assert failed.value.failure is Failure.UNASKED
    await eventually(lambda: program.has_ended, "its end is noted")
    await program.end()


def test_processor_time_is_limited_without_a_server():
    command = [sys.executable, "-m", "kit.limited_program", PROGRAM, str(1024**3), "1"]
    ended = subprocess.run(command, input=b"compute", timeout=60, check=False)
    assert ended.returncode == -signal.SIGKILL


async def test_waiting_program_is_ended_without_being_asked():
    program, process = await waiting_program()
    await program.end()
    assert program.has_ended
    assert not process.is_running()


async def test_unknown_program_is_said_when_it_is_asked():
    program = WaitingProgram("tests.helpers.none", LIMITS)
    with pytest.raises(ProgramFailed, match="No module named"):
        await program.answer_of(b"")
    await program.end()


def test_waiting_program_ends_with_a_killed_server():
    code = f"""
import asyncio
from kit.limited_program import Limits, WaitingProgram

async def serve():
    program = WaitingProgram({PROGRAM!r}, {LIMITS!r})
    await asyncio.sleep(60)

asyncio.run(serve())
"""
    with subprocess.Popen([sys.executable, "-c", code]) as server:
        while not (programs := psutil.Process(server.pid).children()):
            time.sleep(0.01)
        server.send_signal(signal.SIGKILL)
    product.eventually(lambda: has_ended(programs[0]), "it has ended", within=20)


async def ask_new():
    await answer_of(PROGRAM, b"sleep", LIMITS)


async def ask_waiting():
    program = WaitingProgram(PROGRAM, LIMITS)
    try:
        await program.answer_of(b"sleep")
    finally:
        await program.end()


@pytest.mark.parametrize("turns", [0, 1, 2, 3, 4, 5, 6, 8, 12, 2_000])
@pytest.mark.parametrize("ask", [ask_new, ask_waiting])
def test_program_has_ended_when_its_task_is_cancelled_again_and_again(turns, ask):
    before = psutil.Process().children()

    async def cancel():
        running = asyncio.create_task(ask())
        for _ in range(turns):
            await asyncio.sleep(0)
        while not running.done():
            running.cancel()
            await asyncio.sleep(0)
        assert running.cancelled()
        assert psutil.Process().children() == before

    uvloop.run(cancel())
