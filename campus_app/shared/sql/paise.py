"""The column type of amounts: rupees in Python, whole paise in the database."""

from typing import Any

from sqlalchemy import Integer

from campus_app.shared.rules.money import from_paise, to_paise
from kit.db.columns import Converted, converted


def paise(key: str, **options: Any) -> Any:
    """Return the field `key` of a model for an amount, stored in the column `<key>_paise`."""
    return converted(Converted(Integer, to_paise, from_paise), f"{key}_paise", key=key, **options)
