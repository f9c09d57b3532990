"""The special instructions. Source: specification 10.18."""

import pytest

from campus_app.ordering.rules.instructions import (
    Instructions,
    instruction_errors,
    normalized_instructions,
)
from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS, MAXIMUM_NOTE_CHARACTERS

LONGEST = "x" * MAXIMUM_NOTE_CHARACTERS


@pytest.mark.parametrize(
    ("instructions", "fields"),
    [
        (Instructions(), []),
        (Instructions(LONGEST, LONGEST, no_cutlery=True), []),
        (Instructions(f"  {LONGEST}\n", ""), []),
        # 300 letters for a browser, 600 after normalization: the sign is separate then.
        (Instructions("\u0958" * MAXIMUM_NOTE_CHARACTERS), []),
        (Instructions("\u0958" * (MAXIMUM_NOTE_CHARACTERS + 1)), ["specialInstructions"]),
        (Instructions(("e" + "\u0330" * 9) * 150), ["specialInstructions"]),
        (Instructions(" " * (MAXIMUM_INPUT_CHARACTERS + 1)), ["specialInstructions"]),
        (Instructions(LONGEST + "x"), ["specialInstructions"]),
        (Instructions("", LONGEST + "x"), ["deliveryInstructions"]),
        (
            Instructions(LONGEST + "x", LONGEST + "x"),
            ["specialInstructions", "deliveryInstructions"],
        ),
    ],
)
def test_instruction_errors_names_each_note_that_is_too_long(instructions, fields):
    assert list(instruction_errors(instructions)) == fields


def test_normalized_instructions_are_on_one_line_without_hidden_characters():
    typed = Instructions(" No\nonion\u202e", "\tGate 2\x00 ", no_cutlery=True)
    kept = normalized_instructions(typed, is_delivered=True)
    assert kept == Instructions("No onion", "Gate 2", no_cutlery=True)
    # Of a table the kitchen's note alone is kept.
    assert normalized_instructions(typed, is_delivered=False) == Instructions("No onion")
