"""Rupees: exact decimals with two places, never floats."""

import re
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

Rupees = Decimal
"""An amount of rupees with exactly two decimal places."""

ZERO: Final = Decimal("0.00")
_PAISA: Final = Decimal("0.01")
_PAISE_PER_RUPEE: Final = 100
_FIRST_GROUP: Final = 3
_NEXT_GROUP: Final = 2
LARGEST_AMOUNT: Final = Decimal(10_000_000)
"""In rupees; databases store paise in 32 bits, which hold twice as much."""
_FINEST_EXPONENT: Final = -2
_AMOUNT_TEXT: Final = re.compile(r"(0|[1-9][0-9]{0,7})(\.[0-9]{1,2})?", re.ASCII)
_CURRENCY_CODE: Final = re.compile(r"[A-Z]{3}", re.ASCII)


def rupees(value: str | int | Decimal) -> Rupees:
    """Return the amount as rupees with two decimal places.

    Raises:
        ValueError: If it is not a finite number, has more than two decimals or exceeds ten
            million.
    """
    if isinstance(value, (bool, float)):
        raise ValueError(f"{value!r} is not an exact amount")  # noqa: TRY004 - one error for callers
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is not an amount") from error
    if not amount.is_finite() or not -LARGEST_AMOUNT <= amount <= LARGEST_AMOUNT:
        raise ValueError(f"{value!r} is not an amount that can be charged")
    rounded = amount.quantize(_PAISA)
    if rounded != amount:
        raise ValueError(f"{value!r} is finer than a paisa")
    return rounded


def parse_reported_amount(value: object) -> Rupees | None:
    """Return an amount from another system's JSON in rupees, or None if it is not exact.

    Accepted are a positive JSON number (`int`, or `Decimal` for one with a decimal point) and the
    same in plain ASCII digits, with at most two decimals. A float is rejected: it has lost the
    exact value.
    """
    if isinstance(value, str):
        is_exact = _AMOUNT_TEXT.fullmatch(value) is not None
    elif isinstance(value, Decimal):
        exponent = value.as_tuple().exponent
        is_exact = isinstance(exponent, int) and exponent >= _FINEST_EXPONENT
    elif type(value) is int:
        is_exact = True
    else:
        return None
    if not is_exact:
        return None
    try:
        amount = rupees(value)
    except ValueError:
        return None
    return amount if amount > ZERO else None


def parse_reported_currency(value: object) -> str:
    """Return a currency code from another system's JSON, or "" unless it is three capitals."""
    return value if isinstance(value, str) and _CURRENCY_CODE.fullmatch(value) else ""


def percent_of(amount: Rupees, percent: int) -> Rupees:
    """Return a percentage of an amount, rounded half-up to the paisa.

    Source: specification M2.
    """
    return (amount * percent / 100).quantize(_PAISA, ROUND_HALF_UP)


def smallest_before_discount(amount: Rupees, percent: int) -> Rupees:
    """Return the smallest amount of which `amount` is left after a percentage is taken off.

    Let a be the amount in paise. The discount on s paise, rounded half-up as in `percent_of`,
    leaves at least a if and only if s * (100 - percent) > 100 * a - 50; the result is the least s.
    """
    return from_paise((100 * to_paise(amount) - 50) // (100 - percent) + 1)


def to_paise(amount: Rupees) -> int:
    """Return the amount as a whole number of paise."""
    return int(amount * _PAISE_PER_RUPEE)


def from_paise(paise: int) -> Rupees:
    """Return an amount in paise as rupees."""
    return (Decimal(paise) / _PAISE_PER_RUPEE).quantize(_PAISA)


@lru_cache(maxsize=4096)
def json_number(amount: Rupees) -> int | float:
    """Return rupees as a JSON number with at most two decimals. Source: specification C3.21."""
    return int(amount) if amount == amount.to_integral_value() else float(amount)


@lru_cache(maxsize=4096)
def format_rupees(amount: Rupees) -> str:
    """Return the amount in Indian digit grouping: ₹440, ₹27.50, ₹1,25,000.

    Source: specification 2.42.
    """
    sign = "−" if amount < ZERO else ""
    whole, paise = f"{abs(amount):.2f}".split(".")
    return f"{sign}₹{format_count(int(whole))}" + (f".{paise}" if paise != "00" else "")


def format_count(count: int) -> str:
    """Return a number from 0 in Indian digit grouping: 440, 1,234, 1,25,000."""
    whole = str(count)
    digits, groups = whole[:-_FIRST_GROUP], [whole[-_FIRST_GROUP:]]
    while digits:
        groups.insert(0, digits[-_NEXT_GROUP:])
        digits = digits[:-_NEXT_GROUP]
    return ",".join(groups)
