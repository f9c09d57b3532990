"""The text of a CSV file, as Excel, LibreOffice and Google Sheets encode it.

Python's own codecs decide, in an order that leaves nothing to chance: a byte order mark, strict
UTF-8, Windows-1252. A statistical detector needs more text than the one accented letter that a
menu often has: it takes "Café" for any of thirty encodings.
"""

import codecs
from typing import Final

SAVE_AS: Final = "save it as 'CSV UTF-8 (comma delimited)'"
"""What to do with a file that can't be read: Excel's name for the format that always can."""
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WINDOWS: Final = "windows-1252"
_WINDOWS_SIGNS: Final = frozenset(
    [0x80, 0x85, *range(0x91, 0x98), 0x99, *range(0xA0, 0x100)],
)
"""What Windows writes beyond ASCII: letters, quotation marks, dashes, €, …, ™.

The bytes between are rare there, and letters in the encoding of old Macs, which Excel for Mac
still writes: a file with one of these is ambiguous.
"""


class UnreadableFile(ValueError):
    """A file that is no text, or whose header is not the one that is wanted.

    `row` is the line that shows it, or 0 where that is the file as a whole.
    """

    def __init__(self, reason: str, row: int = 0) -> None:
        super().__init__(reason)
        self.row = row


def text_from(raw: bytes) -> str:
    """Return the text of a file.

    Raises:
        UnreadableFile: If its encoding is unknown or ambiguous, or it is no text.
    """
    encoding = next((name for mark, name in _MARKS if raw.startswith(mark)), "")
    text = _decoded(raw, encoding) if encoding else _without_mark(raw)
    if "\0" in text:
        raise UnreadableFile(f"the file is no text: {SAVE_AS}")
    return text


def _without_mark(raw: bytes) -> str:
    if b"\0" in raw:
        raise UnreadableFile(f"the file is no text, or UTF-16 without its mark: {SAVE_AS}")
    try:
        return raw.decode("utf-8")
    except UnicodeDecodeError as error:
        if not raw.decode("utf-8", errors="ignore").isascii():
            # Some of it is UTF-8: as Windows-1252 that part would become "CafÃ©".
            raise _ambiguous(raw, error.start) from error
    odd = next(
        (at for at, byte in enumerate(raw) if byte > 0x7F and byte not in _WINDOWS_SIGNS), -1
    )
    if odd >= 0:
        raise _ambiguous(raw, odd)
    return raw.decode(_WINDOWS)


def _decoded(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise _ambiguous(raw, error.start) from error


def _ambiguous(raw: bytes, at: int) -> UnreadableFile:
    row = raw.count(b"\n", 0, at) + 1
    return UnreadableFile(f"a letter is neither UTF-8 nor Windows-1252: {SAVE_AS}", row)
