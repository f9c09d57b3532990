"""A running installation of the product, with its own database, outbox and port."""

import atexit
import contextlib
import os
import resource
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from datetime import datetime
from functools import cache
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import TypeVar

import httpx

from kit.http.client import ssl_context
from tests.helpers import fork_server
from tests.helpers.databases import migrated_sqlite_file
from tests.helpers.fork_server import ROOT as ROOT
from tests.helpers.ports import free_port
from tests.helpers.processes import children_that_run
from tests.helpers.settings import DATA

Result = TypeVar("Result")

OPERATOR_TOKEN = "opens-the-kitchens-of-every-test"
_TIMEOUT_SECONDS = 60.0
_STOP_SECONDS = 20.0
_POLL_SECONDS = 0.02
_INHERITED_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")


def eventually(
    condition: Callable[[], Result], description: str, within: float = _TIMEOUT_SECONDS
) -> Result:
    """Return the first true result of `condition`; fail after `within` seconds."""
    deadline = time.monotonic() + within
    while not (result := condition()):
        assert time.monotonic() < deadline, f"timed out: {description}"
        time.sleep(_POLL_SECONDS)
    return result


def memory_bytes(pid: int) -> int:
    """Return a process's proportional share of anonymous memory (PSS).

    File mappings are excluded: their share changes with the number of Python programs that run.
    """
    rollup = Path(f"/proc/{pid}/smaps_rollup").read_text()
    line = next(line for line in rollup.splitlines() if line.startswith("Pss_Anon:"))
    return int(line.split()[1]) * 1024


@cache
def _migrated_database() -> Path:
    """Return a migrated database to copy, as a migration takes longer than the server's start."""
    folder = Path(tempfile.mkdtemp(prefix="food_points_"))
    atexit.register(shutil.rmtree, folder)
    return migrated_sqlite_file(folder)


class Product:
    """One installation; it can be killed and restarted on the same database and port."""

    data = DATA
    shares_memory = True

    def __init__(self, folder: Path, now: datetime, redis_url: str = "") -> None:
        self.port = free_port()
        self.url = f"http://localhost:{self.port}"
        self.now = now
        self.redis_url = redis_url
        self.outbox = folder / "outbox"
        self.database = folder / "food_points.db"
        self.log = folder / "server.log"
        self.settings: dict[str, str] = {}
        """Further settings of the server, which a test may set before it starts."""
        self._process: BaseProcess | None = None
        folder.mkdir(parents=True, exist_ok=True)

    def start(self) -> None:
        """Start the server on a migrated database; return when it is healthy."""
        if not self.database.exists():
            shutil.copyfile(_migrated_database(), self.database)
        self._process = fork_server.start(
            "campus_app.serve",
            environment=self._environment(),
            out=self.log,
            err=self.log,
            shares_memory=self.shares_memory,
        )
        eventually(self.is_healthy, f"the server at {self.url}, see {self.log}")

    def stop(self) -> None:
        """Send SIGTERM; kill the server after a timeout."""
        self._end(signal.SIGTERM)

    def kill(self) -> None:
        """Kill the server."""
        self._end(signal.SIGKILL)

    def suspend(self, seconds: float) -> None:
        """Suspend the process for some seconds, as on an overloaded machine."""
        with self.frozen():
            time.sleep(seconds)

    @contextlib.contextmanager
    def frozen(self) -> Iterator[None]:
        """Suspend the process: it accepts connections, and answers nothing."""
        assert self._process is not None
        assert self._process.pid is not None
        os.kill(self._process.pid, signal.SIGSTOP)
        try:
            yield
        finally:
            os.kill(self._process.pid, signal.SIGCONT)

    def runs(self, module: str) -> bool:
        """Whether a program that the server has started runs a module."""
        assert self._process is not None
        return bool(children_that_run(module, self._process.pid))

    def fill_disk(self) -> None:
        """Make every write of the server fail, as on a full disk."""
        self._limit_file_size(0)

    def free_disk(self) -> None:
        """Allow writes again."""
        self._limit_file_size(resource.RLIM_INFINITY)

    def _limit_file_size(self, most_bytes: int) -> None:
        assert self._process is not None
        limits = (most_bytes, resource.RLIM_INFINITY)
        resource.prlimit(self._process.pid, resource.RLIMIT_FSIZE, limits)

    def restart(self, now: datetime | None = None) -> None:
        """Restart the server, optionally with another campus time."""
        self.now = now or self.now
        self.stop()
        self.start()

    def run_ops(self, *arguments: str, **settings: str) -> subprocess.CompletedProcess[str]:
        """Run an operator's command with the installation's settings."""
        return fork_server.run(
            "campus_app.ops", *arguments, environment=self._environment() | settings
        )

    def is_healthy(self) -> bool:
        """Whether the process runs and accepts orders."""
        assert self._process is not None
        assert self._process.is_alive(), self.log.read_text()
        try:
            return self.get("/health").status_code == 200
        except httpx.TransportError:
            return False

    def memory_bytes(self) -> int:
        """Return the memory of the server process."""
        assert self._process is not None
        return memory_bytes(self._process.pid)

    def get(self, path: str) -> httpx.Response:
        return httpx.get(self.url + path, timeout=30, verify=ssl_context())

    def _environment(self) -> dict[str, str]:
        inherited = {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}
        return inherited | {
            "PORT": str(self.port),
            "PUBLIC_URL": self.url,
            "DATABASE_URL": f"sqlite:///{self.database}",
            "REDIS_URL": self.redis_url,
            "OUTBOX_DIR": str(self.outbox),
            "DATA_DIR": str(self.data),
            "CAMPUS_NOW": self.now.isoformat(),
            "OPERATOR_TOKEN": OPERATOR_TOKEN,
            "ENVIRONMENT": "development",
            **self.settings,
        }

    def _end(self, signal_: signal.Signals) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        if not process.is_alive():
            return  # its id may belong to another process by now
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.ident, signal_)
            process.join(_STOP_SECONDS)
            if process.is_alive():
                os.killpg(process.ident, signal.SIGKILL)
        process.join()
