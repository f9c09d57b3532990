"""Texts that a spreadsheet has damaged, with what to do about them.

Nothing is repaired: a question mark does not say which letter it was, and only the restaurant knows
what a formula should have shown.
"""

import re
from typing import Final

from kit.csv.text import SAVE_AS
from kit.mojibake import is_mojibake

_ERROR_VALUE: Final = re.compile(
    r"#(?:(?:NAME|ERROR|MACRO)\?|N/A|GETTING_DATA|#{2,}"
    r"|(?:REF|VALUE|DIV/0|NULL|NUM|ERROR|SPILL|CALC|FIELD|BLOCKED|CONNECT|BUSY|UNKNOWN|PYTHON)!)"
    r"|Err:\d{3}|Loading\.\.\.",
    re.ASCII | re.IGNORECASE,
)
"""What Excel, LibreOffice and Google Sheets show where a formula has no value.

`###` is a number that did not fit into its column.
"""
_LOST_LETTERS: Final = re.compile(
    # A run that is a word, unlike 'Hungry??'
    r"(?:^|(?<=[\s(\[{/,&|\"'\u201c\u2018-]))\?(?:\s*\?)+"
    r"|(?<=[a-z])\?(?=[a-z])"  # within a word
    r"|\ufffd"
)
_NO_LETTERS: Final = re.compile(r"[\W\d_]*\?[\W\d_]*")
_NO_VALUE: Final = re.compile(
    r"n/?a|tb[ad]|null|none|nil|nan|undefined|[-\u2013\u2014._]+", re.IGNORECASE
)
_SHOWN_CHARACTERS: Final = 40

_ERROR = "{cell!r} is an error of the spreadsheet: write the text itself, without a formula; {hint}"
_ERROR_HINT = "a text that begins with = + - or @ needs an apostrophe in front"
_LOST = f"letters of {{cell!r}} were lost when the file was saved: write it again, and {SAVE_AS}"
_MISREAD = (
    "{cell!r} was read in a wrong encoding: open the file by 'Data, From Text/CSV' as UTF-8, "
    f"write the text again, and {SAVE_AS}"
)


def damage_of(cell: str) -> str:
    """Return what a spreadsheet did to a text and what to do about it; empty if it is sound."""
    text = cell.strip()
    if _ERROR_VALUE.fullmatch(text):
        return _ERROR.format(cell=text, hint=_ERROR_HINT)
    shown = text if len(text) <= _SHOWN_CHARACTERS else f"{text[:_SHOWN_CHARACTERS]}…"
    if _NO_LETTERS.fullmatch(text) or _LOST_LETTERS.search(text):
        return _LOST.format(cell=shown)
    return _MISREAD.format(cell=shown) if is_mojibake(text) else ""


def is_no_value(cell: str) -> bool:
    """Whether a cell says that there is no value: `N/A`, `null`, `-`."""
    return _NO_VALUE.fullmatch(cell.strip()) is not None
