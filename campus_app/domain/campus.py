"""The two campuses, and what delivery to each costs."""

from enum import StrEnum

from campus_app.domain.messages import noted
from campus_app.domain.money import Rupees, rupees


class Campus(StrEnum):
    """Where the food is brought to; the value is what the browser stores."""

    NORTH = "north"
    SOUTH = "south"

    @property
    def place_name(self) -> str:
        """What the campus is called on the screens."""
        return _PLACE_NAMES[self]


_PLACE_NAMES = {Campus.NORTH: noted("North Campus"), Campus.SOUTH: noted("South Campus")}
_DELIVERY_FEES = {Campus.NORTH: rupees(15), Campus.SOUTH: rupees(25)}


def campus_from(value: object) -> Campus | None:
    """Return the campus that a stored or received value names, or None; there is no default.

    Source: specification S14.
    """
    return Campus(value) if isinstance(value, str) and value in set(Campus) else None


def delivery_fee(campus: Campus) -> Rupees:
    """Return what delivery costs; pre-reservations pay none.

    Source: specification 9.1.
    """
    return _DELIVERY_FEES[campus]
