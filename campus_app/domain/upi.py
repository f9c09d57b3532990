"""UPI: the link that opens a payment app with the amount due at the door. It proves no payment.

Source: specification 10.12.
"""

import re
from datetime import datetime, timedelta
from typing import Final
from urllib.parse import quote, urlencode

from campus_app.domain.constants import CAMPUS_TIME_ZONE, CURRENCY, UPI_HOURS
from campus_app.domain.money import ZERO
from campus_app.domain.order import Order, OrderState
from campus_app.domain.restaurant import Restaurant

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


def upi_link(order: Order, restaurant: Restaurant, now: datetime) -> str:
    """Return the `upi://pay` link for the amount due of an order.

    Empty if the restaurant has no UPI address, or nothing is due: only a confirmed order is paid at
    the door, and some hours later it has been.

    Source: NPCI, UPI Linking Specifications 1.5.1.
    """
    due = order.bill.remaining
    if not restaurant.upi_id or order.state is not OrderState.CONFIRMED or due <= ZERO:
        return ""
    if now > _served_at(order) + timedelta(hours=UPI_HOURS):
        return ""
    parameters = {
        "pa": restaurant.upi_id,
        "pn": restaurant.name,
        "mc": restaurant.upi_merchant_code,
        "tr": order.id,
        "tn": order.number,
        "am": f"{due:.2f}",
        "cu": CURRENCY,
    }
    given = {name: value for name, value in parameters.items() if value}
    return f"upi://pay?{urlencode(given, safe='@', quote_via=quote)}"


def _served_at(order: Order) -> datetime:
    """Return when the food is due at the earliest: when it was ordered, or the table's time."""
    table = order.reservation
    if table is None:
        return order.created_at
    return datetime.combine(table.date, table.slot, CAMPUS_TIME_ZONE)
