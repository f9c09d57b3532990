"""Dishes of a text that is no table, such as a message: `1. Vada – ₹35/-`.

Source: specification 12.4.
"""

import re
from collections.abc import Sequence
from itertools import islice
from typing import Final

_HEADER: Final = ["Name", "Price"]
_MESSAGE: Final = re.compile(r"\[[^\]\n]{5,40}\] [^:\n]{1,60}: ")
"""What WhatsApp puts before each of several messages: `[13:05, 18/11/2026] Asha: `."""
_BULLET: Final = re.compile(r"(?:\d{1,3}\s*[.)]\s*(?=\D)|[-–—*•·▪●►➤✅👉]\s*)+")
_MARKS: Final = " \t*_~\u200e\u200f\ufeff"
"""What stands around a text in bold or italics."""
_CURRENCY: Final = r"(?:₹|\brs\b\.?|\binr\b|@)"
_SIGN: Final = re.compile(rf"(?:[-–—:=→…]|\.\.|\s(?={_CURRENCY}))[-–—:=→….\s]*", re.IGNORECASE)
_OF_A_PRICE: Final = re.compile(
    rf"{_CURRENCY}|\brs\.?(?=\d)|\b(?:half|full|small|medium|large|regular|mini|plate|per|each|only"
    r"|rupees?|mrp)\b|\d|[-–—/=,&+|().:\s]",
    re.IGNORECASE,
)
_MOST_SIGNS: Final = 8
"""How many signs of a line are tried as the sign before its price."""
_AFTER_SPACE: Final = re.compile(r"(?P<name>.*\S)\s+(?P<price>\d{1,5}(?:\.\d\d?)?)")
_IN_BRACKETS: Final = re.compile(r'"[^"]*"|\([^)]*\)|\[[^]]*\]')
_LONGEST_LINE: Final = 300
"""In characters; a longer line is no dish, and would take long to read as one."""
_MOSTLY: Final = 0.6


def listed_dishes(text: str) -> list[list[str]]:
    """Return the lines of a list as a table with a header; an empty table if it is no list.

    A line without a price is a row with a single text. Where other lines have a sign before the
    price, a number after a space may be anything: the whole line is the price, so that it is asked.
    """
    lines = [_tidied(line) for line in text.splitlines() if line.strip()]
    if _is_table(lines):
        return []
    split = [_after_sign(line) for line in lines]
    spaced = [_after_space(line) for line in lines]
    signs = sum(map(bool, split))
    dishes = sum(any(pair) for pair in zip(split, spaced, strict=True))
    if not dishes or dishes * 2 < len(lines):
        return []
    rows = [
        list(after_sign)
        if after_sign
        else [after_space[0], line if signs else after_space[1]]
        if after_space
        else [line, ""]
        for line, after_sign, after_space in zip(lines, split, spaced, strict=True)
    ]
    return [_HEADER, *rows]


def _tidied(line: str) -> str:
    rest = _MESSAGE.sub("", line.strip(_MARKS), count=1).strip(_MARKS)
    bullet = _BULLET.match(rest)
    return (rest[bullet.end() :] if bullet else rest).strip(_MARKS)


def _is_table(lines: Sequence[str]) -> bool:
    """Whether a delimiter splits most lines into the same number of cells."""
    bare = [_IN_BRACKETS.sub("", line) for line in lines]
    for delimiter in ("\t", ";", "|", ","):
        counts = [line.count(delimiter) for line in bare]
        usual = max(set(counts) - {0}, key=counts.count, default=0)
        if usual and counts.count(usual) >= _MOSTLY * len(lines):
            return True
    return False


def _after_sign(line: str) -> tuple[str, str] | None:
    """Return name and price of a line, with what stands between them; None if it has not both."""
    for sign in islice(_SIGN.finditer(line[:_LONGEST_LINE]), _MOST_SIGNS):
        name, price = line[: sign.start()].strip(_MARKS), line[sign.end() :].strip(" @")
        is_priced = any(map(str.isdecimal, price)) or "mrp" in price.casefold()
        if is_priced and any(map(str.isalpha, name)) and not _OF_A_PRICE.sub("", price):
            return name, price
    return None


def _after_space(line: str) -> tuple[str, str] | None:
    found = _AFTER_SPACE.fullmatch(line[:_LONGEST_LINE])
    return (found["name"], found["price"]) if found and any(map(str.isalpha, line)) else None
