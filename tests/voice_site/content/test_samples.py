"""The audio samples and their manifest: formats, length, size and cues."""

import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from fontTools.ttLib import TTFont

from voice_site.content.languages import LANGUAGES, Speaker
from voice_site.content.player import WORDS
from voice_site.content.samples import MANIFEST, VOICES

ASSETS = Path(__file__).parents[3] / "assets"
SHORTEST_SECONDS, LONGEST_SECONDS = 8, 15
MOST_BYTES = 60_000
SIGNATURES = {".webm": b"\x1a\x45\xdf\xa3", ".m4a": b"ftyp"}
LATIN = 0x24F
DEVANAGARI_STOP = "।"
"""A sign that other scripts share with Devanagari, whose font contains it."""

_LINES = json.loads(MANIFEST.read_text(encoding="utf-8"))["samples"]
SAMPLES = [SimpleNamespace(**line) for line in _LINES]
each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.code)
by_code = {language.code: language for language in LANGUAGES}


def file(address):
    return ASSETS / address.removeprefix("/")


def cues(sample):
    return json.loads(file(sample.cues).read_text(encoding="utf-8"))["turns"]


def test_each_language_has_a_sample():
    assert [sample.code for sample in SAMPLES] == [language.code for language in LANGUAGES]
    assert {"en", "hi", "ta", "te", "bn", "kn"} <= {sample.code for sample in SAMPLES}


@each_sample
def test_sample_is_short_and_small_in_two_formats(sample):
    assert SHORTEST_SECONDS <= sample.seconds <= LONGEST_SECONDS
    sources = [source["src"] for source in sample.sources]
    assert [Path(source).suffix for source in sources] == [".webm", ".m4a"]
    for source in sources:
        content = file(source).read_bytes()
        assert 10_000 < len(content) <= MOST_BYTES
        assert SIGNATURES[Path(source).suffix] in content[:12]


@each_sample
def test_sample_has_voice_and_licence(sample):
    assert sample.voice
    assert sample.licence


def test_generated_voices_are_labelled_synthetic():
    generated = [sample for sample in SAMPLES if sample.maker == "eSpeak NG"]
    assert generated
    assert all("synthetic placeholder" in sample.voice for sample in generated)
    assert "synthetic placeholder" in VOICES


@each_sample
def test_cues_match_turns_of_the_page(sample):
    turns = cues(sample)
    assert [(turn["speaker"], turn["text"]) for turn in turns] == list(by_code[sample.code].turns)
    assert {turn["speaker"] for turn in turns} == set(Speaker)


@each_sample
def test_cues_are_ordered_and_end_with_the_sample(sample):
    turns = cues(sample)
    times = list(itertools.chain.from_iterable((turn["starts"], turn["ends"]) for turn in turns))
    assert times == sorted(set(times))
    assert times[0] < 1
    assert times[-1] == pytest.approx(sample.seconds, abs=0.02)


def test_each_audio_file_is_listed_in_the_manifest():
    sources = [source["src"] for sample in SAMPLES for source in sample.sources]
    listed = {file(address) for address in (*sources, *(sample.cues for sample in SAMPLES))}
    assert set(MANIFEST.parent.iterdir()) - {MANIFEST} == listed


def test_fonts_cover_all_characters_of_the_samples():
    drawn = {
        sign
        for font in (ASSETS / "fonts").glob("tara-noto-*.woff2")
        for sign in TTFont(font).getBestCmap()
    }
    used = {ord(sign) for each in LANGUAGES for _speaker, words in each.turns for sign in words}
    native = {sign for sign in used if sign > LATIN}
    assert ord(DEVANAGARI_STOP) in native
    assert native - drawn == set()


def test_player_states_match_specification():
    states = [WORDS[state] for state in ("ready", "listening", "speaking")]
    assert states == ["Ready to play", "Listening...", "Speaking..."]


def test_player_constants_match_specification():
    script = "".join(
        (ASSETS / "js" / "voice_site" / name).read_text(encoding="utf-8")
        for name in ("player_bars.jsx", "player_stage.jsx", "voice_sound.js")
    )
    constants = dict(re.findall(r"^const ([A-Z_]+) = ([\d_.]+);$", script, re.MULTILINE))
    specified = {
        "BARS": 48,
        "REFRESH_MS": 100,
        "DEMO_INTERVAL_MS": 3_000,
        "FFT_SIZE": 256,
        "SMOOTHING": 0.8,
    }
    assert {name: float(constants[name]) for name in specified} == specified
