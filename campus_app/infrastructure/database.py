"""One database, SQLite or PostgreSQL: short transactions, run off the event loop."""

import asyncio
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, cast

from sqlalchemy import (
    Connection,
    CursorResult,
    Engine,
    Executable,
    Row,
    create_engine,
    event,
    inspect,
    make_url,
)
from sqlalchemy.exc import InterfaceError, InvalidatePoolError, OperationalError
from sqlalchemy.exc import TimeoutError as NoFreeConnection
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

Result = TypeVar("Result")

_BUSY_TIME_OUT_MS = 5_000
_POSTGRES_CONNECTIONS = 8
_SURELY_THERE_SECONDS = 0.1
_POSTGRES_LINE = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""A machine that vanished is noticed in seconds, not in the quarter of an hour that TCP allows."""


def _engine(url: str, **options: Any) -> Engine:
    """Errors end up in the log: they must not say what was to be stored."""
    return create_engine(url, hide_parameters=True, **options)


class _SqliteLine:
    """The one connection of a thread to SQLite: it stays open, and we begin its transactions.

    The driver would begin them at the first change, when it may be too late to queue. The engine's
    own way of saying BEGIN makes each of its statements a third slower.
    """

    def __init__(self, url: str, begin: str) -> None:
        self._engine = _engine(url, poolclass=QueuePool, pool_size=1)
        self._begin = begin
        self._connection: Connection | None = None
        event.listen(self._engine, "connect", _prepare_sqlite)

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction."""
        try:
            connection = self._connection = self._connection or self._engine.connect()
            with connection.begin():
                cast("Any", connection.connection.dbapi_connection).execute(self._begin)
                return work(connection)
        except (OperationalError, InterfaceError, sqlite3.OperationalError) as error:
            raise DatabaseUnavailable(str(error)) from error

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()
        self._engine.dispose()


def _prepare_sqlite(connection: Any, _record: object) -> None:
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_TIME_OUT_MS}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


class _PostgresLines:
    """Connections from a pool, for transactions or for statements that are one by themselves."""

    def __init__(self, engine: Engine) -> None:
        self._engine = engine

    def run(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction, or in as many as it has statements."""
        try:
            with self._engine.begin() as connection:
                return work(connection)
        except (OperationalError, InterfaceError, NoFreeConnection) as error:
            raise DatabaseUnavailable(str(error)) from error

    def close(self) -> None:
        self._engine.dispose()


def _prepare_postgres(engine: Engine) -> None:
    """Look whether a connection is still there, unless it was a moment ago."""

    @event.listens_for(engine, "checkin")
    def leave(_connection: object, record: ConnectionPoolEntry) -> None:  # pyright: ignore[reportUnusedFunction]
        record.info["left"] = time.monotonic()

    @event.listens_for(engine, "checkout")
    def take(connection: Any, record: ConnectionPoolEntry, _proxy: object) -> None:  # pyright: ignore[reportUnusedFunction]
        left = record.info.get("left")
        if left is None or time.monotonic() - left < _SURELY_THERE_SECONDS:
            return
        try:
            engine.dialect.do_ping(connection)
        except engine.dialect.loaded_dbapi.Error as error:
            raise InvalidatePoolError from error


class DatabaseUnavailable(Exception):
    """The database is away, locked for too long, or gave up this transaction; nothing happened."""


@dataclass(frozen=True)
class Changed:
    """How many rows a statement has changed, and what it returns of them."""

    count: int
    rows: Sequence[Row[Any]]


class Database:
    """Runs functions inside transactions: all of one happens, or nothing.

    SQLite has one writer and one reader thread, PostgreSQL a pool of both.

    Raises:
        DatabaseUnavailable: By every transaction, if the same may work later.
    """

    def __init__(self, url: str) -> None:
        self.dialect = make_url(url).get_backend_name()
        if self.dialect == "sqlite":
            Path(make_url(url).database or "").parent.mkdir(parents=True, exist_ok=True)
            self._write = self._change = _SqliteLine(url, "BEGIN IMMEDIATE")
            self._read = _SqliteLine(url, "BEGIN")
            self._writers = ThreadPoolExecutor(1, "database-writer")
            self._readers = ThreadPoolExecutor(1, "database-reader")
        else:
            engine = _engine(
                url,
                pool_size=_POSTGRES_CONNECTIONS,
                pool_use_lifo=True,
                connect_args=_POSTGRES_LINE,
            )
            _prepare_postgres(engine)
            self._write = _PostgresLines(engine)
            # Where each statement is a transaction by itself, two round trips are saved.
            by_itself = engine.execution_options(isolation_level="AUTOCOMMIT")
            self._read = self._change = _PostgresLines(by_itself)
            self._writers = self._readers = ThreadPoolExecutor(_POSTGRES_CONNECTIONS, "database")

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction that may change rows; an exception undoes all of it."""
        return await asyncio.get_running_loop().run_in_executor(
            self._writers, self._write.run, work
        )

    async def change(
        self, statement: Executable, values: Mapping[str, Any] | None = None
    ) -> Changed:
        """Run one statement that changes rows: a transaction of its own, with fewer round trips."""

        def work(connection: Connection) -> Changed:
            result = cast("CursorResult[Any]", connection.execute(statement, values))
            return Changed(result.rowcount, result.all() if result.returns_rows else [])

        return await asyncio.get_running_loop().run_in_executor(
            self._writers, self._change.run, work
        )

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work`, which only looks; on PostgreSQL each statement sees what is true by then."""
        return await asyncio.get_running_loop().run_in_executor(self._readers, self._read.run, work)

    async def is_up(self) -> bool:
        """Whether the database answers."""
        try:
            await self.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
        except DatabaseUnavailable:
            return False
        return True

    async def has_table(self, name: str) -> bool:
        """Whether the migrations have come as far as this table."""
        return await self.read(lambda connection: inspect(connection).has_table(name))

    def close(self) -> None:
        """Give back every connection and thread."""
        for executor in {self._writers, self._readers}:
            executor.shutdown()
        for line in (self._write, self._read):
            line.close()
