"""Special instructions: notes for the kitchen and for the door, and whether cutlery is wanted."""

import unicodedata
from dataclasses import dataclass
from typing import Final

from campus_app.shared.rules import constants
from campus_app.shared.rules.messages import CustomerMessage
from kit.text import normalize_text

KITCHEN_NOTE: Final = "specialInstructions"
DOOR_NOTE: Final = "deliveryInstructions"
NO_CUTLERY: Final = "noCutlery"
_SIGNS_PER_LETTER = 4
CHECKED: Final = "yes"
"""What a form sends for a ticked box; an empty text, or nothing, for another."""
FIELDS: Final[tuple[str, ...]] = (KITCHEN_NOTE, DOOR_NOTE, NO_CUTLERY)
"""The field names of forms and of the HTTP interface. Source: specification 3.8, 10.18."""


@dataclass(frozen=True)
class Instructions:
    """What the customer asks for besides the dishes; every part is optional."""

    note: str = ""
    """For the kitchen."""
    door_note: str = ""
    """For the delivery agent."""
    no_cutlery: bool = False


def is_note_too_long(note: str) -> bool:
    """Whether a normalized note has more letters than allowed.

    Signs that combine with a letter do not count: normalization splits some letters of Hindi that
    browsers count as one.
    """
    letters = sum(not unicodedata.category(character).startswith("M") for character in note)
    longest = constants.MAXIMUM_NOTE_CHARACTERS
    return letters > longest or len(note) > _SIGNS_PER_LETTER * longest


def instruction_errors(instructions: Instructions) -> dict[str, str]:
    """Return an error message per note that is too long, by its field name."""
    notes = {KITCHEN_NOTE: instructions.note, DOOR_NOTE: instructions.door_note}
    return {
        name: CustomerMessage.NOTE_TOO_LONG.value
        for name, note in notes.items()
        if len(note) > constants.MAXIMUM_INPUT_CHARACTERS or is_note_too_long(normalize_text(note))
    }


def normalized_instructions(instructions: Instructions, *, is_delivered: bool) -> Instructions:
    """Return the instructions as they are stored.

    A table at the restaurant has no door and is laid with cutlery: only the kitchen's note remains.
    """
    note = normalize_text(instructions.note)
    if not is_delivered:
        return Instructions(note)
    return Instructions(note, normalize_text(instructions.door_note), instructions.no_cutlery)
