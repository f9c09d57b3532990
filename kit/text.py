"""Text: marked for translation; input normalized to one line; its direction isolated."""

import re
import unicodedata
from collections.abc import Iterable, Mapping

_INVISIBLE_CATEGORIES = {"Cc", "Cf", "Co", "Cs", "Cn"}
_JOINERS = {"\u200c", "\u200d"}
_BLANK_CHARACTERS = {"\u115f", "\u1160", "\u2800", "\u3164", "\uffa0"}
_MAXIMUM_MARKS = 30
"""The maximum number of combining marks in a row.

Unicode's stream-safe text format (UAX 15) has the same limit: normalisation sorts the marks of a
letter, in a time that grows with the square of their number.
"""
_INVISIBLE_ALONE = {"C", "M", "Z"}
_RIGHT_TO_LEFT = {"R", "AL", "AN", "RLE", "RLO", "RLI"}
_FIRST_STRONG_ISOLATE, _POP_DIRECTIONAL_ISOLATE = "\u2068", "\u2069"
_ISOLATES = re.compile("[\u2066-\u2069]")
"""The characters that begin isolates, and the one that ends them."""


class FormattedMessage(str):
    """A message with its placeholders filled in; as a str it is English.

    Translations format it again from `message` and `names`.
    """

    __slots__ = ("message", "names")
    message: str
    names: Mapping[str, object]

    def __new__(cls, message: str, names: Mapping[str, object]) -> "FormattedMessage":
        sentence = super().__new__(cls, message.format(**isolated(names)))
        sentence.message = message
        sentence.names = names
        return sentence

    def __reduce__(self) -> tuple[type["FormattedMessage"], tuple[str, Mapping[str, object]]]:
        return FormattedMessage, (self.message, self.names)


def gettext_noop(text: str) -> str:
    """Return the text unchanged: it marks the text for extraction, rendering translates it."""
    return text


def isolate(text: str) -> str:
    """Return a text that turns around no numbers beside it, whatever its direction.

    A text with right-to-left letters is enclosed in FSI and PDI, any other text is returned
    unchanged. Isolates within the text are removed if it does not close each of them. Markup stays
    markup: `join` keeps the type.

    Source: Unicode Standard Annex 9, 2.7.
    """
    if text.isascii() or not any(map(_is_right_to_left, text)):
        return text
    closed = text if _closes_isolates(text) else _without_isolates(text)
    return closed.join((_FIRST_STRONG_ISOLATE, _POP_DIRECTIONAL_ISOLATE))


def join_isolated(texts: Iterable[str]) -> str:
    """Return texts with commas between them, each isolated."""
    return ", ".join(map(isolate, texts))


def isolated(names: Mapping[str, object]) -> dict[str, object]:
    """Return the values of placeholders, of which the texts are isolated."""
    return {
        name: isolate(value) if isinstance(value, str) else value for name, value in names.items()
    }


def _closes_isolates(text: str) -> bool:
    depth = 0
    for character in _ISOLATES.findall(text):
        depth += -1 if character == _POP_DIRECTIONAL_ISOLATE else 1
        if depth < 0:
            return False
    return depth == 0


def _without_isolates(text: str) -> str:
    return text.translate(dict.fromkeys(range(0x2066, 0x206A)))


def _is_right_to_left(character: str) -> bool:
    return unicodedata.bidirectional(character) in _RIGHT_TO_LEFT


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
