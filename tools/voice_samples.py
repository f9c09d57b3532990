"""Generates the samples of "Listen to TARA": `python -m tools.voice_samples`.

Needs espeak-ng and ffmpeg, unlike the product itself. Writes into `assets/audio` the call of each
language in two formats, its cues, and the manifest of all samples. To use a better voice, replace
the files, the cues and the line in the manifest of its language.
"""

import json
import shutil
import subprocess
import wave
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from voice_site.content.languages import LANGUAGES, Language, Speaker

TARGET = Path(__file__).parents[1] / "assets" / "audio"
VOICE = "a synthetic placeholder voice"
MAKER = "eSpeak NG"
LICENCE = "Made for this project; the words are the project's own."
RATE = 48_000
PAUSE_SECONDS = 0.4
MANNERS = {Speaker.TARA: ("f3", 55), Speaker.CALLER: ("m3", 42)}
"""Variant and pitch of each speaker's voice."""

WORDS_A_MINUTE = 165
TRIMMED = "silenceremove=start_periods=1:start_threshold=-50dB"
CLEANED = ",".join(
    (
        *(TRIMMED, "areverse", TRIMMED, "areverse"),
        *("highpass=f=80", "lowpass=f=9000", "loudnorm=I=-16:TP=-1.5"),
    )
)
FORMATS = {
    "webm": ('audio/webm; codecs="opus"', ["-c:a", "libopus", "-b:a", "24k"]),
    "m4a": (
        'audio/mp4; codecs="mp4a.40.2"',
        ["-c:a", "aac", "-b:a", "20k", "-ar", "22050", "-movflags", "+faststart"],
    ),
}


@dataclass(frozen=True)
class Cue:
    """A turn, with its start and end in seconds."""

    speaker: Speaker
    starts: float
    ends: float
    text: str


def speak(language: Language, speaker: Speaker, text: str, folder: Path) -> bytes:
    """Return a turn as one channel of 16-bit samples."""
    variant, pitch = MANNERS[speaker]
    voice = f"{'en-gb' if language.code == 'en' else language.code}+{variant}"
    spoken, cleaned = folder / "spoken.wav", folder / "cleaned.wav"
    manner = ["-v", voice, "-p", str(pitch), "-s", str(WORDS_A_MINUTE)]
    run("espeak-ng", *manner, "-w", str(spoken), text)
    convert(spoken, cleaned, "-af", CLEANED, "-ar", str(RATE), "-ac", "1", "-c:a", "pcm_s16le")
    with wave.open(str(cleaned)) as sound:
        return sound.readframes(sound.getnframes())


def convert(source: Path, target: Path, *options: str) -> None:
    """Run ffmpeg without metadata that differs between runs."""
    exact = ["-map_metadata", "-1", "-fflags", "+bitexact", "-flags:a", "+bitexact"]
    quiet = ["-nostdin", "-y", "-loglevel", "error"]
    run("ffmpeg", *quiet, "-i", str(source), *options, *exact, str(target))


def run(program: str, *options: str) -> None:
    """Run a program.

    Raises:
        SystemExit: if the program is missing.
    """
    path = shutil.which(program)
    if path is None:
        raise SystemExit(f"{program} is missing (Debian, Ubuntu: apt-get install {program})")
    subprocess.run([path, *options], check=True)  # noqa: S603 - our own words


def seconds(samples: bytes) -> float:
    """Return the duration of 16-bit samples."""
    return round(len(samples) / 2 / RATE, 2)


def call(language: Language, folder: Path) -> tuple[bytes, list[Cue]]:
    """Return the 16-bit samples of a call, and the cues of its turns."""
    pause = bytes(2 * int(RATE * PAUSE_SECONDS))
    samples, cues = b"", []
    for speaker, text in language.turns:
        samples += pause
        starts = seconds(samples)
        samples += speak(language, speaker, text, folder)
        cues.append(Cue(speaker, starts, seconds(samples), text))
    return samples, cues


def write_sample(language: Language, folder: Path) -> dict[str, object]:
    """Write the files of a language; return its line of the manifest."""
    samples, cues = call(language, folder)
    whole = folder / "whole.wav"
    with wave.open(str(whole), "wb") as sound:
        sound.setnchannels(1)
        sound.setsampwidth(2)
        sound.setframerate(RATE)
        sound.writeframes(samples)
    for ending, (_type, options) in FORMATS.items():
        convert(whole, TARGET / f"{language.code}.{ending}", *options)
    write_json(f"{language.code}.json", {"turns": [vars(cue) for cue in cues]})
    sizes = [(TARGET / f"{language.code}.{ending}").stat().st_size for ending in FORMATS]
    print(f"{language.name}: {seconds(samples)} s, {sizes} bytes")
    return {
        "code": language.code,
        "name": language.name,
        "ownName": language.own_name,
        "direction": language.direction,
        "voice": VOICE,
        "maker": MAKER,
        "licence": LICENCE,
        "seconds": seconds(samples),
        "cues": f"/audio/{language.code}.json",
        "sources": [
            {"src": f"/audio/{language.code}.{ending}", "type": type_}
            for ending, (type_, _options) in FORMATS.items()
        ],
    }


def write_json(name: str, content: object) -> None:
    """Write a data file among the samples."""
    text = json.dumps(content, ensure_ascii=False, indent=1)
    (TARGET / name).write_text(f"{text}\n", encoding="utf-8")


def main() -> None:
    """Write the samples of every language, and the manifest."""
    TARGET.mkdir(parents=True, exist_ok=True)
    with TemporaryDirectory() as folder:
        samples = [write_sample(language, Path(folder)) for language in LANGUAGES]
    write_json("manifest.json", {"samples": samples})


if __name__ == "__main__":
    main()
