"""QR codes as PNG pictures, and as text for a terminal."""

from base64 import b64encode
from io import BytesIO, StringIO

import segno

_ERROR_CORRECTION = "m"
"""Readable with 15 % of the code missing; enough for a screen or a sheet of paper."""
_MASK = 3
"""The mask that suits most of our links best. Trying all eight took five times as long as the rest;
readers find any of them in the code."""


def qr_code(text: str, *, scale: int = 4) -> bytes:
    """Return the PNG of a text's QR code, with its quiet zone; `scale` are pixels a module."""
    picture = BytesIO()
    _code(text).save(picture, kind="png", scale=scale, border=4)
    return picture.getvalue()


def terminal_qr_code(text: str) -> str:
    """Return the QR code of a text as lines of block characters, with its quiet zone.

    One character is two modules, one above the other. Light modules have the color of the text, so
    that the code must be printed in white on black.
    """
    lines = StringIO()
    _code(text).terminal(lines, border=4, compact=True)
    return lines.getvalue()


def _code(text: str) -> segno.QRCode:
    return segno.make_qr(text, error=_ERROR_CORRECTION, mask=_MASK)


def data_address(png: bytes) -> str:
    """Return a PNG picture as a `data:` address."""
    return f"data:image/png;base64,{b64encode(png).decode()}"
