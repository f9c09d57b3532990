"""The cart: quantities of one restaurant's dishes."""

import hashlib
import re
from base64 import urlsafe_b64encode
from collections.abc import Container, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from campus_app.catalogue.rules.menu import DISH_ID, MAXIMUM_ID_CHARACTERS, Dish, Menu
from campus_app.shared.rules.constants import (
    CAMPUS_TIME_ZONE,
    CART_HOURS_AFTER_CHANGE,
    LOST_DISH_MINUTES,
    MAXIMUM_CART_DISHES,
    MAXIMUM_LINE_QUANTITY,
    MAXIMUM_SHARED_DISHES,
)
from campus_app.shared.rules.money import ZERO, Rupees

DISHES = rf"{DISH_ID}:\d{{1,2}}(?:,{DISH_ID}:\d{{1,2}})*"
"""The regular expression of dishes and their quantities: `id:units,id:units`."""
MAXIMUM_DISH_CHARACTERS = MAXIMUM_ID_CHARACTERS + len(":50,")
"""The maximum length of one dish of `DISHES`, with its separator."""

_DISHES = re.compile(DISHES, re.ASCII)
_LIFETIME = timedelta(hours=CART_HOURS_AFTER_CHANGE)
_LOST_DISH_LIFETIME = timedelta(minutes=LOST_DISH_MINUTES)
_CLOCK_SKEW = timedelta(minutes=5)
"""How far a browser's clock may be ahead of the server's."""
_KEY_BYTES = 16


@dataclass(frozen=True)
class CartLine:
    """A dish and its quantity."""

    dish: Dish
    quantity: int

    @property
    def total(self) -> Rupees:
        """The price of the line in rupees."""
        return self.dish.price * self.quantity


@dataclass(frozen=True)
class Cart:
    """A visitor's selection; `key` identifies the cart, so that it is ordered only once."""

    restaurant_id: int
    key: str
    changed_at: datetime
    quantities: Mapping[str, int] = field(default_factory=dict[str, int])

    def quantity(self, dish_id: str) -> int:
        """Return the quantity of a dish, 0 if it is not in the cart."""
        return self.quantities.get(dish_id, 0)


@dataclass(frozen=True)
class FollowedMenu:
    """The dishes of a cart after its menu has changed."""

    quantities: Mapping[str, int]
    lost: Mapping[str, int]
    """The dishes that are kept beside the cart until the menu has them again."""
    gone: tuple[str, ...]
    """The ids of the dishes that were taken out now."""
    back: tuple[str, ...]
    """The ids of the dishes that were put back now."""


def is_quantity(value: object) -> bool:
    """Whether a value is an int from 0 to 50; True and 1.0 are not.

    Source: specification M14.
    """
    return type(value) is int and 0 <= value <= MAXIMUM_LINE_QUANTITY


def with_quantity(cart: Cart, dish_id: str, quantity: int, at: datetime) -> Cart:
    """Return the cart with a dish's quantity clamped to 0 to 50; 0 removes the line.

    Source: specification 5.11.
    """
    clamped = max(0, min(quantity, MAXIMUM_LINE_QUANTITY))
    quantities = {**cart.quantities, dish_id: clamped}
    if not clamped:
        del quantities[dish_id]
    return Cart(cart.restaurant_id, cart.key, at, quantities)


def is_full_of(cart: Cart | None, restaurant_id: int, dish_id: str) -> bool:
    """Whether a cart has the maximum quantity of a restaurant's dish. Source: specification M14."""
    return (
        cart is not None
        and cart.restaurant_id == restaurant_id
        and cart.quantity(dish_id) >= MAXIMUM_LINE_QUANTITY
    )


def has_room_for(cart: Cart | None, restaurant_id: int, dish_id: str) -> bool:
    """Whether a restaurant's dish can be added without too many different ones in the cart.

    Source: specification 10.54.
    """
    if cart is None or cart.restaurant_id != restaurant_id:
        return True
    return dish_id in cart.quantities or len(cart.quantities) < MAXIMUM_CART_DISHES


def successor_key(key: str, order_id: str) -> str:
    """Return the key of the cart that follows a cart whose order is paid.

    Two tabs get the same key, so that both order one cart; without the first key it is as
    unguessable as a random one.

    Source: specification M17.
    """
    digest = hashlib.sha256(f"{key}:{order_id}".encode()).digest()
    return urlsafe_b64encode(digest[:_KEY_BYTES]).decode().rstrip("=")


def not_ordered(quantities: Mapping[str, int], ordered: Mapping[str, int]) -> Mapping[str, int]:
    """Return the units of a cart that its order does not contain; dishes without any are left out.

    Source: specification M17.
    """
    rest = {id_: units - ordered.get(id_, 0) for id_, units in quantities.items()}
    return {id_: units for id_, units in rest.items() if units > 0}


def follow_menu(
    quantities: Mapping[str, int], lost: Mapping[str, int], sold: Container[str]
) -> FollowedMenu:
    """Take out of a cart what is not `sold`, and put back what it lost and is sold again.

    A dish that was chosen again meanwhile has the newer quantity. Source: specification 10.35.
    """
    gone = tuple(id_ for id_ in quantities if id_ not in sold)
    back = tuple(id_ for id_ in lost if id_ in sold and id_ not in quantities)
    kept = {id_: units for id_, units in quantities.items() if id_ in sold}
    still_lost = {id_: units for id_, units in lost.items() if id_ not in sold}
    return FollowedMenu(
        kept | {id_: lost[id_] for id_ in back},
        still_lost | {id_: quantities[id_] for id_ in gone},
        gone,
        back,
    )


def are_lost_dishes_kept(lost_at: datetime, now: datetime) -> bool:
    """Whether dishes that a menu lost at a time are still kept."""
    return -_CLOCK_SKEW <= now - lost_at < _LOST_DISH_LIFETIME


def parse_shared_dishes(text: object) -> Mapping[str, int]:
    """Return the dishes of a link, `id:units,id:units`; empty if it is malformed or too long.

    Source: specification 10.15.
    """
    if not isinstance(text, str) or _DISHES.fullmatch(text) is None:
        return {}
    pairs = [dish.split(":") for dish in text.split(",")]
    dishes = {id_: int(units) for id_, units in pairs}
    is_within_limit = len(dishes) == len(pairs) <= MAXIMUM_SHARED_DISHES
    has_quantities = all(units and is_quantity(units) for units in dishes.values())
    return dishes if is_within_limit and has_quantities else {}


def cart_lines(quantities: Mapping[str, int], menu: Menu) -> tuple[CartLine, ...]:
    """Return a line per chosen dish, in order of choice; dishes not on the menu are left out."""
    dishes = menu.by_id
    return tuple(
        [
            CartLine(dish, quantity)
            for dish_id, quantity in quantities.items()
            if quantity and (dish := dishes.get(dish_id)) is not None
        ]
    )


def subtotal(lines: Iterable[CartLine]) -> Rupees:
    """Return the sum of the lines in rupees."""
    return sum((line.total for line in lines), ZERO)


def is_cart_current(changed_at: datetime, now: datetime) -> bool:
    """Whether a stored cart still counts: changed today, or within the last hours.

    Source: specification M13.
    """
    age = now - changed_at
    if age < _LIFETIME:
        return age >= -_CLOCK_SKEW
    return changed_at.astimezone(CAMPUS_TIME_ZONE).date() == now.astimezone(CAMPUS_TIME_ZONE).date()
