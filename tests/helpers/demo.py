"""A demo request as browsers send it, and the landing page's services."""

from pathlib import Path
from typing import Any

from campus_app.operators.wiring import Services
from tests.helpers.settings import WithoutEnvironment
from voice_site.settings import VoiceSettings
from voice_site.wiring import Shared, Site, build

REQUEST_BODY = {
    "fullName": "Priya Raman",
    "jobTitle": "Head of Admissions",
    "email": "priya@company.example",
    "phone": "+91 98765 43210",
    "company": "Southern College",
    "companySize": "51-200 employees",
    "industry": "Education",
    "location": "Chennai",
    "selectedVariant": "02",
    "useCase": "",
    "additionalNotes": "",
    "source": "cta",
    "elapsedMs": 9_000,
}
"""The body that the dialog sends."""

FORM_URL = "https://forms.test/d/e/1a2b3c/formResponse"


class ExplicitVoiceSettings(WithoutEnvironment, VoiceSettings):
    """Settings from arguments and defaults only."""


def voice_settings_for(**changes: Any) -> VoiceSettings:
    """Return settings with these values and defaults; `.env` and the environment are ignored."""
    return ExplicitVoiceSettings(_env_file=None, **changes)


def site_on(services: Services, **changes: Any) -> Site:
    """Return the landing page's services; the worker of `services` also runs their jobs."""
    shared = Shared(services.database, services.outbox, services.mailer, services.clock)
    site = build(voice_settings_for(**changes), shared)
    services.worker.add_effects(site.effects)
    return site


def mail_files(services: Services, topic: str = "demo.") -> list[Path]:
    """Return the mails of the topics that begin with `topic`."""
    return sorted((services.settings.outbox_dir / "mail").glob(f"{topic}*.eml"))
