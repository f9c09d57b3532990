"""The voice of the calls, as the manifest among the assets names it."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from kit.translations import ENGLISH, language, own_name
from voice_site.translations import t

MANIFEST = Path(__file__).parents[2] / "assets" / "audio" / "manifest.json"
_MANIFEST = json.loads(MANIFEST.read_text(encoding="utf-8"))
_CALLS = {sample["code"]: sample["calls"] for sample in _MANIFEST["samples"] if sample["calls"]}
MODEL, LICENCE = _MANIFEST["model"], _MANIFEST["licence"]
"""The voice model of the calls, and its licence."""
SOURCES = {
    (code, call["id"]): {"cues": call["cues"], "sources": call["sources"]}
    for code, calls in _CALLS.items()
    for call in calls
}
"""The cues and the audio files of each call, by its language and id."""
_FILES = {Path(call["cues"]).stem: call for calls in _CALLS.values() for call in calls}
CALLS = frozenset(_FILES)
"""The names of the calls: language and id, as their files are named, `en-clinic`."""


def call_titles() -> dict[str, str]:
    """Return the title of each call, in the current language, by its name."""
    return {name: _title(name.partition("-")[0], call) for name, call in _FILES.items()}


def _title(code: str, call: Mapping[str, str]) -> str:
    title = t(call["title"])
    return title if "lang" in call else f"{title} ({own_name(code)})"


def first_call() -> dict[str, Any]:
    """Return the call that the hero plays, in the current language: its sources, and more."""
    first, *_ = _CALLS.get(language()) or _CALLS[ENGLISH]
    return first


def credit() -> str:
    """Return the line that names the voice model of the calls and its licence."""
    return t("The voice of the calls: {model}, {licence}.", model=MODEL, licence=LICENCE)
