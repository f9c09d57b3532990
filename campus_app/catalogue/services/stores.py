"""Interfaces of the catalogue, and of what operators change beside it."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Protocol

from campus_app.catalogue.rules.menu import Menu
from campus_app.catalogue.rules.restaurant import Restaurant
from campus_app.shared.rules.audit import AuditEntry


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

    def revision(self, restaurant_id: int) -> str:
        """Return a text that changes with a menu; empty while it is as this process first read it.

        Only a menu that is read again has another one: pages fetch it again then.
        """
        ...

    def name_before(self, restaurant_id: int, item_id: str) -> str:
        """Return the name that a dish had on an earlier menu; empty if it is not known."""
        ...


@dataclass(frozen=True)
class RestaurantOverride:
    """An override of a restaurant: forced closed with a message, or normal hours.

    Operators set it, and kitchens if it is a pause.
    """

    restaurant_id: int
    is_open: bool
    message: str
    until: datetime | None = None
    """When a pause ends by itself; None for a closing without an end."""
    changed_at: datetime | None = field(default=None, compare=False)
    """When the override was stored."""

    def is_closed_at(self, moment: datetime) -> bool:
        """Whether the restaurant takes no orders at a time. Source: specification R3, 10.21."""
        return not self.is_open and (self.until is None or moment < self.until)


@dataclass(frozen=True)
class SoldOutDish:
    """A dish that is sold out until the kitchen's next opening. Source: specification 10.20."""

    restaurant_id: int
    item_id: str
    until: datetime


class RestaurantOverrideStore(Protocol):
    """The stored overrides."""

    async def all_overrides(self) -> Sequence[RestaurantOverride]:
        """Return the latest override of every restaurant that has one."""
        ...

    async def set_override(self, override: RestaurantOverride, entry: AuditEntry) -> None:
        """Store an override and its audit entry in one transaction."""
        ...

    async def set_pause(self, override: RestaurantOverride, entry: AuditEntry) -> bool:
        """Store a kitchen's pause, or its end; False if the restaurant is closed without an end."""
        ...


class SoldOutStore(Protocol):
    """The dishes that are sold out."""

    async def all_sold_out(self) -> Sequence[SoldOutDish]:
        """Return every stored dish, including those whose time is over."""
        ...

    async def mark_sold_out(self, dish: SoldOutDish, entry: AuditEntry) -> None:
        """Store a sold-out dish and its audit entry in one transaction."""
        ...

    async def mark_available(self, restaurant_id: int, item_id: str, entry: AuditEntry) -> None:
        """Delete a sold-out dish, with an audit entry in one transaction."""
        ...
