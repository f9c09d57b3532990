"""The samples as the manifest among the page's files lists them: a better voice is a line there."""

import json
from dataclasses import dataclass
from pathlib import Path

_ASSETS = Path(__file__).parents[2] / "assets"


@dataclass(frozen=True)
class Sample:
    """A recorded call: its language, whose voice it is, and on what terms."""

    code: str
    voice: str
    licence: str
    seconds: float
    cues: str
    sources: tuple[str, ...]


def _sample(line: dict[str, object]) -> Sample:
    known = {name: line[name] for name in ("code", "voice", "licence", "seconds", "cues")}
    return Sample(**known, sources=tuple(each["src"] for each in line["sources"]))  # type: ignore


def read_samples() -> tuple[Sample, ...]:
    """Return every sample that the page offers, in its order."""
    manifest = json.loads((_ASSETS / "audio" / "manifest.json").read_text(encoding="utf-8"))
    return tuple(map(_sample, manifest["samples"]))


SAMPLES = read_samples()


def voices() -> str:
    """Return whose voices are heard, as the page says it."""
    return " or ".join(sorted({sample.voice for sample in SAMPLES}))
