"""The audio samples and their manifest: formats, length, size and cues."""

import itertools
import json
import re
from pathlib import Path
from types import SimpleNamespace

import pytest
from fontTools.ttLib import TTFont

from kit.translations import use_locale
from voice_site.components.footer import footer
from voice_site.content.calls import CALLS
from voice_site.content.languages import LANGUAGES, Speaker
from voice_site.content.player import words
from voice_site.content.samples import MANIFEST, credit
from voice_site.content.scenes import PLAYED
from voice_site.domain.constants import INDUSTRIES

ASSETS = Path(__file__).parents[3] / "assets"
SHORTEST_SECONDS, LONGEST_SECONDS = 20, 60
SHORTEST_GAP, LONGEST_GAP = 0.2, 0.9
SLOWEST, FASTEST = 150, 165
"""Words a minute in English."""
MAX_BYTES = 400_000
SIGNATURES = {".webm": b"\x1a\x45\xdf\xa3", ".m4a": b"ftyp"}
LATIN = 0x24F
DEVANAGARI_STOP = "।"
"""A sign that other scripts share with Devanagari, whose font contains it."""

_MANIFEST = json.loads(MANIFEST.read_text(encoding="utf-8"))
SAMPLES = [SimpleNamespace(**line) for line in _MANIFEST["samples"]]
RENDERED = [
    SimpleNamespace(**call, code=sample.code) for sample in SAMPLES for call in sample.calls
]
each_call = pytest.mark.parametrize("call", RENDERED, ids=lambda call: f"{call.code}-{call.id}")
WRITTEN = {(code, call.id): call for code, calls in PLAYED.items() for call in calls}


def file(address):
    return ASSETS / address.removeprefix("/")


def cues(call):
    return json.loads(file(call.cues).read_text(encoding="utf-8"))["turns"]


def test_manifest_has_each_language_with_its_greeting():
    assert [(sample.code, sample.greeting) for sample in SAMPLES] == [
        (language.code, language.sentence) for language in LANGUAGES
    ]
    assert {"en", "hi", "ta", "te", "bn", "kn"} <= {sample.code for sample in SAMPLES}


def test_each_written_call_is_rendered():
    assert {(call.code, call.id): call.title for call in RENDERED} == {
        key: call.title for key, call in WRITTEN.items()
    }
    assert len({call.id for call in RENDERED}) == 5


def test_player_has_words_for_each_call_language_and_speaker_in_hindi():
    with use_locale("hi"):
        texts = words()
    ids = {f"call_{call.id}" for call in RENDERED} | {f"language_{each.code}" for each in SAMPLES}
    assert {id_ for id_ in (*ids, "caller") if texts[id_].isascii()} == set()


def test_manifest_has_model_licence_and_two_voices_of_each_language():
    assert (_MANIFEST["model"], _MANIFEST["licence"]) == ("Kokoro-82M (int8)", "Apache-2.0")
    for sample in SAMPLES:
        assert len(set(sample.voices.values())) == (2 if sample.calls else 0)


def test_foot_of_the_page_credits_the_voice():
    assert credit() == "The voice of the calls: Kokoro-82M (int8), Apache-2.0."
    assert credit() in str(footer())


@each_call
def test_call_is_small_in_two_formats(call):
    assert SHORTEST_SECONDS <= call.seconds <= LONGEST_SECONDS
    sources = [source["src"] for source in call.sources]
    assert [Path(source).suffix for source in sources] == [".webm", ".m4a"]
    for source in sources:
        content = file(source).read_bytes()
        assert 10_000 < len(content) <= MAX_BYTES
        assert SIGNATURES[Path(source).suffix] in content[:12]


@each_call
def test_cues_match_the_written_turns(call):
    written = WRITTEN[call.code, call.id]
    assert [(cue["id"], cue["speaker"], cue["text"]) for cue in cues(call)] == [
        (turn.id, turn.speaker, turn.text) for turn in written.turns
    ]


@each_call
def test_cues_are_ordered_and_main_path_ends_with_the_call(call):
    starts = [cue["starts"] for cue in cues(call)]
    assert starts == sorted(set(starts))
    assert starts[0] < 1
    assert all(cue["starts"] < cue["ends"] for cue in cues(call))
    main_path = WRITTEN[call.code, call.id].main_path
    assert cues(call)[len(main_path) - 1]["ends"] == pytest.approx(call.seconds, abs=0.02)


@each_call
def test_gaps_differ_as_in_speech_and_an_interruption_overlaps(call):
    gaps = []
    for turn, (cue, following) in zip(
        WRITTEN[call.code, call.id].turns, itertools.pairwise(cues(call)), strict=False
    ):
        gap = following["starts"] - cue["ends"]
        if turn.unsaid:
            assert -1 < gap < -0.2
        else:
            gaps.append(round(gap, 2))
    assert SHORTEST_GAP <= min(gaps) <= max(gaps) <= LONGEST_GAP
    assert len(set(gaps)) > len(gaps) / 2


@pytest.mark.parametrize("speaker", Speaker)
def test_english_is_spoken_at_the_pace_of_a_call_centre(speaker):
    english = [call for call in RENDERED if call.code == "en" and not hasattr(call, "lang")]
    turns = [cue for call in english for cue in cues(call) if cue["speaker"] == speaker]
    seconds = sum(cue["ends"] - cue["starts"] for cue in turns)
    assert SLOWEST <= 60 * sum(len(cue["text"].split()) for cue in turns) / seconds <= FASTEST


def test_word_i_at_the_start_of_a_sentence_is_given_time():
    """The model gave it 0.07 s without its stress, and swallowed it."""
    lasts = {}
    for call in RENDERED:
        for cue in cues(call):
            ends = [".", *(word[-1] for _starts, word in cue["words"])]
            for before, (starts, word), (then, _next) in zip(
                ends, cue["words"], cue["words"][1:], strict=False
            ):
                if before in ".?" and re.match(r"I\b", word):
                    lasts[call.id, cue["id"], starts] = round(then - starts, 2)
    assert len(lasts) > 10
    assert {place: time for place, time in lasts.items() if time < 0.12} == {}


@each_call
def test_words_are_those_of_their_turn_in_order(call):
    for cue in cues(call):
        assert " ".join(word for _starts, word in cue["words"]) == cue["text"]
        starts = [starts for starts, _word in cue["words"]]
        assert starts == sorted(set(starts))
        assert cue["starts"] <= starts[0] < starts[-1] <= cue["ends"] or len(starts) == 1


def test_calls_have_unique_turns_and_known_industries():
    for call in WRITTEN.values():
        turns = [*call.opening, *itertools.chain.from_iterable(call.replies)]
        assert len({(turn.id, turn.text) for turn in turns}) == len({turn.id for turn in turns})
        assert call.industry in INDUSTRIES


def test_caller_chooses_between_three_replies():
    for call in itertools.chain.from_iterable(CALLS.values()):
        assert len(call.replies) == 3
        assert all(reply[0].speaker is Speaker.CALLER for reply in call.replies)
        assert len({reply[0].text for reply in call.replies}) == 3


def test_each_audio_file_is_listed_in_the_manifest():
    listed = {file(source["src"]) for call in RENDERED for source in call.sources}
    listed |= {file(call.cues) for call in RENDERED}
    assert set(MANIFEST.parent.iterdir()) - {MANIFEST} == listed


def test_fonts_cover_all_characters_of_the_samples():
    drawn = {
        sign
        for font in (ASSETS / "fonts").glob("tara-*.woff2")
        for sign in TTFont(font).getBestCmap()
    }
    texts = [each.sentence for each in LANGUAGES]
    texts += [turn.text for call in WRITTEN.values() for turn in call.turns]
    used = {ord(sign) for text in texts for sign in text}
    native = {sign for sign in used if sign > LATIN}
    assert ord(DEVANAGARI_STOP) in native
    assert native - drawn == set()


def test_player_states_match_specification():
    states = [words()[state] for state in ("ready", "listening", "speaking")]
    assert states == ["Ready to play", "Listening...", "Speaking..."]


def test_player_constants_match_specification():
    script = "".join(
        (ASSETS / "js" / "voice_site" / name).read_text(encoding="utf-8")
        for name in ("player_bars.jsx", "player_caption.jsx", "voice_sound.js")
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
