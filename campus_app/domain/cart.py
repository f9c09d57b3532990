"""The cart: quantities of one restaurant's dishes."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from campus_app.domain.constants import (
    CAMPUS_TIME_ZONE,
    CART_HOURS_AFTER_CHANGE,
    MAXIMUM_LINE_QUANTITY,
)
from campus_app.domain.menu import Menu, MenuItem
from campus_app.domain.money import ZERO, Rupees

_KEPT_FOR = timedelta(hours=CART_HOURS_AFTER_CHANGE)
_CLOCKS_DIFFER_BY = timedelta(minutes=5)


@dataclass(frozen=True)
class CartLine:
    """A dish and how many of it."""

    item: MenuItem
    quantity: int

    @property
    def total(self) -> Rupees:
        """What the line costs, in rupees."""
        return self.item.price * self.quantity


@dataclass(frozen=True)
class Cart:
    """What one visitor has chosen; `key` names the cart, so that it is ordered only once."""

    restaurant_id: int
    key: str
    changed_at: datetime
    quantities: Mapping[str, int] = field(default_factory=dict[str, int])

    def quantity(self, item_id: str) -> int:
        """How many of a dish are in the cart."""
        return self.quantities.get(item_id, 0)


def is_quantity(value: object) -> bool:
    """Whether a value is a whole number from 0 to 50; True and 1.0 are not.

    Source: specification M14.
    """
    return type(value) is int and 0 <= value <= MAXIMUM_LINE_QUANTITY


def with_quantity(cart: Cart, item_id: str, quantity: int, at: datetime) -> Cart:
    """Return the cart with so many of a dish, held between 0 and 50; none removes the line.

    Source: specification 5.11.
    """
    held = max(0, min(quantity, MAXIMUM_LINE_QUANTITY))
    quantities = {**cart.quantities, item_id: held}
    if not held:
        del quantities[item_id]
    return Cart(cart.restaurant_id, cart.key, at, quantities)


def cart_lines(quantities: Mapping[str, int], menu: Menu) -> tuple[CartLine, ...]:
    """Return a line per chosen dish, in the order chosen; dishes no longer sold are left out."""
    sold = menu.by_id
    return tuple(
        [
            CartLine(item, quantity)
            for item_id, quantity in quantities.items()
            if quantity and (item := sold.get(item_id)) is not None
        ]
    )


def subtotal(lines: Iterable[CartLine]) -> Rupees:
    """Return what the lines cost together, in rupees."""
    return sum((line.total for line in lines), ZERO)


def is_current(changed_at: datetime, now: datetime) -> bool:
    """Whether a stored cart is still this day's, or this night's.

    Source: specification M13.
    """
    age = now - changed_at
    if age < _KEPT_FOR:
        return age >= -_CLOCKS_DIFFER_BY
    return changed_at.astimezone(CAMPUS_TIME_ZONE).date() == now.astimezone(CAMPUS_TIME_ZONE).date()
