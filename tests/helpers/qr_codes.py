"""Reads QR codes as a phone does."""

from base64 import b64decode
from io import BytesIO

import zxingcpp
from PIL import Image


def read_qr_code(png: bytes) -> str:
    """Return the text of the one QR code in a picture."""
    (code,) = zxingcpp.read_barcodes(Image.open(BytesIO(png)))
    return code.text


_BLOCKS = {"█": (255, 255), "▀": (255, 0), "▄": (0, 255), " ": (0, 0)}
_PIXELS_PER_MODULE = 4


def read_terminal_qr_code(blocks: str) -> str:
    """Return the text of the one QR code of block characters, printed in white on black."""
    lines = blocks.splitlines()
    picture = Image.new("L", (len(lines[0]), 2 * len(lines)))
    for row, line in enumerate(lines):
        for column, block in enumerate(line):
            for half, color in enumerate(_BLOCKS[block]):
                picture.putpixel((column, 2 * row + half), color)
    size = (picture.width * _PIXELS_PER_MODULE, picture.height * _PIXELS_PER_MODULE)
    (code,) = zxingcpp.read_barcodes(picture.resize(size, Image.Resampling.NEAREST))
    return code.text


def read_data_address(address: str) -> str:
    """Return the text of the QR code in a `data:` address."""
    head, _, content = address.partition(",")
    assert head == "data:image/png;base64"
    return read_qr_code(b64decode(content))
