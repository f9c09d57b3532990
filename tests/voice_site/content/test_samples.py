"""The samples and their manifest: every file that it names is here, sound, short and small."""

import itertools
import json
import re
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont

from voice_site.content.languages import LANGUAGES, Speaker
from voice_site.content.player import WORDS
from voice_site.content.samples import SAMPLES, voices

ASSETS = Path(__file__).parents[3] / "assets"
SHORTEST_SECONDS, LONGEST_SECONDS = 8, 15
MOST_BYTES = 60_000
SIGNATURES = {".webm": b"\x1a\x45\xdf\xa3", ".m4a": b"ftyp"}
LATIN = 0x24F
DEVANAGARI_STOP = "।"
"""A sign that other scripts borrow from Devanagari, whose font is asked for it."""

each_sample = pytest.mark.parametrize("sample", SAMPLES, ids=lambda sample: sample.code)
by_code = {language.code: language for language in LANGUAGES}


def file(address):
    return ASSETS / address.removeprefix("/")


def cues(sample):
    return json.loads(file(sample.cues).read_text(encoding="utf-8"))["turns"]


def test_every_language_of_the_page_can_be_heard():
    assert [sample.code for sample in SAMPLES] == [language.code for language in LANGUAGES]
    assert {"en", "hi", "ta", "te", "bn", "kn"} <= {sample.code for sample in SAMPLES}


@each_sample
def test_a_sample_is_short_and_small_in_formats_for_every_browser(sample):
    assert SHORTEST_SECONDS <= sample.seconds <= LONGEST_SECONDS
    assert [Path(source).suffix for source in sample.sources] == [".webm", ".m4a"]
    for source in sample.sources:
        content = file(source).read_bytes()
        assert 10_000 < len(content) <= MOST_BYTES
        assert SIGNATURES[Path(source).suffix] in content[:12]


@each_sample
def test_a_sample_says_whose_voice_it_is_and_on_what_terms(sample):
    assert sample.voice
    assert sample.licence


def test_a_voice_that_was_made_by_a_program_is_called_synthetic():
    manifest = json.loads((ASSETS / "audio" / "manifest.json").read_text(encoding="utf-8"))
    made = [line for line in manifest["samples"] if line["maker"] == "eSpeak NG"]
    assert made
    assert all("synthetic placeholder" in line["voice"] for line in made)
    assert "synthetic placeholder" in voices()


@each_sample
def test_the_cues_say_what_the_page_says_turn_by_turn(sample):
    turns = cues(sample)
    assert [(turn["speaker"], turn["text"]) for turn in turns] == list(by_code[sample.code].turns)
    assert {turn["speaker"] for turn in turns} == set(Speaker)


@each_sample
def test_the_cues_follow_each_other_to_the_sample_s_end(sample):
    turns = cues(sample)
    times = list(itertools.chain.from_iterable((turn["starts"], turn["ends"]) for turn in turns))
    assert times == sorted(set(times))
    assert times[0] < 1
    assert times[-1] == pytest.approx(sample.seconds, abs=0.02)


def test_no_file_is_there_without_being_named():
    named = {file(address) for each in SAMPLES for address in (each.cues, *each.sources)}
    there = set((ASSETS / "audio").iterdir()) - {ASSETS / "audio" / "manifest.json"}
    assert there == named


def test_the_fonts_draw_every_sign_of_the_samples():
    drawn = {
        sign
        for font in (ASSETS / "fonts").glob("tara-noto-*.woff2")
        for sign in TTFont(font).getBestCmap()
    }
    said = {ord(sign) for each in LANGUAGES for _who, words in each.turns for sign in words}
    native = {sign for sign in said if sign > LATIN}
    assert ord(DEVANAGARI_STOP) in native
    assert native - drawn == set()


def test_the_player_says_its_three_states_as_specified():
    states = [WORDS[state] for state in ("ready", "listening", "speaking")]
    assert states == ["Ready to play", "Listening...", "Speaking..."]


def test_the_player_s_part_in_the_browser_holds_the_specified_constants():
    script = "".join(
        (ASSETS / "js" / name).read_text(encoding="utf-8")
        for name in ("player_stage.jsx", "voice_sound.js")
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
