"""The campuses, and what is known of each."""

from enum import StrEnum
from typing import Self

from campus_app.shared.rules.money import Rupees, rupees
from kit.text import gettext_noop


class Campus(StrEnum):
    """A campus to which food is delivered; the value is what the browser and orders store.

    A member is its value, its display name, its delivery fee in rupees, the address of its list of
    restaurants, and its picture in `assets/images`. Adding one here adds it to every screen.
    """

    place_name: str
    delivery_fee: Rupees
    """What delivery costs; pre-reservations pay none. Source: specification 9.1."""
    address: str
    """`/about` with at most one digit: the service worker keeps these pages for offline use."""
    picture: str

    def __new__(cls, value: str, place_name: str, fee: int, address: str, picture: str) -> Self:
        """Return a member; a missing or surplus value is an error at import."""
        member = str.__new__(cls, value)
        member._value_ = value
        member.place_name, member.delivery_fee = place_name, rupees(fee)
        member.address, member.picture = address, picture
        return member

    NORTH = "north", gettext_noop("North Campus"), 15, "/about", "campus-north.svg"
    SOUTH = "south", gettext_noop("South Campus"), 25, "/about2", "campus-south.svg"


def parse_campus(value: object) -> Campus | None:
    """Return the campus for a stored or received value, or None; there is no default.

    Source: specification S14.
    """
    return Campus(value) if isinstance(value, str) and value in set(Campus) else None
