"""Restaurants, menus, and the operators' restaurant overrides, as the services need them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from campus_app.domain.audit import AuditEntry
from campus_app.domain.menu import Menu
from campus_app.domain.restaurant import Restaurant


class Catalogue(Protocol):
    """The restaurants and their menus."""

    def restaurants(self) -> Sequence[Restaurant]:
        """Return all restaurants, by id."""
        ...

    def restaurant(self, restaurant_id: int) -> Restaurant | None:
        """Return one restaurant."""
        ...

    def menu(self, restaurant_id: int) -> Menu:
        """Return what a restaurant sells now.

        Raises:
            MenuUnavailable: If its file is missing, empty, unreadable or holds no dish.
        """
        ...

    def sells(self, restaurant_id: int, item_id: str) -> bool:
        """Whether a dish is on a restaurant's menu, or was when it was last read."""
        ...


@dataclass(frozen=True)
class Switch:
    """The operator's switch of one restaurant."""

    restaurant_id: int
    is_open: bool
    message: str


class SwitchStore(Protocol):
    """Where the operator's switches are kept."""

    async def switches(self) -> Sequence[Switch]:
        """Return every switch that was ever turned."""
        ...

    async def turn(self, switch: Switch, entry: AuditEntry) -> None:
        """Keep a switch and its line of the audit: both or neither."""
        ...
