"""Writes the audio, cues and manifest of the calls: `python -m tools.voices.render`."""

import json
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pyloudnorm

from tools.voices.kokoro import LICENCE, MODEL, RATE, Speech, speak
from tools.voices.measures import Samples, decoded, true_peak
from tools.voices.phonemes import Word, words_of
from tools.voices.timing import LEAD_IN_SECONDS, OVERLAP_SECONDS, gap_before
from voice_site.content.calls import Call, Turn
from voice_site.content.languages import LANGUAGES, Language, Speaker
from voice_site.content.scenes import HINGLISH, PLAYED

TARGET = Path(__file__).parents[2] / "assets" / "audio"


@dataclass(frozen=True)
class Voice:
    """The name of a style, and the speed at which it reads."""

    name: str
    speed: float


VOICES = {
    "en": {Speaker.TARA: Voice("hf_beta", 0.76), Speaker.CALLER: Voice("hm_omega", 0.83)},
    "hi": {Speaker.TARA: Voice("hf_alpha", 1.0), Speaker.CALLER: Voice("hm_omega", 1.05)},
}
"""By the language of the phonemes; docs/voices.md says what else was tried."""
_INTERRUPTED = "—"
_CODEC_RATE = 48_000
LOUDNESS_LUFS = -17.0
HIGHEST_DECIBELS = -1.1
"""The true peak of a file; the tests' decoder finds up to 0.1 dB more."""
_LIMITS = (0.7, 0.63, 0.56)
"""Levels at which peaks are limited, one after the other until the decoded file is low enough."""
FORMATS = {
    "webm": ('audio/webm; codecs="opus"', ["-c:a", "libopus", "-b:a", "24k"]),
    "m4a": (
        'audio/mp4; codecs="mp4a.40.2"',
        ["-c:a", "aac", "-b:a", "32k", "-movflags", "+faststart"],
    ),
}


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


def read(turn: Turn, language: str, voice: Voice) -> Speech:
    """Return a turn as speech, cut off where the other speaker interrupts."""
    bare = turn.text.removesuffix(_INTERRUPTED)
    words = words_of(f"{turn.spoken or bare} {turn.unsaid}".strip(), language)
    if turn.spoken:
        shown = turn.text.split()
        words = [Word(*pair) for pair in zip(shown, _phonemes(words), strict=True)]
    speech = speak(words, voice.name, voice.speed)
    if not turn.unsaid:
        return speech
    number = len(words) - len(words_of(turn.unsaid, language))
    cut = speech.cut_before(number)
    last = replace(cut.words[-1], text=cut.words[-1].text + _INTERRUPTED)
    return Speech(cut.samples, (*cut.words[:-1], last))


def _phonemes(words: Iterable[Word]) -> list[str]:
    return [word.phonemes for word in words]


def render(call: Call, language: str) -> tuple[Samples, list[Segment]]:
    """Return the audio of a call, and its turns: the first reply's path, then the others."""
    voices = VOICES[language]
    spoken = {turn.id: read(turn, language, voices[turn.speaker]) for turn in call.turns}
    gains = {
        speaker: _gain(spoken[turn.id] for turn in call.turns if turn.speaker is speaker)
        for speaker in Speaker
    }
    segments: list[Segment] = []
    for turn in call.turns:
        starts = LEAD_IN_SECONDS
        if segments and segments[-1].turn.unsaid:
            starts = segments[-1].ends - OVERLAP_SECONDS
        elif segments:
            starts = segments[-1].ends + gap_before(turn, call, language)
        segments.append(Segment(turn, starts, spoken[turn.id]))
    whole = np.zeros(round((segments[-1].ends + LEAD_IN_SECONDS) * RATE), np.float32)
    for segment in segments:
        first = round(segment.starts * RATE)
        samples = segment.speech.samples * gains[segment.turn.speaker]
        whole[first : first + len(samples)] += samples
    return whole, segments


def _gain(turns: Iterable[Speech]) -> float:
    """Return the factor that brings a speaker's turns to the loudness."""
    samples = np.concatenate([turn.samples for turn in turns])
    measured = pyloudnorm.Meter(RATE).integrated_loudness(samples)
    return 10 ** ((LOUDNESS_LUFS - measured) / 20)


def encode(samples: Samples, target: Path, options: list[str]) -> None:
    """Write samples as an audio file, without metadata that differs between runs.

    Raises:
        ValueError: If the codec adds too much to each limited peak.
    """
    raw = ["-f", "f32le", "-ar", str(RATE), "-ac", "1", "-i", "pipe:0"]
    exact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
    content = samples.astype("<f4").tobytes()
    for limit in _LIMITS:
        # Eight samples for one: a peak between two samples counts too.
        limiter = f"aresample={8 * RATE},alimiter=limit={limit}:level=false:attack=1"
        filters = ["-af", f"{limiter},aresample={RATE}"]
        command = ["ffmpeg", "-nostdin", "-y", "-loglevel", "error", *raw, *filters, *options]
        subprocess.run([*command, *exact, str(target)], check=True, input=content)  # noqa: S603
        if true_peak(decoded(target, _CODEC_RATE)) <= HIGHEST_DECIBELS:
            return
    raise ValueError(f"{target.name} exceeds {HIGHEST_DECIBELS} dB of full scale")


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
        **({"lang": call.lang} if call.lang else {}),
        "seconds": round(by_id[call.main_path[-1].id].ends, 2),
        "cues": f"/audio/{name}.json",
        "sources": [
            {"src": f"/audio/{name}.{ending}", "type": type_}
            for ending, (type_, _options) in FORMATS.items()
        ],
    }


def _line(language: Language, hinglish: Mapping[str, object]) -> dict[str, object]:
    """Return a language's line of the manifest; without a voice it has no calls.

    `hinglish` is the line of the call that each of them shares.
    """
    calls = [
        hinglish if call is HINGLISH else write_call(call, language.code)
        for call in PLAYED.get(language.code, ())
    ]
    voices: Mapping[Speaker, Voice] = VOICES.get(language.code, {})
    return {
        "code": language.code,
        "name": language.name,
        "ownName": language.own_name,
        "direction": language.direction,
        "greeting": language.sentence,
        "calls": calls,
        "voices": {speaker: voice.name for speaker, voice in voices.items()},
    }


def write_json(name: str, content: object) -> None:
    """Write a data file among the samples."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    (TARGET / name).write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Write the calls of every language that has a voice, and the manifest of all languages."""
    for old in TARGET.iterdir():
        old.unlink()
    hinglish = write_call(HINGLISH, "hi")
    samples = [_line(language, hinglish) for language in LANGUAGES]
    write_json("manifest.json", {"model": MODEL, "licence": LICENCE, "samples": samples})


if __name__ == "__main__":
    main()
