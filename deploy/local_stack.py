"""A deployment on this machine: nginx, processes, PostgreSQL and Redis, on free ports.

`python deploy/local_stack.py` runs it until Ctrl-C; the tests run the same and kill parts of it.
All data is in a temporary folder. The pages must have been built (`make build`).
"""

import argparse
import contextlib
import os
import pwd
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

import psutil

ROOT = Path(__file__).parents[1]
if str(ROOT) not in sys.path:
    sys.path.insert(0, str(ROOT))

from deploy.nginx import BUILT, Proxy, configuration

_START_SECONDS = 60.0
_STOP_SECONDS = 30.0
_POLL_SECONDS = 0.02
_POSTGRES_FOLDER = Path("/usr/lib/postgresql")
_UNPRIVILEGED_USERS = ("postgres", "nobody")
_LOOPBACK = "127.0.0.1"
_INHERITED_VARIABLES = ("PATH", "HOME", "LANG", "TMPDIR", "VIRTUAL_ENV")
_OPENER = urllib.request.build_opener(urllib.request.ProxyHandler({}))


def free_port() -> int:
    """Return a port that is not in use."""
    with socket.socket() as listener:
        listener.bind((_LOOPBACK, 0))
        return listener.getsockname()[1]


@dataclass
class Part:
    """One program of the deployment; it can be stopped or killed, and started again."""

    command: Sequence[str | Path]
    log: Path
    is_ready: Callable[[], bool]
    environment: Mapping[str, str] = field(default_factory=dict[str, str])
    run_as: Mapping[str, Any] = field(default_factory=dict[str, Any])
    stop_signal: signal.Signals = signal.SIGTERM
    _process: "subprocess.Popen[Any] | None" = None

    def start(self) -> "Part":
        """Start the program, and return when it is ready.

        Raises:
            RuntimeError: If it exits, or is not ready in time.
        """
        inherited = {name: os.environ[name] for name in _INHERITED_VARIABLES if name in os.environ}  # noqa: TID251 - for child processes
        with self.log.open("ab") as log:
            process: subprocess.Popen[Any] = subprocess.Popen(  # noqa: S603 - the deployment's own programs
                [str(each) for each in self.command],
                stdout=log,
                stderr=log,
                stdin=subprocess.DEVNULL,
                env={**inherited, **self.environment},
                start_new_session=True,
                **self.run_as,
            )
        self._process = process
        deadline = time.monotonic() + _START_SECONDS
        while not self.is_ready():
            if process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"{self.command[0]}: {self.log.read_text(errors='replace')}")
            time.sleep(_POLL_SECONDS)
        return self

    def stop(self) -> None:
        """Stop the program with a signal, as a supervisor does."""
        process, self._process = self._process, None
        if process is None:
            return
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, self.stop_signal)
        try:
            process.wait(_STOP_SECONDS)
        except subprocess.TimeoutExpired:
            _kill_tree(process)

    @property
    def pid(self) -> int:
        """The process id of the running program."""
        if self._process is None:
            raise RuntimeError(f"{self.command[0]} does not run")
        return self._process.pid

    def suspend(self) -> None:
        """Suspend the program: it keeps its connections, and answers nothing until it is killed."""
        if self._process is not None:
            self._process.send_signal(signal.SIGSTOP)

    def kill(self) -> None:
        """Kill the program and all its child processes, as a power cut does."""
        process, self._process = self._process, None
        if process is not None:
            _kill_tree(process)


def _kill_tree(process: "subprocess.Popen[Any]") -> None:
    # PostgreSQL's child processes have sessions of their own, which killpg does not reach. A child
    # that outlives the parent keeps the shared memory, and the next start would fail.
    with contextlib.suppress(psutil.NoSuchProcess):
        parent = psutil.Process(process.pid)
        parent.suspend()  # so that it starts no further child in the meantime
        processes = [parent, *parent.children(recursive=True)]
        for each in processes:
            with contextlib.suppress(psutil.NoSuchProcess):
                each.kill()
        psutil.wait_procs(processes, _STOP_SECONDS)
    process.wait(_STOP_SECONDS)


@dataclass(frozen=True)
class Releases:
    """The folders of the current release and of the previous one."""

    current: Path = ROOT
    previous: Path | None = None


@dataclass
class Deployment:
    """The programs of a deployment, and the URL for visitors."""

    url: str
    database_url: str
    redis_url: str
    outbox: Path
    postgres: Part
    redis: Part
    backends: list[Part]
    ports: list[int]
    nginx: Part

    def parts(self) -> list[Part]:
        """Return every program, in the order in which they are stopped."""
        return [self.nginx, *self.backends, self.redis, self.postgres]


@contextlib.contextmanager
def started_stack(
    processes: int = 2,
    settings: Mapping[str, str] | None = None,
    *,
    port_for: Callable[[], int] = free_port,
    release: Path = ROOT,
    previous: Path | None = None,
) -> Iterator[Deployment]:
    """Run a deployment with this number of processes for the duration of the block.

    `release` is the folder of the program and `previous` that of the previous release; both may be
    links, which an upgrade changes.

    Raises:
        RuntimeError: If a program does not start.
    """
    with tempfile.TemporaryDirectory(prefix="food_points_") as name:
        folder = Path(name)
        folder.chmod(0o755)  # if we are root, PostgreSQL runs as another user
        started: list[Part] = []
        try:
            deployment = _deployment(
                folder, processes, settings or {}, port_for, Releases(release, previous)
            )
            for part in reversed(deployment.parts()):
                started.append(part)
                part.start()
                if part is deployment.postgres:
                    _migrate(deployment)
            yield deployment
        finally:
            for part in reversed(started):
                part.stop()


def _deployment(
    folder: Path,
    processes: int,
    settings: Mapping[str, str],
    port_for: Callable[[], int],
    releases: Releases,
) -> Deployment:
    postgres, database_url = postgres_at(folder / "postgres", port_for())
    redis, redis_url = _redis(folder, port_for())
    ports = [port_for() for _ in range(processes)]
    public_port = port_for()
    url = f"http://localhost:{public_port}"
    shared = {
        "PUBLIC_URL": url,
        "DATABASE_URL": database_url,
        "REDIS_URL": redis_url,
        "PROCESSES": str(processes),
        "LISTEN_ADDRESS": _LOOPBACK,
        "LOG_FORMAT": "json",
        "OUTBOX_DIR": str(folder / "outbox"),
        **settings,
    }
    return Deployment(
        url=url,
        database_url=database_url,
        redis_url=redis_url,
        outbox=folder / "outbox",
        postgres=postgres,
        redis=redis,
        backends=[_backend(folder, port, shared, releases.current) for port in ports],
        ports=ports,
        nginx=nginx_at(folder / "nginx", public_port, ports, releases=releases),
    )


def _backend(folder: Path, port: int, shared: Mapping[str, str], release: Path) -> Part:
    return Part(
        [sys.executable, "-m", "campus_app.serve"],
        folder / f"backend-{port}.log",
        lambda: _responds(f"http://{_LOOPBACK}:{port}/health"),
        environment={**shared, "PORT": str(port)},
        run_as={"cwd": release},
    )


def nginx_at(
    folder: Path,
    port: int,
    ports: Sequence[int],
    limits: Mapping[str, int] = MappingProxyType({}),
    releases: Releases | None = None,
) -> Part:
    """Return an nginx in front of these processes; `limits` replaces the default limits."""
    folder.mkdir()
    releases = releases or Releases()
    proxy = Proxy(
        backends=tuple(f"{_LOOPBACK}:{each}" for each in ports),
        port=port,
        address=f"{_LOOPBACK}:",
        pages=releases.current / BUILT,
        previous_pages=releases.previous / BUILT if releases.previous else None,
        folder=folder,
        error_log=str(folder / "error.log"),
        access_log=str(folder / "access.log"),
    )
    proxy = replace(proxy, **limits)
    file = folder / "nginx.conf"
    file.write_text(configuration(proxy), encoding="utf-8")
    return Part(
        [_program("nginx"), "-c", file, "-e", folder / "error.log", "-g", "daemon off;"],
        folder / "nginx.log",
        lambda: _is_open(port),
        stop_signal=signal.SIGQUIT,
    )


def _redis(folder: Path, port: int) -> tuple[Part, str]:
    command = [_program("redis-server"), "--bind", _LOOPBACK, "--port", str(port)]
    command += ["--save", "", "--appendonly", "no", "--dir", str(folder)]
    command += ["--maxmemory", "512mb", "--maxmemory-policy", "noeviction"]
    part = Part(command, folder / "redis.log", lambda: _is_open(port))
    return part, f"redis://{_LOOPBACK}:{port}/0"


def postgres_at(folder: Path, port: int) -> tuple[Part, str]:
    """Return a new PostgreSQL cluster, and the URL of its database."""
    programs = postgres_programs()
    folder.mkdir()
    run_as: dict[str, Any] = {"cwd": folder}
    if not os.geteuid():
        owner = unprivileged_user()
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        run_as |= {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
    data = folder / "data"
    initdb = [programs / "initdb", "--no-sync", "--auth=trust", "--username=food"]
    subprocess.run(  # noqa: S603 - our own program
        [*initdb, "--encoding=UTF8", "--locale=C", "--pgdata", data],
        check=True,
        capture_output=True,
        **run_as,
    )
    command = [programs / "postgres", "-D", data, "-k", folder, "-p", str(port)]
    command += ["-c", f"listen_addresses={_LOOPBACK}", "-c", "fsync=off"]
    part = Part(
        command,
        folder.parent / "postgres.log",
        lambda: _accepts_queries(programs, port),
        run_as=run_as,
        stop_signal=signal.SIGINT,
    )
    return part, f"postgresql://food@{_LOOPBACK}:{port}/postgres"


def _migrate(deployment: Deployment) -> None:
    subprocess.run(
        [sys.executable, "-m", "campus_app.migrate"],
        check=True,
        cwd=ROOT,
        env={**os.environ, "DATABASE_URL": deployment.database_url},  # noqa: TID251 - passed on
    )


def postgres_programs() -> Path:
    """Return the folder of PostgreSQL's programs.

    Raises:
        RuntimeError: If PostgreSQL is not installed.
    """
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    folders = [each for each in _POSTGRES_FOLDER.glob("*/bin") if (each / "initdb").is_file()]
    if not folders:
        raise RuntimeError("PostgreSQL is missing (Debian, Ubuntu: apt-get install postgresql)")
    return max(folders, key=lambda each: float(each.parent.name))


def _program(name: str) -> str:
    search_path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin"])  # noqa: TID251 - not a setting
    found = shutil.which(name, path=search_path)
    if not found:
        raise RuntimeError(f"{name} is missing (Debian, Ubuntu: apt-get install nginx redis)")
    return found


def unprivileged_user() -> pwd.struct_passwd:
    """Return a user to run PostgreSQL as, which refuses to run as root.

    Raises:
        RuntimeError: If there is no such user.
    """
    for name in _UNPRIVILEGED_USERS:
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise RuntimeError(f"PostgreSQL does not run as root: one of {_UNPRIVILEGED_USERS} is needed")


def _accepts_queries(programs: Path, port: int) -> bool:
    command = [programs / "pg_isready", "-q", "-h", _LOOPBACK, "-p", str(port)]
    return subprocess.run(command, check=False).returncode == 0  # noqa: S603 - our own program


def _is_open(port: int) -> bool:
    with contextlib.suppress(OSError), socket.create_connection((_LOOPBACK, port), 1):
        return True
    return False


def _responds(url: str) -> bool:
    try:
        with _OPENER.open(url, timeout=2) as response:
            return response.status == 200
    except (urllib.error.URLError, OSError):
        return False


def main() -> None:
    """Run a deployment until Ctrl-C."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--processes", type=int, default=2)
    options = parser.parse_args()
    # Raises KeyboardInterrupt, as Ctrl-C does, so that the context manager stops every program.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    try:
        with contextlib.suppress(KeyboardInterrupt), started_stack(options.processes) as deployment:
            ports = ", ".join(map(str, deployment.ports))
            print(f"Serving {deployment.url}, processes on ports {ports}; Ctrl-C stops", flush=True)
            signal.pause()
    except RuntimeError as error:
        sys.exit(str(error))


if __name__ == "__main__":
    main()
