"""Parsing of the rows of `data/restaurants.csv`."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from campus_app.catalogue.csv.cells import (
    parse_bool,
    parse_minutes_range,
    parse_phone,
    parse_rating,
    parse_time,
)
from campus_app.catalogue.csv.menu_images import menu_images_from
from campus_app.catalogue.csv.rows import rows_from
from campus_app.catalogue.rules.menu import InvalidCell
from campus_app.catalogue.rules.opening_hours import OpeningHours
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.catalogue.rules.upi_address import parse_merchant_code, parse_upi_id
from campus_app.shared.rules.campus import Campus
from kit.csv.damage import damage_of
from kit.csv.rows import reason_of
from kit.csv.text import UnreadableFile
from kit.mail.headers import is_header_text, is_mail_address

RESTAURANTS: Final = "restaurants.csv"
_LIST_SEPARATOR = "|"


def _text(cell: str) -> str:
    if not cell:
        raise ValueError("is empty")
    if reason := damage_of(cell):
        raise ValueError(reason)
    return cell


def _header_text(cell: str) -> str:
    if not is_header_text(_text(cell)):
        raise ValueError("has a control character or =?, which no mail header may have")
    return cell


def _mail_address(cell: str) -> str:
    if not is_mail_address(_text(cell)):
        raise ValueError(f"{cell!r} is not an e-mail address like orders@kitchen.example")
    return cell


def _whole(cell: str) -> int:
    if not (cell.isascii() and cell.isdigit()):
        raise ValueError(f"{cell!r} is not a whole number")
    return int(cell)


def _list(cell: str) -> tuple[str, ...]:
    return tuple(_text(part.strip()) for part in cell.split(_LIST_SEPARATOR))


def _campuses(cell: str) -> frozenset[Campus]:
    return frozenset(Campus(name.casefold()) for name in _list(cell))


_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "id": _whole,
    "name": _header_text,
    "categories": _list,
    "rating": parse_rating,
    "delivery_time": parse_minutes_range,
    "image": _text,
    "tags": _list,
    "vendor_email": _mail_address,
    "vendor_phone": parse_phone,
    "open": parse_time,
    "close": parse_time,
    "campuses": _campuses,
    "takes_reservations": parse_bool,
    "seats_per_slot": _whole,
}
RESTAURANT_COLUMNS: Final = tuple(_READERS)
_OPTIONAL_READERS: Final[Mapping[str, Callable[[str], Any]]] = {
    "menu_images": menu_images_from,
    "upi_id": parse_upi_id,
    "upi_merchant_code": parse_merchant_code,
}
ALL_RESTAURANT_COLUMNS: Final = (*RESTAURANT_COLUMNS, *_OPTIONAL_READERS)


class InvalidRow(ValueError):
    """A row with invalid cells."""

    def __init__(self, cells: Sequence[InvalidCell]) -> None:
        super().__init__("; ".join(map(str, cells)))
        self.cells = tuple(cells)


def restaurant_from(cells: Mapping[str, str]) -> Restaurant:
    """Return the restaurant of a row.

    Raises:
        InvalidRow: With every invalid cell.
    """
    read: dict[str, Any] = {}
    invalid: list[InvalidCell] = []
    optional = {column: each for column, each in _OPTIONAL_READERS.items() if column in cells}
    for column, reader in {**_READERS, **optional}.items():
        try:
            read[column] = reader(cells[column].strip())
        except ValueError as error:
            invalid.append(InvalidCell(column, str(error)))
    if invalid:
        raise InvalidRow(invalid)
    hours = OpeningHours(read.pop("open"), read.pop("close"))
    minutes = read.pop("delivery_time")
    return Restaurant(hours=hours, delivery_minutes=minutes, **read)


def restaurants_in(raw: bytes) -> list[Restaurant]:
    """Return the restaurants of a file's content; any faulty row is an error.

    Raises:
        ValueError: With every faulty row and the reasons.
    """
    try:
        read = rows_from(raw, RESTAURANT_COLUMNS)
    except UnreadableFile as error:
        raise ValueError(f"{RESTAURANTS} {reason_of(error)}") from error
    faults = [f"row {fault.row}: {fault}" for fault in read.faults]
    restaurants: dict[int, Restaurant] = {}
    for row in read.rows:
        try:
            restaurant = restaurant_from(row.cells)
        except InvalidRow as error:
            faults.append(f"row {row.number}: {error}")
            continue
        if restaurant.id in restaurants:
            faults.append(f"row {row.number}: id {restaurant.id} is taken above")
        restaurants[restaurant.id] = restaurant
    if faults:
        raise ValueError(f"{RESTAURANTS} {'; '.join(faults)}")
    if not restaurants:
        raise ValueError(f"{RESTAURANTS} names no restaurant")
    return list(restaurants.values())
