"""New databases for tests, each copied from a template that was migrated once."""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import count
from pathlib import Path
from typing import Any

import psycopg
import pytest

from campus_app.migrate import upgrade
from deploy.local_stack import postgres_programs, unprivileged_user

_TEMPLATE = "template_migrated"
_START_SECONDS = 30
_MEMORY_FOLDER = Path("/dev/shm")
_REQUIRED_BYTES = 1 << 30
_SETTINGS = (
    "listen_addresses=",
    "fsync=off",
    "synchronous_commit=off",
    "full_page_writes=off",
    "wal_level=minimal",
    "max_wal_senders=0",
    "max_connections=200",
    "autovacuum=off",
    "jit=off",
    "deadlock_timeout=100ms",
)

postgres_only = pytest.mark.parametrize("database_url", ["postgresql"], indirect=True)
sqlite_only = pytest.mark.parametrize("database_url", ["sqlite"], indirect=True)
"""For tests whose result does not depend on the database."""
both_databases = pytest.mark.parametrize("database_url", ["sqlite", "postgresql"], indirect=True)
"""For tests of SQL or of a race, in folders that use `sqlite_by_default`."""


@pytest.fixture(name="database_url")
def sqlite_by_default(request, tmp_path):
    """The URL of a new SQLite database; with `both_databases`, also of a PostgreSQL database."""
    with new_database(request, tmp_path) as url:
        yield url


@contextlib.contextmanager
def new_database(request: pytest.FixtureRequest, folder: Path) -> Iterator[str]:
    """Yield the URL of a new, migrated database of the kind that the parameter names."""
    if getattr(request, "param", "sqlite") == "postgresql":
        with request.getfixturevalue("postgres").database() as url:
            yield url
    else:
        file = folder / "food_points.db"
        shutil.copyfile(request.getfixturevalue("sqlite_template"), file)
        yield f"sqlite:///{file}"


def migrated_sqlite_file(folder: Path) -> Path:
    """Return a migrated SQLite file to copy from."""
    file = folder / "template.db"
    upgrade(f"sqlite:///{file}")
    return file


class PostgresCluster:
    """A PostgreSQL server that provides new databases.

    The next database is copied, and the previous one dropped, while a test runs.
    """

    def __init__(self, socket_folder: Path) -> None:
        self._socket_folder = socket_folder
        self._numbers = count(1)
        self._admin = psycopg.connect(self._dsn("postgres"), autocommit=True)
        self._thread = ThreadPoolExecutor(1, "databases")
        self._next: Future[str] | None = None

    def url(self, name: str) -> str:
        return f"postgresql+psycopg://food@/{name}?host={self._socket_folder}"

    def migrate_template(self) -> None:
        """Create the template database."""
        self._admin.execute(f"CREATE DATABASE {_TEMPLATE}")
        upgrade(self.url(_TEMPLATE))
        self._next = self._copy(_TEMPLATE)

    @contextlib.contextmanager
    def database(self) -> Iterator[str]:
        """Yield the URL of a new, migrated database; drop it afterwards."""
        assert self._next is not None
        ready, self._next = self._next, self._copy(_TEMPLATE)
        with self._dropped_afterwards(ready.result()) as url:
            yield url

    @contextlib.contextmanager
    def empty_database(self) -> Iterator[str]:
        """Yield the URL of a new database without tables; drop it afterwards."""
        with self._dropped_afterwards(self._copy("template1").result()) as url:
            yield url

    def close(self) -> None:
        self._thread.shutdown()
        self._admin.close()

    def _copy(self, template: str) -> Future[str]:
        name = f"test_{next(self._numbers)}"
        return self._thread.submit(self._create, name, template)

    def _create(self, name: str, template: str) -> str:
        self._admin.execute(f"CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy")
        return name

    @contextlib.contextmanager
    def _dropped_afterwards(self, name: str) -> Iterator[str]:
        try:
            yield self.url(name)
        finally:
            drop = f"DROP DATABASE {name} WITH (FORCE)"
            self._thread.submit(self._admin.execute, drop)

    def _dsn(self, name: str) -> str:
        return f"host={self._socket_folder} user=food dbname={name}"


@contextlib.contextmanager
def running_postgres() -> Iterator[PostgresCluster]:
    """Run a PostgreSQL server in a temporary folder, reachable through a Unix socket."""
    try:
        programs, owner = postgres_programs(), _owner()
    except RuntimeError as error:
        pytest.fail(str(error), pytrace=False)
    with tempfile.TemporaryDirectory(prefix="food_points_pg_", dir=_fastest_folder()) as name:
        folder = Path(name)
        run_as: dict[str, Any] = {"cwd": folder}
        if owner:
            os.chown(folder, owner.pw_uid, owner.pw_gid)
            run_as |= {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
        data = folder / "data"
        initdb = [programs / "initdb", "--no-sync", "--auth=trust", "--username=food"]
        initdb += ["--encoding=UTF8", "--locale=C", "--pgdata", data]
        subprocess.run(initdb, check=True, capture_output=True, **run_as)
        options = [part for setting in _SETTINGS for part in ("-c", setting)]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                [programs / "postgres", "-D", data, "-k", folder, *options],
                stdout=log,
                stderr=log,
                **run_as,
            )
        try:
            cluster = _connected(folder, server)
            cluster.migrate_template()
            yield cluster
            cluster.close()
        finally:
            server.send_signal(signal.SIGINT)
            server.wait()


def _fastest_folder() -> Path | None:
    """Return the memory file system if it has enough space: copying takes a fifth of the time."""
    if _MEMORY_FOLDER.is_dir() and shutil.disk_usage(_MEMORY_FOLDER).free > _REQUIRED_BYTES:
        return _MEMORY_FOLDER
    return None


def _owner() -> pwd.struct_passwd | None:
    """Return the user that runs the server if we are root: PostgreSQL refuses to run as root."""
    return None if os.geteuid() else unprivileged_user()


def _connected(folder: Path, server: subprocess.Popen[bytes]) -> PostgresCluster:
    deadline = time.monotonic() + _START_SECONDS
    while True:
        try:
            return PostgresCluster(folder)
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                pytest.fail(f"PostgreSQL did not start: {(folder / 'log').read_text()}")
            time.sleep(0.02)
