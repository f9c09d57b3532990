"""A kept cart whose order is paid: it is done, wherever a browser keeps it.

A payment app often closes the tab that would have emptied the cart. Source: specification M17.
"""

import logging
from dataclasses import replace

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain.cart import not_ordered, successor_key
from campus_app.domain.order import OrderState
from campus_app.ports.orders import StoredOrder
from campus_app.states.banner import keep_banner, show_paid_order
from campus_app.states.browser_storage import cart_text
from campus_app.states.cart import CartState, current_cart
from campus_app.states.checkout import CheckoutState, clear_choices
from campus_app.states.reservation import clear_ordered_table
from kit.quota import Caller, Priority

logger = logging.getLogger(__name__)

_STEPS_OF_A_CART = (routes.PERSONAL_INFO, routes.WAITING_ROOM)
"""The screens after the summary that show a cart."""


class PaidCartState(rx.State):
    """The events that run when a screen opens with a kept cart."""

    @rx.event
    async def open(self):
        """Show a kept cart's paid order, and keep only the dishes that it does not contain.

        The provider is queried afterwards if the order may have been paid unnoticed.
        """
        try:
            newest = await settle_paid_cart(self)
        except Exception:
            # The screen opens without the database; PAY looks again.
            logger.exception("paid cart: the order could not be read")
            return None
        is_unsure = newest is not None and newest.order.state is OrderState.PENDING
        return PaidCartState.query_provider if is_unsure else None

    @rx.event(background=True, supersedes=True)
    async def query_provider(self):
        """Learn of a payment from which the browser has not returned, before its webhook comes."""
        services = wiring.services()
        try:
            async with self:
                _, newest = await _newest_order(self)
                address = self.router.session.client_ip
            if newest is None:
                return None
            current = await services.payments.refresh(newest, Caller.at(Priority.KNOWN, address))
            if not current.order.state.is_paid:
                return None
            async with self:
                return await self._settle_open_screen()
        except Exception:
            logger.exception("paid cart: the payment could not be queried")
            return None

    async def _settle_open_screen(self):
        """Show the paid order, and the rest of the cart where the screen shows a cart."""
        path = self.router.url.path.rstrip("/")
        await settle_paid_cart(self)
        if path == routes.CHECKOUT:
            return CheckoutState.open
        if path not in _STEPS_OF_A_CART:
            return None
        await keep_banner(self)
        return rx.redirect(routes.CHECKOUT, replace=True)


async def settle_paid_cart(state: rx.State, *, is_shown: bool = True) -> StoredOrder | None:
    """Take the dishes of a cart's paid order out of the cart; return its newest order.

    The rest is a new cart. A banner shows the paid order if `is_shown`.
    """
    cart, (key, newest) = await current_cart(state), await _newest_order(state)
    if cart is None or newest is None or not newest.order.state.is_paid:
        return newest
    order = newest.order
    rest = not_ordered(cart.quantities, order.quantities)
    next_cart = replace(cart, key=successor_key(key, order.id), quantities=rest)
    (await state.get_state(CartState)).cart = cart_text(next_cart)
    await clear_ordered_table(state, order.id)
    await clear_choices(state)
    if is_shown:
        await show_paid_order(state, order, has_rest=bool(rest))
    return newest


async def settle_order(state: rx.State, order_id: str) -> None:
    """Take the dishes of an order that the screen shows out of the cart, and clear its table.

    A cart that was begun later is kept.
    """
    await clear_ordered_table(state, order_id)
    _, newest = await _newest_order(state)
    if newest is not None and newest.order.id == order_id:
        await settle_paid_cart(state, is_shown=False)


async def _newest_order(state: rx.State) -> tuple[str, StoredOrder | None]:
    cart = await current_cart(state)
    return await wiring.services().carts.newest(cart.key) if cart else ("", None)
