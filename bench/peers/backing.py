"""PostgreSQL, Redis and a mail server for the compared shops.

PostgreSQL and Redis run on the servers' core; the mail server belongs to the clients.
"""

import contextlib
import subprocess
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import psutil
import psycopg
from aiosmtpd.controller import Controller
from apps import run
from report import MeasurementFailed
from servers import SERVER_CORE, on_core
from sqlalchemy import make_url

from deploy.local_stack import postgres_programs
from peers.statements import IGNORED, statements
from tests.helpers.databases import PostgresCluster, running_postgres
from tests.helpers.ports import free_port
from tests.helpers.redis import RedisServer, running_redis

USER = "food"
_POLL_SECONDS = 0.02
_MAIL_SECONDS = 180.0


@dataclass
class Mails:
    """The mails that all shops of a run have sent."""

    port: int
    recipients: list[str] = field(default_factory=list)

    async def handle_DATA(self, server: Any, session: Any, envelope: Any) -> str:  # noqa: N802 - aiosmtpd's name
        self.recipients += envelope.rcpt_tos
        return "250 OK"

    def wait_for(self, count: int) -> None:
        """Return when this many mails have arrived; raise MeasurementFailed if they do not."""
        deadline = time.monotonic() + _MAIL_SECONDS
        while len(self.recipients) < count:
            if time.monotonic() > deadline:
                raise MeasurementFailed(f"{len(self.recipients)} of {count} mails arrived")
            time.sleep(_POLL_SECONDS)


@dataclass(frozen=True)
class Backing:
    """The servers that a shop needs."""

    cluster: PostgresCluster
    redis: RedisServer
    mails: Mails

    def processes(self) -> list[psutil.Process]:
        """Return the main processes of PostgreSQL and of Redis."""
        return [self._postmaster(), psutil.Process(self.redis.pid)]

    @property
    def socket_folder(self) -> Path:
        return socket_folder(self.cluster.url("postgres"))

    def flush_redis(self) -> None:
        """Remove everything from Redis."""
        subprocess.run(
            ["redis-cli", "-p", str(self.redis.port), "FLUSHALL"], check=True, capture_output=True
        )

    @contextlib.contextmanager
    def logged_statements(self) -> Iterator[list[str]]:
        """Log all statements in the block; the list is filled when the block ends."""
        log, found = self.socket_folder / "log", list[str]()
        self._set_logging("all")
        start = log.stat().st_size
        try:
            yield found
        finally:
            with log.open(encoding="utf-8", errors="replace") as file:
                file.seek(start)
                found += statements(file)
            self._set_logging("none")

    def _set_logging(self, which: str) -> None:
        with self._admin() as connection:
            connection.execute(f"ALTER SYSTEM SET log_statement = '{which}'")
            connection.execute("SELECT pg_reload_conf()")
        deadline = time.monotonic() + 10
        while self._shown() != which:
            if time.monotonic() > deadline:
                raise MeasurementFailed("PostgreSQL does not read its configuration again")
            time.sleep(_POLL_SECONDS)

    def _shown(self) -> str:
        with self._admin() as connection:
            row = connection.execute(f"SHOW {IGNORED} log_statement").fetchone()
            assert row is not None
            return row[0]

    def _postmaster(self) -> psutil.Process:
        with self._admin() as connection:
            parent = psutil.Process(connection.info.backend_pid).parent()
            assert parent is not None
            return parent

    def _admin(self) -> "psycopg.Connection[tuple[Any, ...]]":
        return psycopg.connect(
            f"host={self.socket_folder} user={USER} dbname=postgres", autocommit=True
        )


@contextlib.contextmanager
def started_backing() -> Iterator[Backing]:
    """Run the servers for the block."""
    mails = Mails(free_port())
    controller = Controller(mails, hostname="127.0.0.1", port=mails.port)
    controller.start()
    try:
        with contextlib.ExitStack() as stack:
            with on_core(SERVER_CORE):
                cluster = stack.enter_context(running_postgres())
                redis = stack.enter_context(running_redis())
            yield Backing(cluster, redis, mails)
    finally:
        controller.stop()


def socket_folder(url: str) -> Path:
    """Return the folder of the Unix socket in a database's URL."""
    host = make_url(url).query["host"]
    return Path(host if isinstance(host, str) else host[0])


def database_name(url: str) -> str:
    """Return the name of the database in its URL."""
    name = make_url(url).database
    assert name is not None
    return name


def dump(url: str, file: Path) -> None:
    """Write a database to a file of SQL."""
    _run_client("pg_dump", url, ["--no-owner", "--file", str(file)], file)


def load(url: str, file: Path) -> None:
    """Run a file of SQL in an empty database, and collect its statistics."""
    options = ["--quiet", "--set", "ON_ERROR_STOP=1", "--file", str(file)]
    _run_client("psql", url, [*options, "--command", "ANALYZE"], file)


def _run_client(program: str, url: str, options: Sequence[str], file: Path) -> None:
    command = [str(postgres_programs() / program), "--host", str(socket_folder(url))]
    command += ["--username", USER, "--dbname", database_name(url), *options]
    run(command, file.parent, {}, file.with_suffix(".log"))
