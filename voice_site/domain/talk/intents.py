"""What a visitor wants, from the topics, the talk and the slots of a sentence."""

from dataclasses import dataclass
from enum import StrEnum

from voice_site.domain.talk.tokens import Found


class Intent(StrEnum):
    """What a sentence is for."""

    APPOINTMENT = "appointment"
    VISIT = "visit"
    FEES = "fees"
    HOSTEL = "hostel"
    ADMISSION = "admission"
    ORDER_STATUS = "order_status"
    INFORM = "inform"
    CORRECT = "correct"
    YES = "yes"
    NO = "no"
    GREET = "greet"
    THANKS = "thanks"
    GOODBYE = "goodbye"
    REPEAT = "repeat"
    PERSON = "person"
    IDENTITY = "identity"
    UNKNOWN = "unknown"


_REFUSALS = ("NO", "NAHI", "WRONG")
_CHANGES = frozenset({"CHANGE", "INSTEAD_OF", "KI_JAGAH", "KAR_DO", "WRONG"})
"""Acts that correct a slot, unless the sentence has a task: `wrong number, it is 4712`."""
_WEAK_SLOTS = frozenset({"day", "part"})
"""Slots that sentences about anything have: `what is on tomorrow`."""
_DETAILS = frozenset({"day", "time", "part", "name"})
_MOST_UNKNOWN_IN_ANSWER = 2


@dataclass(frozen=True)
class Hearing:
    """What a sentence has: the names are those of `topics.py`."""

    topics: frozenset[str]
    talk: tuple[Found, ...]
    """From left to right."""
    slots: frozenset[str]
    expected: str
    """The slot for which the last reply asked."""
    has_denied: bool
    """Whether it names a value that is not meant: `not Friday`."""
    unknown: int
    """The number of words that are in no list and in no slot."""
    words: int
    is_title_only: bool
    """Whether it has no other word of the clinic than the title of a doctor."""

    @property
    def acts(self) -> list[str]:
        """The acts of the conversation, from left to right."""
        return [each.value for each in self.talk]

    def begins_with(self, *acts: str) -> bool:
        """Whether one of these acts is said first, or after one word; `order no. 4712` has none."""
        if not self.talk or self.talk[0].value not in acts:
            return False
        return self.talk[0].start <= (0 if self.talk[0].value == "NO" else 1)

    @property
    def is_clinic(self) -> bool:
        """Whether the clinic is meant; `dikhana` is said of a patient, but also of a campus."""
        is_shown = "SHOW" in self.topics and "CAMPUS" not in self.topics
        return is_shown or ("CLINIC" in self.topics and not self.is_title_only)


def intent_of(hearing: Hearing) -> Intent:
    """Return the one intent of a sentence."""
    if "PERSON" in hearing.acts and not hearing.slots:
        return Intent.PERSON
    if _is_correction(hearing):
        return Intent.CORRECT
    return _task(hearing) or _act(hearing) or _answer(hearing)


def _is_correction(hearing: Hearing) -> bool:
    if not hearing.slots:
        return False
    acts = hearing.acts
    if hearing.has_denied or hearing.begins_with("NO", "NAHI"):
        return True
    return not _CHANGES.isdisjoint(acts) and _task(hearing) is None


def _task(hearing: Hearing) -> Intent | None:
    topics, slots = hearing.topics, hearing.slots
    if "ORDER" in topics or ("number" in slots and "STATUS" in topics):
        return Intent.ORDER_STATUS
    if hearing.is_clinic:
        return Intent.APPOINTMENT
    if "doctor" in slots and ("BOOK" in topics or len(slots & _DETAILS) >= 2):
        return Intent.APPOINTMENT
    if "doctor" in slots and {"LOOK", "CAMPUS"} & topics == {"LOOK"}:
        return Intent.APPOINTMENT
    is_booking = {"BOOK", "OTHER"} & topics == {"BOOK"} and slots & {"day", "time"}
    return _college(hearing) or (Intent.APPOINTMENT if is_booking else None)


def _college(hearing: Hearing) -> Intent | None:
    topics, slots = hearing.topics, hearing.slots
    if "HOSTEL" in topics:
        return Intent.HOSTEL
    if "FEES" in topics:
        return Intent.FEES
    if "CAMPUS" in topics and (topics & {"LOOK", "SHOW"} or slots & {"day", "time"}):
        return Intent.VISIT
    return Intent.ADMISSION if "ADMISSION" in topics else None


def _act(hearing: Hearing) -> Intent | None:
    """Return the act of a sentence that has neither a task nor slots."""
    acts = hearing.acts
    if hearing.slots:
        return None
    refusals = [at for at, each in enumerate(acts) if each in _REFUSALS]
    yes = next((at for at, each in enumerate(acts) if each in ("YES", "KAR_DO")), None)
    for act, intent in (
        ("PERSON", Intent.PERSON),
        ("REPEAT", Intent.REPEAT),
        ("IDENTITY", Intent.IDENTITY),
        ("BYE", Intent.GOODBYE),
    ):
        if act in acts:
            return intent
    if refusals and (yes is None or refusals[0] < yes or acts[refusals[0]] != "NO"):
        return Intent.NO
    if "THANKS" in acts:
        return (
            Intent.YES if yes == 0 and hearing.expected == "" and len(acts) > 2 else Intent.THANKS
        )
    if yes is not None and hearing.unknown <= _MOST_UNKNOWN_IN_ANSWER:
        return Intent.YES
    return Intent.GREET if "GREET" in acts else None


def _answer(hearing: Hearing) -> Intent:
    """Return whether a sentence without a task gives a slot, or says nothing that is understood."""
    if not hearing.slots or "OTHER" in hearing.topics:
        return Intent.UNKNOWN
    if hearing.expected in hearing.slots and hearing.unknown <= _MOST_UNKNOWN_IN_ANSWER:
        return Intent.INFORM
    most_unknown = 0 if hearing.slots <= _WEAK_SLOTS else len(hearing.slots)
    return Intent.INFORM if hearing.unknown <= most_unknown else Intent.UNKNOWN
