"""The cart of the menu that is open."""

import contextlib
from dataclasses import replace
from functools import lru_cache
from typing import TYPE_CHECKING, Final

import reflex as rx

from campus_app import routes, wiring
from campus_app.domain.cart import Cart, with_quantity
from campus_app.domain.constants import MINIMUM_ORDER, MINIMUM_PRE_RESERVED_ORDER
from campus_app.domain.errors import Conflict, MenuUnavailable, NotFound, OrderingError
from campus_app.domain.messages import MenuMessage, OrderMessage, ReservationMessage
from campus_app.domain.money import json_number
from campus_app.domain.offers import next_offer_change, offer_at
from campus_app.services.ordering import PricedDishes
from campus_app.states.banner import ms_until, show_banner, show_change_banner
from campus_app.states.browser_storage import cart_from, cart_text, new_cart
from campus_app.states.offers import offer_message
from campus_app.states.reservation import enter_menu, forget_table, ordered_table
from campus_app.translations import t

NO_TOTALS: Final = [0, 0, 0, json_number(MINIMUM_ORDER)]
NO_RESERVED_TOTALS: Final = [0, 0, 0, json_number(MINIMUM_PRE_RESERVED_ORDER)]
_LONGEST_ID = 9
_IDS = 64
_EARLY_SECONDS = 10.0
"""For so long a slow connection may delay the events of a page that is already shown."""
_LARGEST_SEQUENCE = 2**53 - 1
"""Number.MAX_SAFE_INTEGER of JavaScript."""


class CartState(rx.State):
    """The cart: stored by the browser, priced by the server."""

    cart: str = rx.LocalStorage("", name="cart", sync=True)
    sequence: int = 0
    """The sequence number of the browser's last step that was processed, taken or refused."""
    refusal: str = ""
    """Why the last dish was not added, in the visitor's language."""
    pending_item_id: str = ""
    """The dish of another restaurant, while the dialog asks whether to start a new cart."""
    kept_restaurant: str = ""
    is_reserved: bool = False
    """Whether the open menu is ordered from for a reserved table."""
    offer_id: str = ""
    """The offer that applies at the restaurant of the open menu."""
    offer_ms: int = 0
    """The milliseconds until an offer begins or ends there; 0 if it has none."""
    _asked_at: float = 0.0

    if TYPE_CHECKING:
        restaurant_id: str  # Set by Reflex from the route.

    @rx.var(deps=["cart", "is_reserved", "offer_id"], auto_deps=False)
    def totals(self) -> list[float]:
        """Subtotal, discount, total and shortfall in rupees; a list keeps updates short."""
        cart = self._cart()
        if cart is None:
            return NO_TOTALS
        try:
            totals = self._priced(cart).totals
        except (MenuUnavailable, NotFound):
            return NO_TOTALS
        amounts = (totals.subtotal, totals.discount, totals.total, totals.shortfall)
        return [json_number(amount) for amount in amounts]

    @rx.var(deps=["cart", "is_reserved", "offer_id"], auto_deps=False)
    def offer(self) -> str:
        """The name of the discount, sent only when it changes."""
        cart = self._cart()
        now = wiring.services().clock.now()
        if cart is None or not (self.is_reserved or offer_at(cart.restaurant_id, now)):
            return ""
        try:
            return self._priced(cart).totals.discount_name
        except (MenuUnavailable, NotFound):
            return ""

    @rx.event
    async def open_menu(self):
        """Redirect from a closed restaurant, and drop dishes that are no longer sold."""
        services = wiring.services()
        restaurant = services.catalogue.restaurant(self._open_restaurant())
        if not self._is_broken():  # a tap before this event may have been refused just now
            self.refusal = ""
        if restaurant is None or not self._has_just_asked():
            self.pending_item_id = ""
        if restaurant is None:
            return None
        try:
            services.ordering.require_open(restaurant)
        except Conflict as closed:
            await show_banner(self, closed.message, *await cart_kept(self), next_screen=True)
            return rx.redirect(routes.CAMPUS, replace=True)
        self._tidy()
        is_asked = self.router.url.query_parameters.get(routes.PRE_RESERVED) == "true"
        self.is_reserved = await enter_menu(self, restaurant.id, is_asked=is_asked)
        self._look_at_offers()
        return None

    @rx.event
    async def reprice(self):
        """Reprice the cart when an offer has begun or ended, or the table's hold has expired."""
        await self._reprice()

    @rx.event
    def add_item(self, item_id: str, sequence: int = 0):
        """Add one of a dish; `sequence` is the browser's count of its steps."""
        self._confirm(sequence)
        refusal = self._why_not_sold(item_id)
        self.refusal = t(refusal) if refusal else ""
        if not refusal:
            self._change(item_id, by=1)

    @rx.event
    def remove_item(self, item_id: str, sequence: int = 0):
        """Take one of a dish out of the cart."""
        self._confirm(sequence)
        self._change(item_id, by=-1)

    @rx.event
    def start_new_cart(self):
        """Replace the other restaurant's cart by one with the pending dish."""
        item_id, self.pending_item_id = self.pending_item_id, ""
        if item_id:  # a second click must not give up the cart that the first began
            self._store("")
            self._change(item_id, by=1)

    @rx.event
    def keep_cart(self):
        """Keep the other restaurant's cart."""
        self.pending_item_id = ""

    @rx.event
    async def proceed(self):
        """Open the order summary, if the minimum is reached and the kitchen takes orders."""
        services = wiring.services()
        cart = self._cart()
        if cart is None or cart.restaurant_id != self._open_restaurant():
            return None
        was_reserved, offer_id = self.is_reserved, self.offer_id
        await self._reprice()
        if (was_reserved, offer_id) != (self.is_reserved, self.offer_id):
            return None
        if self._priced(cart).totals.shortfall:
            return None
        try:
            services.ordering.require_open_id(cart.restaurant_id)
        except OrderingError as closed:
            await show_banner(self, closed.message, *await cart_kept(self))
            return None
        await show_banner(self, "")
        return rx.redirect(routes.CHECKOUT)

    def _cart(self) -> Cart | None:
        return cart_from(self.cart, wiring.services().clock.now())

    def _priced(self, cart: Cart) -> PricedDishes:
        """Return what a cart's dishes cost; the checkout adds delivery and fees."""
        is_here = cart.restaurant_id == self._open_restaurant()
        return wiring.services().ordering.price_dishes(
            cart.restaurant_id,
            cart.quantities,
            is_pre_reserved=self.is_reserved and is_here,
        )

    def _look_at_offers(self) -> str:
        """Set the offer that applies here now, and the time until that changes."""
        restaurant_id, now = self._open_restaurant(), wiring.services().clock.now()
        offer, change = offer_at(restaurant_id, now), next_offer_change(restaurant_id, now)
        self.offer_id = offer.id if offer else ""
        self.offer_ms = ms_until(change, now) if change else 0
        return self.offer_id

    async def _reprice(self) -> None:
        if self.is_reserved:
            table = await ordered_table(self, self._open_restaurant())
            self.is_reserved = table is not None
            if table is None:
                await show_change_banner(self, ReservationMessage.LEFT)
        ended, cart = self.offer_id, self._cart()
        if self._look_at_offers() == ended or cart is None:
            return
        if cart.restaurant_id != self._open_restaurant():
            return
        with contextlib.suppress(MenuUnavailable, NotFound):
            priced = self._priced(cart)
            message = offer_message(ended, self.offer_id, priced.lines, priced.totals)
            await show_change_banner(self, message)

    def _open_restaurant(self) -> int:
        """Return the id in the address, or 0 where it is none."""
        text = self.restaurant_id
        # Clients can forge addresses like any other input.
        return _id_in(text) if isinstance(text, str) and len(text) <= _LONGEST_ID else 0

    def _store(self, cart: str) -> None:
        """Assign the cart, but only if it changes.

        Reflex sends whatever is assigned, and the browser stores it: an unchanged cart that
        arrives late would replace the one that another tab has stored meanwhile.
        """
        if cart != self.cart:
            self.cart = cart

    def _confirm(self, sequence: object) -> None:
        if type(sequence) is int and 0 < sequence <= _LARGEST_SEQUENCE:
            self.sequence = sequence

    def _why_not_sold(self, item_id: object) -> str:
        """Return why a dish can't be added here; empty if it can."""
        catalogue, restaurant_id = wiring.services().catalogue, self._open_restaurant()
        if not isinstance(item_id, str) or catalogue.restaurant(restaurant_id) is None:
            return ""
        if self._is_broken():
            return MenuMessage.NOT_ADDED
        return "" if catalogue.sells(restaurant_id, item_id) else MenuMessage.DISH_GONE

    def _is_broken(self) -> bool:
        """Whether the menu can't be read, so that nothing can be added."""
        try:
            wiring.services().catalogue.menu(self._open_restaurant())
        except MenuUnavailable:
            return True
        return False

    def _change(self, item_id: object, *, by: int) -> None:
        services = wiring.services()
        restaurant_id = self._open_restaurant()
        now = services.clock.now()
        cart = cart_from(self.cart, now)
        if not isinstance(item_id, str):
            return
        if by > 0 and not services.catalogue.sells(restaurant_id, item_id):
            return
        if by < 0 and (cart is None or item_id not in cart.quantities):
            return
        if cart is not None and cart.restaurant_id != restaurant_id:
            if by > 0:
                self._ask_about(cart, item_id)
            return
        cart = cart or new_cart(restaurant_id, now)
        self._store(cart_text(with_quantity(cart, item_id, cart.quantity(item_id) + by, now)))

    def _ask_about(self, cart: Cart, item_id: str) -> None:
        kept = wiring.services().catalogue.restaurant(cart.restaurant_id)
        self.kept_restaurant = kept.name if kept else ""
        self.pending_item_id = item_id
        self._asked_at = wiring.services().clock.now().timestamp()

    def _has_just_asked(self) -> bool:
        """Whether a dish of this menu was tapped within seconds, before the page's event arrived.

        A question of an earlier visit is asked no more.
        """
        age = wiring.services().clock.now().timestamp() - self._asked_at
        sells = wiring.services().catalogue.sells
        return age < _EARLY_SECONDS and sells(self._open_restaurant(), self.pending_item_id)

    def _tidy(self) -> None:
        """Drop a cart of another day, and dishes that its menu has no more."""
        cart = self._cart()
        catalogue = wiring.services().catalogue
        if cart is None or catalogue.restaurant(cart.restaurant_id) is None:
            self._store("")
            return
        try:
            sold = catalogue.menu(cart.restaurant_id).by_id
        except MenuUnavailable:
            return
        kept = {id_: quantity for id_, quantity in cart.quantities.items() if id_ in sold}
        if kept != cart.quantities:
            self._store(cart_text(replace(cart, quantities=kept)))


@lru_cache(_IDS)
def _id_in(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() else 0


async def current_cart(state: rx.State) -> Cart | None:
    """Return the visitor's cart, or None if there is none of today."""
    return (await state.get_state(CartState))._cart()  # noqa: SLF001 - one family of states


async def cart_kept(state: rx.State) -> list[str]:
    """Return the sentence that the cart is kept; nothing without a cart."""
    return [OrderMessage.CART_KEPT] if await current_cart(state) is not None else []


async def empty_ordered_cart(state: rx.State, order_id: str) -> None:
    """Forget the cart if it is the one that this order was made of, not one begun meanwhile.

    And the table, if it was for that.
    """
    await forget_table(state, order_id)
    cart = await current_cart(state)
    if cart is None:
        return
    if await wiring.services().ordering.is_newest_of_cart(order_id, cart.key):
        (await state.get_state(CartState)).cart = ""
