"""The two campuses and their delivery fees."""

from enum import StrEnum

from campus_app.shared.rules.money import Rupees, rupees
from kit.text import gettext_noop


class Campus(StrEnum):
    """A campus to which food is delivered; the value is what the browser stores."""

    NORTH = "north"
    SOUTH = "south"

    @property
    def place_name(self) -> str:
        """The campus's display name."""
        return _PLACE_NAMES[self]


_PLACE_NAMES = {
    Campus.NORTH: gettext_noop("North Campus"),
    Campus.SOUTH: gettext_noop("South Campus"),
}
_DELIVERY_FEES = {Campus.NORTH: rupees(15), Campus.SOUTH: rupees(25)}


def parse_campus(value: object) -> Campus | None:
    """Return the campus for a stored or received value, or None; there is no default.

    Source: specification S14.
    """
    return Campus(value) if isinstance(value, str) and value in set(Campus) else None


def delivery_fee(campus: Campus) -> Rupees:
    """Return the delivery fee of a campus in rupees; pre-reservations pay none.

    Source: specification 9.1.
    """
    return _DELIVERY_FEES[campus]
