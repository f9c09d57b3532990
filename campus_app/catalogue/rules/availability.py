"""What is stored about a restaurant or a dish that takes no orders now."""

from dataclasses import dataclass, field
from datetime import datetime


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
    dish_id: str
    until: datetime
