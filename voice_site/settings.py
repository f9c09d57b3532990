"""The settings of the landing page, besides those that both products share."""

import re
from email.utils import formataddr, parseaddr
from functools import cache
from typing import Self
from urllib.parse import urlsplit

from pydantic import Field, SecretStr, field_validator, model_validator

from kit.mail.headers import is_mail_address
from kit.settings import (
    LOOPBACK,
    DeploymentSettings,
    checked_sender,
    load,
    sender_problems,
)
from kit.urls import checked_base_url, checked_parts, is_host
from voice_site.content.company import COMPANY
from voice_site.domain.scene import SceneDriver, SceneOptions, checked_fps, checked_scale

_EXAMPLE = re.compile(
    r"FORM_?ID|YOUR|PLACEHOLDER|EXAMPLE|(?<![\w-])XXX+(?![\w-])|[<>{}]|\.\.\.", re.IGNORECASE
)
_FORM_FIELDS = (
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
    # Added later: at the end, so that the numbers of the others stay.
    "reference",
    "source",
    "calculator",
    "lastCall",
    "referrer",
    "campaign",
    "language",
    "consent",
    "triedDemo",
)
_FIRST_ENTRY = 1_000_001
"""The number of the first field in an example form; DEMO_FORM_ENTRIES has the real numbers."""
_STUDIO_SCRIPT = (
    "https://cdn.jsdelivr.net/gh/hiunicornstudio/unicornstudio.js@v2.2.8/dist/unicornStudio.umd.js"
)
_STUDIO_ORIGINS = "https://*.unicorn.studio"


class VoiceSettings(DeploymentSettings):
    """What an operator decides about the site."""

    demo_form_url: str = ""
    demo_form_entries: dict[str, str] = Field(
        default={name: f"entry.{_FIRST_ENTRY + number}" for number, name in enumerate(_FORM_FIELDS)}
    )
    demo_mail_from: str = ""
    sales_email: str = ""
    demo_confirmations_per_day: int = Field(default=200, ge=0)
    demo_requests_per_minute: int = Field(default=60, ge=1)
    talk_sentences_per_minute: int = Field(default=60, ge=1)
    tara_model_url: str = ""
    tara_model_key: SecretStr = SecretStr("")
    tara_model: str = Field(default="", pattern=r"^[\w./:@+-]*$")
    tara_model_seconds: float = Field(default=4.0, gt=0, le=8)
    tara_model_calls_per_visitor: int = Field(default=20, ge=0)
    tara_model_calls_per_day: int = Field(default=500, ge=0)
    scene_project_id: str = Field(default="", pattern=r"^[\w-]*$")
    scene_json_path: str = ""
    scene_script_url: str = _STUDIO_SCRIPT
    scene_scale: float = 1.0
    scene_dpi: float = Field(default=1.5, ge=0.5, le=4)
    scene_fps: int = 60

    @field_validator("demo_form_url")
    @classmethod
    def _check_form_url(cls, url: str) -> str:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and is_host(parts.hostname or "")
        if url and (not is_web or parts.username is not None):
            raise ValueError("must be the https address of a form's formResponse, or empty")
        return url

    @field_validator("tara_model_url")
    @classmethod
    def _check_model_url(cls, url: str) -> str:
        if not url:
            return url
        parts = checked_parts(url)
        if parts.scheme != "https" and parts.hostname not in LOOPBACK:
            raise ValueError("must begin with https://, or be on this machine")
        return checked_base_url(url)

    @model_validator(mode="after")
    def _check_model(self) -> Self:
        if self.tara_model_url and not self.tara_model:
            raise ValueError("TARA_MODEL must name the model of TARA_MODEL_URL")
        return self

    @field_validator("demo_mail_from")
    @classmethod
    def _check_demo_sender(cls, sender: str) -> str:
        return checked_sender(sender) if sender else sender

    @field_validator("sales_email")
    @classmethod
    def _check_sales_address(cls, address: str) -> str:
        if address and not is_mail_address(address):
            raise ValueError("must be an address like sales@company.example, without a name")
        return address

    @field_validator("demo_form_entries")
    @classmethod
    def _check_entries(cls, entries: dict[str, str]) -> dict[str, str]:
        if unknown := sorted(set(entries) - set(_FORM_FIELDS)):
            raise ValueError(f"knows no {', '.join(unknown)}; it may map {', '.join(_FORM_FIELDS)}")
        return entries

    @field_validator("scene_json_path", "scene_script_url")
    @classmethod
    def _check_scene_address(cls, address: str) -> str:
        is_path = address.startswith("/") and not address.startswith("//")
        if address and not is_path and not _origin(address):
            raise ValueError("must be an https address, or a path that begins with /")
        if address and not is_path:
            checked_parts(address)
        return address

    @field_validator("scene_scale")
    @classmethod
    def _check_scale(cls, scale: float) -> float:
        return checked_scale(scale)

    @field_validator("scene_fps")
    @classmethod
    def _check_fps(cls, fps: int) -> int:
        return checked_fps(fps)

    def production_problems(self) -> list[str]:
        problems = super().production_problems()
        if self.form_url and urlsplit(self.form_url).scheme != "https":
            problems.append("DEMO_FORM_URL must begin with https:// in production")
        if self.demo_mail_from:
            problems += sender_problems("DEMO_MAIL_FROM", self.demo_mail_from)
        if self.sales_email:
            problems += sender_problems("SALES_EMAIL", self.sales_email)
        else:
            problems.append("SALES_EMAIL must be set in production: demo requests are mailed to it")
        return problems

    @property
    def demo_sender(self) -> str:
        """The sender of confirmations; by default the company at the address of MAIL_FROM."""
        return self.demo_mail_from or formataddr((COMPANY.mail_name, parseaddr(self.mail_from)[1]))

    @property
    def foreign_sources(self) -> dict[str, list[str]]:
        """The origins of other sites from which pages may load, by directive of the CSP.

        There are none unless Unicorn Studio draws the scene.
        """
        if self.scene.driver is not SceneDriver.UNICORN:
            return {}
        files = (self.scene_script_url, self.scene_json_path)
        named = {origin for file in files if (origin := _origin(file))}
        origins = sorted(named | ({_STUDIO_ORIGINS} if self.scene_project_id else set()))
        return dict.fromkeys(("script-src", "connect-src", "img-src"), origins)

    @property
    def scene(self) -> SceneOptions:
        """What plays in the hero."""
        return SceneOptions(
            project_id=self.scene_project_id,
            json_file_path=self.scene_json_path,
            script_url=self.scene_script_url,
            scale=self.scene_scale,
            dpi=self.scene_dpi,
            fps=self.scene_fps,
        )

    @property
    def form_url(self) -> str:
        """The form's address; empty if none is set, or an example that nobody has filled in."""
        return "" if _EXAMPLE.search(self.demo_form_url) else self.demo_form_url


@cache
def voice_settings() -> VoiceSettings:
    """Return the settings of this process.

    Raises:
        SystemExit: With a one-line message, if a setting is invalid.
    """
    return load(VoiceSettings)


def _origin(address: str) -> str:
    """Return the origin of a web address; empty for a path of this site."""
    parts = urlsplit(address)
    is_web = parts.scheme in {"http", "https"} and parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if is_web else ""
