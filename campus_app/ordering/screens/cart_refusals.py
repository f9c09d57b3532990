"""Why a dish can't be added to a cart, or the dishes of a cart can't be ordered."""

from campus_app.catalogue.rules.errors import DishesSoldOut, MenuUnavailable
from campus_app.ordering import wiring
from campus_app.ordering.rules.cart import Cart, has_room_for, is_full_of
from campus_app.ordering.rules.group_order import is_group_cart
from campus_app.ordering.services.ordering import PricedDishes
from campus_app.shared.rules.constants import MAXIMUM_CART_DISHES, MAXIMUM_LINE_QUANTITY
from campus_app.shared.rules.messages import GroupOrderMessage, MenuMessage, OrderMessage
from campus_app.shared.rules.money import LARGEST_AMOUNT, format_rupees


def can_name_dish(restaurant_id: object, dish_id: object) -> bool:
    """Whether an event's values are the id of a restaurant and text: clients send anything."""
    return (
        type(restaurant_id) is int
        and isinstance(dish_id, str)
        and wiring.services().catalogue.restaurant(restaurant_id) is not None
    )


def refusal_of_dish(cart: Cart | None, restaurant_id: int, dish_id: str) -> str:
    """Return the message why one more of a dish can't be added to a cart; empty if it can.

    A cart of another restaurant is no reason: the visitor is asked whether to replace it.
    """
    services = wiring.services()
    if cart is not None and cart.restaurant_id == restaurant_id and is_group_cart(cart.key):
        return GroupOrderMessage.CHANGED_THERE
    if is_menu_unavailable(restaurant_id):
        return MenuMessage.NOT_ADDED
    if not services.catalogue.sells(restaurant_id, dish_id):
        return MenuMessage.DISH_GONE
    if services.statuses.is_sold_out(restaurant_id, dish_id):
        return MenuMessage.DISH_SOLD_OUT
    if not has_room_for(cart, restaurant_id, dish_id):
        return MenuMessage.MOST_DISHES.of(most=MAXIMUM_CART_DISHES)
    is_full = is_full_of(cart, restaurant_id, dish_id)
    return MenuMessage.MOST_OF_A_DISH.of(most=MAXIMUM_LINE_QUANTITY) if is_full else ""


def refusal_of_dishes(restaurant_id: int, priced: PricedDishes) -> str:
    """Return the message why dishes can't be ordered as they are in the cart; empty if they can."""
    if priced.totals.is_too_large:
        return OrderMessage.TOO_LARGE.of(maximum=format_rupees(LARGEST_AMOUNT))
    sold_out = wiring.services().ordering.sold_out(restaurant_id, priced.lines)
    return DishesSoldOut(sold_out).message if sold_out else ""


def is_menu_unavailable(restaurant_id: int) -> bool:
    """Whether a menu can't be read, so that nothing can be added."""
    try:
        wiring.services().catalogue.menu(restaurant_id)
    except MenuUnavailable:
        return True
    return False
