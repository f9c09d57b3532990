"""Runs a module of ours as a program in a process of its own, within limits.

So that neither its memory nor its processor time is the server's, and whatever it is made to
exhaust ends that process alone. Run as `python -m kit.limited_program`, it sets the limits of
memory and processor time, and becomes the program.
"""

import asyncio
import contextlib
import resource
import runpy
import sys
from collections.abc import AsyncGenerator, Coroutine
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, TypeAlias

_ROOT: Final = Path(__file__).parents[1]
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1", "PYTHONPATH": str(_ROOT)}
"""Nothing of the server's: it has secrets. Threads would reserve memory."""
_CHUNK_BYTES: Final = 65_536
_LONGEST_ERROR: Final = 4_096

_Started: TypeAlias = tuple[Any, asyncio.Task[str]]
"""A process, and the last line of what it writes to standard error."""


@dataclass(frozen=True)
class Limits:
    """What a program may use; `seconds` are those of the clock and of the processor."""

    seconds: float
    memory_bytes: int
    output_bytes: int
    writes_files: bool = False


class Failure(StrEnum):
    """Why a program gave no answer."""

    NOT_STARTED = "it could not be started"
    TOO_SLOW = "it took too long"
    TOO_LARGE = "its answer is too large"
    ENDED = "it ended with an error"


class ProgramFailed(Exception):
    """A program gave no answer; `said` is the last line that it wrote to standard error."""

    def __init__(self, failure: Failure, said: str = "") -> None:
        super().__init__(f"{failure}: {said}" if said else str(failure))
        self.failure = failure
        self.said = said


async def answer_of(
    module: str, asked: bytes, limits: Limits, deadline: float | None = None
) -> bytes:
    """Return what a module writes to standard output when it gets `asked` on standard input.

    `deadline` is a time of the event loop; by default `limits.seconds` from now. The process has
    ended when this returns, also when it is cancelled, however often.

    Raises:
        ProgramFailed: If it cannot be started, breaks a limit, or ends with an error.
    """
    loop = asyncio.get_running_loop()
    async with _running(module, asked, limits) as (program, errors):
        try:
            async with asyncio.timeout_at(deadline or loop.time() + limits.seconds):
                written = await _up_to(limits.output_bytes, program.stdout)
                await program.wait()
        except TimeoutError:
            raise ProgramFailed(Failure.TOO_SLOW) from None
        if program.returncode:
            raise ProgramFailed(Failure.ENDED, await errors)
        return written


@contextlib.asynccontextmanager
async def _running(module: str, asked: bytes, limits: Limits) -> AsyncGenerator[_Started]:
    """Yield what `_started` returns; after the block the process has ended."""
    starting = asyncio.create_task(_started(module, asked, limits))
    try:
        yield await asyncio.shield(starting)  # a start that is cancelled would leave its process
    finally:
        await _to_the_end(_ended(starting))


async def _ended(starting: asyncio.Task[_Started]) -> None:
    with contextlib.suppress(ProgramFailed):
        program, errors = await starting
        if program.returncode is None:
            program.kill()
        await program.wait()
        await errors


async def _to_the_end(work: Coroutine[Any, Any, None]) -> None:
    """Await all of it; only then raise a cancellation that came meanwhile."""
    task, cancelled = asyncio.create_task(work), None
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError as error:
            cancelled = error
    if cancelled:
        raise cancelled
    task.result()


async def _started(module: str, asked: bytes, limits: Limits) -> _Started:
    """Start the process, which reads `asked` from a file; what it writes are pipes."""
    command = [module, str(limits.memory_bytes), str(int(limits.seconds) + 1)]
    try:
        with TemporaryFile() as file:
            file.write(asked)
            file.seek(0)
            program: Any = await asyncio.create_subprocess_exec(
                *(sys.executable, "-m", __name__, *command, *["writes"] * limits.writes_files),
                stdin=file,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.PIPE,
                env=_ENVIRONMENT,
                cwd=_ROOT,
            )
    except OSError as error:
        raise ProgramFailed(Failure.NOT_STARTED, str(error)) from error
    return program, asyncio.create_task(_end_of(program.stderr))


async def _up_to(most: int, stream: asyncio.StreamReader) -> bytes:
    """Return all that a program writes; raise ProgramFailed once that is too much."""
    written = bytearray()
    while chunk := await stream.read(_CHUNK_BYTES):
        written += chunk
        if len(written) > most:
            raise ProgramFailed(Failure.TOO_LARGE)
    return bytes(written)


async def _end_of(stream: asyncio.StreamReader) -> str:
    """Return the last line that a program writes, without keeping those before."""
    end = b""
    while chunk := await stream.read(_CHUNK_BYTES):
        end = (end + chunk)[-_LONGEST_ERROR:]
    return end.decode(errors="replace").strip().rpartition("\n")[2]


def main() -> None:
    """Set the limits, and run the module as a program."""
    _, module, memory, seconds, *writes = sys.argv
    limits = {resource.RLIMIT_AS: int(memory), resource.RLIMIT_CPU: int(seconds)}
    limits |= {} if writes else {resource.RLIMIT_FSIZE: 0}
    for kind, most in limits.items():
        resource.setrlimit(kind, (most, most))
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__")


if __name__ == "__main__":
    main()
