"""Runs a module of ours as a program in a process of its own, within limits.

So that neither its memory nor its processor time is the server's, and whatever it is made to
exhaust ends that process alone. Run as `python -m kit.limited_program`, it sets the limits of
memory and processor time, and becomes the program.
"""

import asyncio
import contextlib
import math
import os
import resource
import runpy
import sys
from collections.abc import Coroutine
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Any, Final, TypeAlias

_ROOT: Final = Path(__file__).parents[1]
_ENVIRONMENT: Final = {"OPENBLAS_NUM_THREADS": "1", "PYTHONUTF8": "1", "PYTHONPATH": str(_ROOT)}
"""Nothing of the server's: it has secrets. Threads would reserve memory."""
_NICE: Final = 5
"""Visitors come first where processors are scarce."""
_CHUNK_BYTES: Final = 65_536
_LONGEST_ERROR: Final = 4_096

_Started: TypeAlias = tuple[Any, asyncio.Task[str]]
"""A process, and the last line of what it writes to standard error."""


@dataclass(frozen=True)
class Limits:
    """What a program may use; it is ended after `seconds`, or after twice as many of processors."""

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
    UNASKED = "it ended before it was asked"


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
    with _file_of(asked) as file:
        starting = asyncio.create_task(_started(module, file, limits))
        try:
            return await _answer_of(starting, limits, deadline)
        finally:
            await _to_the_end(_ended(starting))


class WaitingProgram:
    """A program that is started before there is anything to ask; it answers once.

    It waits with its module imported. `end` must follow, whether it was asked or not.
    """

    def __init__(self, module: str, limits: Limits) -> None:
        """Raise ProgramFailed if there are no more files to open."""
        try:
            reading, writing = os.pipe()
        except OSError as error:
            raise ProgramFailed(Failure.NOT_STARTED, str(error)) from error
        self._limits = limits
        self._asked = os.fdopen(writing, "wb", buffering=0)
        self._starting = asyncio.create_task(self._start(module, os.fdopen(reading, "rb")))

    @property
    def has_ended(self) -> bool:
        """Whether it can answer no more: it has, or it could not be started, or was killed."""
        if not self._starting.done():
            return self._asked.closed
        failed = self._starting.cancelled() or self._starting.exception() is not None
        return failed or self._starting.result()[0].returncode is not None

    async def answer_of(self, asked: bytes) -> bytes:
        """Return what it writes when it gets `asked`, at most 4,096 bytes, on standard input.

        Raises:
            ProgramFailed: As by the function `answer_of`, or with `Failure.UNASKED`.
        """
        await asyncio.shield(self._starting)  # until then this process can read the pipe, too
        try:
            with self._asked:
                self._asked.write(asked)
        except BrokenPipeError:
            raise ProgramFailed(Failure.UNASKED) from None
        return await _answer_of(self._starting, self._limits)

    async def end(self) -> None:
        """End the process; it has ended when this returns, also when it is cancelled."""
        self._asked.close()
        await _to_the_end(_ended(self._starting))

    async def _start(self, module: str, asked: IO[bytes]) -> _Started:
        with asked:
            return await _started(module, asked, self._limits)


async def _answer_of(
    starting: asyncio.Task[_Started], limits: Limits, deadline: float | None = None
) -> bytes:
    """Return what a program writes that is being started and has its input."""
    loop = asyncio.get_running_loop()
    # A start that is cancelled would leave its process.
    program, errors = await asyncio.shield(starting)
    try:
        async with asyncio.timeout_at(deadline or loop.time() + limits.seconds):
            written = await _up_to(limits.output_bytes, program.stdout)
            await program.wait()
    except TimeoutError:
        raise ProgramFailed(Failure.TOO_SLOW) from None
    if program.returncode:
        raise ProgramFailed(Failure.ENDED, await errors)
    return written


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


def _file_of(content: bytes) -> IO[bytes]:
    """Return a file: a program may end before a busy server has written all into a pipe."""
    try:
        file = TemporaryFile()  # noqa: SIM115 - the caller closes it
        file.write(content)
        file.seek(0)
    except OSError as error:
        raise ProgramFailed(Failure.NOT_STARTED, str(error)) from error
    return file


async def _started(module: str, asked: IO[bytes], limits: Limits) -> _Started:
    """Start the process, which reads `asked`; what it writes are pipes."""
    # The limit of the processor is for a program whose server was killed: nobody else ends it.
    command = [module, str(limits.memory_bytes), str(2 * math.ceil(limits.seconds))]
    try:
        program: Any = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", __name__, *command, *["writes"] * limits.writes_files),
            stdin=asked,
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
    os.nice(_NICE)
    for kind, most in limits.items():
        resource.setrlimit(kind, (most, most))
    sys.argv = [module]
    runpy.run_module(module, run_name="__main__")
    sys.stdout.flush()
    # The interpreter's own end takes 0.3 s after much work; the system frees all without it.
    os._exit(0)


if __name__ == "__main__":
    main()
