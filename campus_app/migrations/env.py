"""How Alembic reaches the database; run by `campus_app.migrate`."""

from alembic import context
from sqlalchemy import create_engine
from sqlalchemy.pool import NullPool

from kit.db.schema_version import MIGRATION_LOCK

_url = context.config.get_main_option("sqlalchemy.url")
assert _url  # noqa: S101 - migrate.py always sets it

_engine = create_engine(_url, poolclass=NullPool)
with _engine.connect() as connection:
    if connection.dialect.name == "sqlite":
        # Kept in the file: servers that open it together need not compete for the change.
        connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        connection.commit()
    else:
        # Hosts that are started together wait for each other here; the second finds nothing to do.
        connection.exec_driver_sql(f"SELECT pg_advisory_lock({MIGRATION_LOCK})")
        connection.commit()
    context.configure(connection=connection, render_as_batch=True)
    with context.begin_transaction():
        context.run_migrations()
_engine.dispose()
