"""Creates SQLAlchemy engines for SQLite and PostgreSQL, with their timeouts."""

from pathlib import Path
from typing import Any

from sqlalchemy import Connection, Engine, ExceptionContext, create_engine, event, make_url

from kit.db.errors import READ_ONLY

POSTGRES_CONNECTIONS = 3
"""Size of the pool in each process. More threads than that only contend for the interpreter."""
_POOL_TIMEOUT_SECONDS = 10.0
_SQLITE_BUSY_TIMEOUT_SECONDS = 5.0
_SQLITE_BEGIN = "sqlite_begin"
"""Execution option: the statement that begins a transaction."""
_POSTGRES_CONNECT_ARGS = {
    "connect_timeout": 5,
    "keepalives_idle": 10,
    "keepalives_interval": 5,
    "keepalives_count": 3,
    "tcp_user_timeout": 15_000,
    "options": "-c lock_timeout=5s",
}
"""libpq: a dead server is detected within 15 s; TCP's defaults allow 15 minutes.

A lock is awaited as long as SQLite's: PostgreSQL's default has no limit.
"""


def open_engine(url: str) -> Engine:
    """Return an engine for a `sqlite:///` or `postgresql+psycopg://` URL; nothing connects yet.

    SQLite's folder is created if it is missing. Error messages contain no parameters, because they
    are logged.
    """
    parsed = make_url(url)
    if parsed.get_backend_name() == "sqlite":
        Path(parsed.database or "").parent.mkdir(parents=True, exist_ok=True)
        engine = _create(url, connect_args={"timeout": _SQLITE_BUSY_TIMEOUT_SECONDS})
        event.listen(engine, "connect", _configure_sqlite)
        event.listen(engine, "begin", _begin_sqlite)
        return engine
    engine = _create(url, connect_args=_POSTGRES_CONNECT_ARGS, pool_size=POSTGRES_CONNECTIONS)
    event.listen(engine, "handle_error", _reconnect_if_read_only)
    return engine


def for_writing(engine: Engine) -> Engine:
    """Return an engine on the same pool whose transactions take SQLite's write lock at BEGIN.

    A transaction that reads first and upgrades its lock later can fail with SQLITE_BUSY at once.
    """
    return engine.execution_options(**{_SQLITE_BEGIN: "BEGIN IMMEDIATE"})


def autocommitting(engine: Engine) -> Engine:
    """Return an engine on the same pool whose statements each commit by themselves.

    This spares a server the round trips of BEGIN and COMMIT.
    """
    return engine.execution_options(isolation_level="AUTOCOMMIT")


def _create(url: str, **options: Any) -> Engine:
    return create_engine(
        url,
        hide_parameters=True,
        pool_pre_ping=True,
        pool_timeout=_POOL_TIMEOUT_SECONDS,
        **options,
    )


def _reconnect_if_read_only(context: ExceptionContext) -> None:
    # A connection that was opened while the server was read-only can stay so for its whole life.
    if getattr(context.original_exception, "sqlstate", None) == READ_ONLY:
        context.is_disconnect = True


def _configure_sqlite(connection: Any, _record: object) -> None:
    # The driver begins a transaction at its first write. SQLAlchemy documents this line and the
    # listener below to begin it explicitly.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")
    cursor.execute("PRAGMA synchronous=NORMAL")
    cursor.execute("PRAGMA foreign_keys=ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    connection.exec_driver_sql(connection.get_execution_options().get(_SQLITE_BEGIN, "BEGIN"))
