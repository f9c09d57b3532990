"""Compares a database's schema revision with the newest migration, without importing Alembic."""

from pathlib import Path

from sqlalchemy import create_engine, inspect, text
from sqlalchemy.pool import NullPool

MIGRATION_LOCK = 7_302_046_119
"""Key of the PostgreSQL advisory lock that migrations hold; arbitrary, but unique to us."""
_VERSION_TABLE = "alembic_version"
_REVISION = text(f"SELECT version_num FROM {_VERSION_TABLE}")  # noqa: S608 - a constant


def newest_revision(versions: Path) -> str:
    """Return the revision of the newest migration in a folder, like `0005`."""
    migrations = versions.glob("[0-9]*.py")
    return max(migration.stem.partition("_")[0] for migration in migrations)


def schema_problem(url: str, versions: Path) -> str:
    """Return why a database's schema is too old for this release, or "" if it is not.

    A newer schema is accepted: migrations only add, so that the previous release keeps running
    during an upgrade.

    Raises:
        SQLAlchemyError: If the database does not answer.
    """
    engine = create_engine(url, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            is_new = not inspect(connection).has_table(_VERSION_TABLE)
            found = "" if is_new else connection.execute(_REVISION).scalar() or ""
    finally:
        engine.dispose()
    if found >= newest_revision(versions):
        return ""
    return f"it is at revision {found or 'none'}, this release needs {newest_revision(versions)}"
