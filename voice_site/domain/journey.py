"""What travels with a demo request besides its fields: nothing that a person typed into the form.

Source: specification V10.10 to V10.13.
"""

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Final, cast

from kit.text import normalize_text
from voice_site.domain.estimate import FIGURES

CAMPAIGN: Final = ("utm_source", "utm_medium", "utm_campaign", "utm_term", "utm_content")
"""The parameters of an address that name an advertisement."""
_LONGEST = 100
_HOST = re.compile(r"(?=.{1,253}$)[a-z0-9](?:[a-z0-9.-]*[a-z0-9])?", re.ASCII)


@dataclass(frozen=True)
class Journey:
    """Where a visitor came from and what they used; empty where it is not known or not wanted."""

    language: str = ""
    """The code of the page's language."""
    consent: str = ""
    """The version of the consent text; it was agreed to when the request was sent."""
    figures: Mapping[str, int] = field(default_factory=dict[str, int])
    """The figures of the cost calculator by name: all of them, or none."""
    call: str = ""
    """The last call that was heard: language and id, `en-clinic`."""
    tried: bool = False
    """Whether the demonstration that talks has answered the visitor; not what was said."""
    referrer: str = ""
    """The host of the page that led here."""
    campaign: Mapping[str, str] = field(default_factory=dict[str, str])
    """The parameters of `CAMPAIGN` that the address had."""


def read_journey(
    sent: Mapping[str, object], language: str, consents: Collection[str], calls: Collection[str]
) -> Journey:
    """Return what the members `consent` and `journey` of a request say; invalid parts are left out.

    Args:
        sent: The members of the request.
        language: The code of the page's language.
        consents: The versions of the consent text.
        calls: The names of the calls.
    """
    journey = _members(sent.get("journey"))
    return Journey(
        language=language,
        consent=_one_of(consents, sent.get("consent")),
        figures=_figures(_members(journey.get("figures"))),
        call=_one_of(calls, journey.get("call")),
        tried=journey.get("tried") is True,
        referrer=_host(journey.get("referrer")),
        campaign=_campaign(_members(journey.get("campaign"))),
    )


def _members(value: object) -> Mapping[str, object]:
    return cast("Mapping[str, object]", value) if isinstance(value, Mapping) else {}


def _one_of(known: Collection[str], value: object) -> str:
    return value if isinstance(value, str) and value in known else ""


def _figures(told: Mapping[str, object]) -> dict[str, int]:
    figures: dict[str, int] = {}
    for each in FIGURES:
        value = told.get(each.name)
        if type(value) is not int or not each.minimum <= value <= each.maximum:
            return {}
        figures[each.name] = value
    return figures


def _host(told: object) -> str:
    return told if isinstance(told, str) and _HOST.fullmatch(told) else ""


def _campaign(told: Mapping[str, object]) -> dict[str, str]:
    given = {name: told.get(name) for name in CAMPAIGN}
    texts = {
        name: normalize_text(value[:_LONGEST])
        for name, value in given.items()
        if isinstance(value, str)
    }
    return {name: text for name, text in texts.items() if text}
