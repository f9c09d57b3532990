"""The errors that callers of the database handle, and how driver errors become them."""

import contextlib
import logging
import sqlite3
from collections.abc import Generator

import psycopg
from sqlalchemy.exc import DBAPIError, InterfaceError, OperationalError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout

logger = logging.getLogger(__name__)

_INVALID_QUERY_CLASSES = ("42", "3F")
"""SQLSTATE classes of PostgreSQL: syntax error or access rule violation; invalid schema name."""
READ_ONLY = "25006"
"""SQLSTATE of a write on a standby, or on a server that an administrator made read-only."""
_PERMISSION_DENIED = "42501"
"""SQLSTATE of a missing GRANT, and of a file system that became read-only."""
_STATE_CLASSES = (READ_ONLY, _PERMISSION_DENIED, "XX")
"""SQLSTATEs outside OperationalError that the state of the server causes; XX: damaged data."""
_DAMAGED_FILE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
_PRIMARY_CODE = 0xFF
"""SQLite's extended error codes have the primary code in their lowest byte."""


class DatabaseUnavailable(Exception):
    """The state of the database prevents the transaction; retry later.

    It is unreachable, locked for too long, read-only, full or damaged, or it aborted the
    transaction. The transaction was rolled back. Only if the connection was lost during COMMIT, or
    the answer did not arrive in time, the outcome is unknown.
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
    if isinstance(cause, psycopg.ProgrammingError) and cause.sqlstate != _PERMISSION_DENIED:
        is_invalid = cause.sqlstate is None or cause.sqlstate.startswith(_INVALID_QUERY_CLASSES)
    if isinstance(cause, sqlite3.OperationalError):
        is_invalid = getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_ERROR
    return (str(cause).splitlines() or [type(cause).__name__])[0] if is_invalid else ""


def is_caused_by_state(error: DBAPIError) -> bool:
    """Whether the state of the database caused an error, and not its statement or values."""
    cause = error.orig
    if isinstance(cause, psycopg.Error) and cause.sqlstate:
        is_state = cause.sqlstate.startswith(_STATE_CLASSES)
        return is_state or isinstance(cause, psycopg.OperationalError)
    code = getattr(cause, "sqlite_errorcode", 0) & _PRIMARY_CODE
    return code in _DAMAGED_FILE or isinstance(error, OperationalError | InterfaceError)


def database_problem(error: DatabaseUnavailable | InvalidQuery) -> str:
    """Return in one line why a transaction failed: the driver's message, if it has one."""
    cause = error.__cause__
    driver_error = cause.orig if isinstance(cause, DBAPIError) else None
    return (str(driver_error or error).splitlines() or [type(error).__name__])[0]


def start_problem(error: SQLAlchemyError) -> str:
    """Return in one line, without the address, why a program cannot start with its database."""
    kind = type(error).__name__
    is_lost = isinstance(error, OperationalError | InterfaceError)
    state = "it does not answer" if is_lost else "it cannot be read or written"
    return f"Database: {query_problem(error) or f'{kind}, {state}'}"


@contextlib.contextmanager
def translated_errors() -> Generator[None]:
    """Translate SQLAlchemy's errors that callers handle; all others pass unchanged.

    Raises:
        DatabaseUnavailable: If the same transaction may succeed later.
        InvalidQuery: If a statement does not match the schema; this is logged as an error.
    """
    try:
        yield
    except PoolTimeout as error:
        raise DatabaseUnavailable(str(error)) from error
    except DBAPIError as error:
        if problem := query_problem(error):
            raise _invalid_query(problem) from error
        if not is_caused_by_state(error):  # a constraint, a value, or raised by a trigger
            raise
        raise DatabaseUnavailable(str(error)) from error


def _invalid_query(problem: str) -> InvalidQuery:
    logger.error("database: invalid statement or missing migration: %s", problem)
    return InvalidQuery(problem)
