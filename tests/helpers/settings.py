"""Settings that ignore `.env` and the environment."""

from pathlib import Path
from typing import Any

from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from campus_app.shared.settings import Settings

DATA = Path(__file__).parents[1] / "data"
"""The restaurants and menus of the tests, separate from those of `data/`."""
ORIGIN = "https://food-points.example"
OPERATOR_TOKEN = "the-operator-of-the-unit-tests-01"
CLOSED_PORT = 1
"""A port that refuses every connection."""


class WithoutEnvironment(BaseSettings):
    """Base class of settings that ignore `.env` and the environment."""

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        **_other_sources: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        return (init_settings,)


class ExplicitSettings(WithoutEnvironment, Settings):
    """Settings from arguments and defaults only."""


def settings_for(database_url: str, folder: Path, **changes: Any) -> Settings:
    """Return settings with this database and an outbox in `folder`."""
    values = {
        "database_url": database_url,
        "outbox_dir": folder / "outbox",
        "data_dir": DATA,
        "public_url": ORIGIN,
        "demonstration": True,
        "port": CLOSED_PORT,
        "operator_token": OPERATOR_TOKEN,
    }
    return ExplicitSettings(_env_file=None, **(values | changes))
