"""Decoding of CSV files written by Excel, LibreOffice and Google Sheets.

Tried in order: byte order mark, strict UTF-8, Windows-1252. Statistical detectors need more text
than the single accented letter of a typical menu: "Café" fits thirty encodings.
"""

import codecs
from typing import Final

SAVE_AS: Final = "save it as 'CSV UTF-8 (comma delimited)'"
"""The advice for an unreadable file: Excel's name of the format that is always readable."""
_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_WINDOWS: Final = "windows-1252"
_WINDOWS_SIGNS: Final = frozenset(
    [0x80, 0x85, *range(0x91, 0x98), 0x99, *range(0xA0, 0x100)],
)
"""The non-ASCII bytes of Windows-1252 that are accepted: letters, quotation marks, dashes, €, …,
™.

The other bytes are rare there, but are letters in Mac OS Roman, which Excel for Mac still writes:
a file with one of them is ambiguous.
"""


class UnreadableFile(ValueError):
    """The file is not text, or its header is not the expected one.

    `row` is the line of the problem, or 0 if it concerns the whole file.
    """

    def __init__(self, reason: str, row: int = 0) -> None:
        super().__init__(reason)
        self.row = row


def text_from(raw: bytes) -> str:
    """Decode the content of a file.

    Raises:
        UnreadableFile: If its encoding is unknown or ambiguous, or it is not text.
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
            # Partly UTF-8: decoded as Windows-1252 that part would become "CafÃ©".
            raise _ambiguous(raw, error.start) from error
    for at, byte in enumerate(raw):
        if byte > 0x7F and byte not in _WINDOWS_SIGNS:
            raise _ambiguous(raw, at)
    return raw.decode(_WINDOWS)


def _decoded(raw: bytes, encoding: str) -> str:
    try:
        return raw.decode(encoding)
    except UnicodeDecodeError as error:
        raise _ambiguous(raw, error.start) from error


def _ambiguous(raw: bytes, at: int) -> UnreadableFile:
    row = raw.count(b"\n", 0, at) + 1
    return UnreadableFile(f"a letter is neither UTF-8 nor Windows-1252: {SAVE_AS}", row)
