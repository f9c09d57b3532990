"""Ordering again: the dishes of an earlier order at today's prices, in a new cart."""

import reflex as rx

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.ordering import wiring
from campus_app.ordering.screens.bill_texts import price_changes_text
from campus_app.ordering.screens.new_cart_state import NewCart, offer_cart
from campus_app.ordering.screens.reservation_state import ordered_table
from campus_app.shared.rules.errors import OrderingError
from campus_app.shared.rules.messages import NewCartMessage, OrderMessage
from campus_app.shell.banner_state import show_banner
from kit.text import join_isolated


class ReorderState(rx.State):
    """The event 'Order again', of the list of orders and of receipts."""

    @rx.event
    async def order_again(self, token: str):
        """Put the dishes of an order into a new cart."""
        services = wiring.services()
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
            nothing = NewCartMessage.ALL_SOLD_OUT if again.sold_out else NewCartMessage.NOTHING_LEFT
            await show_banner(self, nothing)
            return None
        has_table = await ordered_table(self, order.restaurant_id) is not None
        messages = [
            NewCartMessage.GONE.of(dishes=join_isolated(again.gone)) if again.gone else "",
            NewCartMessage.SOLD_OUT.of(dishes=join_isolated(again.sold_out))
            if again.sold_out
            else "",
            NewCartMessage.DEARER.of(dishes=price_changes_text(again.dearer))
            if again.dearer
            else "",
            NewCartMessage.NO_TABLE if order.reservation and not has_table else "",
            NewCartMessage.FOR_TABLE if has_table and not order.reservation else "",
        ]
        shown = tuple(filter(None, messages))
        return await offer_cart(self, NewCart(order.restaurant_id, again.quantities, shown))
