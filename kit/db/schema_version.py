"""Compares a database's schema version with the newest migration, without importing Alembic."""

from pathlib import Path

from sqlalchemy import create_engine, inspect, text
from sqlalchemy.pool import NullPool

MIGRATION_LOCK = 7_302_046_119
"""Whoever migrates a PostgreSQL holds it; ours by agreement alone, for such locks have no names."""
_BOOKKEEPING = "alembic_version"
_FOUND = text(f"SELECT version_num FROM {_BOOKKEEPING}")  # noqa: S608 - a name of Alembic's


def newest_revision(versions: Path) -> str:
    """Return the revision of the newest migration in a folder, like `0005`."""
    steps = versions.glob("[0-9]*.py")
    return max(step.stem.partition("_")[0] for step in steps)


def schema_problem(url: str, versions: Path) -> str:
    """Return what is wrong if a database is older than the newest migration, else "".

    A newer one is fine: steps add, so that the release before goes on while it is replaced.

    Raises:
        SQLAlchemyError: If the database does not answer.
    """
    engine = create_engine(url, poolclass=NullPool)
    try:
        with engine.connect() as connection:
            is_new = not inspect(connection).has_table(_BOOKKEEPING)
            found = "" if is_new else connection.execute(_FOUND).scalar() or ""
    finally:
        engine.dispose()
    if found >= newest_revision(versions):
        return ""
    return f"it is at revision {found or 'none'}, this release needs {newest_revision(versions)}"
