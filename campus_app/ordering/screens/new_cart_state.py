"""A whole cart that replaces the visitor's: of an earlier order, or of a link."""

from collections.abc import Mapping
from dataclasses import dataclass, replace

import reflex as rx

from campus_app.ordering import wiring
from campus_app.ordering.screens.cart_state import cart_restaurant, current_cart, replace_cart
from campus_app.ordering.screens.checkout_state import checkout_draft, store_draft
from campus_app.ordering.screens.paid_cart_state import settle_paid_cart
from campus_app.ordering.screens.reservation_state import ordered_table
from campus_app.shared.rules import routes
from campus_app.shared.rules.errors import Conflict
from campus_app.shared.rules.messages import ReservationMessage
from campus_app.shell.banner_state import is_banner_shown, show_banner


@dataclass(frozen=True)
class NewCart:
    """The dishes of one restaurant, and what the visitor must know about them."""

    restaurant_id: int
    quantities: Mapping[str, int]
    """Units by dish id."""
    messages: tuple[str, ...] = ()
    is_for_this_menu: bool = False
    """Whether its menu is open, and stays so; else the order summary opens, or the menu below the
    minimum."""
    key: str = ""
    """The key of a group order's cart; empty for a new one."""


class NewCartState(rx.State):
    """The dialog that asks whether a new cart may replace the visitor's."""

    other_restaurant: str = ""
    """The restaurant of the cart that would be replaced; the dialog is open while it is set."""
    _offered: NewCart | None = None

    @rx.event
    async def start(self):
        """Replace the visitor's cart by the one for which the dialog was opened."""
        offered = self._offered
        self._close()
        if offered is None:  # a second click
            return None
        try:
            wiring.services().ordering.require_open_id(offered.restaurant_id)
        except Conflict as closed:
            await show_banner(self, closed.message)
            return None
        return await self._begin(offered)

    @rx.event
    def keep(self):
        """Close the dialog, and keep the visitor's cart."""
        self._close()

    def _close(self) -> None:
        if self.other_restaurant:  # else each opened screen would send it
            self._offered, self.other_restaurant = None, ""

    async def _offer(self, new: NewCart):
        self._close()
        await settle_paid_cart(self, is_shown=False)
        cart = await current_cart(self)
        other = cart_restaurant(cart) if cart else ""
        is_groups = cart is not None and cart.key == new.key
        if cart is None or not other or is_groups:  # or its restaurant does not exist any more
            return await self._begin(new)
        if (
            not new.key
            and cart.restaurant_id == new.restaurant_id
            and cart.quantities == new.quantities
        ):
            return await self._open(new)
        self._offered, self.other_restaurant = new, other
        return None

    async def _begin(self, new: NewCart):
        await replace_cart(self, new.restaurant_id, new.quantities, new.key)
        # The summary names no changes since it was shown for another cart.
        await store_draft(self, replace(await checkout_draft(self), shown=None))
        return await self._open(new)

    async def _open(self, new: NewCart):
        """Open the summary or the menu, and show the messages there.

        On a menu that is open already, only show them.
        """
        table = await ordered_table(self, new.restaurant_id)
        totals = (
            wiring.services()
            .ordering.price_dishes(
                new.restaurant_id, new.quantities, is_pre_reserved=table is not None
            )
            .totals
        )
        is_short = bool(totals.shortfall)
        messages = [*new.messages]
        if await is_banner_shown(self, ReservationMessage.HOLD_ENDED):
            messages.insert(0, ReservationMessage.HOLD_ENDED)
        if is_short and not new.is_for_this_menu:
            messages.append(totals.shortfall_message)
        if messages:
            await show_banner(self, *messages, next_screen=not new.is_for_this_menu)
        if new.is_for_this_menu:
            return None
        menu = routes.reserved_menu if table else routes.menu
        return rx.redirect(menu(new.restaurant_id) if is_short else routes.CHECKOUT)


async def withdraw_offer(state: rx.State, on_menu: int = 0) -> None:
    """Close the dialog of an earlier visit when a screen opens.

    On the menu for which it was opened it stays: that menu opens again with each reconnect.
    """
    shown = await state.get_state(NewCartState)
    offered = shown._offered  # noqa: SLF001 - public methods are event handlers
    if offered is None or not offered.is_for_this_menu or offered.restaurant_id != on_menu:
        shown._close()  # noqa: SLF001


async def offer_cart(state: rx.State, new: NewCart) -> rx.event.EventSpec | None:
    """Begin a new cart; if that would replace another one, open the dialog that asks first."""
    return await (await state.get_state(NewCartState))._offer(new)  # noqa: SLF001 - public methods are event handlers
