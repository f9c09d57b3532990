"""The settings of the site, read beside those of the ordering product."""

import re
from functools import cache
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from campus_app.infrastructure.settings import DeploymentSettings, load

_PLACEHOLDER = re.compile(r"FORM_?ID|YOUR|PLACEHOLDER|EXAMPLE|XXX|[<>{}]|\.\.\.", re.IGNORECASE)
_NAMES = (
    "fullName",
    "email",
    "phone",
    "company",
    "jobTitle",
    "companySize",
    "industry",
    "location",
    "selectedVariant",
    "useCase",
    "additionalNotes",
    "timestamp",
)
_FIRST_ENTRY = 1_000_001


class VoiceSettings(DeploymentSettings):
    """What an operator decides about the site."""

    demo_form_url: str = ""
    demo_form_entries: dict[str, str] = Field(
        default={name: f"entry.{_FIRST_ENTRY + number}" for number, name in enumerate(_NAMES)}
    )
    demo_requests_per_minute: int = Field(default=60, ge=1)

    @field_validator("demo_form_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        if url and (urlsplit(url).scheme not in {"http", "https"} or not urlsplit(url).netloc):
            raise ValueError("must be the https address of a form's formResponse, or empty")
        return url

    @field_validator("demo_form_entries")
    @classmethod
    def _are_ours(cls, entries: dict[str, str]) -> dict[str, str]:
        if unknown := sorted(set(entries) - set(_NAMES)):
            raise ValueError(f"knows no {', '.join(unknown)}; it may map {', '.join(_NAMES)}")
        return entries

    @property
    def form_url(self) -> str:
        """The form's address; empty if there is none, or only one to be filled in."""
        return "" if _PLACEHOLDER.search(self.demo_form_url) else self.demo_form_url


@cache
def voice_settings() -> VoiceSettings:
    """Return the settings of this process.

    Raises:
        SystemExit: With one clear line, if a setting is wrong.
    """
    return load(VoiceSettings)
