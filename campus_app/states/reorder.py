"""Ordering again: the dishes of an earlier order at today's prices, in a new cart."""

from dataclasses import replace

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain.errors import MenuUnavailable, OrderingError
from campus_app.domain.messages import OrderMessage, ReorderMessage
from campus_app.domain.money import format_rupees
from campus_app.domain.order import Order
from campus_app.domain.reorder import PriceRise, Reorder
from campus_app.states.banner import show_banner
from campus_app.states.cart import cart_restaurant, current_cart, replace_cart
from campus_app.states.checkout import checkout_draft, store_draft
from campus_app.states.reservation import ordered_table
from campus_app.translations import t


class ReorderState(rx.State):
    """The dialog that asks whether an order that is ordered again may replace the cart."""

    other_restaurant: str = ""
    """The restaurant of the cart that would be replaced; the dialog is open while it is set."""
    _token: str = ""

    @rx.event
    async def order_again(self, token: str):
        """Put the dishes of an order into the cart; ask first if that replaces another cart."""
        return await self._order_again(token, may_replace=False)

    @rx.event
    async def replace_cart(self):
        """Replace the cart by the order for which the dialog was opened."""
        token = self._token
        self._close()
        return await self._order_again(token, may_replace=True) if token else None

    @rx.event
    def keep_cart(self):
        """Close the dialog, and keep the cart."""
        self._close()

    def _close(self) -> None:
        self._token = self.other_restaurant = ""

    async def _order_again(self, token: str, *, may_replace: bool):
        services = wiring.services()
        self._close()
        stored = await services.lookup.by_token(token)
        if stored is None:
            await show_banner(self, OrderMessage.UNKNOWN_ORDER)
            return None
        order = stored.order
        try:
            again = services.ordering.reorder(order)
        except (OrderingError, MenuUnavailable) as error:
            await show_banner(self, error.message)
            return None
        if not again.quantities:
            await show_banner(self, ReorderMessage.NOTHING_LEFT)
            return None
        cart = await current_cart(self)
        is_same = (
            cart is not None
            and cart.restaurant_id == order.restaurant_id
            and cart.quantities == again.quantities
        )
        if not may_replace and cart is not None and not is_same:
            self._token, self.other_restaurant = token, cart_restaurant(cart)
            return None
        if not is_same:
            await replace_cart(self, order.restaurant_id, again.quantities)
            # The summary names no changes since it was shown for another cart.
            await store_draft(self, replace(await checkout_draft(self), shown=None))
        return await self._to_cart(order, again)

    async def _to_cart(self, order: Order, again: Reorder):
        """Open the summary, or the menu while the minimum is not reached, and name the changes."""
        table = await ordered_table(self, order.restaurant_id)
        priced = wiring.services().ordering.price_dishes(
            order.restaurant_id, again.quantities, is_pre_reserved=table is not None
        )
        messages = [
            ReorderMessage.GONE.of(dishes=", ".join(again.gone)) if again.gone else "",
            ReorderMessage.DEARER.of(dishes=_rises(again.dearer)) if again.dearer else "",
            ReorderMessage.NO_TABLE if order.reservation and table is None else "",
            priced.totals.shortfall_message if priced.totals.shortfall else "",
        ]
        if any(messages):
            await show_banner(self, *filter(None, messages), next_screen=True)
        menu = routes.reserved_menu if table else routes.menu
        is_short = bool(priced.totals.shortfall)
        return rx.redirect(menu(order.restaurant_id) if is_short else routes.CHECKOUT)


def _rises(rises: tuple[PriceRise, ...]) -> str:
    return ", ".join(
        t(
            "{dish} {now} (was {before})",
            dish=rise.name,
            now=format_rupees(rise.now),
            before=format_rupees(rise.before),
        )
        for rise in rises
    )
