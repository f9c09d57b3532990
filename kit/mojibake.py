"""Detection of UTF-8 that a program has read in another encoding: `CafÃ©`, `à¤°à¥€`.

The rule: the characters, encoded again, contain a UTF-8 sequence that no text of that encoding
has. Single accented capitals before punctuation ('CAFÉ’S', '“ROMÔ') are such sequences by chance;
they do not count.
"""

import re
from typing import Final

_FIRST_BEYOND_ASCII: Final = 0x80
_NONE: Final = 0
"""The byte for a character that the encoding does not have."""
_NO_BREAK_SPACE: Final = "\xa0"

_AT_WORD_END: Final = frozenset("’”…–—•»™®©°\xa0\u203a")
"""What may follow a capital letter at the end of a word."""

_WINDOWS_1252: Final = re.compile(
    rb"(?P<pair>[\xc2-\xc5][\x80-\xbf])"
    rb"|(?P<pairs>(?:[\xc4-\xdf][\x80-\xbf]){2,})"
    rb"|\xe0[\xa4\xa5][\x80-\xbf]"
    rb"|(?:\xe0[\xa4-\xb9][\x80-\xbf]){2,}"
    rb"|(?:[\xe3-\xe9][\x80-\xbf][\x80-\xbf]){2,}"
    rb"|\xe2[\x80\x82\x84\x86\x88\x98][\x80-\xbf]"
    rb"|\xef(?:\xbb\xbf|\xbf\xbd|\xb8\x8f)"
    rb"|\xf0\x9f[\x80-\xbf][\x80-\xbf]"
)
"""Latin letters and signs; other alphabets; Devanagari; other Indian scripts; Chinese; punctuation,
₹ and ™; marks; emoji."""
_MAC_ROMAN: Final = re.compile(
    rb"[\xc2\xc3][\x80-\xbf]"
    rb"|\xe0[\xa4-\xb9][\x80-\xbf]"
    rb"|\xe2[\x80\x82\x84][\x80-\xbf]"
    rb"|(?:[\xd8-\xdb][\x80-\xbf]){2,}"
)
"""As above, as far as these signs of a Mac (√, ¬, ‡) stand in no text."""


def _bytes_by_character(encoding: str) -> dict[int, int]:
    """Return the bytes of an encoding; bytes without a character are C1 controls."""
    beyond = range(_FIRST_BEYOND_ASCII, 0x100)
    table = {code: code for code in range(_FIRST_BEYOND_ASCII)} | {code: code for code in beyond}
    if encoding != "cp1252":
        table = {code: code for code in range(_FIRST_BEYOND_ASCII)}
    decoded = [(bytes([code]).decode(encoding, errors="replace"), code) for code in beyond]
    return table | {ord(text): code for text, code in decoded if text != "\ufffd"}


_TABLES: Final = (
    (_bytes_by_character("cp1252"), _WINDOWS_1252),
    (_bytes_by_character("mac_roman"), _MAC_ROMAN),
)


def is_mojibake(text: str) -> bool:
    """Whether a text, or a part of it, is UTF-8 read as Windows-1252, Latin-1 or Mac OS Roman."""
    if text.isascii():
        return False
    return any(_has_sequence(text, table, sequence) for table, sequence in _TABLES)


def _has_sequence(text: str, table: dict[int, int], sequence: re.Pattern[bytes]) -> bool:
    # One byte for each character, so that a place in the bytes is the place in the text.
    encoded = bytes(table.get(ord(character), _NONE) for character in text)
    return any(not _is_by_chance(text, match) for match in sequence.finditer(encoded))


def _is_by_chance(text: str, match: re.Match[bytes]) -> bool:
    if match.lastgroup == "pairs":
        signs = text[match.start() + 1 : match.end() : 2]
        return all(sign in _AT_WORD_END or sign.isupper() for sign in signs)
    return match.lastgroup == "pair" and _is_end_of_word(text, match.start())


def _is_end_of_word(text: str, at: int) -> bool:
    """Whether a capital letter and the sign behind it may be the end of a word in a real text."""
    sign, before, behind = text[at + 1], text[at - 1 : at], text[at + 2 : at + 3]
    if before.islower() or before.isdigit():
        return False
    if before.isupper():
        return sign in _AT_WORD_END or sign.isupper()
    if text[at] in "ÂÄÅ" and sign.isalpha():
        return True
    if sign == _NO_BREAK_SPACE:
        return text[at] in "ÄÅ"
    return sign in _AT_WORD_END and not behind.islower()
