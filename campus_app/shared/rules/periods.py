"""Durations and times as operators write them."""

import re
from datetime import datetime, time, timedelta

from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE

_SPAN = re.compile(r"([1-9]\d{0,4})([mhdw])", re.ASCII)
_TIME_OF_DAY = re.compile(r"([01]\d|2[0-3]):([0-5]\d)", re.ASCII)
_UNITS = {
    "m": timedelta(minutes=1),
    "h": timedelta(hours=1),
    "d": timedelta(days=1),
    "w": timedelta(weeks=1),
}


def span(text: str) -> timedelta:
    """Parse a duration: `90m`, `12h`, `180d` or `2w`.

    Raises:
        ValueError: If the text is not a duration.
    """
    match = _SPAN.fullmatch(text)
    if match is None:
        raise ValueError(f"{text!r} is not a span like 90m, 12h, 180d or 2w")
    return int(match[1]) * _UNITS[match[2]]


def time_of_day(text: object) -> time | None:
    """Parse a time of day in the format HH:MM; None if it is not one."""
    match = _TIME_OF_DAY.fullmatch(text) if isinstance(text, str) else None
    return time(int(match[1]), int(match[2])) if match else None


def moment(text: str, now: datetime) -> datetime:
    """Parse a duration ago, a day or a time; without a time zone it is campus time.

    Raises:
        ValueError: If the text is none of these.
    """
    try:
        return now - span(text)
    except (ValueError, OverflowError):
        pass
    try:
        named = datetime.fromisoformat(text)
        named = named if named.tzinfo else named.replace(tzinfo=CAMPUS_TIME_ZONE)
        return named.astimezone(now.tzinfo)
    except (ValueError, OverflowError) as error:
        raise ValueError(
            f"{text!r} is neither a span like 12h or 7d nor a time like 2026-11-18T13:00"
        ) from error
