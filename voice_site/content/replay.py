"""See it work: what each turn of a scripted call writes into a form, and the steps behind it.

The calls themselves, their turns and replies, are in `calls.py`.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from kit.text import gettext_noop
from kit.translations import language
from voice_site.content.calls import CALLS, Call
from voice_site.content.languages import LANGUAGES
from voice_site.content.samples import SOURCES
from voice_site.translations import t


def words() -> dict[str, str]:
    """Return the texts by their names in the component."""
    return {
        "start": t("Play it, or step through it without sound."),
        "calls": t("A call to"),
        "languages": t("Language of the call"),
        "conversation": t("The conversation"),
        "turns": t("Turns so far"),
        "play": t("Play"),
        "pause": t("Pause"),
        "back": t("Back one turn"),
        "forward": t("Forward one turn"),
        "restart": t("Start again"),
        "choose": t("What does the caller say?"),
        "over": t("The call is over."),
        "other": t("Another reply"),
        "fetching": t("One moment..."),
        "missing": t("This call can’t be reached just now. Press again to retry."),
        "unplayable": t(
            "The sound can’t be played here. Step through the call: every word is shown."
        ),
        "caller": t("Caller"),
        "pipeline": t("What happens in each turn"),
    }


@dataclass(frozen=True)
class Step:
    """A step of the pipeline, and what TARA does in it."""

    id: str
    name: str
    does: str


STEPS = (
    Step("listen", gettext_noop("Listen"), gettext_noop("to the caller, in their language")),
    Step("understand", gettext_noop("Understand"), gettext_noop("what is wanted, and for when")),
    Step("decide", gettext_noop("Decide"), gettext_noop("what to ask, or whom to connect")),
    Step("act", gettext_noop("Act"), gettext_noop("look up, book, send, hand over")),
    Step("answer", gettext_noop("Answer"), gettext_noop("aloud, and fill in the form")),
)
EXAMPLE_LABEL = gettext_noop("A scripted example.")
EXAMPLE_NOTE = gettext_noop("You choose what the caller says.")


@dataclass(frozen=True)
class Effect:
    """What a turn causes: entries of the form by the field's id, and an action of TARA, or ""."""

    entries: Mapping[str, str] = field(default_factory=dict[str, str])
    action: str = ""


@dataclass(frozen=True)
class Replay:
    """The form of a call, and the effects of its turns by the turn's id."""

    name: str
    """The call as the visitor chooses it."""
    form: str
    """The title of the form."""
    business: str
    """The business that is called."""
    fields: Mapping[str, str]
    """The labels by the fields' ids, in the order of the form."""
    effects: Mapping[str, Effect]


REPLAYS = {
    "clinic": Replay(
        gettext_noop("A clinic"),
        gettext_noop("Appointment"),
        gettext_noop("Sunrise Skin Clinic"),
        {
            "name": gettext_noop("Name"),
            "doctor": gettext_noop("Doctor"),
            "day": gettext_noop("Day"),
            "time": gettext_noop("Time"),
            "outcome": gettext_noop("Outcome"),
        },
        {
            "request": Effect({"doctor": gettext_noop("Dr Mehta"), "day": gettext_noop("Friday")}),
            "offer": Effect(action=gettext_noop("reads the doctor’s calendar")),
            "afternoon": Effect({"time": gettext_noop("4:30 pm")}),
            "morning": Effect({"time": gettext_noop("11:00 am")}),
            "name": Effect({"name": gettext_noop("Rohan Sharma")}),
            "booked-afternoon": Effect(
                {"outcome": gettext_noop("Booked, details sent by phone")},
                gettext_noop("books the appointment"),
            ),
            "booked-morning": Effect(
                {"outcome": gettext_noop("Booked, details sent by phone")},
                gettext_noop("books the appointment"),
            ),
            "hand-over": Effect(
                {"outcome": gettext_noop("Connected to the front desk")},
                gettext_noop("connects the front desk"),
            ),
        },
    ),
    "college": Replay(
        gettext_noop("A college"),
        gettext_noop("Enquiry"),
        gettext_noop("Horizon College, admissions"),
        {
            "course": gettext_noop("Course"),
            "contact": gettext_noop("Contact"),
            "question": gettext_noop("Question"),
            "outcome": gettext_noop("Outcome"),
        },
        {
            "request": Effect(
                {
                    "course": gettext_noop("Engineering"),
                    "question": gettext_noop("Last date to apply"),
                }
            ),
            "offer": Effect(
                {"outcome": gettext_noop("Told: 30 June")}, gettext_noop("looks up the course")
            ),
            "this-number": Effect({"contact": gettext_noop("This number")}),
            "sent": Effect(
                {"outcome": gettext_noop("Link sent, reminder a week before")},
                gettext_noop("sends the link, sets a reminder"),
            ),
            "fees": Effect({"question": gettext_noop("Last date to apply, fees")}),
            "fees-answer": Effect(
                {
                    "contact": gettext_noop("This number"),
                    "outcome": gettext_noop("List of all fees sent"),
                },
                gettext_noop("looks up the fees, sends the list"),
            ),
            "hostel": Effect({"question": gettext_noop("Last date to apply, hostel")}),
            "hostel-answer": Effect(
                {
                    "contact": gettext_noop("This number"),
                    "outcome": gettext_noop("A counsellor calls back today"),
                },
                gettext_noop("asks a counsellor to call"),
            ),
        },
    ),
    "order": Replay(
        gettext_noop("A shop"),
        gettext_noop("Order"),
        gettext_noop("Kesar Home Store"),
        {
            "number": gettext_noop("Order number"),
            "status": gettext_noop("Status"),
            "delivery": gettext_noop("Delivery"),
            "outcome": gettext_noop("Outcome"),
        },
        {
            "request": Effect({"number": "4712"}),
            "offer": Effect(
                {
                    "status": gettext_noop("On its way"),
                    "delivery": gettext_noop("Tomorrow before noon"),
                },
                gettext_noop("looks up the order"),
            ),
            "confirmed": Effect(
                {"outcome": gettext_noop("Someone is at home")},
                gettext_noop("notes it for the driver"),
            ),
            "moved": Effect(
                {
                    "delivery": gettext_noop("Saturday, 10 am to 1 pm"),
                    "outcome": gettext_noop("Delivery moved"),
                },
                gettext_noop("moves the delivery"),
            ),
            "hand-over": Effect(
                {"outcome": gettext_noop("With a colleague, for the refund")},
                gettext_noop("connects a colleague"),
            ),
        },
    ),
}
"""By the id of the call."""


def calls() -> list[dict[str, Any]]:
    """Return the calls as the browser replays them, turns by their ids."""
    codes = _codes()
    versions = zip(*(CALLS[code] for code in codes), strict=True)
    return [_call(dict(zip(codes, each, strict=True))) for each in versions]


def _codes() -> list[str]:
    """Return the codes of the languages with a voice, that of the page first."""
    return sorted(CALLS, key=lambda code: code != language())


def _call(versions: Mapping[str, Call]) -> dict[str, Any]:
    """Return one call, given in each language by the language's code."""
    call, *_ = versions.values()
    replay = REPLAYS[call.id]
    return {
        "id": call.id,
        "name": t(replay.name),
        "industry": t(call.industry),
        "form": t(replay.form),
        "business": t(replay.business),
        "fields": [{"id": id_, "label": t(label)} for id_, label in replay.fields.items()],
        "effects": {
            turn_id: {
                "entries": {id_: t(entry) for id_, entry in effect.entries.items()},
                "action": t(effect.action) if effect.action else "",
            }
            for turn_id, effect in replay.effects.items()
        },
        "opening": [turn.id for turn in call.opening],
        "replies": [[turn.id for turn in reply] for reply in call.replies],
        "first": {code: each.opening[0].text for code, each in versions.items()},
        "audio": {code: SOURCES[code, call.id] for code in versions},
    }


def steps() -> list[dict[str, str]]:
    """Return the steps of the pipeline as the browser shows them."""
    return [{"id": step.id, "name": t(step.name), "does": t(step.does)} for step in STEPS]


def languages() -> list[dict[str, str]]:
    """Return the languages in which the calls are spoken, that of the page first."""
    by_code = {each.code: each for each in LANGUAGES}
    return [
        {"code": code, "ownName": by_code[code].own_name, "direction": by_code[code].direction}
        for code in _codes()
    ]
