"""What all compared shops have in common: a customer, a visit, an order."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol, TypeVar

import httpx
from report import MeasurementFailed

_SHOWN = 400
Value = TypeVar("Value")


@dataclass(frozen=True)
class Person:
    """Who orders; the same in every shop."""

    first_name: str
    last_name: str
    email: str
    phone: str
    address: str
    city: str
    postcode: str


CUSTOMER = Person(
    first_name="Aarav",
    last_name="Sharma",
    email="aarav@students.example.com",
    phone="+91 98000 00001",
    address="Hostel 4, room 12",
    city="Mumbai",
    postcode="400076",
)

CSRF_TOKEN = "0123456789abcdefghijklmnopqrstuv"
"""Django compares the cookie with the form's field, and stores no token."""


class Customer(Protocol):
    """A visitor of a shop with a session of its own."""

    async def visit(self) -> None:
        """Open the catalogue, and stay."""
        ...

    async def add_item(self) -> None:
        """Put one dish into the cart; return when its new total could be shown."""
        ...

    async def fill_cart(self) -> None:
        """Put three dishes into the cart at little cost for the server."""
        ...

    async def order(self) -> None:
        """Order what is in the cart; return when the order is stored and paid."""
        ...

    def leave(self) -> None:
        """Close the page."""
        ...


def require(response: httpx.Response, status: int) -> httpx.Response:
    """Return a response with this status code; raise MeasurementFailed for another."""
    if response.status_code != status:
        text = response.text[:_SHOWN]
        raise MeasurementFailed(f"{response.request.method} {response.url}: {response} {text}")
    return response


def first(values: Iterable[Value]) -> Value:
    """Return the first value; raise MeasurementFailed if there is none."""
    for value in values:
        return value
    raise MeasurementFailed("a page has no such form")
