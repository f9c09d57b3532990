"""QR codes as PNG pictures, and as text for a terminal."""

from base64 import b64encode
from io import BytesIO, StringIO

import segno

_ERROR_CORRECTION = "m"
"""Readable with 15 % of the code missing; enough for a screen or a sheet of paper."""


def qr_code(text: str, *, scale: int = 4) -> bytes:
    """Return the PNG of a text's QR code, with its quiet zone; `scale` are pixels a module."""
    picture = BytesIO()
    segno.make_qr(text, error=_ERROR_CORRECTION).save(picture, kind="png", scale=scale, border=4)
    return picture.getvalue()


def terminal_qr_code(text: str) -> str:
    """Return the QR code of a text as lines of block characters, with its quiet zone.

    One character is two modules, one above the other. Light modules have the color of the text, so
    that the code must be printed in white on black.
    """
    lines = StringIO()
    segno.make_qr(text, error=_ERROR_CORRECTION).terminal(lines, border=4, compact=True)
    return lines.getvalue()


def data_address(png: bytes) -> str:
    """Return a PNG picture as a `data:` address."""
    return f"data:image/png;base64,{b64encode(png).decode()}"
