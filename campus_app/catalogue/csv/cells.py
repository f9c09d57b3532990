"""Parsers for spreadsheet cells: amounts, times, booleans, ratings, phone numbers.

Each raises ValueError with a hint for a cell that it cannot parse. Amounts stay text until they
become exact decimals.
"""

import re
from datetime import time
from typing import Final

_SPACES: Final = re.compile(r"[\s\u00a0\u202f]+")
_SPACE_WITHIN: Final = re.compile(r"\d[^\S\u00a0\u202f]+\d", re.ASCII)
"""A space between digits: `80 140` is two prices; typographic spaces group digits."""
_CURRENCY: Final = re.compile(r"^(₹|rs\.?|inr)|(/-|₹|rs\.?|inr)$", re.IGNORECASE)
_PLAIN: Final = re.compile(r"[+-]?\d+(\.\d+)?", re.ASCII)
_GROUPED: Final = re.compile(r"\d{1,3}(,\d{2,3})*,\d{3}(\.\d{1,2})?", re.ASCII)
"""1,250 and 1,25,000.50."""
_GROUPED_BY_POINTS: Final = re.compile(r"\d{1,3}(\.\d{3})+,\d{1,2}", re.ASCII)
"""1.250,50."""
_DECIMAL_COMMA: Final = re.compile(r"\d+,\d{1,2}", re.ASCII)
_EITHER_MARK: Final = re.compile(r"\d{1,3}[.,]\d{3}", re.ASCII)
_TIME: Final = re.compile(
    r"(\d{1,2}):(\d{2})(?::00)?(?:\s*([ap])\.?\s?m\.?)?", re.ASCII | re.IGNORECASE
)
_TRUTHS: Final = {"true": True, "false": False}
_RANGE: Final = re.compile(r"(\d+)\s*[-\u2013]\s*(\d+)", re.ASCII)
_RATING: Final = re.compile(r"(\d)(?:[.,](\d))?", re.ASCII)
_ROUNDED: Final = re.compile(r"\d([.,]\d+)?e\+?\d+", re.ASCII | re.IGNORECASE)
_INDIAN_WITHOUT_PLUS: Final = re.compile(r"91\d{10}", re.ASCII)
_HALF_DAY: Final = 12


def parse_amount(cell: str, *, delimiter: str = ",") -> str:
    """Return an amount as plain digits with an optional decimal point: `₹1,250.50` is `1250.50`.

    With a comma as the delimiter, a comma within an amount groups digits; with a semicolon or tab,
    `1,250` is ambiguous.

    Raises:
        ValueError: If it is not an amount, or is ambiguous.
    """
    if _SPACE_WITHIN.search(cell):
        raise ValueError(f"{cell!r} may be two amounts: write one, without a space")
    text = _CURRENCY.sub("", _SPACES.sub("", cell))
    if delimiter != "," and _EITHER_MARK.fullmatch(text):
        whole, either = re.sub(r"[.,]", "", text), text.replace(",", ".")
        raise ValueError(f"{cell!r} is {whole} or {either}: write it without a separator")
    if _PLAIN.fullmatch(text):
        return text
    if _GROUPED.fullmatch(text):
        return text.replace(",", "")
    if _GROUPED_BY_POINTS.fullmatch(text):
        return text.replace(".", "").replace(",", ".")
    if _DECIMAL_COMMA.fullmatch(text):
        return text.replace(",", ".")
    raise ValueError(f"{cell!r} is not an amount")


def parse_time(cell: str) -> time:
    """Parse a time of day: `9:00`, `09:00:00`, `9:00 PM`.

    Raises:
        ValueError: If it is not a time.
    """
    match = _TIME.fullmatch(cell.strip())
    if match is None:
        raise ValueError(f"{cell!r} is not a time like 10:30")
    hour, minute, half = int(match[1]), int(match[2]), (match[3] or "").lower()
    if half:
        if not 1 <= hour <= _HALF_DAY:
            raise ValueError(f"{cell!r} is not a time like 10:30")
        hour = hour % _HALF_DAY + (_HALF_DAY if half == "p" else 0)
    try:
        return time(hour, minute)
    except ValueError as error:
        raise ValueError(f"{cell!r} is not a time like 10:30") from error


def parse_bool(cell: str) -> bool:
    """Parse `true` or `false` in any case.

    Raises:
        ValueError: If it is neither.
    """
    if cell.casefold() not in _TRUTHS:
        raise ValueError(f"{cell!r} is neither true nor false")
    return _TRUTHS[cell.casefold()]


def parse_minutes_range(cell: str) -> str:
    """Parse a range of minutes: `25-35`.

    Raises:
        ValueError: If it is not a range; spreadsheets turn `10-12` into a date.
    """
    match = _RANGE.fullmatch(cell)
    if match is None:
        raise ValueError(
            f"{cell!r} is not minutes like 25-35: format the column as text, and write it again"
        )
    return f"{match[1]}-{match[2]}"


def parse_rating(cell: str) -> str:
    """Return a rating with one decimal: `4` is `4.0`, `4,4` is `4.4`.

    Raises:
        ValueError: If it is not a rating.
    """
    match = _RATING.fullmatch(cell)
    if match is None:
        raise ValueError(f"{cell!r} is not a rating like 4.4")
    return f"{match[1]}.{match[2] or 0}"


def parse_phone(cell: str) -> str:
    """Return a phone number; an Indian number without its plus sign gets it back.

    Raises:
        ValueError: If the cell is empty, or the spreadsheet rounded the number.
    """
    if not cell:
        raise ValueError("is empty")
    if _ROUNDED.fullmatch(cell):
        raise ValueError(
            f"{cell!r} is a rounded number: format the column as text, and write it again"
        )
    return f"+{cell}" if _INDIAN_WITHOUT_PLUS.fullmatch(cell) else cell
