"""The calls of the player alone: an interruption, a mishearing, a read-back, and Hinglish."""

import pytest

from voice_site.content.calls import CALLS
from voice_site.content.languages import Speaker
from voice_site.content.scenes import HINGLISH, PLAYED

REPAIRS = {code: call for code, calls in PLAYED.items() for call in calls if call.id == "repair"}
NAMES = {"en": ("Arun", "Varun", "Monday at two"), "hi": ("अरुण", "वरुण", "सोमवार दोपहर दो बजे")}
"""The name as misheard, the name, and what is booked."""
each_repair = pytest.mark.parametrize(("code", "call"), REPAIRS.items(), ids=list(REPAIRS))


def turns_of(call):
    return {turn.id: turn for turn in call.turns}


def ids(call):
    return [turn.id for turn in call.turns]


def test_player_has_the_replayed_calls_first():
    for code, calls in PLAYED.items():
        assert calls[:3] == CALLS[code]
        assert calls[-1] is HINGLISH


def test_scenes_have_the_same_turns_in_both_languages():
    shapes = {
        code: [(turn.id, turn.speaker) for turn in call.turns] for code, call in REPAIRS.items()
    }
    assert shapes["en"] == shapes["hi"]


@each_repair
def test_caller_interrupts_tara_in_the_middle_of_a_sentence(code, call):
    interrupted = [number for number, turn in enumerate(call.turns) if turn.unsaid]
    assert len(interrupted) == 1
    tara, caller = call.turns[interrupted[0] : interrupted[0] + 2]
    assert (tara.speaker, caller.speaker) == (Speaker.TARA, Speaker.CALLER)
    assert tara.text.endswith("—")


@each_repair
def test_misheard_name_is_corrected_and_then_used(code, call):
    wrong, right, _when = NAMES[code]
    said = turns_of(call)
    assert right in said["name"].text
    assert f" {wrong}" in said["misheard"].text
    assert wrong in said["correction"].text
    later = call.turns[ids(call).index("correction") + 1 :]
    assert [turn.text for turn in later if f" {wrong}" in turn.text] == []
    assert right in said["slots"].text


@each_repair
def test_booking_is_read_back_before_it_is_made(code, call):
    _wrong, right, when = NAMES[code]
    order = [ids(call).index(id_) for id_ in ("read-back", "yes", "booked")]
    assert order == sorted(order)
    assert right in turns_of(call)["read-back"].text
    assert when in turns_of(call)["read-back"].text
    assert turns_of(call)["read-back"].text.endswith("?")


def test_hinglish_is_written_in_latin_letters_and_spoken_word_for_word():
    assert HINGLISH.lang == "hi-Latn"
    for turn in HINGLISH.turns:
        assert turn.text.isascii()
        assert len(turn.spoken.split()) == len(turn.text.split())
    assert ids(HINGLISH).index("read-back") < ids(HINGLISH).index("booked")
