"""A kept cart whose order is paid: it is done, wherever a browser keeps it.

A payment app often closes the tab that would have emptied the cart. Source: specification M17.
"""

import logging
from dataclasses import replace

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.rules.cart import not_ordered, successor_key
from campus_app.ordering.rules.order import Order, OrderState
from campus_app.ordering.rules.payment import PublicStatus
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.screens.browser_storage import cart_text
from campus_app.ordering.screens.cart_state import CartState, current_cart
from campus_app.ordering.screens.checkout_state import CheckoutState
from campus_app.ordering.screens.customer_state import clear_choices
from campus_app.ordering.screens.reservation_state import clear_ordered_table
from campus_app.shared.rules import routes
from campus_app.shared.rules.messages import OrderMessage
from campus_app.shell.banner_state import is_order_shown, keep_banner, show_order
from kit.quota import Priority, Requester

logger = logging.getLogger(__name__)

_STEPS_OF_A_CART = (routes.PERSONAL_INFO, routes.WAITING_ROOM)
"""The screens after the summary that show a cart."""


class PaidCartState(rx.State):
    """The events that run when a screen opens with a kept cart, or after its order."""

    last_order_id: str = rx.SessionStorage("", name="lastOrderId")
    """The number of the last order whose payment returned to this tab."""

    @rx.event
    async def open(self):
        """Show a kept cart's paid order, and keep only the dishes that it does not contain.

        The provider is queried afterwards if the order may have been paid unnoticed.
        """
        try:
            newest = await settle_paid_cart(self)
            await self._show_last_order()
        except Exception:
            # The screen opens without the database; PAY looks again.
            logger.exception("paid cart: the order could not be read")
            return None
        is_unsure = newest is not None and newest.order.state is OrderState.PENDING
        return PaidCartState.query_provider if is_unsure else None

    @rx.event(background=True)
    async def query_provider(self):
        """Learn of a payment from which the browser has not returned, before its webhook comes."""
        services = wiring.services()
        try:
            async with self:
                _, newest = await _newest_order(self)
                address = self.router.session.client_ip
            if newest is None:
                return None
            current = await services.payments.refresh(newest, Requester.at(Priority.KNOWN, address))
            if not current.order.state.is_paid:
                return None
            async with self:
                return await self._settle_open_screen()
        except Exception:
            logger.exception("paid cart: the payment could not be queried")
            return None

    async def _show_last_order(self) -> None:
        """Show why the cart is empty when 'Back' leads from the confirmation to an earlier step."""
        number, path = self.last_order_id, self.router.url.path.rstrip("/")
        is_step = path in (routes.CHECKOUT, *_STEPS_OF_A_CART)
        if not is_step or not isinstance(number, str) or await current_cart(self) is not None:
            return
        progress = await wiring.services().lookup.progress(number)
        if progress.status is PublicStatus.SUCCESS and not await is_order_shown(self):
            paid = OrderMessage.CART_PAID.of(number=number)
            await show_order(self, routes.UNDER_PROGRESS, paid)

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
    key, newest = await _newest_order(state)
    if newest is not None and newest.order.state.is_paid:
        has_rest = await _keep_rest(state, key, newest.order)
        if is_shown:
            messages = _messages(newest.order, has_rest=has_rest)
            await show_order(state, newest.order.response_path, *messages)
    return newest


async def settle_order(state: rx.State, order_id: str) -> None:
    """Take the dishes of an order that the screen shows out of the cart, and clear its table.

    A cart that was begun later is kept.
    """
    await clear_ordered_table(state, order_id)
    key, newest = await _newest_order(state)
    if newest is not None and newest.order.id == order_id and newest.order.state.is_paid:
        await _keep_rest(state, key, newest.order)


async def _keep_rest(state: rx.State, key: str, order: Order) -> bool:
    """Replace the cart by what its paid order, of the cart `key`, lacks; False if that is nothing.

    The choices for the order, and its table, end with it.
    """
    cart = await current_cart(state)
    if cart is None:
        return False
    rest = not_ordered(cart.quantities, order.quantities)
    next_cart = replace(cart, key=successor_key(key, order.id), quantities=rest)
    (await state.get_state(CartState)).cart = cart_text(next_cart)
    await clear_ordered_table(state, order.id)
    await clear_choices(state)
    return bool(rest)


async def _newest_order(state: rx.State) -> tuple[str, StoredOrder | None]:
    cart = await current_cart(state)
    return await wiring.services().carts.newest(cart.key) if cart else ("", None)


def _messages(order: Order, *, has_rest: bool) -> list[str]:
    is_refund = order.state is OrderState.REFUND_DUE
    paid = OrderMessage.CART_REFUNDED if is_refund else OrderMessage.CART_PAID
    return [paid.of(number=order.number), *([OrderMessage.REST_KEPT] if has_rest else [])]


async def remember_last_order(state: rx.State, number: str) -> None:
    """Remember the order whose payment returned to this tab."""
    (await state.get_state(PaidCartState)).last_order_id = number
