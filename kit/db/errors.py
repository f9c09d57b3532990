"""The errors that callers of the database handle, and how driver errors become them."""

import contextlib
import logging
import sqlite3
from collections.abc import Generator

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, ProgrammingError
from sqlalchemy.exc import TimeoutError as PoolTimeout

logger = logging.getLogger(__name__)

_INVALID_QUERY_CLASSES = ("42", "3F")
"""SQLSTATE classes of PostgreSQL: syntax error or access rule violation; invalid schema name."""


class DatabaseUnavailable(Exception):
    """The database is unreachable, locked for too long, or aborted the transaction; retry later.

    The transaction was rolled back. Only if the connection was lost during COMMIT, the outcome is
    unknown.
    """


class InvalidQuery(Exception):
    """A statement does not match the schema: a bug, or a migration that was not run.

    The transaction was rolled back. Retrying the same statement fails again.
    """


def query_problem(error: BaseException) -> str:
    """Return in one line why a statement is invalid, or "" for any other error.

    SQLite raises OperationalError for a missing table and for a locked file; the error code
    distinguishes them. psycopg raises ProgrammingError for invalid statements and for exceptions
    of triggers; SQLSTATE distinguishes them, and psycopg's own errors have none.
    """
    cause = error.orig if isinstance(error, DBAPIError) else error
    is_invalid = isinstance(cause, sqlite3.ProgrammingError)
    if isinstance(cause, psycopg.ProgrammingError):
        is_invalid = cause.sqlstate is None or cause.sqlstate.startswith(_INVALID_QUERY_CLASSES)
    if isinstance(cause, sqlite3.OperationalError):
        is_invalid = getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    return (str(cause).splitlines() or [type(cause).__name__])[0] if is_invalid else ""


@contextlib.contextmanager
def translated_errors() -> Generator[None]:
    """Translate SQLAlchemy's errors that callers handle; all others pass unchanged.

    Raises:
        DatabaseUnavailable: If the same transaction may succeed later.
        InvalidQuery: If a statement does not match the schema; this is logged as an error.
    """
    try:
        yield
    except (OperationalError, InterfaceError, ProgrammingError, PoolTimeout) as error:
        if problem := query_problem(error):
            raise _invalid_query(problem) from error
        if isinstance(error, ProgrammingError):  # raised by a trigger
            raise
        raise DatabaseUnavailable(str(error)) from error


def _invalid_query(problem: str) -> InvalidQuery:
    logger.error("database: invalid statement or missing migration: %s", problem)
    return InvalidQuery(problem)
