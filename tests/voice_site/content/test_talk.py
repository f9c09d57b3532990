"""What TARA says, in both languages, and what the form shows."""

import string

import pytest

from kit.translations import use_locale
from voice_site.content import talk
from voice_site.content.talk import SAYINGS
from voice_site.domain.talk.conversation import Conversation, Line, Saying
from voice_site.domain.talk.intents import Intent
from voice_site.domain.talk.lexicon import COURSES, DOCTORS
from voice_site.translations import t

VALUES = {
    "doctor": "rao",
    "day": "2026-11-27",
    "time": "17:30",
    "name": "Neha Gupta",
    "course": "law",
    "number": "4712",
    "rupees": "90000",
}


def placeholders(text):
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("language", ["en", "hi"])
def test_every_saying_has_words_with_values_the_dialogue_gives(language):
    assert set(SAYINGS) == set(Saying)
    for saying in Saying:
        said = talk.reply(Conversation(language=language, reply=(Line(saying, VALUES),)))
        assert said
        assert "{" not in said
        assert placeholders(SAYINGS[saying]) <= set(VALUES)


def test_reply_is_in_the_language_of_the_conversation_not_of_the_page():
    lines = (Line(Saying.CHANGED), Line(Saying.READ_BACK_CLINIC, VALUES))
    with use_locale("en"):
        assert talk.reply(Conversation(language="hi", reply=lines)) == (
            "मैंने बदल दिया। डॉ. राव, शुक्रवार, 27 नवंबर, शाम 5:30 बजे, Neha Gupta के नाम से। क्या यह सही है?"
        )
    assert talk.reply(Conversation(reply=lines)) == (
        "I have changed that. Dr Rao, Friday, 27 November, 5:30 pm, in the name of Neha Gupta."
        " Is that right?"
    )


def test_entries_are_in_the_language_of_the_page():
    slots = {"day": "2026-11-27", "part": "evening", "doctor": "rao"}
    conversation = Conversation(Intent.APPOINTMENT, slots, language="hi")
    assert talk.entries(conversation) == {
        "day": "Friday, 27 November",
        "time": "In the evening",
        "doctor": "Dr Rao",
    }


def test_entries_show_markup_of_a_name_as_it_was_said():
    slots = {"name": "<b>{x}"}
    assert talk.entries(Conversation(slots=slots)) == {"name": "<b>{x}"}


@pytest.mark.parametrize(("name", "values"), [("doctor", DOCTORS), ("course", COURSES)])
def test_every_value_of_the_lexicon_has_a_name(name, values):
    for value in values:
        with use_locale("hi"):
            assert talk.entries(Conversation(slots={name: value}))[name] != value


def test_forms_have_a_field_for_every_entry():
    fields = {each["id"] for form in talk.forms().values() for each in form["fields"]}
    slots = {"doctor", "day", "time", "name", "course", "number"}
    assert fields == slots | {"question", "status", "outcome"}


@pytest.mark.parametrize("language", ["en", "hi"])
def test_suggestions_begin_each_task(language):
    with use_locale(language):
        forms = [each["form"] for each in talk.suggestions()]
        assert forms == ["clinic", "college", "order", "clinic"]
        assert t("Send") == talk.words()["send"]
