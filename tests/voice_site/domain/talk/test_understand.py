"""Intents and slots of single sentences; the golden sets of tests/cases/talk have many more."""

from datetime import datetime
from pathlib import Path

import pytest

from voice_site.domain.constants import TIME_ZONE
from voice_site.domain.talk.intents import Intent
from voice_site.domain.talk.understand import Expected, understand

NOW = datetime(2026, 11, 25, 10, tzinfo=TIME_ZONE)
CASES = Path(__file__).parents[3] / "cases" / "talk"


def read(sentence, expected=Expected.NOTHING):
    return understand(sentence, NOW, expected)


def golden(part, language):
    """Return the sentences of a set, with their intents and slots."""
    for line in (CASES / f"{part}_{language}.psv").read_text(encoding="utf-8").splitlines():
        sentence, intent, slots = line.split("|")
        yield sentence, intent, dict(each.split("=") for each in slots.split(";") if each)


def shares(part, language):
    """Return the shares of right intents and right slots; a slot too many is a wrong one."""
    intents, slots = [], []
    for sentence, intent, wanted in golden(part, language):
        found = read(sentence)
        intents.append(found.intent == intent)
        names = wanted.keys() | found.slots.keys()
        slots += [wanted.get(name) == found.slots.get(name) for name in names]
    return sum(intents) / len(intents), sum(slots) / len(slots)


@pytest.mark.parametrize("language", ["en", "hi"])
@pytest.mark.parametrize("part", ["built_with", "kept_aside"])
def test_understand_reaches_the_specified_shares_of_the_golden_sets(part, language):
    intents, slots = shares(part, language)
    assert intents >= 0.95
    assert slots >= 0.90


@pytest.mark.parametrize("language", ["en", "hi"])
def test_golden_sets_have_at_least_150_sentences_and_50_kept_aside(language):
    sets = [[each[0] for each in golden(part, language)] for part in ("built_with", "kept_aside")]
    assert len(sets[0]) >= 150
    assert len(sets[1]) >= 50
    assert len({*sets[0], *sets[1]}) == len(sets[0]) + len(sets[1])


def test_understand_reads_name_that_is_said_before_my_name():
    names = {
        "Zothanpuii hai mera naam": "Zothanpuii",
        "naam galat hai, Meenakshi Nair hai mera naam": "Meenakshi Nair",
        "अनिर्बान घोष है मेरा नाम": "अनिर्बान घोष",
        "Monday ko aana hai, naam Neha Gupta hai": "Neha Gupta",
        "kya hai mera naam": None,
    }
    assert {sentence: read(sentence).slots.get("name") for sentence in names} == names


INTENTS = {
    Intent.IDENTITY: ["is it a robot or a human", "robot ho ya koi insaan"],
    Intent.PERSON: ["no robot, give me a human", "robot se nahi, insaan se baat karni hai"],
    Intent.APPOINTMENT: ["mujhe dikhana hai", "book me for 5 pm"],
    Intent.VISIT: ["bhai ko kal college dikhana hai"],
    Intent.CORRECT: ["wrong number, it is 45 90 12"],
    Intent.NO: ["the number is wrong"],
    Intent.UNKNOWN: [
        *("book me a cab for 5 pm", "", "   ", "?!", "\u0000", "🙂", "\ufdfa" * 80, "क्" * 150),
        *("0" * 300, "İ" * 300, "९" * 300),
    ],
}


def test_understand_tells_intents_that_are_said_alike():
    expected = {sentence: intent for intent, each in INTENTS.items() for sentence in each}
    assert {sentence: read(sentence).intent for sentence in expected} == expected


def test_understand_reads_bare_answer_when_it_was_asked_for():
    for sentence, expected, slots in (
        ("Rohan Sharma", Expected.NAME, {"name": "Rohan Sharma"}),
        ("rohan", Expected.NAME, {"name": "Rohan"}),
        ("mera naam Neha Mehta hai", Expected.NAME, {"name": "Neha Mehta"}),
        ("five", Expected.TIME, {"time": "17:00"}),
        ("forty seven twelve", Expected.NUMBER, {"number": "4712"}),
        ("Friday if you can squeeze me in", Expected.DAY, {"day": "2026-11-27"}),
    ):
        found = read(sentence, expected)
        assert (found.intent, dict(found.slots)) == (Intent.INFORM, slots)


def test_understand_tells_the_language_when_words_of_one_are_said():
    for language, sentences in {
        "hi": ["kal shaam ko Dr. Mehta se milna hai", "मुझे मिलना है"],
        "en": [*("I want to see Dr Mehta", "are you a robot?"), "he is not well, can he come at 5"],
        "": ["kindly put me with doctor Rao", "Dr Rao, 4712", "!!"],
    }.items():
        assert {read(sentence).language for sentence in sentences} == {language}


@pytest.mark.parametrize(("language", "other"), [("en", "hi"), ("hi", "en")])
def test_understand_takes_no_sentence_for_one_of_the_other_language(language, other):
    wrong = [each[0] for each in golden("built_with", language) if read(each[0]).language == other]
    assert wrong == []


def test_my_name_is_doctor_makes_no_doctor():
    assert dict(read("my name is Asha Rao, I want to see Dr Kapoor").slots) == {
        "name": "Asha Rao",
        "doctor": "kapoor",
    }
