"""The UPI addresses of restaurants. Source: specification 10.12."""

import re
from typing import Final

_UPI_ID = re.compile(
    r"(?P<name>[A-Za-z0-9][A-Za-z0-9._-]{0,98})@(?P<handle>[A-Za-z][A-Za-z0-9]{1,63})"
)
_PHONE_NUMBER = re.compile(r"(?:91)?[6-9]\d{9}")
_MERCHANT_CODE = re.compile(r"\d{4}")
PERSONAL_HANDLES: Final = frozenset(
    {"okaxis", "okhdfcbank", "okicici", "oksbi", "waaxis", "wahdfcbank", "waicici", "wasbi"}
)
"""Handles that Google Pay and WhatsApp give to persons only."""


def parse_upi_id(text: str) -> str:
    """Return the UPI address of a merchant; empty for an empty text.

    Payment apps decline a link with an amount to a person's address, so these are refused where
    their form shows it.

    Raises:
        ValueError: With the reason.
    """
    if not text:
        return ""
    match = _UPI_ID.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a UPI address like kitchen@bank")
    if match["handle"].casefold() in PERSONAL_HANDLES or _PHONE_NUMBER.fullmatch(match["name"]):
        raise ValueError(f"{text!r} is a person's UPI address; payment apps need a merchant's")
    return text


def parse_merchant_code(text: str) -> str:
    """Return a merchant category code of four digits; empty for an empty text.

    Raises:
        ValueError: If it is anything else.
    """
    if text and not (text.isascii() and _MERCHANT_CODE.fullmatch(text)):
        raise ValueError(f"{text!r} is not a merchant category code of four digits, like 5812")
    return text
