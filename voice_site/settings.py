"""The settings of the site, read beside those of the ordering product."""

import re
from email.utils import formataddr, parseaddr
from functools import cache
from urllib.parse import urlsplit

from pydantic import Field, field_validator

from kit.settings import DeploymentSettings, checked_sender, load, sender_problems
from kit.urls import checked_parts, is_host
from voice_site.content.company import COMPANY
from voice_site.domain.scene import SceneDriver, SceneOptions, checked_fps, checked_scale

_PLACEHOLDER = re.compile(
    r"FORM_?ID|YOUR|PLACEHOLDER|EXAMPLE|(?<![\w-])XXX+(?![\w-])|[<>{}]|\.\.\.", re.IGNORECASE
)
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
_STUDIO_SCRIPT = (
    "https://cdn.jsdelivr.net/gh/hiunicornstudio/unicornstudio.js@v2.2.8/dist/unicornStudio.umd.js"
)
_STUDIO_SITES = "https://*.unicorn.studio"


class VoiceSettings(DeploymentSettings):
    """What an operator decides about the site."""

    demo_form_url: str = ""
    demo_form_entries: dict[str, str] = Field(
        default={name: f"entry.{_FIRST_ENTRY + number}" for number, name in enumerate(_NAMES)}
    )
    demo_mail_from: str = ""
    demo_confirmations_per_day: int = Field(default=200, ge=0)
    demo_requests_per_minute: int = Field(default=60, ge=1)
    scene_project_id: str = Field(default="", pattern=r"^[\w-]*$")
    scene_json_path: str = ""
    scene_script_url: str = _STUDIO_SCRIPT
    scene_scale: float = 1.0
    scene_dpi: float = Field(default=1.5, ge=0.5, le=4)
    scene_fps: int = 60

    @field_validator("demo_form_url")
    @classmethod
    def _is_an_address(cls, url: str) -> str:
        parts = urlsplit(url)
        is_web = parts.scheme in {"http", "https"} and is_host(parts.hostname or "")
        if url and (not is_web or parts.username is not None):
            raise ValueError("must be the https address of a form's formResponse, or empty")
        return url

    @field_validator("demo_mail_from")
    @classmethod
    def _is_a_sender(cls, sender: str) -> str:
        return checked_sender(sender) if sender else sender

    @field_validator("demo_form_entries")
    @classmethod
    def _are_ours(cls, entries: dict[str, str]) -> dict[str, str]:
        if unknown := sorted(set(entries) - set(_NAMES)):
            raise ValueError(f"knows no {', '.join(unknown)}; it may map {', '.join(_NAMES)}")
        return entries

    @field_validator("scene_json_path", "scene_script_url")
    @classmethod
    def _is_a_place(cls, place: str) -> str:
        is_path = place.startswith("/") and not place.startswith("//")
        if place and not is_path and not _origin(place):
            raise ValueError("must be an https address, or a path that begins with /")
        if place and not is_path:
            checked_parts(place)
        return place

    @field_validator("scene_scale")
    @classmethod
    def _is_a_scale(cls, scale: float) -> float:
        return checked_scale(scale)

    @field_validator("scene_fps")
    @classmethod
    def _is_a_rate(cls, fps: int) -> int:
        return checked_fps(fps)

    def production_problems(self) -> list[str]:
        problems = super().production_problems()
        if self.form_url and urlsplit(self.form_url).scheme != "https":
            problems.append("DEMO_FORM_URL must begin with https:// in production")
        if self.demo_mail_from:
            problems += sender_problems("DEMO_MAIL_FROM", self.demo_mail_from)
        return problems

    @property
    def demo_sender(self) -> str:
        """The sender of confirmations; by default the company at the address of MAIL_FROM."""
        return self.demo_mail_from or formataddr((COMPANY.mail_name, parseaddr(self.mail_from)[1]))

    @property
    def foreign_sources(self) -> dict[str, list[str]]:
        """Whom pages may ask for parts besides this site: the scene studio, where it draws."""
        if self.scene.driver is not SceneDriver.UNICORN:
            return {}
        places = (self.scene_script_url, self.scene_json_path)
        named = {origin for place in places if (origin := _origin(place))}
        sites = sorted(named | ({_STUDIO_SITES} if self.scene_project_id else set()))
        return dict.fromkeys(("script-src", "connect-src", "img-src"), sites)

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
        """The form's address; empty if there is none, or only one to be filled in."""
        return "" if _PLACEHOLDER.search(self.demo_form_url) else self.demo_form_url


@cache
def voice_settings() -> VoiceSettings:
    """Return the settings of this process.

    Raises:
        SystemExit: With one clear line, if a setting is wrong.
    """
    return load(VoiceSettings)


def _origin(place: str) -> str:
    """Return the site that an address is at; nothing for a path on this one."""
    parts = urlsplit(place)
    is_web = parts.scheme in {"http", "https"} and parts.netloc
    return f"{parts.scheme}://{parts.netloc}" if is_web else ""
