"""Migrates a database to the newest revision, or back: `python -m campus_app.migrate`."""

from pathlib import Path

from alembic import command
from alembic.config import Config
from sqlalchemy import make_url

from campus_app.migrations import VERSIONS


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


if __name__ == "__main__":
    from kit.settings import DeploymentSettings, load

    upgrade(load(DeploymentSettings).database_url)
