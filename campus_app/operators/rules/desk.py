"""The desk: who may do what, and the links and devices that open it.

Source: specification 11.1 to 11.4.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from campus_app.shared.rules.device import Device, EnrolmentLink

DESK_COOKIE: Final = "deskDevice"
"""The cookie with the token of an enrolled device; scripts cannot read it."""
MAXIMUM_NAME_CHARACTERS: Final = 60
"""The length limit of the name on a link, which stands in the audit trail."""


class DeskRole(StrEnum):
    """What the person at a device may do."""

    OWNER = "owner"
    SUPPORT = "support"
    SALES = "sales"


class DeskArea(StrEnum):
    """A part of the desk."""

    ORDERS = "orders"
    """The orders, what needs somebody, refunds, e-mails and calls."""
    RESTAURANTS = "restaurants"
    MENUS = "menus"
    FIGURES = "figures"
    LEADS = "leads"
    DEVICES = "devices"
    AUDIT = "audit"


_AREAS: Final[Mapping[DeskRole, frozenset[DeskArea]]] = {
    DeskRole.OWNER: frozenset(DeskArea),
    DeskRole.SUPPORT: frozenset({DeskArea.ORDERS, DeskArea.RESTAURANTS, DeskArea.MENUS}),
    DeskRole.SALES: frozenset({DeskArea.LEADS}),
}


def may_enter(role: DeskRole, area: DeskArea) -> bool:
    """Whether a role may see and use an area. Source: specification 11.3."""
    return area in _AREAS[role]


def areas_of(role: DeskRole) -> list[DeskArea]:
    """Return the areas of a role, in the order of the navigation."""
    return [area for area in DeskArea if may_enter(role, area)]


@dataclass(frozen=True, kw_only=True)
class DeskLink(EnrolmentLink):
    """A link that enrols one device for a person."""

    role: DeskRole
    name: str


@dataclass(frozen=True, kw_only=True)
class DeskDevice(Device):
    """A computer, tablet or phone that shows the desk to one person."""

    role: DeskRole
    name: str
