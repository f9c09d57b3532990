"""Writes the audio, cues and manifest of the calls: `python -m tools.voices.render`."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyloudnorm

from tools.voices.kokoro import LICENCE, MODEL, RATE, Speech, speak
from voice_site.content.calls import CALLS, Call, Turn
from voice_site.content.languages import LANGUAGES, Language, Speaker

TARGET = Path(__file__).parents[2] / "assets" / "audio"
VOICES = {
    "en": {Speaker.TARA: "af_heart", Speaker.CALLER: "am_michael"},
    "hi": {Speaker.TARA: "hf_alpha", Speaker.CALLER: "hm_omega"},
}
SPEEDS = {Speaker.TARA: 1.0, Speaker.CALLER: 1.05}
LOUDNESS_LUFS = -17.0
LIMITER = ["-af", "alimiter=limit=0.84:level=false"]
"""No sample exceeds 1.5 dB below full scale."""
PAUSE_SECONDS = 0.45
FORMATS = {
    "webm": ('audio/webm; codecs="opus"', ["-c:a", "libopus", "-b:a", "28k"]),
    "m4a": (
        'audio/mp4; codecs="mp4a.40.2"',
        ["-c:a", "aac", "-b:a", "36k", "-movflags", "+faststart"],
    ),
}

Samples = np.ndarray[Any, np.dtype[np.float32]]


@dataclass(frozen=True)
class Segment:
    """A turn within the audio of its call."""

    turn: Turn
    starts: float
    speech: Speech

    @property
    def ends(self) -> float:
        """Return the end in seconds."""
        return self.starts + self.speech.seconds

    def as_json(self) -> dict[str, object]:
        """Return the turn's cue: its times in seconds, and the start of each of its words."""
        words = [[round(self.starts + word.starts, 2), word.text] for word in self.speech.words]
        return {
            "id": self.turn.id,
            "speaker": self.turn.speaker,
            "starts": round(self.starts, 2),
            "ends": round(self.ends, 2),
            "text": self.turn.text,
            "words": words,
        }


def render(call: Call, language: str) -> tuple[Samples, list[Segment]]:
    """Return the audio of a call, and its turns: the first reply's path, then the others."""
    voices = VOICES[language]
    spoken = {
        turn.id: speak(turn.text, language, voices[turn.speaker], SPEEDS[turn.speaker])
        for turn in call.turns
    }
    gains = {
        speaker: _gain(spoken[turn.id] for turn in call.turns if turn.speaker is speaker)
        for speaker in Speaker
    }
    pause = np.zeros(round(PAUSE_SECONDS * RATE), np.float32)
    parts: list[Samples] = []
    segments: list[Segment] = []
    for turn in call.turns:
        parts.append(pause)
        starts = sum(map(len, parts)) / RATE
        segments.append(Segment(turn, starts, spoken[turn.id]))
        parts.append(spoken[turn.id].samples * gains[turn.speaker])
    return np.concatenate(parts), segments


def _gain(turns: Iterable[Speech]) -> float:
    """Return the factor that brings a speaker's turns to the loudness."""
    samples = np.concatenate([turn.samples for turn in turns])
    measured = pyloudnorm.Meter(RATE).integrated_loudness(samples)
    return 10 ** ((LOUDNESS_LUFS - measured) / 20)


def encode(samples: Samples, target: Path, options: list[str]) -> None:
    """Write samples as an audio file, without metadata that differs between runs."""
    raw = ["-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", "pipe:0"]
    exact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
    command = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error", *raw, *LIMITER, *options, *exact]
    content = samples.astype("<f4").tobytes()
    subprocess.run([*command, str(target)], check=True, input=content)  # noqa: S603


def write_call(call: Call, language: str) -> dict[str, object]:
    """Write the files of a call; return its line of the manifest."""
    samples, segments = render(call, language)
    name = f"{language}-{call.id}"
    for ending, (_type, options) in FORMATS.items():
        encode(samples, TARGET / f"{name}.{ending}", options)
    write_json(f"{name}.json", {"turns": [segment.as_json() for segment in segments]})
    by_id = {segment.turn.id: segment for segment in segments}
    print(f"{name}: {len(samples) / RATE:.1f} s")
    return {
        "id": call.id,
        "title": call.title,
        "seconds": round(by_id[call.main_path[-1].id].ends, 2),
        "cues": f"/audio/{name}.json",
        "sources": [
            {"src": f"/audio/{name}.{ending}", "type": type_}
            for ending, (type_, _options) in FORMATS.items()
        ],
    }


def _line(language: Language) -> dict[str, object]:
    """Return a language's line of the manifest; without a voice it has no calls."""
    calls = [write_call(call, language.code) for call in CALLS.get(language.code, ())]
    voices: Mapping[Speaker, str] = VOICES.get(language.code, {})
    return {
        "code": language.code,
        "name": language.name,
        "ownName": language.own_name,
        "direction": language.direction,
        "greeting": language.sentence,
        "calls": calls,
        "voices": dict(voices),
    }


def write_json(name: str, content: object) -> None:
    """Write a data file among the samples."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (TARGET / name).write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Write the calls of every language that has a voice, and the manifest of all languages."""
    for old in TARGET.iterdir():
        old.unlink()
    samples = [_line(language) for language in LANGUAGES]
    write_json("manifest.json", {"model": MODEL, "licence": LICENCE, "samples": samples})


if __name__ == "__main__":
    main()
