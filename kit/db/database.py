"""One database, SQLite or PostgreSQL: short transactions, run off the event loop."""

import logging
import sqlite3
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from pathlib import Path
from threading import local
from typing import Any, Generic, TypeVar, cast

import psycopg
from sqlalchemy import (
    Connection,
    CursorResult,
    Engine,
    Executable,
    Row,
    create_engine,
    event,
    make_url,
)
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, ProgrammingError

from kit.crew import Crew, Outcome, outcome_of

logger = logging.getLogger(__name__)

Result = TypeVar("Result")

_BUSY_TIME_OUT_MS = 5_000
_SQLITE_TRANSACTIONS_TOGETHER = 16
_POSTGRES_CONNECTIONS = 3
"""Every thread more costs a process time, as all of them wait for one interpreter."""
_SURELY_THERE_SECONDS = 0.1
_POSTGRES_LINE = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
}
"""A machine that vanished is noticed in seconds, not in the quarter of an hour that TCP allows."""
_WRONG_STATEMENT_CLASSES = ("42", "3F")
"""The classes of SQLSTATE that say so: syntax or access rule, and a missing schema."""


@dataclass(frozen=True)
class _Begin:
    """How transactions begin; None where each statement is one by itself."""

    write: str
    read: str | None
    change: str | None
    """Where it is one statement that writes."""


_BEGIN = {
    # Who might change something queues at once: later it may be too late.
    "sqlite": _Begin("BEGIN IMMEDIATE", "BEGIN", "BEGIN IMMEDIATE"),
    # A reader that saves two round trips sees with each statement what is true by then.
    "postgresql": _Begin("BEGIN", None, None),
}


@dataclass(frozen=True)
class _Transaction(Generic[Result]):
    """What happens altogether or not at all."""

    begin: str | None
    work: Callable[[Connection], Result]

    def __call__(self, connection: Connection) -> Result:
        return self.work(connection)


class _Columns(Sequence[psycopg.Column]):
    """What the columns of an answer are called, worked out for whoever asks."""

    def __init__(self, cursor: psycopg.Cursor[Any], rowcount: int) -> None:
        self._cursor = cursor
        self._count = count

    def __len__(self) -> int:
        return self._count

    def __getitem__(self, index: Any) -> Any:
        columns: Any = self._described
        return columns[index]

    @cached_property
    def _described(self) -> list[psycopg.Column]:
        return [psycopg.Column(self._cursor, index) for index in range(self._count)]


class _Cursor(psycopg.Cursor[Any]):
    """A cursor that describes an answer's columns only as far as they are looked at.

    SQLAlchemy knows the columns of a statement from its first time, and looks later on only
    whether there are any. To describe all of an order's took longer than to read it.
    """

    @property
    def description(self) -> Any:
        result = self.pgresult
        return _Columns(self, result.nfields) if result and result.nfields else None


class DatabaseUnavailable(Exception):
    """The database is away, locked for too long, or gave up this transaction; nothing happened."""


class InvalidQuery(Exception):
    """A statement does not fit the database: a bug, or a migration that was not run.

    Nothing happened. The same statement fails again, however long one waits.
    """


def query_problem(error: BaseException) -> str:
    """Return in one line why a statement is wrong; nothing where something else is.

    SQLite names a missing table or column and wrong syntax with the class of errors that it also
    uses for a locked file or a full disk; the code tells them apart. psycopg's class for wrong
    statements is also that of what a trigger raises; SQLSTATE tells them apart, and an error of
    psycopg itself has none.
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    is_wrong = isinstance(cause, sqlite3.ProgrammingError)
    if isinstance(cause, psycopg.ProgrammingError):
        is_wrong = cause.sqlstate is None or cause.sqlstate.startswith(_WRONG_STATEMENT_CLASSES)
    if isinstance(cause, sqlite3.OperationalError):
        is_wrong = getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    return (str(cause).splitlines() or [type(cause).__name__])[0] if is_wrong else ""


class _Lines:
    """A connection for each thread, which stays open; its transactions are begun by hand.

    Taking one out of a pool, and the engine's own way of saying BEGIN, cost more than the work.
    """

    def __init__(self, engine: Engine) -> None:
        self._engine = engine
        self._mine = local()
        self._open: set[Connection] = set()
        self._lost_at = 0.0
        own = engine.dialect.loaded_dbapi
        self._troubles = (
            OperationalError,
            InterfaceError,
            own.OperationalError,
            own.InterfaceError,
        )
        self._mistakes = (ProgrammingError, own.ProgrammingError)

    def run(self, transactions: Sequence["_Transaction[Any]"]) -> Sequence[Outcome]:
        """Run one transaction; or several as one, in which what one raises undoes that one alone.

        A trouble of the database undoes all of them.
        """
        if len(transactions) == 1:
            return [outcome_of(partial(self._run, transactions[0].begin, transactions[0]))]
        together = partial(self._in_turn, transactions)
        outcomes, error = outcome_of(partial(self._run, transactions[0].begin, together))
        return outcomes if error is None else [(None, error)] * len(transactions)

    def _run(self, begin: str | None, work: Callable[[Connection], Result]) -> Result:
        try:
            connection = self._connection()
            with connection.begin():
                if begin is not None:
                    _driver(connection).execute(begin)
                return work(connection)
        except (*self._troubles, *self._mistakes) as error:
            if problem := query_problem(error):
                raise _invalid(problem) from error
            if isinstance(error, self._mistakes):  # a trigger refused
                raise
            self._lose()
            raise DatabaseUnavailable(str(error)) from error
        finally:
            self._mine.used_at = time.monotonic()

    def _in_turn(
        self, transactions: Sequence["_Transaction[Any]"], connection: Connection
    ) -> list[Outcome]:
        driver = _driver(connection)
        outcomes: list[Outcome] = []
        for transaction in transactions:
            driver.execute("SAVEPOINT before_it")
            result, error = outcome_of(partial(transaction, connection))
            if isinstance(error, self._troubles) and not query_problem(error):
                raise error
            if error is not None:
                driver.execute("ROLLBACK TO before_it")
                if problem := query_problem(error):
                    error = _invalid(problem)
            driver.execute("RELEASE before_it")
            outcomes.append((result, error))
        return outcomes

    def close(self) -> None:
        """Close every connection; no thread may be at work any more."""
        for connection in self._open:
            connection.close()
        self._engine.dispose()

    def _connection(self) -> Connection:
        """Return this thread's connection; one that may be lost is looked at."""
        connection: Connection | None = getattr(self._mine, "connection", None)
        if connection is not None and not self._is_there(connection):
            self._lose()
            connection = None
        if connection is None:
            connection = self._mine.connection = self._engine.connect()
            self._open.add(connection)
        return connection

    def _is_there(self, connection: Connection) -> bool:
        used_at: float = self._mine.used_at
        if used_at > max(time.monotonic() - _SURELY_THERE_SECONDS, self._lost_at):
            return True
        try:
            return self._engine.dialect.do_ping(_driver(connection))
        except self._troubles:
            return False

    def _lose(self) -> None:
        """Let go of this thread's connection; the others look whether theirs is there."""
        self._lost_at = time.monotonic()
        connection: Connection | None = getattr(self._mine, "connection", None)
        self._mine.connection = None
        if connection is not None:
            self._open.discard(connection)
            connection.invalidate()
            connection.close()


def _invalid(problem: str) -> InvalidQuery:
    logger.error("database: a statement is wrong or a migration is missing: %s", problem)
    return InvalidQuery(problem)


def _engine(url: str, **options: Any) -> Engine:
    """Errors end up in the log: they must not say what was to be stored."""
    return create_engine(url, hide_parameters=True, isolation_level="AUTOCOMMIT", **options)


def _driver(connection: Connection) -> Any:
    """Return the driver's own connection."""
    return connection.connection.dbapi_connection


def _prepare_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout={_BUSY_TIME_OUT_MS}")
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


@dataclass(frozen=True)
class Changed:
    """How many rows a statement has changed, and what it returns of them."""

    rowcount: int
    rows: Sequence[Row[Any]]


class Database:
    """Runs functions inside transactions: all of one happens, or nothing.

    SQLite has one writer and one reader thread, each of which carries out together what waits;
    PostgreSQL has a pool of both, and many transactions at once.

    Raises:
        DatabaseUnavailable: By every transaction, if the same may work later.
        InvalidQuery: By every transaction, if a statement does not fit the database.
    """

    def __init__(self, url: str) -> None:
        self.dialect = make_url(url).get_backend_name()
        self._begin = _BEGIN[self.dialect]
        if self.dialect == "sqlite":
            Path(make_url(url).database or "").parent.mkdir(parents=True, exist_ok=True)
            engine = _engine(url)
            event.listen(engine, "connect", _prepare_sqlite)
            lines = self._lines = _Lines(engine)
            # One writer at a time: together they wait for one lock and one commit, not for many.
            self._writers = Crew(1, "database-writer", lines.run, _SQLITE_TRANSACTIONS_TOGETHER)
            self._readers = Crew(1, "database-reader", lines.run, _SQLITE_TRANSACTIONS_TOGETHER)
        else:
            engine = _engine(
                url,
                pool_size=_POSTGRES_CONNECTIONS,
                connect_args=_POSTGRES_LINE | {"cursor_factory": _Cursor},
            )
            lines = self._lines = _Lines(engine)
            self._writers = self._readers = Crew(_POSTGRES_CONNECTIONS, "database", lines.run)

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction that may change rows; an exception undoes all of it."""
        return await self._writers.run(_Transaction(self._begin.write, work))

    async def execute(
        self, statement: Executable, values: Mapping[str, Any] | None = None
    ) -> Changed:
        """Run one statement that changes rows: a transaction of its own, with fewer round trips."""

        def work(connection: Connection) -> Changed:
            result = cast("CursorResult[Any]", connection.execute(statement, values))
            return Changed(result.rowcount, result.all() if result.returns_rows else [])

        return await self._writers.run(_Transaction(self._begin.change, work))

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work`, which only looks; on PostgreSQL each statement sees what is true by then."""
        return await self._readers.run(_Transaction(self._begin.read, work))

    async def is_up(self) -> bool:
        """Whether the database answers."""
        try:
            await self.read(lambda connection: connection.exec_driver_sql("SELECT 1").scalar())
        except DatabaseUnavailable:
            return False
        return True

    def close(self) -> None:
        """Give back every connection and thread."""
        for crew in {self._writers, self._readers}:
            crew.dismiss()
        self._lines.close()
