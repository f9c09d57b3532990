"""Text: marked for translation; input normalized to one line without invisible characters."""

import unicodedata
from collections.abc import Mapping

_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Co", "Cs", "Cn"}
_JOINERS = {"\u200c", "\u200d"}
_BLANK_CHARACTERS = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}
_MAXIMUM_MARKS = 30
"""The maximum number of combining marks in a row.

Unicode's stream-safe text format (UAX 15) has the same limit: normalisation sorts the marks of a
letter, in a time that grows with the square of their number.
"""
_INVISIBLE_ALONE = {"C", "M", "Z"}


class FormattedMessage(str):
    """A message with its placeholders filled in; as a str it is English.

    Translations format it again from `message` and `names`.
    """

    __slots__ = ("message", "names")
    message: str
    names: Mapping[str, object]

    def __new__(cls, message: str, names: Mapping[str, object]) -> "FormattedMessage":
        sentence = super().__new__(cls, message.format(**names))
        sentence.message = message
        sentence.names = names
        return sentence

    def __reduce__(self) -> tuple[type["FormattedMessage"], tuple[str, Mapping[str, object]]]:
        return FormattedMessage, (self.message, self.names)


def gettext_noop(text: str) -> str:
    """Return the text unchanged: it marks the text for extraction, rendering translates it."""
    return text


def normalize_text(text: str) -> str:
    """Return the text on one line, without control, bidi and other invisible characters.

    Joiners between letters are kept, since Indian scripts need them. Of the combining marks in a
    row only the first 30 are kept. Time grows in proportion to the length.
    """
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    visible = (
        " " if character.isspace() or character in _BLANK_CHARACTERS else character
        for character in text
        if character.isspace()
        or character in _JOINERS
        or unicodedata.category(character) not in _INVISIBLE_CATEGORIES
    )
    composed = unicodedata.normalize("NFC", _without_surplus_marks("".join(visible)))
    # Normalisation can split further marks from the letter before them.
    line = " ".join(_without_surplus_marks(composed).split())
    return line if any(map(_is_visible, line)) else ""


def _without_surplus_marks(text: str) -> str:
    if len(text) <= _MAXIMUM_MARKS:
        return text
    kept: list[str] = []
    marks = 0
    for character in text:
        marks = marks + 1 if unicodedata.category(character)[0] == "M" else 0
        if marks <= _MAXIMUM_MARKS:
            kept.append(character)
    return "".join(kept)


def _is_visible(character: str) -> bool:
    return unicodedata.category(character)[0] not in _INVISIBLE_ALONE
