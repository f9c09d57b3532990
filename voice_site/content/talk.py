"""Say it in your own words: what TARA says, and the forms that a conversation fills in.

The rules of the conversation are in `domain/talk`.
"""

from collections.abc import Mapping
from datetime import date, time
from typing import Any

from babel.dates import format_time

from kit.text import gettext_noop
from kit.translations import date_words, language, use_locale
from voice_site.content.plans import format_rupees
from voice_site.domain.talk.conversation import MOST_CHARACTERS, Conversation, Form, Line, Saying
from voice_site.domain.talk.intents import Intent
from voice_site.translations import t

LABEL = gettext_noop("A demonstration.")
NOTE = gettext_noop(
    "Rules for three tasks answer here, not the product’s model. What you say is kept nowhere."
)
SAYINGS: Mapping[Saying, str] = {
    Saying.GREET: gettext_noop("Hello, this is TARA."),
    Saying.IDENTITY: gettext_noop(
        "I am TARA, here as a demonstration: a program with rules for three tasks, no person."
    ),
    Saying.AGAIN: gettext_noop("The connection was lost, so let us begin again."),
    Saying.OFFER: gettext_noop(
        "I can book a visit to the doctor, answer questions about the college, and find an order."
        " What can I do for you?"
    ),
    Saying.WHAT_FOR: gettext_noop("What is it for: the clinic, the college, or an order?"),
    Saying.ASK_DOCTOR: gettext_noop("Which doctor: Dr Mehta, Dr Rao or Dr Kapoor?"),
    Saying.ASK_DAY: gettext_noop("On which day?"),
    Saying.ASK_TIME: gettext_noop("At what time? We are open from 9 in the morning to 7."),
    Saying.ASK_TIME_MORNING: gettext_noop("At what time in the morning?"),
    Saying.ASK_TIME_AFTERNOON: gettext_noop("At what time in the afternoon?"),
    Saying.ASK_TIME_EVENING: gettext_noop("At what time in the evening?"),
    Saying.ASK_NAME: gettext_noop("And your name, please?"),
    Saying.ASK_COURSE: gettext_noop(
        "For which course: engineering, commerce, science, arts, management or law?"
    ),
    Saying.ASK_QUESTION: gettext_noop(
        "Would you like to know about fees, admission or the hostel, or visit the campus?"
    ),
    Saying.ASK_NUMBER: gettext_noop(
        "What is the number of the order? It has at least four digits."
    ),
    Saying.CLOSED_DAY: gettext_noop("We are closed on Sundays."),
    Saying.CLOSED_TIME: gettext_noop("At {time} we are closed."),
    Saying.PAST_TIME: gettext_noop("It is past {time} already."),
    Saying.TOO_FAR: gettext_noop("That is more than 90 days ahead, too far for the calendar."),
    Saying.READ_BACK_CLINIC: gettext_noop(
        "{doctor}, {day}, {time}, in the name of {name}. Is that right?"
    ),
    Saying.READ_BACK_VISIT: gettext_noop(
        "A visit to the campus, {day}, {time}, in the name of {name}. Is that right?"
    ),
    Saying.CHANGED: gettext_noop("I have changed that."),
    Saying.WHAT_CHANGE: gettext_noop("What shall I change?"),
    Saying.BOOKED: gettext_noop("Done. In a real call it would be booked now."),
    Saying.FEES: gettext_noop("{course} costs {rupees} a year."),
    Saying.HOSTEL: gettext_noop(
        "Yes, students of the first year get a room. A counsellor could call you about it."
    ),
    Saying.ADMISSION: gettext_noop("For {course} you can apply until 30 June."),
    Saying.ORDER_PACKED: gettext_noop("Order {number} is being packed, and leaves tomorrow."),
    Saying.ORDER_MOVING: gettext_noop("Order {number} is on its way. It comes tomorrow by noon."),
    Saying.ORDER_DELIVERED: gettext_noop("Order {number} was delivered yesterday."),
    Saying.ANYTHING_ELSE: gettext_noop("Is there anything else?"),
    Saying.ALL_RIGHT: gettext_noop("All right."),
    Saying.WELCOME: gettext_noop("You are welcome."),
    Saying.GOODBYE: gettext_noop("Thank you for calling. Goodbye."),
    Saying.NOT_UNDERSTOOD: gettext_noop("Sorry, I did not understand that."),
    Saying.TRY_EXAMPLE: gettext_noop(
        "I did not understand that either. Say it like this: Dr Mehta, Friday at 5."
    ),
    Saying.HAND_OVER: gettext_noop(
        "I connect you with a colleague. In this demonstration the call ends here."
    ),
}
_DOCTORS = {
    "mehta": gettext_noop("Dr Mehta"),
    "rao": gettext_noop("Dr Rao"),
    "kapoor": gettext_noop("Dr Kapoor"),
}
_COURSES = {
    "engineering": gettext_noop("Engineering"),
    "commerce": gettext_noop("Commerce"),
    "science": gettext_noop("Science"),
    "arts": gettext_noop("Arts"),
    "management": gettext_noop("Management"),
    "law": gettext_noop("Law"),
}
_PARTS = {
    "morning": gettext_noop("In the morning"),
    "afternoon": gettext_noop("In the afternoon"),
    "evening": gettext_noop("In the evening"),
}
_QUESTIONS = {
    Intent.VISIT: gettext_noop("Visit to the campus"),
    Intent.FEES: gettext_noop("Fees"),
    Intent.HOSTEL: gettext_noop("Hostel"),
    Intent.ADMISSION: gettext_noop("Admission"),
}
_STATES = {
    Saying.ORDER_PACKED: gettext_noop("Being packed"),
    Saying.ORDER_MOVING: gettext_noop("On its way"),
    Saying.ORDER_DELIVERED: gettext_noop("Delivered"),
}
_OUTCOMES = {
    "booked": gettext_noop("Booked, as in a real call"),
    "answered": gettext_noop("Answered"),
    "person": gettext_noop("Connected to a colleague"),
}
_DAY_PATTERN = gettext_noop("EEEE, d MMMM")
_TIME_PATTERN = gettext_noop("h:mm a")
"""CLDR patterns, so that Hindi has the part of the day in place of `pm`."""
_NAME, _DAY, _TIME = gettext_noop("Name"), gettext_noop("Day"), gettext_noop("Time")
_OUTCOME = gettext_noop("Outcome")
_FORMS = {
    Form.CLINIC: (
        gettext_noop("Appointment"),
        gettext_noop("Sunrise Skin Clinic"),
        {"doctor": gettext_noop("Doctor"), "day": _DAY, "time": _TIME, "name": _NAME},
    ),
    Form.COLLEGE: (
        gettext_noop("Enquiry"),
        gettext_noop("Horizon College, admissions"),
        {
            "question": gettext_noop("Question"),
            "course": gettext_noop("Course"),
            "day": _DAY,
            "time": _TIME,
            "name": _NAME,
        },
    ),
    Form.ORDER: (
        gettext_noop("Order"),
        gettext_noop("Kesar Home Store"),
        {"number": gettext_noop("Order number"), "status": gettext_noop("Status")},
    ),
}
"""Title, business and labels by the names of the fields."""
_SUGGESTIONS = {
    Form.CLINIC: gettext_noop("See Dr Mehta tomorrow evening"),
    Form.COLLEGE: gettext_noop("Can I visit the campus on Saturday?"),
    Form.ORDER: gettext_noop("Where is my order 4712?"),
}
"""What a press on a chip says; the Hindi page has them in Hindi."""
_MIXED = "kal shaam ko Dr. Mehta se milna hai"
"""The chip that shows that languages can be mixed; the same on every page."""


def words() -> dict[str, str]:
    """Return the texts by their names in the component."""
    return {
        "box": t("Say it in your own words"),
        "hint": t("English, Hindi, or both in one sentence"),
        "send": t("Send"),
        "begin": t("Say hello, or ask for something."),
        "conversation": t("The conversation"),
        "you": t("You"),
        "suggestions": t("For example"),
        "restart": t("Start again"),
        "waiting": t("TARA is answering..."),
        "late": t("No answer yet. It comes when the connection is back."),
        "busy": t("That was a lot at once. Please go on in {seconds} seconds."),
        "pipeline": t("What happened in this exchange"),
        "latency": t("{ms} ms from the end of your sentence to the answer"),
        "typed": t("typed"),
        "ms": t("{ms} ms"),
        "rules": t("Understood by rules."),
        "provider": t("The operator has set up a language model here; its provider reads along."),
        "model": t("Understood by the operator’s language model."),
        "aloud": t("Read aloud"),
        "mute": t("Your browser has no voice for this language."),
        "speak": t("Speak"),
        "stop": t("Stop listening"),
        "listening": t("Listening..."),
        "warning": t(
            "Your browser turns speech into text, and its maker may hear what you say. We get the"
            " text alone."
        ),
        "agree": t("Speak now"),
        "decline": t("Rather type"),
        "unheard": t("Your browser did not hear anything. Try again, or type it."),
        "blocked": t("Your browser does not give this page the microphone. Type it instead."),
    }


def steps() -> list[dict[str, str]]:
    """Return the steps of an exchange, whose times the page measures."""
    names = {
        "hear": t("Hear"),
        "understand": t("Understand"),
        "decide": t("Decide"),
        "answer": t("Answer"),
    }
    notes = {
        "hear": t("your words as text"),
        "understand": t("what you want, and the details"),
        "decide": t("what comes next"),
        "answer": t("the way to the server and back"),
    }
    return [{"id": id_, "name": name, "note": notes[id_]} for id_, name in names.items()]


def forms() -> dict[str, dict[str, Any]]:
    """Return the forms by their names; the first is shown before anything is said."""
    return {
        str(form): {
            "title": t(title),
            "business": t(business),
            "fields": [
                *({"id": id_, "label": t(label)} for id_, label in labels.items()),
                {"id": "outcome", "label": t(_OUTCOME)},
            ],
        }
        for form, (title, business, labels) in _FORMS.items()
    }


def suggestions() -> list[dict[str, str]]:
    """Return what the chips say, with the form that each begins."""
    own = [{"form": str(form), "text": t(text), "lang": ""} for form, text in _SUGGESTIONS.items()]
    return [*own, {"form": str(Form.CLINIC), "text": _MIXED, "lang": "hi-Latn"}]


def longest() -> int:
    """Return how many characters a sentence may have."""
    return MOST_CHARACTERS


def reply(conversation: Conversation) -> str:
    """Return what TARA says, in the language of the conversation."""
    with use_locale(conversation.language):
        return " ".join(_said(line) for line in conversation.reply)


def entries(conversation: Conversation) -> dict[str, str]:
    """Return what the form has, by the names of its fields, in the language of the page."""
    slots = {name: _shown(name, value) for name, value in conversation.slots.items()}
    if "part" in conversation.slots:
        slots["time"] = slots.pop("part")
    state = next(
        (_STATES[each.saying] for each in conversation.reply if each.saying in _STATES), ""
    )
    question = _QUESTIONS.get(conversation.task, "") if conversation.task else ""
    slots |= {
        "question": t(question) if question else "",
        "status": t(state) if state else "",
        "outcome": t(_OUTCOMES[conversation.outcome]) if conversation.outcome else "",
    }
    return {name: value for name, value in slots.items() if value}


def _said(line: Line) -> str:
    values = {name: _shown(name, value) for name, value in line.values.items()}
    return t(SAYINGS[line.saying], **values) if values else t(SAYINGS[line.saying])


def _shown(name: str, value: str) -> str:
    """Return a slot's value as people read it, in the current language."""
    if name == "day" and value:
        return date_words(date.fromisoformat(value), t(_DAY_PATTERN))
    if name == "time" and value:
        at = time.fromisoformat(value)
        return format_time(at, t(_TIME_PATTERN), locale=f"{language()}_IN").replace("\u202f", " ")
    if name == "rupees":
        return format_rupees(int(value))
    names = {"doctor": _DOCTORS, "course": _COURSES, "part": _PARTS}.get(name, {})
    return t(names[value]) if value in names else value
