"""Runs transactions of SQLAlchemy in threads, for code that runs in an event loop."""

import asyncio
import contextlib
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, TypeVar, cast

from sqlalchemy import Connection, CursorResult, Engine, Executable, Row, select

from kit.db.engine import POSTGRES_CONNECTIONS, autocommitting, for_writing, open_engine
from kit.db.errors import DatabaseUnavailable, InvalidQuery, translated_errors
from kit.db.write_probe import probe_write

_LONGEST_ANSWER_SECONDS = 5.0
_LONGEST_TRANSACTION_SECONDS = 8.0
"""A visitor waits at most 10 s for an answer; the rest is for the network and other work."""
_TOO_LATE = "the transaction did not end in time"

Result = TypeVar("Result")


@dataclass(frozen=True)
class Executed:
    """The result of one statement: how many rows it changed, and which it returned."""

    rowcount: int
    rows: Sequence[Row[Any]]


class Database:
    """Runs functions in transactions, each of which is committed or rolled back as a whole.

    SQLite has one thread for writing and one for reading; PostgreSQL has a thread for each
    connection of the pool. A task that is cancelled before its transaction begins skips it; a
    transaction that has begun is completed, and its result discarded. One that has not ended
    within 8 s, including the wait for a thread, is rolled back if it can be.

    Raises:
        DatabaseUnavailable: By every transaction, if it may succeed later.
        InvalidQuery: By every transaction, if a statement does not match the schema.
    """

    def __init__(self, url: str) -> None:
        self._engine = open_engine(url)
        self._write_engine = for_writing(self._engine)
        self.dialect = self._engine.dialect.name
        if self.dialect == "sqlite":
            # SQLite allows one writer: a second thread would wait for the lock of the first.
            self._writers = ThreadPoolExecutor(1, "database-writer")
            self._readers = ThreadPoolExecutor(1, "database-reader")
            self._read_engine, self._execute_engine = self._engine, self._write_engine
        else:
            self._read_engine = self._execute_engine = autocommitting(self._engine)
            self._writers = self._readers = ThreadPoolExecutor(POSTGRES_CONNECTIONS, "database")
        self._has_failed_write = False
        self._probe: asyncio.Task[None] | None = None

    async def write(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work` in a transaction that may change rows; an exception rolls it back."""
        return await self._written(self._write_engine, work)

    async def execute(
        self, statement: Executable, parameters: Mapping[str, Any] | None = None
    ) -> Executed:
        """Execute one statement that changes rows, in a transaction of its own."""

        def work(connection: Connection) -> Executed:
            result = cast("CursorResult[Any]", connection.execute(statement, parameters))
            return Executed(result.rowcount, result.all() if result.returns_rows else [])

        return await self._written(self._execute_engine, work)

    async def _written(self, engine: Engine, work: Callable[[Connection], Result]) -> Result:
        """Run a transaction that may change rows, and remember that it failed."""
        try:
            return await _in_thread(self._writers, engine, work)
        except DatabaseUnavailable:
            self._has_failed_write = True
            raise

    async def read(self, work: Callable[[Connection], Result]) -> Result:
        """Run `work`, which changes nothing.

        SQLite shows it one snapshot; PostgreSQL shows each statement what is committed by then.
        """
        return await _in_thread(self._readers, self._read_engine, work)

    async def fetch_all(self, statement: Executable) -> Sequence[Any]:
        """Return the rows of a query."""
        return await self.read(lambda connection: connection.execute(statement).all())

    async def fetch_one(
        self, statement: Executable, parameters: Mapping[str, Any] | None = None
    ) -> Any:
        """Return the only row of a query, or None."""
        return await self.read(
            lambda connection: connection.execute(statement, parameters).one_or_none()
        )

    async def fetch_value(self, statement: Executable) -> Any:
        """Return the only value of a query, or None if it has no row."""
        return await self.read(
            lambda connection: connection.execute(statement).scalar_one_or_none()
        )

    async def check(self) -> None:
        """Run a trivial query.

        Raises:
            DatabaseUnavailable: If the database does not answer.
            InvalidQuery: If its URL has an option that the driver does not know.
        """
        await self.fetch_value(select(1))

    async def is_up(self) -> bool:
        """Whether the database answers in time, and accepts writes if the last one failed.

        It may wait for a synchronous archive.
        """
        try:
            async with asyncio.timeout(_LONGEST_ANSWER_SECONDS):
                await self.check()
                if self._has_failed_write:
                    await self._try_to_write()
        except (DatabaseUnavailable, TimeoutError):
            return False
        return True

    async def _try_to_write(self) -> None:
        """Store and delete a row; callers at the same time share one attempt.

        Raises:
            DatabaseUnavailable: If the database accepts no writes.
        """
        if self._probe is None or self._probe.done():
            self._probe = asyncio.create_task(self._probe_once())
        await asyncio.shield(self._probe)

    async def _probe_once(self) -> None:
        with contextlib.suppress(InvalidQuery):  # logged; the database itself answers
            await _in_thread(self._writers, self._write_engine, probe_write)
        self._has_failed_write = False

    def close(self) -> None:
        """Wait for transactions that were requested, then close every thread and connection."""
        for threads in (self._writers, self._readers):
            threads.shutdown()
        self._engine.dispose()


async def _in_thread(
    threads: ThreadPoolExecutor, engine: Engine, work: Callable[[Connection], Result]
) -> Result:
    is_abandoned = threading.Event()

    def transaction() -> Result:
        with translated_errors(), engine.begin() as connection:
            result = work(connection)
            if is_abandoned.is_set():  # the caller was told that nothing was changed
                raise DatabaseUnavailable(_TOO_LATE)
            return result

    limit = asyncio.timeout(_LONGEST_TRANSACTION_SECONDS)
    try:
        async with limit:
            return await asyncio.get_running_loop().run_in_executor(threads, transaction)
    except TimeoutError:
        if not limit.expired():
            raise
        is_abandoned.set()
        raise DatabaseUnavailable(_TOO_LATE) from None
