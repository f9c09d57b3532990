"""The replayed calls: the turns that they name, the entries of their forms, and the steps."""

import pytest

from voice_site.content.calls import CALLS
from voice_site.content.languages import Speaker
from voice_site.content.replay import REPLAYS, STEPS, calls, languages, steps, words

PATHS = [
    pytest.param(call, reply, id=f"{call.id}-{reply[0].id}")
    for call in CALLS["en"]
    for reply in call.replies
]
each_path = pytest.mark.parametrize(("call", "reply"), PATHS)
REPLAYED = {call["id"]: call for call in calls()}
BLANK = {("clinic", "person"): {"name", "time"}}
"""The fields that a reply leaves empty, by the call and the reply's first turn."""


def shape(call):
    """Return the ids of a call's turns with their speakers, by reply."""
    return [[(turn.id, turn.speaker) for turn in each] for each in (call.opening, *call.replies)]


def test_calls_have_the_same_turns_in_both_languages():
    assert [each["code"] for each in languages()] == list(CALLS)
    for versions in zip(*CALLS.values(), strict=True):
        assert len({call.id for call in versions}) == 1
        assert all(shape(call) == shape(versions[0]) for call in versions)


def test_each_effect_belongs_to_a_turn_and_to_fields_of_the_form():
    for call in CALLS["en"]:
        replay = REPLAYS[call.id]
        turns = {turn.id: turn.speaker for turn in call.turns}
        assert set(replay.effects) <= set(turns)
        for turn_id, effect in replay.effects.items():
            assert set(effect.entries) <= set(replay.fields)
            assert all(effect.entries.values())
            if effect.action:
                assert turns[turn_id] is Speaker.TARA


@each_path
def test_each_reply_fills_the_form_but_for_its_blank_fields(call, reply):
    replay = REPLAYS[call.id]
    filled = set()
    for turn in (*call.opening, *reply):
        if turn.id in replay.effects:
            filled |= set(replay.effects[turn.id].entries)
    assert filled == set(replay.fields) - BLANK.get((call.id, reply[0].id), set())
    assert "outcome" in filled


@each_path
def test_each_reply_ends_with_an_outcome_or_a_farewell_of_tara(call, reply):
    last = reply[-1]
    assert last.speaker is Speaker.TARA
    if last.id != "goodbye":
        assert "outcome" in REPLAYS[call.id].effects[last.id].entries


def test_form_fields_match_the_specification():
    assert {id_: set(replay.fields) for id_, replay in REPLAYS.items()} == {
        "clinic": {"name", "doctor", "day", "time", "outcome"},
        "college": {"course", "question", "contact", "outcome"},
        "order": {"number", "status", "delivery", "outcome"},
    }


def test_steps_say_what_happens_without_times():
    assert [step.name for step in STEPS] == ["Listen", "Understand", "Decide", "Act", "Answer"]
    for step in steps():
        assert step["does"]
        assert not any(map(str.isdigit, step["does"]))


def test_browser_receives_paths_first_turns_and_files_of_each_call():
    assert list(REPLAYED) == list(REPLAYS)
    for call in CALLS["en"]:
        sent = REPLAYED[call.id]
        assert sent["industry"] == call.industry
        assert sent["opening"] == [turn.id for turn in call.opening]
        assert len(sent["replies"]) == 3
        assert sent["first"]["en"] == call.opening[0].text
        assert list(sent["audio"]) == list(CALLS)


def test_words_of_the_replay_are_not_empty():
    assert all(words().values())
