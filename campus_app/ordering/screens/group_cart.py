"""The owner's cart while it is a group order: it is changed there, and ordered only as locked."""

from dataclasses import replace

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.cart import Cart
from campus_app.ordering.rules.group_order import GroupOrder, GroupState, is_group_cart
from campus_app.ordering.rules.order import OrderState
from campus_app.ordering.screens.browser_storage import cart_text, new_cart
from campus_app.ordering.screens.cart_state import CartState, current_cart
from campus_app.ordering.screens.group_order_view import group_link
from campus_app.shared.rules.messages import GroupOrderMessage
from campus_app.shell.banner_state import show_banner


async def group_of_cart(state: rx.State) -> GroupOrder | None:
    """Return the group order of the visitor's cart, or None; an ordinary cart takes no query."""
    cart = await current_cart(state)
    if cart is None or not is_group_cart(cart.key):
        return None
    found = await wiring.services().group_orders.of_cart(cart.key)
    return found.group if found else None


async def group_step(state: rx.State) -> rx.event.EventSpec | None:
    """Return the redirect to the group order of the cart unless it is locked with this content.

    What a guest has chosen is then neither ordered unseen nor lost. The cart of a group order that
    has ended becomes an ordinary one with the same dishes, but not while its order may be paid.
    Source: specification 10.70, M15.
    """
    cart = await current_cart(state)
    if cart is None or not is_group_cart(cart.key):
        return None
    orders = wiring.services().group_orders
    found = await orders.of_cart(cart.key)
    status = orders.state_of(found) if found else GroupState.ENDED
    if found is None or status is GroupState.ENDED:
        _, newest = await wiring.services().carts.newest(cart.key)
        if newest is not None and newest.order.state is OrderState.PENDING:
            return None
        ordinary = new_cart(cart.restaurant_id, wiring.services().clock.now())
        await _store(state, replace(ordinary, quantities=cart.quantities))
        return None
    is_locked = status is GroupState.LOCKED and cart.quantities == found.group.quantities
    if is_locked or status is GroupState.ORDERED:
        return None
    await show_banner(state, GroupOrderMessage.LOCK_FIRST, next_screen=True)
    return rx.redirect(group_link(found.group), replace=True)


async def follow_group(state: rx.State, group: GroupOrder) -> None:
    """Give the owner's cart the dishes of the group order, unless the owner has another cart."""
    cart = await current_cart(state)
    if cart is None or cart.key == group.cart_key:
        await store_group_cart(state, group)


async def store_group_cart(state: rx.State, group: GroupOrder) -> None:
    """Replace the visitor's cart by one with the dishes of all members."""
    now = wiring.services().clock.now()
    await _store(state, Cart(group.restaurant_id, group.cart_key, now, group.quantities))


async def _store(state: rx.State, cart: Cart) -> None:
    shown = await state.get_state(CartState)
    text = cart_text(cart)
    if text != shown.cart:  # an unchanged text would replace what another tab has stored
        shown.cart = text
