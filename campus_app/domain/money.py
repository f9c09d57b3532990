"""Rupees: exact decimals with two places, never a float."""

from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from functools import lru_cache
from typing import Final

Rupees = Decimal
"""An amount of rupees with exactly two places."""

ZERO: Final = Decimal("0.00")
_PAISA: Final = Decimal("0.01")
_PAISE_PER_RUPEE: Final = 100
_FIRST_GROUP: Final = 3
_NEXT_GROUP: Final = 2
_LARGEST: Final = Decimal(10_000_000)


def rupees(value: str | int | Decimal) -> Rupees:
    """Return the amount as rupees with two places.

    Raises:
        ValueError: If it is no number, not finite, finer than a paisa or beyond ten million.
    """
    if isinstance(value, (bool, float)):
        raise ValueError(f"{value!r} is not an exact amount")  # noqa: TRY004 - one error for callers
    try:
        amount = Decimal(value)
    except InvalidOperation as error:
        raise ValueError(f"{value!r} is not an amount") from error
    if not amount.is_finite() or not -_LARGEST <= amount <= _LARGEST:
        raise ValueError(f"{value!r} is not an amount that can be charged")
    rounded = amount.quantize(_PAISA)
    if rounded != amount:
        raise ValueError(f"{value!r} is finer than a paisa")
    return rounded


def percent_of(amount: Rupees, percent: int) -> Rupees:
    """Return so many percent of an amount, rounded half-up to the paisa.

    Source: DECISIONS M2.
    """
    return (amount * percent / 100).quantize(_PAISA, ROUND_HALF_UP)


def to_paise(amount: Rupees) -> int:
    """Return the amount as a whole number of paise."""
    return int(amount * _PAISE_PER_RUPEE)


def from_paise(paise: int) -> Rupees:
    """Return so many paise as rupees."""
    return (Decimal(paise) / _PAISE_PER_RUPEE).quantize(_PAISA)


@lru_cache(maxsize=4096)
def json_number(amount: Rupees) -> int | float:
    """Return rupees as a JSON number with at most two decimals. Source: CONTRACT HTTP."""
    return int(amount) if amount == amount.to_integral_value() else float(amount)


@lru_cache(maxsize=4096)
def format_rupees(amount: Rupees) -> str:
    """Return the amount as people in India read it: ₹440, ₹27.50, ₹1,25,000.

    Source: specification 2, order confirmation ('formatted with locale separators').
    """
    sign = "−" if amount < ZERO else ""
    whole, paise = f"{abs(amount):.2f}".split(".")
    digits, groups = whole[:-_FIRST_GROUP], [whole[-_FIRST_GROUP:]]
    while digits:
        groups.insert(0, digits[-_NEXT_GROUP:])
        digits = digits[:-_NEXT_GROUP]
    return f"{sign}₹{','.join(groups)}" + (f".{paise}" if paise != "00" else "")
