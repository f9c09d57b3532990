"""Prices as restaurants write them; the desk asks about a price that leaves a doubt.

Source: specification 12.5.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from typing import Final

from campus_app.catalogue.csv.cells import parse_amount
from campus_app.shared.rules.constants import MAXIMUM_DISH_PRICE
from campus_app.shared.rules.money import ZERO, rupees
from kit.text import normalize_text

_NUMBER: Final = re.compile(r"\d+(?:[.,]\d+)*", re.ASCII)
_THREE_DECIMALS: Final = re.compile(r"\d{1,3}\.\d{3}", re.ASCII)
_GROUPED_BY_SPACES: Final = re.compile(r"\d{1,3}(?: \d{3})+", re.ASCII)
_NO_PRICE: Final = re.compile(
    r"\d{4}-\d\d-\d\d.*"  # a day, into which spreadsheets turn 10-12
    r"|\d{1,2}[-/.]\d{1,2}[-/.](?:19|20)\d\d.*"
    r"|\d{1,2}-(?:jan|feb|mar|apr|may|june?|july?|aug|sept?|oct|nov|dec)\b.*"
    r"|\d{1,2}:\d\d(?::\d\d)?"  # a time, into which they turn 1:20
    r"|\d[\d.,]*e[+-]?\d+",  # a rounded number
    re.ASCII | re.IGNORECASE,
)
"""Cells with digits that are no price which might be offered."""
_MEANINGLESS: Final = re.compile(
    r"₹|\brs\b\.?|\binr\b|\bonly\b|\brupees?\b|/-|/=|[\s:=.]", re.IGNORECASE
)
"""What may stand beside the only number of a cell without raising a doubt."""
_LONGEST_PRICE: Final = 100
"""In characters; a longer text is no price, and would take long to read as one."""
_PAISE: Final = 100
_LOWEST_IN_PAISE: Final = 1000
"""Ten rupees: fewer paise than that are no dish's price."""
_TYPICAL_IN_PAISE: Final = 2000
"""The median from which round figures are more likely paise than rupees, on a campus."""


class PriceDoubt(StrEnum):
    """Why a price must be asked."""

    MISSING = "missing"
    SEVERAL = "several"
    UNCLEAR = "unclear"


@dataclass(frozen=True)
class PriceReading:
    """The amount in rupees as plain digits; or the doubt, with the amounts that may be meant."""

    amount: str = ""
    doubt: PriceDoubt | None = None
    options: tuple[str, ...] = ()
    written: str = ""


def read_price(cell: str, *, in_paise: bool = False) -> PriceReading:
    """Read a price: `Rs. 80/-` is 80, `80/140` may be either, `MRP` is no price.

    With `in_paise`, a whole number is divided by 100.
    """
    written = normalize_text(cell[:_LONGEST_PRICE])
    text = "".join(_ascii_digits(written))
    if len(cell) > _LONGEST_PRICE or _NO_PRICE.fullmatch(text):
        return PriceReading(doubt=PriceDoubt.MISSING, written=written)
    if either := _either(text, in_paise=in_paise):
        return PriceReading("", PriceDoubt.SEVERAL, either, written)
    sure = _amount(text, in_paise=in_paise)
    if sure:
        return PriceReading(sure, written=written)
    options = _priced(_NUMBER.findall(text), in_paise=in_paise)
    rest = _MEANINGLESS.sub("", _NUMBER.sub("", text))
    if len(options) == 1 and not rest:
        return PriceReading(options[0], written=written)
    if len(options) > 1:
        return PriceReading("", PriceDoubt.SEVERAL, options, written)
    doubt = PriceDoubt.UNCLEAR if _NUMBER.search(text) else PriceDoubt.MISSING
    return PriceReading("", doubt, options, written)


def _either(text: str, *, in_paise: bool) -> tuple[str, ...]:
    """Return what an amount with an ambiguous separator may be; empty for another amount."""
    if _GROUPED_BY_SPACES.fullmatch(text):
        return _priced((*_NUMBER.findall(text), text.replace(" ", "")), in_paise=in_paise)
    if _THREE_DECIMALS.fullmatch(text):
        return _priced((text.replace(".", ""), f"{Decimal(text):.2f}"), in_paise=False)
    return ()


def look_like_paise(cells: Sequence[str]) -> bool:
    """Whether the whole numbers of a column are rather paise: 8000, 12000, 6500."""
    amounts = sorted(
        int(digits)
        for cell in cells
        if (digits := "".join(_ascii_digits(normalize_text(cell)))).isdecimal()
    )
    if not amounts or len(amounts) * 2 <= len(cells):
        return False
    return amounts[0] >= _LOWEST_IN_PAISE and amounts[len(amounts) // 2] >= _TYPICAL_IN_PAISE


def _ascii_digits(text: str) -> Iterator[str]:
    for character in text:
        value = unicodedata.decimal(character, None)
        yield character if value is None else str(value)


def _priced(numbers: Iterable[str], *, in_paise: bool) -> tuple[str, ...]:
    """Return the amounts of the numbers that can be a dish's price, each once."""
    amounts = (_amount(number, in_paise=in_paise) for number in numbers)
    return tuple(dict.fromkeys(filter(None, amounts)))


def _amount(text: str, *, in_paise: bool) -> str:
    """Return an amount without superfluous decimals; empty if it is no price."""
    try:
        digits = parse_amount(text)
        if in_paise and digits.isdigit():
            digits = str(Decimal(digits) / _PAISE)
        price = rupees(digits)
    except ValueError:
        return ""
    return str(price).removesuffix(".00") if ZERO < price <= MAXIMUM_DISH_PRICE else ""
