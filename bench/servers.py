"""Measured servers: each runs on a free port and one core, and is stopped when its block ends."""

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import httpx
from paths import PROGRAMS
from report import MeasurementFailed

from tests.helpers.ports import free_port
from tests.helpers.product import memory_bytes

_START_SECONDS = 60.0
_STOP_SECONDS = 8.0
_POLL_SECONDS = 0.02
_LAST_LINES = 12
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_CORES = sorted(os.sched_getaffinity(0))

SERVER_CORE, CLIENT_CORE = _CORES[0], _CORES[-1]


@dataclass(frozen=True)
class Server:
    """A running server."""

    process: subprocess.Popen[bytes]
    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory_bytes(self) -> int:
        """Return the anonymous memory of the process."""
        return memory_bytes(self.process.pid)

    def cpu_seconds(self) -> float:
        """Return the processor time that the process has used."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_SECOND


@contextlib.contextmanager
def on_core(core: int) -> Iterator[None]:
    """Run this thread on one core in the block."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def process_environment(changes: Mapping[str, str]) -> dict[str, str]:
    """Return this process's environment with changes, PROGRAMS first in PATH, without make's variables."""
    inherited = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    path = f"{PROGRAMS}{os.pathsep}{inherited.get('PATH', '')}"
    return {**inherited, "PATH": path, **changes}


@contextlib.contextmanager
def started(
    command: Sequence[str], folder: Path, changes: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in its own process group in the block; stop the whole group afterwards."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=process_environment(changes),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _stop(process)


@contextlib.contextmanager
def serving(
    command: Sequence[str],
    folder: Path,
    changes: Mapping[str, str],
    log: Path,
    health: str,
) -> Iterator[Server]:
    """Run a server on the server core; the block starts when its `health` path responds."""
    port = free_port()
    with started(command, folder, {**changes, "PORT": str(port)}, log) as process:
        os.sched_setaffinity(process.pid, {SERVER_CORE})
        server = Server(process, port)
        wait_for(f"{server.url}{health}", process, log)
        yield server


def wait_for(
    url: str, process: subprocess.Popen[bytes], log: Path, seconds: float = _START_SECONDS
) -> None:
    """Return when an address responds with success; raise MeasurementFailed after `seconds`."""
    deadline = time.monotonic() + seconds
    while not _responds(url):
        if process.poll() is not None or time.monotonic() > deadline:
            raise MeasurementFailed(f"{url} does not respond:\n{last_lines(log)}")
        time.sleep(_POLL_SECONDS)


def last_lines(log: Path) -> str:
    """Return the last lines of a log."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-_LAST_LINES:])


def _responds(url: str) -> bool:
    try:
        # verify=False, because loading certificates would take as long as some responses.
        return httpx.get(url, trust_env=False, verify=False, timeout=2).is_success
    except httpx.TransportError:
        return False


def _stop(process: subprocess.Popen[bytes]) -> None:
    for signal_number in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal_number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
            return
