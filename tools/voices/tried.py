"""Compares voices that could speak English: `python -m tools.voices.tried` prints a table.

Each one reads the same turns of the scripted calls, once to learn its pace, then at the pace that
is wanted. docs/voices.md has the table and what was chosen.
"""

from collections.abc import Iterable

from tools.voices.kokoro import speak
from tools.voices.measure import HEAD, summary
from tools.voices.measures import Measures, measured
from tools.voices.phonemes import words_of
from voice_site.content.calls import CALLS, Turn
from voice_site.content.languages import Speaker

_WANTED = 158
"""Words a minute."""
_VOICES = {
    Speaker.TARA: ("hf_alpha", "hf_beta", "af_heart"),
    Speaker.CALLER: ("hm_omega", "hm_psi", "am_michael"),
}
_PHONEMES = {"en": "American", "en-in": "with sounds of Hindi"}
_TURNS = 5
"""The first ones of the clinic's call, in which both speakers begin sentences with 'I'."""


def _turns(speaker: Speaker) -> list[Turn]:
    clinic, *_ = CALLS["en"]
    return [turn for turn in clinic.turns if turn.speaker is speaker][:_TURNS]


def _read(turns: Iterable[Turn], accent: str, voice: str, speed: float) -> list[Measures]:
    spoken = [(speak(words_of(turn.text, accent), voice, speed), turn) for turn in turns]
    return [measured(speech.samples, turn.text, "en") for speech, turn in spoken]


def _speed(turns: Iterable[Turn], accent: str, voice: str) -> float:
    """Return the speed at which a voice has the wanted pace."""
    spoken = [(speak(words_of(turn.text, accent), voice, 0.8), turn) for turn in turns]
    words = sum(len(turn.text.split()) for _speech, turn in spoken)
    pace = 60 * words / sum(speech.seconds for speech, _turn in spoken)
    return round(0.8 * _WANTED / pace, 2)


def main() -> None:
    """Print a row for each speaker, voice and kind of phonemes."""
    print(f"| speaker | style | phonemes | speed | {HEAD} |\n" + "|---" * 10 + "|")
    for speaker, voices in _VOICES.items():
        turns = _turns(speaker)
        for voice in voices:
            for accent, phonemes in _PHONEMES.items():
                speed = _speed(turns[:1], accent, voice)
                found = summary(_read(turns, accent, voice, speed))
                print(f"| {speaker} | `{voice}` | {phonemes} | {speed} | {found} |", flush=True)


if __name__ == "__main__":
    main()
