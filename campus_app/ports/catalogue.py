"""Interfaces of the catalogue and of the operators' restaurant overrides."""

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
        """Return one restaurant, or None if there is none with this id."""
        ...

    def menu(self, restaurant_id: int) -> Menu:
        """Return the current menu of a restaurant.

        Raises:
            MenuUnavailable: If its file is missing, empty or unreadable, or has no dish.
        """
        ...

    def sells(self, restaurant_id: int, item_id: str) -> bool:
        """Whether a dish is on a restaurant's menu, or was when the menu was last read."""
        ...


@dataclass(frozen=True)
class RestaurantOverride:
    """An operator's override of a restaurant: forced closed with a message, or normal hours."""

    restaurant_id: int
    is_open: bool
    message: str


class RestaurantOverrideStore(Protocol):
    """The stored overrides."""

    async def all_overrides(self) -> Sequence[RestaurantOverride]:
        """Return the latest override of every restaurant that has one."""
        ...

    async def set_override(self, override: RestaurantOverride, entry: AuditEntry) -> None:
        """Store an override and its audit entry in one transaction."""
        ...
