"""Programs of a compared site on the servers' core, and what they take of it."""

import contextlib
import socket
import subprocess
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import psutil
from report import MeasurementFailed
from servers import SERVER_CORE, last_lines, on_core, started

from peers.shop import Customer
from tests.helpers.product import memory_bytes

_START_SECONDS = 90.0
_POLL_SECONDS = 0.005
_MIME_TYPES = Path("/etc/nginx/mime.types")
_COMPRESSED = (
    "text/plain text/css application/json application/javascript application/x-javascript"
    " text/javascript text/xml application/xml application/rss+xml application/atom+xml"
    " application/rdf+xml image/svg+xml"
)
"""The types that nginx compresses besides HTML."""


@dataclass(frozen=True)
class Program:
    """How to start a program; `page` is the page of a web server that shows that it serves."""

    name: str
    command: Sequence[str]
    folder: Path
    environment: Mapping[str, str]
    port: int = 0
    page: str = ""
    host: str = ""
    """The Host header of requests to `page`; the server's own address by default."""


@dataclass
class Deployment:
    """A running site."""

    port: int
    """The port that visitors use."""
    roots: list[psutil.Process]
    """The main processes of all servers that are measured."""
    start_seconds: list[float] = field(default_factory=list)
    front: Callable[[int], AbstractContextManager[None]] | None = None
    """Serves the site at a port in a block; None if its own server does, at `port`."""
    customer: Callable[[httpx.AsyncClient], Customer] | None = None
    """Returns a new visitor with this client; None if there is nothing to order."""

    def fronted(self) -> AbstractContextManager[None]:
        """Serve the site at its port in the block."""
        return self.front(self.port) if self.front else contextlib.nullcontext()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def memory_bytes(self) -> int:
        """Return the anonymous memory of all processes (proportional share)."""
        total = 0
        for process in self._processes():
            with contextlib.suppress(OSError):  # a database connection's process may have ended
                total += memory_bytes(process.pid)
        return total

    def cpu_seconds(self) -> float:
        """Return the processor time that all processes, and those that ended, have used."""
        return cpu_seconds(self.roots)

    def _processes(self) -> list[psutil.Process]:
        return _with_children(self.roots)


def cpu_seconds(roots: Iterable[psutil.Process]) -> float:
    """Return the processor time of programs, their children, and those that have ended."""
    total = 0.0
    for process in _with_children(roots):
        with contextlib.suppress(psutil.NoSuchProcess):  # its parent, read later, counts it
            total += sum(process.cpu_times()[:4])
    return total


def _with_children(roots: Iterable[psutil.Process]) -> list[psutil.Process]:
    """Return all processes, each after its children."""
    return [process for root in roots for process in (*root.children(recursive=True), root)]


@contextlib.contextmanager
def running(program: Program, log: Path) -> Iterator[tuple[psutil.Process, float]]:
    """Run a program on the servers' core; yield it and the seconds until its page was served."""
    with contextlib.ExitStack() as stack:
        start = time.monotonic()
        with on_core(SERVER_CORE):
            process = stack.enter_context(
                started(list(program.command), program.folder, program.environment, log)
            )
        _wait_until_ready(program, start + _START_SECONDS, process, log)
        yield psutil.Process(process.pid), time.monotonic() - start


def cold_starts(program: Program, folder: Path, times: int) -> list[float]:
    """Return the seconds from the command until the first page, of several starts."""
    seconds = list[float]()
    for number in range(times):
        with running(program, folder / f"start_{number}.log") as (_, took):
            seconds.append(took)
    return seconds


def _wait_until_ready(
    program: Program, deadline: float, process: "subprocess.Popen[bytes]", log: Path
) -> None:
    """Wait until a server listens, and for as long as its first page takes."""
    if not program.port:
        return
    while not _is_open(program.port):
        if process.poll() is not None or time.monotonic() > deadline:
            raise MeasurementFailed(f"{program.name} does not start:\n{last_lines(log)}")
        time.sleep(_POLL_SECONDS)
    if program.page:
        url = f"http://127.0.0.1:{program.port}{program.page}"
        headers = {"host": program.host} if program.host else {}
        # verify=False, because loading certificates would take as long as some responses.
        options = {"trust_env": False, "verify": False, "timeout": _START_SECONDS}
        response = httpx.get(url, headers=headers, **options)
        if not response.is_success:
            raise MeasurementFailed(f"{url}: {response}\n{last_lines(log)}")


@contextlib.contextmanager
def nginx(folder: Path, configuration: str, port: int) -> Iterator[None]:
    """Run nginx with a configuration on the servers' core; the block starts when it listens."""
    folder.mkdir(parents=True, exist_ok=True)
    file, error_log = folder / "nginx.conf", folder / "error.log"
    file.write_text(configuration, encoding="utf-8")
    command = ["nginx", "-c", str(file), "-e", str(error_log), "-g", "daemon off;"]
    program = Program("nginx", command, folder, {}, port)
    with running(program, folder / "nginx.log"):
        yield


def behind_nginx(
    folder: Path, backend: int, files: Mapping[str, Path]
) -> Callable[[int], AbstractContextManager[None]]:
    """Return what serves a peer at a port: nginx in front of its server and of its files."""

    def front(port: int) -> AbstractContextManager[None]:
        return nginx(folder, _peer_configuration(folder, port, backend, files), port)

    return front


def _peer_configuration(folder: Path, port: int, backend: int, files: Mapping[str, Path]) -> str:
    """Return a configuration like that of pretix's container: compression, files, one backend."""
    served = "\n".join(
        f"location {path} {{ alias {target}/; expires 365d; add_header Cache-Control public; }}"
        for path, target in files.items()
    )
    temporary = "\n".join(
        f"{kind}_temp_path {folder}/{kind};"
        for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
    )
    return f"""
worker_processes 1;
pid {folder}/nginx.pid;
events {{ worker_connections 768; }}
http {{
    include {_MIME_TYPES};
    default_type application/octet-stream;
    {temporary}
    access_log off;
    sendfile on;
    tcp_nopush on;
    charset utf-8;
    gzip on;
    gzip_types {_COMPRESSED};
    gzip_vary on;
    gzip_proxied any;
    gzip_comp_level 6;
    server {{
        listen 127.0.0.1:{port};
        {served}
        location / {{
            proxy_pass http://127.0.0.1:{backend};
            proxy_set_header X-Forwarded-For $proxy_add_x_forwarded_for;
            proxy_set_header X-Forwarded-Proto $scheme;
            proxy_set_header Host $http_host;
            proxy_read_timeout 300s;
        }}
    }}
}}
"""


def _is_open(port: int) -> bool:
    with socket.socket() as connection:
        return connection.connect_ex(("127.0.0.1", port)) == 0
