"""The dishes in a menu's address, `?dishes=104:2,112:1`, which a flat-mate has sent."""

import reflex as rx

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.ordering import wiring
from campus_app.ordering.rules.cart import parse_shared_dishes
from campus_app.ordering.screens.cart_state import CartState
from campus_app.ordering.screens.new_cart_state import NewCart, offer_cart, withdraw_offer
from campus_app.shared.rules import routes
from campus_app.shared.rules.errors import Conflict, NotFound
from campus_app.shared.rules.messages import NewCartMessage
from campus_app.shell.banner_state import hide_banner, is_banner_shown, show_banner


class SharedCartState(rx.State):
    """The event that runs after a menu has opened, and again when its restaurant opens."""

    waits_for_opening: bool = False
    """Whether the address names dishes that will be offered when the restaurant takes orders."""
    _named: str = ""
    """The dishes of the address from which the visitor was redirected."""

    @rx.event
    async def open(self):
        """Remove dishes from the address, and offer them as a cart once they are gone from it.

        Otherwise each reload would offer them again.
        """
        restaurant_id = (
            routes.parse_restaurant_id(self.router.url.path.rstrip("/").rpartition("/")[2]) or 0
        )
        await withdraw_offer(self, restaurant_id)
        in_address = self.router.url.query_parameters.get(routes.DISHES, "")
        try:
            wiring.services().ordering.require_open_id(restaurant_id)
        except Conflict:
            if in_address:
                await show_banner(self, NewCartMessage.LINK_LATER)
            self._wait_for_opening(is_needed=in_address != "")
            return None
        except NotFound:
            return None  # the menu says so
        self._wait_for_opening(is_needed=False)
        if await is_banner_shown(self, NewCartMessage.LINK_LATER):
            await hide_banner(self)
        named, self._named = self._named, ""
        if in_address:
            self._named = in_address
            is_for_table = (await self.get_state(CartState)).is_reserved
            menu = routes.reserved_menu if is_for_table else routes.menu
            return rx.redirect(menu(restaurant_id), replace=True)
        return await self._offer(restaurant_id, named) if named else None

    def _wait_for_opening(self, *, is_needed: bool) -> None:
        if is_needed != self.waits_for_opening:  # else each opened menu would send it
            self.waits_for_opening = is_needed

    async def _offer(self, restaurant_id: int, named: str):
        try:
            sold = wiring.services().catalogue.menu(restaurant_id).by_id
        except MenuUnavailable:
            return None
        dishes = parse_shared_dishes(named)
        if not dishes:
            await show_banner(self, NewCartMessage.LINK_UNREADABLE)
            return None
        is_sold_out = wiring.services().statuses.is_sold_out
        on_menu = {id_: units for id_, units in dishes.items() if id_ in sold}
        quantities = {
            id_: units for id_, units in on_menu.items() if not is_sold_out(restaurant_id, id_)
        }
        if not quantities:
            none_left = NewCartMessage.LINK_DISHES_SOLD_OUT
            await show_banner(self, none_left if on_menu else NewCartMessage.LINK_WITHOUT_DISHES)
            return None
        messages = [NewCartMessage.FROM_LINK]
        if len(on_menu) < len(dishes):
            messages.append(NewCartMessage.LINK_DISHES_GONE)
        if len(quantities) < len(on_menu):
            messages.append(NewCartMessage.LINK_DISHES_SOLD_OUT)
        new = NewCart(restaurant_id, quantities, tuple(messages), is_for_this_menu=True)
        return await offer_cart(self, new)
