"""Text from outside: on one line, without what can't be seen."""

import unicodedata

_UNSEEN = {"Cc", "Cf", "Co", "Cs", "Cn"}
_JOINERS = {"\u200c", "\u200d"}


def tidy(text: str) -> str:
    """Return the text on one line, without control, bidi and other invisible characters.

    Joiners stay between letters: Indian scripts need them.
    """
    kept = (
        character
        for character in text
        if character.isspace()
        or character in _JOINERS
        or unicodedata.category(character) not in _UNSEEN
    )
    line = " ".join(unicodedata.normalize("NFC", "".join(kept)).split())
    return line if line.strip("\u200c\u200d ") else ""
