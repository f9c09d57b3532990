"""Servers under measurement: started on a free port and one core, always stopped."""

import contextlib
import os
import signal
import subprocess
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from places import PROGRAMS, MeasurementFailed

from tests.helpers.ports import free_port
from tests.helpers.product import memory_bytes

_START_SECONDS = 60.0
_STOP_SECONDS = 8.0
_LOOK_SECONDS = 0.02
_LAST_LINES = 12
_TICKS_PER_SECOND = os.sysconf("SC_CLK_TCK")
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))
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
        """Return what the server remembers."""
        return memory_bytes(self.process.pid)

    def cpu_seconds(self) -> float:
        """Return how long it has used a core so far."""
        stat = Path(f"/proc/{self.process.pid}/stat").read_text()
        fields = stat.rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / _TICKS_PER_SECOND


@contextlib.contextmanager
def on_core(core: int) -> Iterator[None]:
    """Keep this process on one core for a while."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {core})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def environment(changes: Mapping[str, str]) -> dict[str, str]:
    """Return our environment with these changes, our programs first, without a `make` around."""
    kept = {name: value for name, value in os.environ.items() if "MAKE" not in name}
    path = f"{PROGRAMS}{os.pathsep}{kept.get('PATH', '')}"
    return {**kept, "PATH": path, **changes}


@contextlib.contextmanager
def started(
    command: Sequence[str], folder: Path, changes: Mapping[str, str], log: Path
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a program in a process group of its own, and end the whole group afterwards."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=environment(changes),
            stdout=output,
            stderr=subprocess.STDOUT,
            stdin=subprocess.DEVNULL,
            start_new_session=True,
        )
    try:
        yield process
    finally:
        _end(process)


@contextlib.contextmanager
def serving(
    command: Sequence[str],
    folder: Path,
    changes: Mapping[str, str],
    log: Path,
    health: str,
) -> Iterator[Server]:
    """Run a server on one core, and lend it as soon as its `health` path answers."""
    port = free_port()
    with started(command, folder, {**changes, "PORT": str(port)}, log) as process:
        os.sched_setaffinity(process.pid, {SERVER_CORE})
        server = Server(process, port)
        wait_for(f"{server.url}{health}", process, log)
        yield server


def wait_for(url: str, process: subprocess.Popen[bytes], log: Path) -> None:
    """Return once an address answers 200."""
    deadline = time.monotonic() + _START_SECONDS
    while not _answers(url):
        if process.poll() is not None or time.monotonic() > deadline:
            raise MeasurementFailed(f"{url} did not come up:\n{last_lines(log)}")
        time.sleep(_LOOK_SECONDS)


def last_lines(log: Path) -> str:
    """Return how a log ends."""
    return "\n".join(log.read_text(errors="replace").splitlines()[-_LAST_LINES:])


def _answers(url: str) -> bool:
    try:
        with _DIRECT.open(url, timeout=2) as answer:
            return answer.status == 200
    except (urllib.error.URLError, OSError):
        return False


def _end(process: subprocess.Popen[bytes]) -> None:
    for wanted in (signal.SIGTERM, signal.SIGKILL):
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, wanted)
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(_STOP_SECONDS)
            return
