"""Whole conversations with the demonstration: what is asked, read back, corrected and refused."""

from datetime import datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from voice_site.domain.constants import TIME_ZONE
from voice_site.domain.talk.conversation import MOST_TURNS, Conversation, Form, Saying
from voice_site.domain.talk.dialogue import answer
from voice_site.domain.talk.understand import Expected

NOW = datetime(2026, 11, 25, 10, tzinfo=TIME_ZONE)
BOOKING = ("Dr Mehta on Friday at 5 please, I need an appointment", "Rohan Sharma")


def talk(*sentences, conversation=None, now=NOW):
    conversation = conversation or Conversation()
    for sentence in sentences:
        conversation = answer(conversation, sentence, now)
    return conversation


def sayings(conversation):
    return [line.saying for line in conversation.reply]


def test_answer_asks_for_what_is_missing_one_by_one():
    assert sayings(talk("I need an appointment")) == [Saying.ASK_DOCTOR]
    assert sayings(talk("I need an appointment", "Dr Rao")) == [Saying.ASK_DAY]
    evening = talk("kal shaam ko Dr. Mehta se milna hai")
    assert (sayings(evening), evening.language) == ([Saying.ASK_TIME_EVENING], "hi")


def test_booking_is_read_back_before_it_is_made():
    read_back = talk(*BOOKING)
    assert sayings(read_back) == [Saying.READ_BACK_CLINIC]
    assert (read_back.reads_back, read_back.outcome) == (True, "")
    booked = talk("yes", conversation=read_back)
    assert (sayings(booked)[0], booked.outcome) == (Saying.BOOKED, "booked")


@pytest.mark.parametrize(
    ("correction", "slot", "value"),
    [
        ("no, Saturday", "day", "2026-11-28"),
        ("nahi, shanivaar", "day", "2026-11-28"),
        ("नहीं, छह बजे", "time", "18:00"),
        ("Dr Rao, not Dr Mehta", "doctor", "rao"),
        ("my name is Rohit, not Rohan", "name", "Rohit"),
    ],
)
def test_correction_changes_one_slot_when_booking_is_read_back(correction, slot, value):
    before = talk(*BOOKING)
    after = talk(correction, conversation=before)
    assert after.slots == {**before.slots, slot: value}
    assert sayings(after) == [Saying.CHANGED, Saying.READ_BACK_CLINIC]
    assert after.reads_back


def test_refused_booking_asks_what_to_change():
    asked = talk(*BOOKING, "no")
    assert (sayings(asked), asked.outcome) == ([Saying.WHAT_CHANGE], "")
    assert sayings(talk("6 pm", conversation=asked))[-1] is Saying.READ_BACK_CLINIC


def test_correction_after_booking_reads_it_back_again():
    after = talk(*BOOKING, "yes", "no, Saturday")
    assert (after.outcome, after.reads_back, after.slots["day"]) == ("", True, "2026-11-28")


def test_person_takes_over_after_three_misunderstandings():
    assert sayings(talk("asdf")) == [Saying.NOT_UNDERSTOOD, Saying.OFFER]
    assert sayings(talk("asdf", "qwer")) == [Saying.TRY_EXAMPLE, Saying.OFFER]
    third = talk("asdf", "qwer", "zxcv")
    assert (sayings(third), third.is_over, third.outcome) == ([Saying.HAND_OVER], True, "person")


def test_misunderstandings_are_counted_anew_after_an_answer():
    assert talk("asdf", "qwer", "I need an appointment").misses == 0
    assert sayings(talk("asdf", "qwer", "hello", "zxcv"))[0] is Saying.NOT_UNDERSTOOD


def test_misunderstanding_asks_the_open_question_again():
    asked = talk("I need an appointment", "blub blub")
    assert sayings(asked) == [Saying.NOT_UNDERSTOOD, Saying.ASK_DOCTOR]
    assert asked.expected is Expected.DOCTOR


def test_person_takes_over_when_asked_for():
    asked = talk("I need an appointment", "let me talk to a human")
    assert (sayings(asked), asked.is_over) == ([Saying.HAND_OVER], True)
    assert sayings(talk("hello", conversation=asked)) == [Saying.GREET, Saying.OFFER]


@pytest.mark.parametrize(
    ("sentence", "refusal", "dropped"),
    [
        ("Dr Mehta ka appointment chahiye Sunday ko", Saying.CLOSED_DAY, "day"),
        ("appointment with Dr Mehta on 5 May", Saying.TOO_FAR, "day"),
        ("appointment with Dr Mehta tomorrow at 8 pm", Saying.CLOSED_TIME, "time"),
        ("appointment with Dr Mehta today at 9 am", Saying.PAST_TIME, "time"),
    ],
)
def test_impossible_day_or_time_is_refused_and_asked_again(sentence, refusal, dropped):
    refused = talk(sentence)
    assert sayings(refused)[0] is refusal
    assert dropped not in refused.slots
    assert refused.expected == dropped


def test_hour_is_in_the_part_of_the_day_that_was_said_before():
    refused = talk("kal shaam Dr Mehta se milna hai", "8 baje")
    assert sayings(refused)[0] is Saying.CLOSED_TIME
    assert talk("kal subah Dr Mehta se milna hai", "9 baje").slots["time"] == "09:00"


def test_any_doctor_will_do():
    assert talk("I need an appointment", "koi bhi").slots["doctor"] == "mehta"


def test_order_number_is_asked_for_and_its_state_told():
    asked = talk("where is my order")
    assert (sayings(asked), asked.expected) == ([Saying.ASK_NUMBER], Expected.NUMBER)
    told = talk("4712", conversation=asked)
    assert (sayings(told)[0], told.outcome) == (Saying.ORDER_MOVING, "answered")
    assert talk("no, 4721", conversation=told).slots["number"] == "4721"


def test_second_order_is_asked_for_again():
    assert sayings(talk("where is order 4712", "where is my parcel")) == [Saying.ASK_NUMBER]


def test_course_is_remembered_between_questions_to_the_college():
    asked = talk("commerce")
    assert sayings(asked) == [Saying.ASK_QUESTION]
    fees = talk("fees", conversation=asked)
    assert fees.reply[0].values["rupees"] == "48000"
    assert talk("and the hostel?", conversation=fees).slots["course"] == "commerce"


def test_new_task_keeps_the_name_alone():
    after = talk(*BOOKING, "yes", "I want to visit the campus on Monday")
    assert after.slots == {"name": "Rohan Sharma", "day": "2026-11-30"}
    assert (after.form, after.outcome) == (Form.COLLEGE, "")


def test_yes_and_no_without_question_go_on():
    assert sayings(talk("yes")) == [Saying.ALL_RIGHT, Saying.OFFER]
    assert sayings(talk("I need an appointment", "no")) == [Saying.ASK_DOCTOR]
    assert talk("where is order 4712", "no").is_over


def test_reply_is_repeated_when_asked_for():
    before = talk("I need an appointment")
    assert talk("phir se boliye", conversation=before).reply == before.reply
    assert sayings(talk("repeat")) == [Saying.GREET, Saying.OFFER]


def test_conversation_begins_again_after_its_longest():
    long = talk(*["hello"] * MOST_TURNS)
    assert talk("hello", conversation=long).turns == 1


def test_thanks_and_identity_keep_the_open_question():
    asked = ("I need an appointment", "Dr Rao")
    assert sayings(talk(*asked, "thank you")) == [Saying.WELCOME, Saying.ASK_DAY]
    assert sayings(talk(*asked, "are you a robot?")) == [Saying.IDENTITY, Saying.ASK_DAY]
    assert sayings(talk("thanks")) == [Saying.WELCOME]
    assert talk("bye").is_over


WORDS = st.sampled_from(
    [
        *("no", "nahi", "yes", "kal", "parso", "Friday", "5", "baje", "4712", "Dr", "Rao", "Mehta"),
        *("order", "fees", "campus", "not", "do", "double", "saadhe", "next", "week", "in", "30th"),
        *("December", "half", "past", "to", "my", "name", "is", "evening", "at", "hundred", "%"),
        *("ki", "jagah", "instead", "of", "कल", "बजे", "Rohan", "appointment"),
    ]
)


@given(st.lists(st.lists(WORDS, max_size=7).map(" ".join) | st.text(max_size=40), max_size=6))
def test_any_conversation_has_a_reply_and_bounded_slots(sentences):
    conversation = talk(*sentences)
    assert bool(conversation.reply) == bool(sentences)
    assert len(conversation.slots) <= 7
    assert conversation.misses <= 3
