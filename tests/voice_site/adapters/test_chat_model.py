"""An operator's language model: it reads, the rules decide; whatever fails, the rules read."""

import json
from datetime import UTC, date, datetime

import pytest

from tests.fakes.chat_model import FakeChatModel
from tests.helpers.demo import voice_settings_for
from voice_site.adapters.chat_model import DailyBudget
from voice_site.domain.talk.conversation import Conversation, Saying
from voice_site.domain.talk.intents import Intent
from voice_site.domain.talk.interpretation import read_interpretation
from voice_site.wiring import build_talks

pytestmark = pytest.mark.anyio

TODAY = date(2026, 11, 25)
SENTENCE = "would you kindly put me with the good lady doctor Rao"
READ = json.dumps({"intent": "appointment", "slots": {"doctor": "rao", "day": "2026-11-27"}})


@pytest.fixture
async def model():
    model = FakeChatModel(text=READ)
    async with model.served():
        yield model


def talks_with(model, **changes):
    settings = {
        "tara_model_url": model.url,
        "tara_model": "small-1",
        "tara_model_key": "a-secret-key",
        "tara_model_seconds": 8.0,
        "campus_now": datetime(2026, 11, 25, 4, 30, tzinfo=UTC),
    }
    return build_talks(voice_settings_for(**settings | changes))


async def exchange(talks, sentence=SENTENCE, client="1.2.3.4"):
    return await talks.answer(Conversation(), sentence, client)


async def test_model_reads_sentence_and_rules_decide(model):
    found = await exchange(talks_with(model))
    assert found.by_model
    assert found.conversation.slots == {"doctor": "rao", "day": "2026-11-27"}
    assert [line.saying for line in found.conversation.reply] == [Saying.ASK_TIME]
    (request,) = model.requests
    assert (request["model"], request["messages"][1]) == (
        "small-1",
        {"role": "user", "content": SENTENCE},
    )
    assert "Wednesday, 2026-11-25" in request["messages"][0]["content"]
    assert model.keys == ["Bearer a-secret-key"]


FAILURES = [
    *({"status": status} for status in (500, 302)),
    {"delay_seconds": 1.0},
    *(
        {"body": body}
        for body in ("no JSON", "[]", '{"choices": []}', "[" * 5_000, " " * (1 << 21))
    ),
    *({"text": text} for text in ("I would say: appointment", "null")),
    *({"text": json.dumps({"intent": intent})} for intent in ("sell", ["yes"])),
]


async def test_rules_read_sentence_when_the_model_fails(caplog):
    for failure in FAILURES:
        model = FakeChatModel(**{"text": READ} | failure)
        async with model.served():
            seconds = 0.5 if "delay_seconds" in failure else 8.0
            found = await exchange(talks_with(model, tara_model_seconds=seconds))
        assert not found.by_model, failure
        assert found.conversation.slots == {"doctor": "rao"}
    assert SENTENCE not in caplog.text
    assert "a-secret-key" not in caplog.text
    gone = FakeChatModel(url="http://127.0.0.1:9/v1")
    assert not (await exchange(talks_with(gone))).by_model


async def test_rules_read_sentence_when_a_budget_is_spent(model):
    talks = talks_with(model, tara_model_calls_per_visitor=1, tara_model_calls_per_day=2)
    by_model = [(await exchange(talks, client=client)).by_model for client in "aabbc"]
    assert by_model == [True, False, True, False, False]
    assert len(model.requests) == 2


def test_budget_is_full_again_on_the_next_day():
    budget = DailyBudget(per_visitor=1, in_all=1)
    assert [budget.take("a", TODAY), budget.take("b", TODAY)] == [True, False]
    assert budget.take("a", date(2026, 11, 26))


async def test_no_model_is_asked_by_default():
    assert build_talks(voice_settings_for()).model is None


@pytest.mark.parametrize(
    ("slots", "kept"),
    [
        ({"doctor": "rao", "time": "17:30", "part": "evening"}, {"doctor": "rao", "time": "17:30"}),
        ({"part": "evening"}, {"part": "evening"}),
        ({"doctor": "house", "day": "2026-13-01", "time": "25:00", "part": "noon"}, {}),
        ({"day": "2020-01-01"}, {}),
        ({"day": 20261127, "time": None, "name": ["x"]}, {}),
        ({"name": " Neha\u202e\nGupta " + "x" * 200}, {"name": "Neha Gupta " + "x" * 47}),
        ({"number": "4712", "course": "law"}, {}),
        ("a text", {}),
        (None, {}),
    ],
)
def test_interpretation_keeps_only_valid_slots_of_its_intent(slots, kept):
    found = read_interpretation({"intent": "appointment", "slots": slots}, SENTENCE, TODAY)
    assert found is not None
    assert (found.intent, dict(found.slots), found.language) == (Intent.APPOINTMENT, kept, "en")
