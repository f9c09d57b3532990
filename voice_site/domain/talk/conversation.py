"""What a conversation has come to: the task, the slots, and the lines of the last reply."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from voice_site.domain.talk.intents import Intent
from voice_site.domain.talk.understand import Expected

MOST_MISSES: Final = 3
"""After as many sentences in a row that are not understood, a person takes over."""
MOST_CHARACTERS: Final = 300
"""A sentence may have as many characters."""
MOST_TURNS: Final = 60
"""A conversation may have as many sentences; then it begins again."""


class Form(StrEnum):
    """The form that a conversation fills in."""

    NONE = ""
    CLINIC = "clinic"
    COLLEGE = "college"
    ORDER = "order"


FORMS: Final[Mapping[Intent, Form]] = {
    Intent.APPOINTMENT: Form.CLINIC,
    Intent.VISIT: Form.COLLEGE,
    Intent.FEES: Form.COLLEGE,
    Intent.HOSTEL: Form.COLLEGE,
    Intent.ADMISSION: Form.COLLEGE,
    Intent.ORDER_STATUS: Form.ORDER,
}
"""The forms of the intents that begin a task."""


class Saying(StrEnum):
    """What TARA can say; `content/talk.py` has the words."""

    GREET = "greet"
    IDENTITY = "identity"
    AGAIN = "again"
    OFFER = "offer"
    WHAT_FOR = "what-for"
    ASK_DOCTOR = "ask-doctor"
    ASK_DAY = "ask-day"
    ASK_TIME = "ask-time"
    ASK_TIME_MORNING = "ask-time-morning"
    ASK_TIME_AFTERNOON = "ask-time-afternoon"
    ASK_TIME_EVENING = "ask-time-evening"
    ASK_NAME = "ask-name"
    ASK_COURSE = "ask-course"
    ASK_QUESTION = "ask-question"
    ASK_NUMBER = "ask-number"
    CLOSED_DAY = "closed-day"
    CLOSED_TIME = "closed-time"
    PAST_TIME = "past-time"
    TOO_FAR = "too-far"
    READ_BACK_CLINIC = "read-back-clinic"
    READ_BACK_VISIT = "read-back-visit"
    CHANGED = "changed"
    WHAT_CHANGE = "what-change"
    BOOKED = "booked"
    FEES = "fees"
    HOSTEL = "hostel"
    ADMISSION = "admission"
    ORDER_PACKED = "order-packed"
    ORDER_MOVING = "order-moving"
    ORDER_DELIVERED = "order-delivered"
    ANYTHING_ELSE = "anything-else"
    ALL_RIGHT = "all-right"
    WELCOME = "welcome"
    GOODBYE = "goodbye"
    NOT_UNDERSTOOD = "not-understood"
    TRY_EXAMPLE = "try-example"
    HAND_OVER = "hand-over"


@dataclass(frozen=True)
class Line:
    """A sentence of a reply, with the values of its placeholders."""

    saying: Saying
    values: Mapping[str, str] = field(default_factory=dict[str, str])
    """Slots as `Understood` has them."""


@dataclass(frozen=True)
class Conversation:
    """All that is known after a sentence. It is bounded: slots have one value each."""

    task: Intent | None = None
    slots: Mapping[str, str] = field(default_factory=dict[str, str])
    expected: Expected = Expected.NOTHING
    reads_back: bool = False
    """Whether the last reply read a booking back, which a yes completes."""
    outcome: str = ""
    """'booked', 'answered' or 'person' once the task is done."""
    misses: int = 0
    turns: int = 0
    language: str = "en"
    is_over: bool = False
    """Whether the next sentence begins a new conversation."""
    reply: tuple[Line, ...] = ()
    heard: Intent | None = None
    """What the last sentence was for."""

    @property
    def form(self) -> Form:
        return FORMS[self.task] if self.task else Form.NONE
