"""Reads QR codes as a phone does."""

from base64 import b64decode
from io import BytesIO

import zxingcpp
from PIL import Image


def read_qr_code(png: bytes) -> str:
    """Return the text of the one QR code in a picture."""
    (code,) = zxingcpp.read_barcodes(Image.open(BytesIO(png)))
    return code.text


def read_data_address(address: str) -> str:
    """Return the text of the QR code in a `data:` address."""
    head, _, content = address.partition(",")
    assert head == "data:image/png;base64"
    return read_qr_code(b64decode(content))
