"""The dishes in a menu's address, `?dishes=104:2,112:1`, which a flat-mate has sent."""

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain.cart import parse_shared_dishes
from campus_app.domain.errors import MenuUnavailable, OrderingError
from campus_app.domain.messages import NewCartMessage
from campus_app.domain.restaurant import parse_restaurant_id
from campus_app.states.banner import show_banner
from campus_app.states.new_cart import NewCart, offer_cart


class SharedCartState(rx.State):
    """The event that runs after a menu has opened."""

    @rx.event
    async def open(self):
        """Offer the dishes of the address as a cart, and remove them from the address.

        Otherwise each reload would offer them again.
        """
        query = self.router.url.query_parameters
        named = query.get(routes.DISHES, "")
        restaurant_id = parse_restaurant_id(self.router.url.path.rpartition("/")[2]) or 0
        if not named:
            return None
        services = wiring.services()
        try:
            services.ordering.require_open_id(restaurant_id)
            sold = services.catalogue.menu(restaurant_id).by_id
        except (OrderingError, MenuUnavailable):
            return None  # the menu says why, or has redirected
        dishes = parse_shared_dishes(named)
        quantities = {id_: units for id_, units in dishes.items() if id_ in sold}
        clean = rx.redirect(routes.menu(restaurant_id), replace=True)
        if not quantities:
            await show_banner(self, NewCartMessage.LINK_WITHOUT_DISHES, next_screen=True)
            return clean
        messages = [NewCartMessage.FROM_LINK]
        if len(quantities) < len(dishes):
            messages.append(NewCartMessage.LINK_DISHES_GONE)
        new = NewCart(restaurant_id, quantities, tuple(messages), opens_menu=True)
        return await offer_cart(self, new) or clean
