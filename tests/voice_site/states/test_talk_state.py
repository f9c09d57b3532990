"""The events of the demonstration: valid sentences are answered, everything else changes nothing."""

from dataclasses import replace

import pytest

from kit.rate_limit import RateLimiter
from tests.helpers.screen_fixtures import *  # noqa: F403
from voice_site import wiring
from voice_site.domain.talk.conversation import MOST_CHARACTERS
from voice_site.states.talk_state import TalkState

pytestmark = pytest.mark.anyio


@pytest.fixture
async def visitor(tab):
    await tab.visit("/")
    return tab


async def say(visitor, sentence, number, key="k"):
    await visitor.call(TalkState.say, sentence, key, number)
    return visitor.get(TalkState.answer)


async def test_say_answers_with_reply_entries_and_times(visitor):
    answer = await say(visitor, "where is my order 4712", 1)
    assert answer["reply"].startswith("Order 4712 is on its way.")
    assert answer["entries"] == {"number": "4712", "status": "On its way", "outcome": "Answered"}
    assert (answer["key"], answer["form"], answer["by"]) == ("k", "order", "rules")
    assert 0 <= answer["understand"] < 1_000
    assert 0 <= answer["decide"] < 1_000


async def test_say_continues_the_conversation_until_the_first_sentence_of_another(visitor):
    await say(visitor, "I need an appointment with Dr Rao", 1)
    assert (await say(visitor, "Friday", 2))["entries"]["doctor"] == "Dr Rao"
    assert "doctor" not in (await say(visitor, "I need an appointment", 1))["entries"]


async def test_say_begins_again_when_the_conversation_was_lost(visitor):
    answer = await say(visitor, "I need an appointment", 7)
    assert answer["reply"].startswith("The connection was lost, so let us begin again.")


async def test_say_ignores_what_is_no_sentence(visitor):
    for sentence in ("", " \n", "\u200b", None, 5, ["hello"], {"a": 1}, True):
        for number in (1, -1, 10**30):
            assert await say(visitor, sentence, number) == {}, (sentence, number)
    for key in ("", "k" * 41, "K", "\ud800", "k\n", None, [], {}):
        assert await say(visitor, "hello", 1, key) == {}, key
    for number in (None, "one", [], {}):
        assert await say(visitor, "hello", number) == {}, number


async def test_say_cuts_long_sentences(visitor):
    answer = await say(visitor, "x" * MOST_CHARACTERS + " where is my order", 1)
    assert answer["form"] == ""


async def test_say_is_limited_by_address(visitor, monkeypatch):
    few = replace(wiring.talks(), limit=RateLimiter(2))
    monkeypatch.setattr(wiring, "talks", lambda: few)
    for number in (1, 2):
        assert "reply" in await say(visitor, "hello", number)
    assert (await say(visitor, "hello", 3, "third"))["busy"] == 30
    assert visitor.get(TalkState.answer) == {"key": "third", "busy": 30}


def test_state_adds_one_variable_to_every_page():
    assert set(TalkState.base_vars) == {"answer"}
    assert TalkState.computed_vars == {}
