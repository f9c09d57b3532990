"""Measures the rendered calls: `python -m tools.voices.measure` prints a table.

English is transcribed by pocketsphinx, whose small model knows no Indian names: its word error rate
compares voices, it does not say how much a person understands.
"""

import json
import re
import subprocess
from collections.abc import Sequence
from typing import Any

import numpy as np
import pyloudnorm
from pocketsphinx import Decoder
from scipy.signal import resample_poly

from tools.voices.kokoro import RATE
from tools.voices.render import TARGET
from voice_site.content.languages import Speaker

_RECOGNISER_RATE = 16_000
_FRAME = RATE // 40
_LOWEST_HZ, _HIGHEST_HZ = 70, 400
_QUIET = 0.01
"""The level below which a frame is a pause."""
_FULL_SCALE = 0.999

Samples = np.ndarray[Any, np.dtype[np.float32]]


def decoded(name: str) -> Samples:
    """Return the samples of an audio file, from -1 to 1 at `RATE`."""
    raw = ["-f", "f32le", "-ar", str(RATE), "-ac", "1", "pipe:1"]
    command = ["ffmpeg", "-nostdin", "-loglevel", "error", "-i", str(TARGET / name), *raw]
    content = subprocess.run(command, check=True, capture_output=True).stdout  # noqa: S603
    return np.frombuffer(content, "<f4")


def pitch_hz(samples: Samples) -> float:
    """Return the median pitch of the voiced frames, by autocorrelation."""
    found: list[float] = []
    shortest, longest = RATE // _HIGHEST_HZ, RATE // _LOWEST_HZ
    for start in range(0, len(samples) - 2 * _FRAME, _FRAME):
        frame = samples[start : start + 2 * _FRAME]
        correlation = np.correlate(frame, frame, "full")[len(frame) - 1 :]
        lag = shortest + int(np.argmax(correlation[shortest:longest]))
        if correlation[0] > _QUIET and correlation[lag] > 0.5 * correlation[0]:
            found.append(RATE / lag)
    return float(np.median(found))


def longest_pause(samples: Samples) -> float:
    """Return the seconds of the longest pause within a turn."""
    frames = samples[: len(samples) // _FRAME * _FRAME].reshape(-1, _FRAME)
    quiet = "".join(".#"[bool(level > _QUIET)] for level in np.abs(frames).max(axis=1))
    return max(map(len, re.findall(r"\.+", quiet.strip("."))), default=0) * _FRAME / RATE


def transcript(decoder: Decoder, samples: Samples) -> list[str]:
    """Return the words that the recogniser finds."""
    silence = np.zeros(_RECOGNISER_RATE // 4)
    heard = resample_poly(samples, 2, 3)
    heard = np.concatenate([silence, heard / np.abs(heard).max() * 0.7, silence])
    decoder.start_utt()
    decoder.process_raw((heard * 32_767).astype("<i2").tobytes(), full_utt=True)
    decoder.end_utt()
    return _words(decoder.hyp().hypstr) if decoder.hyp() else []


def _words(text: str) -> list[str]:
    return re.sub("[^a-z' ]", " ", text.lower()).split()


def errors(reference: Sequence[str], found: Sequence[str]) -> int:
    """Return the least number of insertions, deletions and replacements of words."""
    row = list(range(len(found) + 1))
    for number, word in enumerate(reference, 1):
        previous, row[0] = row[0], number
        for column, other in enumerate(found, 1):
            replaced = previous + (word != other)
            previous, row[column] = row[column], min(row[column] + 1, row[column - 1] + 1, replaced)
    return row[-1]


def main() -> None:
    """Print the measures of each voice, and of each call."""
    manifest = json.loads((TARGET / "manifest.json").read_text(encoding="utf-8"))
    decoder = Decoder()
    for sample in filter(lambda sample: sample["calls"], manifest["samples"]):
        turns: dict[str, list[tuple[str, Samples]]] = {speaker: [] for speaker in Speaker}
        for call in sample["calls"]:
            samples = decoded(call["sources"][0]["src"].rpartition("/")[2])
            for cue in json.loads((TARGET / call["cues"].rpartition("/")[2]).read_text())["turns"]:
                part = samples[round(cue["starts"] * RATE) : round(cue["ends"] * RATE)]
                turns[cue["speaker"]].append((cue["text"], part))
            clipped = int((np.abs(samples) >= _FULL_SCALE).sum())
            loudness = pyloudnorm.Meter(RATE).integrated_loudness(samples)
            print(f"{sample['code']}-{call['id']}: {loudness:.1f} LUFS, {clipped} clipped samples")
        for speaker, spoken in turns.items():
            whole = np.concatenate([part for _text, part in spoken])
            pause = max(longest_pause(part) for _text, part in spoken)
            line = f"{sample['code']} {speaker} ({sample['voices'][speaker]}): "
            line += f"{pitch_hz(whole):.0f} Hz, longest pause {pause:.2f} s"
            line += f", {pyloudnorm.Meter(RATE).integrated_loudness(whole):.1f} LUFS"
            if sample["code"] == "en":
                found = [(_words(text), transcript(decoder, part)) for text, part in spoken]
                wrong = sum(errors(*pair) for pair in found)
                line += f", word error rate {wrong / sum(len(words) for words, _ in found):.0%}"
            print(line)


if __name__ == "__main__":
    main()
