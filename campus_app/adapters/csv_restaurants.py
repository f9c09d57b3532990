"""Restaurants as rows of `data/restaurants.csv`."""

from collections.abc import Callable, Mapping
from datetime import time
from typing import Any, Final

from campus_app.domain.campus import Campus
from campus_app.domain.menu import WrongCell
from campus_app.domain.restaurant import OpeningHours, Restaurant

_LIST_SEPARATOR = "|"
_TRUTHS = {"true": True, "false": False}


def _text(cell: str) -> str:
    if not cell:
        raise ValueError("is empty")
    return cell


def _whole(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError(f"{cell!r} is not a whole number")
    return int(cell)


def _list(cell: str) -> tuple[str, ...]:
    return tuple(_text(part.strip()) for part in cell.split(_LIST_SEPARATOR))


def _clock_time(cell: str) -> time:
    try:
        return time.fromisoformat(cell)
    except ValueError as error:
        raise ValueError(f"{cell!r} is not a time like 10:30") from error


def _campuses(cell: str) -> frozenset[Campus]:
    return frozenset(Campus(name) for name in _list(cell))


def _truth(cell: str) -> bool:
    if cell not in _TRUTHS:
        raise ValueError(f"{cell!r} is neither true nor false")
    return _TRUTHS[cell]


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "id": _whole,
    "name": _text,
    "categories": _list,
    "rating": _text,
    "delivery_time": _text,
    "image": _text,
    "tags": _list,
    "vendor_email": _text,
    "vendor_phone": _text,
    "open": _clock_time,
    "close": _clock_time,
    "campuses": _campuses,
    "takes_reservations": _truth,
    "seats_per_slot": _whole,
}
RESTAURANT_COLUMNS: Final = tuple(_READERS)


def restaurant_from(cells: Mapping[str, str]) -> Restaurant:
    """Return the restaurant that a row describes.

    Raises:
        WrongCell: Saying which column is wrong and why.
    """
    read: dict[str, Any] = {}
    for column, reader in _READERS.items():
        try:
            read[column] = reader(cells[column].strip())
        except ValueError as error:
            raise WrongCell(column, str(error)) from error
    hours = OpeningHours(read.pop("open"), read.pop("close"))
    minutes = read.pop("delivery_time")
    return Restaurant(hours=hours, delivery_minutes=minutes, **read)
