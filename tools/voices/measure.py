"""Measures the rendered calls, turn by turn: `python -m tools.voices.measure` prints tables."""

import json
from collections.abc import Sequence
from pathlib import Path

import pyloudnorm

from tools.voices.kokoro import RATE
from tools.voices.measures import RECOGNISER, Measures, decoded, measured, true_peak
from tools.voices.render import TARGET

_FILE_RATE = 48_000
HEAD = "words/min | peak dBFS | true peak dBTP | LUFS | DNSMOS | word errors"


def summary(turns: Sequence[Measures]) -> str:
    """Return the cells of one or more turns: worst peaks, and means by duration or words."""
    seconds = sum(each.seconds for each in turns)
    words = sum(each.words for each in turns)

    def mean(name: str) -> float:
        return sum(getattr(each, name) * each.seconds for each in turns) / seconds

    cells = [
        f"{60 * words / seconds:.0f}",
        f"{max(each.peak for each in turns):.1f}",
        f"{max(each.true_peak for each in turns):.1f}",
        f"{mean('loudness'):.1f}",
        f"{mean('quality'):.2f}",
        _error_rate(turns),
    ]
    return " | ".join(cells)


def _error_rate(turns: Sequence[Measures]) -> str:
    known = [each for each in turns if each.errors is not None]
    words = sum(each.words for each in known)
    return f"{sum(each.errors or 0 for each in known) / words:.0%}" if words else "-"


def _levels(file: Path) -> str:
    samples = decoded(file, _FILE_RATE)
    level = pyloudnorm.Meter(_FILE_RATE).integrated_loudness(samples)
    return f"{true_peak(samples):.1f} | {level:.1f}"


def main(folder: Path = TARGET) -> None:
    """Print the measures of each turn, each file and each voice."""
    manifest = json.loads((folder / "manifest.json").read_text(encoding="utf-8"))
    print(f"Recognised by {RECOGNISER}.\n\n| turn | {HEAD} | heard |\n" + "|---" * 8 + "|")
    files: list[str] = []
    voices: dict[str, list[Measures]] = {}
    for sample in manifest["samples"]:
        for call in sample["calls"]:
            name = Path(call["cues"]).stem
            if any(file.startswith(f"{name}.") for file in files):
                continue  # Hinglish is in two lists
            sounds = [folder / Path(each["src"]).name for each in call["sources"]]
            files += [
                f"{sound.name} | {sound.stat().st_size} | {_levels(sound)}" for sound in sounds
            ]
            whole = decoded(sounds[0])
            for cue in json.loads((folder / f"{name}.json").read_text())["turns"]:
                part = whole[round(cue["starts"] * RATE) : round(cue["ends"] * RATE)]
                found = measured(part, cue["text"], name[:2])
                print(f"| {name} {cue['id']} | {summary([found])} | {found.heard or ''} |")
                voice = f"{name[:2]} {cue['speaker']}" + (" (Hinglish)" if "lang" in call else "")
                voices.setdefault(voice, []).append(found)
    print("\n| file | bytes | true peak dBTP | LUFS |\n|---|---|---|---|")
    print("\n".join(f"| {file} |" for file in files))
    print(f"\n| voice | {HEAD} |\n" + "|---" * 7 + "|")
    print("\n".join(f"| {voice} | {summary(turns)} |" for voice, turns in voices.items()))


if __name__ == "__main__":
    main()
