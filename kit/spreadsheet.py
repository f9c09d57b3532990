"""Values for spreadsheets."""

import re

_FORMULA = re.compile(r"\s*[=@+-]|[\t\r]")
_PHONE = re.compile(r"\+[\d\s().-]+")


def escape_formula(value: object) -> str:
    """Return a cell that spreadsheets do not evaluate as a formula; a phone number is unchanged."""
    text = str(value)
    if _FORMULA.match(text) and not _PHONE.fullmatch(text):
        return f"'{text}"
    return text
