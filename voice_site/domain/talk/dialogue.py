"""The dialogue as a pure function: a conversation, a sentence and the time give the next one.

Before anything is booked it is read back, and a correction changes one slot; after three sentences
that are not understood a person takes over. Source: specification V11.3 to V11.6.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import date, datetime, time
from typing import Final

from voice_site.domain.talk.businesses import (
    COURSE_FEES,
    FIRST_DOCTOR,
    order_state,
    refusal_of_day,
    refusal_of_time,
)
from voice_site.domain.talk.conversation import (
    FORMS,
    MOST_MISSES,
    MOST_TURNS,
    Conversation,
    Form,
    Line,
    Saying,
)
from voice_site.domain.talk.intents import Intent
from voice_site.domain.talk.understand import Expected, Understood, understand

AGAIN: Final = Line(Saying.AGAIN)
"""The first line of the reply to a sentence whose conversation was lost."""
_Reply = tuple[Conversation, tuple[Line, ...]]
_NEEDS: Final = {
    Intent.APPOINTMENT: (Expected.DOCTOR, Expected.DAY, Expected.TIME, Expected.NAME),
    Intent.VISIT: (Expected.DAY, Expected.TIME, Expected.NAME),
    Intent.FEES: (Expected.COURSE,),
    Intent.ADMISSION: (Expected.COURSE,),
    Intent.HOSTEL: (),
    Intent.ORDER_STATUS: (Expected.NUMBER,),
}
"""The slots that a task needs, in the order in which they are asked for."""
_READ_BACKS: Final = {
    Intent.APPOINTMENT: Saying.READ_BACK_CLINIC,
    Intent.VISIT: Saying.READ_BACK_VISIT,
}
_QUESTIONS: Final = {
    Expected.DOCTOR: Saying.ASK_DOCTOR,
    Expected.DAY: Saying.ASK_DAY,
    Expected.TIME: Saying.ASK_TIME,
    Expected.NAME: Saying.ASK_NAME,
    Expected.COURSE: Saying.ASK_COURSE,
    Expected.NUMBER: Saying.ASK_NUMBER,
}
_PART_QUESTIONS: Final = {
    "morning": Saying.ASK_TIME_MORNING,
    "afternoon": Saying.ASK_TIME_AFTERNOON,
    "evening": Saying.ASK_TIME_EVENING,
}
_TASK_OF_SLOT: Final = {"doctor": Intent.APPOINTMENT, "number": Intent.ORDER_STATUS}
_MORNING_HOURS = range(8, 12)


def answer(conversation: Conversation, sentence: str, now: datetime) -> Conversation:
    """Return the conversation after a sentence, with TARA's reply.

    Args:
        conversation: What it was before.
        sentence: At most `MOST_CHARACTERS` characters.
        now: The time of the business.
    """
    before = current(conversation)
    return respond(before, understand(sentence, now, before.expected), now)


def current(conversation: Conversation) -> Conversation:
    """Return the conversation that a sentence continues: a new one if this one has ended."""
    if conversation.is_over or conversation.turns >= MOST_TURNS:
        return Conversation(language=conversation.language)
    return conversation


def respond(before: Conversation, heard: Understood, now: datetime) -> Conversation:
    """Return the conversation after a sentence that is already understood."""
    before = replace(
        before,
        language=heard.language or before.language,
        turns=before.turns + 1,
        heard=heard.intent,
    )
    if heard.intent is Intent.UNKNOWN and not (heard.is_any and before.expected):
        return _missed(before, now)
    before = replace(before, misses=0)
    act = _ACTS.get(heard.intent)
    after, lines = act(before, now) if act else _filled(before, heard, now)
    return replace(after, reply=lines)


def _missed(before: Conversation, now: datetime) -> Conversation:
    """Ask again; the second time with an example, the third time a person takes over."""
    before = replace(before, misses=before.misses + 1)
    if before.misses >= MOST_MISSES:
        after, lines = _person(before, now)
        return replace(after, reply=lines)
    after, question = _next_step(before, now)
    sorry = Saying.NOT_UNDERSTOOD if before.misses == 1 else Saying.TRY_EXAMPLE
    return replace(after, misses=before.misses, reply=(Line(sorry), *question))


def _person(before: Conversation, _now: datetime) -> _Reply:
    after = replace(before, is_over=True, outcome="person", reads_back=False)
    return replace(after, expected=Expected.NOTHING), (Line(Saying.HAND_OVER),)


def _goodbye(before: Conversation, _now: datetime) -> _Reply:
    return replace(before, is_over=True, reads_back=False), (Line(Saying.GOODBYE),)


def _repeat(before: Conversation, now: datetime) -> _Reply:
    return (before, before.reply) if before.reply else _greet(before, now)


def _greet(before: Conversation, now: datetime) -> _Reply:
    return _with_step(Saying.GREET, before, now)


def _identity(before: Conversation, now: datetime) -> _Reply:
    return _with_step(Saying.IDENTITY, before, now)


def _thanks(before: Conversation, now: datetime) -> _Reply:
    if before.task and not before.outcome:
        return _with_step(Saying.WELCOME, before, now)
    return before, (Line(Saying.WELCOME),)


def _yes(before: Conversation, now: datetime) -> _Reply:
    if before.reads_back:
        after = replace(before, reads_back=False, outcome="booked", expected=Expected.NOTHING)
        return after, (Line(Saying.BOOKED), Line(Saying.ANYTHING_ELSE))
    return _with_step(Saying.ALL_RIGHT, before, now)


def _no(before: Conversation, now: datetime) -> _Reply:
    if before.reads_back:
        return before, (Line(Saying.WHAT_CHANGE),)
    if before.task and not before.outcome:
        return _next_step(before, now)
    return replace(before, is_over=True), (Line(Saying.GOODBYE),)


_ACTS: Final[Mapping[Intent, Callable[[Conversation, datetime], _Reply]]] = {
    Intent.PERSON: _person,
    Intent.GOODBYE: _goodbye,
    Intent.REPEAT: _repeat,
    Intent.GREET: _greet,
    Intent.IDENTITY: _identity,
    Intent.THANKS: _thanks,
    Intent.YES: _yes,
    Intent.NO: _no,
}


def _with_step(saying: Saying, before: Conversation, now: datetime) -> _Reply:
    after, lines = _next_step(before, now)
    return after, (Line(saying), *lines)


def _filled(before: Conversation, heard: Understood, now: datetime) -> _Reply:
    """Take over the slots of a sentence, and go on to what is missing."""
    task = _task_of(before, heard)
    slots = _kept(before, task, begins=heard.intent in FORMS)
    after = replace(before, task=task, slots=_merged(slots, before, heard), outcome="")
    changes = before.reads_back and after.slots != before.slots
    return _with_step(Saying.CHANGED, after, now) if changes else _next_step(after, now)


def _kept(before: Conversation, task: Intent | None, *, begins: bool) -> dict[str, str]:
    """Return the slots that go on into a task; a new one `begins` with the name alone.

    The questions to the college are about the same course.
    """
    is_other = task is not None and before.form not in (Form.NONE, FORMS[task])
    if not is_other and not (begins and before.outcome):
        return dict(before.slots)
    kept = ("name",) if is_other or before.form is not Form.COLLEGE else ("name", "course")
    return {name: value for name, value in before.slots.items() if name in kept}


def _task_of(before: Conversation, heard: Understood) -> Intent | None:
    if heard.intent in FORMS:
        return heard.intent
    slot = next((slot for slot in _TASK_OF_SLOT if slot in heard.slots), "")
    is_in_college = before.form is Form.COLLEGE and slot == ""
    return before.task if is_in_college or not slot else _TASK_OF_SLOT[slot]


def _merged(slots: dict[str, str], before: Conversation, heard: Understood) -> dict[str, str]:
    told = dict(heard.slots)
    if heard.is_any and before.expected is Expected.DOCTOR:
        told.setdefault("doctor", FIRST_DOCTOR)
    if "time" in told:
        told["time"] = _in_part(told["time"], slots.pop("part", ""))
    elif "part" in told:
        slots.pop("time", None)
    return slots | told


def _in_part(at: str, part: str) -> str:
    """Return a time in the part of the day that was said before: 8 in the evening is 20:00."""
    hour, _, minutes = at.partition(":")
    is_late = part == "evening" and int(hour) in _MORNING_HOURS
    return f"{int(hour) + 12}:{minutes}" if is_late else at


def _next_step(before: Conversation, now: datetime) -> _Reply:
    """Return what follows: a question, what was found out, or the booking read back."""
    before = replace(before, reads_back=False, expected=Expected.NOTHING)
    if before.task is None:
        return before, (Line(_opening(before)),)
    if before.outcome:
        return before, (Line(Saying.ANYTHING_ELSE),)
    task = before.task
    before, refusals = _without_impossible(before, now)
    missing = next((each for each in _NEEDS[task] if each not in before.slots), None)
    if missing:
        question = _QUESTIONS[missing]
        if missing is Expected.TIME:
            question = _PART_QUESTIONS.get(before.slots.get("part", ""), question)
        lines = (*refusals, Line(question, {"day": before.slots.get("day", "")}))
        return replace(before, expected=missing), lines
    if task in _READ_BACKS:
        return replace(before, reads_back=True), (Line(_READ_BACKS[task], before.slots),)
    answered = replace(before, outcome="answered")
    return answered, (_found_out(before), Line(Saying.ANYTHING_ELSE))


def _opening(before: Conversation) -> Saying:
    if "course" in before.slots:
        return Saying.ASK_QUESTION
    return Saying.WHAT_FOR if before.slots else Saying.OFFER


def _without_impossible(
    before: Conversation, now: datetime
) -> tuple[Conversation, tuple[Line, ...]]:
    """Drop a day or time at which nothing can be booked; return why."""
    slots = dict(before.slots)
    if before.task not in _READ_BACKS or "day" not in slots:
        return before, ()
    day = date.fromisoformat(slots["day"])
    refusal = refusal_of_day(day, now.date())
    dropped = "day"
    if refusal is None and "time" in slots:
        refusal = refusal_of_time(day, time.fromisoformat(slots["time"]), now)
        dropped = "time"
    if refusal is None:
        return before, ()
    line = Line(refusal, {"day": slots["day"], "time": slots.get("time", "")})
    del slots[dropped]
    return replace(before, slots=slots), (line,)


def _found_out(before: Conversation) -> Line:
    slots = before.slots
    if before.task is Intent.ORDER_STATUS:
        return Line(order_state(slots["number"]), slots)
    if before.task is Intent.FEES:
        return Line(Saying.FEES, {**slots, "rupees": str(COURSE_FEES[slots["course"]])})
    return Line(Saying.HOSTEL if before.task is Intent.HOSTEL else Saying.ADMISSION, slots)
