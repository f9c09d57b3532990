"""Cells as spreadsheets write them: amounts, times, truth values, ratings, telephone numbers.

Each function returns what a cell means, or raises ValueError with what to write instead. Amounts
stay text until they are exact decimals.
"""

import re
from datetime import time
from typing import Final

_SPACES: Final = re.compile(r"[\s\u00a0\u202f]+")
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


def amount_text(cell: str, *, delimiter: str = ",") -> str:
    """Return an amount as digits and at most a point: `₹1,250.50` is `1250.50`.

    In a file whose cells are separated by commas, a comma within an amount groups its digits;
    where semicolons or tabs separate them, `1,250` may be either amount.

    Raises:
        ValueError: If it is no amount, or may be two.
    """
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


def clock_time(cell: str) -> time:
    """Return a time of the day: `9:00`, `09:00:00`, `9:00 PM`.

    Raises:
        ValueError: If it is none.
    """
    found = _TIME.fullmatch(cell.strip())
    if found is None:
        raise ValueError(f"{cell!r} is not a time like 10:30")
    hour, minute, half = int(found[1]), int(found[2]), (found[3] or "").lower()
    if half:
        if not 1 <= hour <= _HALF_DAY:
            raise ValueError(f"{cell!r} is not a time like 10:30")
        hour = hour % _HALF_DAY + (_HALF_DAY if half == "p" else 0)
    try:
        return time(hour, minute)
    except ValueError as error:
        raise ValueError(f"{cell!r} is not a time like 10:30") from error


def truth(cell: str) -> bool:
    """Return whether a cell says true: `true`, `TRUE`.

    Raises:
        ValueError: If it says neither.
    """
    if cell.casefold() not in _TRUTHS:
        raise ValueError(f"{cell!r} is neither true nor false")
    return _TRUTHS[cell.casefold()]


def minutes_range(cell: str) -> str:
    """Return a range of minutes: `25-35`.

    Raises:
        ValueError: If it is none: a spreadsheet takes `10-12` for the tenth of December.
    """
    found = _RANGE.fullmatch(cell)
    if found is None:
        raise ValueError(
            f"{cell!r} is not minutes like 25-35: format the column as text, and write it again"
        )
    return f"{found[1]}-{found[2]}"


def rating(cell: str) -> str:
    """Return a rating with one decimal: `4` is `4.0`, `4,4` is `4.4`.

    Raises:
        ValueError: If it is none.
    """
    found = _RATING.fullmatch(cell)
    if found is None:
        raise ValueError(f"{cell!r} is not a rating like 4.4")
    return f"{found[1]}.{found[2] or 0}"


def telephone(cell: str) -> str:
    """Return a telephone number; one of India that lost its plus sign gets it back.

    Raises:
        ValueError: If the cell is empty, or a spreadsheet rounded the number.
    """
    if not cell:
        raise ValueError("is empty")
    if _ROUNDED.fullmatch(cell):
        raise ValueError(
            f"{cell!r} is a rounded number: format the column as text, and write it again"
        )
    return f"+{cell}" if _INDIAN_WITHOUT_PLUS.fullmatch(cell) else cell
