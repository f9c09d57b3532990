"""Migrates a database to the newest revision, or back: `python -m campus_app.migrate`."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.util import CommandError
from sqlalchemy import make_url
from sqlalchemy.exc import SQLAlchemyError

from campus_app.shared.migrations import VERSIONS
from kit.db.errors import start_problem
from kit.settings import DeploymentSettings, load


def _config(url: str) -> Config:
    config = Config()
    config.set_main_option("script_location", str(VERSIONS.parent))
    config.set_main_option("sqlalchemy.url", url.replace("%", "%%"))
    return config


def upgrade(url: str, revision: str = "head") -> None:
    """Upgrade a database; a missing SQLite file is created."""
    database = make_url(url)
    if database.get_backend_name() == "sqlite" and database.database:
        Path(database.database).parent.mkdir(parents=True, exist_ok=True)
    command.upgrade(_config(url), revision)


def downgrade(url: str, revision: str = "base") -> None:
    """Downgrade a database; data in the dropped tables and columns is deleted."""
    command.downgrade(_config(url), revision)


def main() -> None:
    """Upgrade the database of the settings.

    Raises:
        SystemExit: With a one-line message, if a setting is invalid or the database cannot be
            upgraded.
    """
    url = load(DeploymentSettings).database_url
    try:
        upgrade(url)
    except SQLAlchemyError as error:
        raise SystemExit(start_problem(error)) from None
    except OSError as error:
        raise SystemExit(f"Database: {error.strerror}, its folder cannot be created") from None
    except CommandError as error:  # a database of a newer release
        raise SystemExit(f"Database: {error}") from None


if __name__ == "__main__":
    main()
