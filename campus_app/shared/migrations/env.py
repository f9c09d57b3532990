"""Alembic's environment; run by `campus_app.migrate`."""

from alembic import context
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from kit.db.schema_version import MIGRATION_LOCK

_url = context.config.get_main_option("sqlalchemy.url")
assert _url  # noqa: S101 - migrate.py always sets it

_engine = create_engine(_url, poolclass=NullPool)
with _engine.connect() as connection:
    if connection.dialect.name == "sqlite":
        # Persistent in the file, so that servers starting together need not change the mode.
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        connection.commit()
    else:
        # Serialises hosts that are started together; the second one has nothing to do.
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({MIGRATION_LOCK})")
        connection.commit()
    context.configure(connection=connection, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
_engine.dispose()
