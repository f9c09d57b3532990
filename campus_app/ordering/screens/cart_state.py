"""The cart of the menu that is open."""

import contextlib
from collections.abc import Mapping
from dataclasses import replace
from typing import Final

import reflex as rx

from campus_app.catalogue.rules.errors import MenuUnavailable
from campus_app.ordering import wiring
from campus_app.ordering.rules.cart import Cart, follow_menu, with_quantity
from campus_app.ordering.rules.group_order import is_group_cart
from campus_app.ordering.screens.browser_storage import (
    cart_from,
    cart_text,
    new_cart,
    sequence_from,
)
from campus_app.ordering.screens.cart_refusals import (
    can_name_dish,
    is_menu_unavailable,
    refusal_of_dish,
    refusal_of_dishes,
)
from campus_app.ordering.screens.lost_dishes import kept_lost_dishes, lost_dishes_messages
from campus_app.ordering.screens.offers_state import current_offer, has_offer, offer_message
from campus_app.ordering.screens.reservation_state import enter_menu, ordered_table
from campus_app.ordering.services.ordering import PricedDishes
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import MINIMUM_ORDER
from campus_app.shared.rules.errors import NotFound, OrderingError
from campus_app.shared.rules.messages import (
    GroupOrderMessage,
    OrderMessage,
    ReservationMessage,
)
from campus_app.shared.rules.money import json_number
from campus_app.shared.translations import t
from campus_app.shell.banner_state import hide_banner, show_banner, show_change_banner

NO_TOTALS: Final = [0, 0, 0, json_number(MINIMUM_ORDER)]
_EARLY_SECONDS = 10.0
"""The maximum delay of a page's first event on a slow connection."""
_LARGEST_SEQUENCE = 2**53 - 1
"""Number.MAX_SAFE_INTEGER of JavaScript."""


class CartState(rx.State):
    """The cart: stored by the browser, priced by the server."""

    cart: str = rx.LocalStorage("", name="cart", sync=True)
    sequence: str = rx.SessionStorage("", name="cartSequence")
    """The number of the browser's last step that was processed, taken or refused; at first empty.

    The browser stores it with the cart, and sends both when it connects: they say together which
    steps the cart has.
    """
    lost: str = rx.LocalStorage("", name="lostDishes", sync=True)
    """The dishes that the menu has lost, in the format of the cart."""
    refusal: str = ""
    """Why the last dish was not added, in the visitor's language."""
    asked_dish: str = ""
    """The dish of another restaurant, while the dialog asks whether to start a new cart."""
    _asked_restaurant_id: int = 0
    other_restaurant: str = ""
    is_reserved: bool = False
    """Whether the open menu is ordered from for a reserved table."""
    offer_id: str = ""
    """The keys of the offers that apply at the restaurant of the open menu."""
    offer_ms: int = 0
    """The milliseconds until an offer begins or ends there; 0 if it has none."""
    _prompted_at: float = 0.0
    _menu_changes: int = 0
    """How often the open menu has changed; a change makes the totals be computed again."""

    @rx.var(deps=["cart", "is_reserved", "offer_id", "_menu_changes"], auto_deps=False)
    def totals(self) -> list[float]:
        """Subtotal, discount, total and shortfall in rupees; a list makes updates short."""
        cart = self._cart() or self._new_cart(self._open_restaurant())
        try:
            totals = self._priced(cart).totals
        except (MenuUnavailable, NotFound):
            return NO_TOTALS
        amounts = (totals.subtotal, totals.discount, totals.total, totals.shortfall)
        return [json_number(amount) for amount in amounts]

    @rx.var(deps=["cart", "is_reserved", "offer_id"], auto_deps=False)
    def offer(self) -> str:
        """The name of the discount; empty without one."""
        cart = self._cart()
        if cart is None or not (self.is_reserved or has_offer(cart.restaurant_id)):
            return ""
        try:
            return self._priced(cart).totals.discount_name
        except (MenuUnavailable, NotFound):
            return ""

    @rx.event
    async def open_menu(self):
        """Drop dishes that are no longer sold, and order for the table if the address says so.

        The menu of a closed restaurant opens, too: it can be read. Source: specification 10.62.
        """
        services = wiring.services()
        restaurant = services.catalogue.restaurant(self._open_restaurant())
        # While the menu can't be read, keep why an earlier click was refused.
        if not is_menu_unavailable(self._open_restaurant()):
            self._say_refusal("")
        if restaurant is None or not self._is_prompt_current():
            self.asked_dish = ""
        if restaurant is None:
            return
        await self._follow_menu()
        query = self.router.url.query_parameters
        is_for_table = query.get(routes.PRE_RESERVED) == "true"
        if not is_for_table and routes.DISHES in query:  # a link must not give up the table
            is_for_table = await ordered_table(self, restaurant.id) is not None
        self.is_reserved = await enter_menu(self, restaurant.id, is_for_table=is_for_table)
        self.offer_id, self.offer_ms = current_offer(restaurant.id)
        return

    @rx.event
    async def reprice(self):
        """Reprice the cart when an offer has begun or ended, or the table's hold has expired."""
        await self._reprice()

    @rx.event
    async def follow_menu(self):
        """Give the cart the prices of a menu that has changed, and take out what it has lost."""
        await self._follow_menu()
        self._menu_changes += 1

    @rx.event
    def add_dish(self, restaurant_id: int, dish_id: str, sequence: int = 0):
        """Add one of a restaurant's dish, from any screen.

        `sequence` is the browser's count of its steps.
        A step that the cart has already is ignored: the browser adds unconfirmed steps to the cart
        that it sends when it connects again, and may send them once more (cart_store.js).
        """
        if not self._is_new(sequence):
            return
        self._say_refusal("")
        cart = self._cart()
        if not can_name_dish(restaurant_id, dish_id):
            return
        if refusal := refusal_of_dish(cart, restaurant_id, dish_id):
            self._say_refusal(t(refusal))
        elif cart is not None and cart.restaurant_id != restaurant_id:
            self._prompt(cart, restaurant_id, dish_id)
        else:
            self._change(cart or self._new_cart(restaurant_id), dish_id, by=1)

    @rx.event
    def remove_dish(self, restaurant_id: int, dish_id: str, sequence: int = 0):
        """Take one of a dish out of the cart, as in `add_dish`."""
        if not self._is_new(sequence):
            return
        self._say_refusal("")
        cart = self._cart()
        if cart is None or not can_name_dish(restaurant_id, dish_id):
            return
        if cart.restaurant_id == restaurant_id and dish_id in cart.quantities:
            if is_group_cart(cart.key):
                self._say_refusal(t(GroupOrderMessage.CHANGED_THERE))
            else:
                self._change(cart, dish_id, by=-1)

    @rx.event
    def start_new_cart(self):
        """Replace the other restaurant's cart by one with that dish, if it can be added."""
        restaurant_id, dish_id = self._asked_restaurant_id, self.asked_dish
        self.asked_dish = ""
        if not dish_id:  # a second click must not replace the cart that the first one began
            return
        refusal = refusal_of_dish(None, restaurant_id, dish_id)
        self._say_refusal(t(refusal) if refusal else "")
        if not refusal:
            self._change(self._new_cart(restaurant_id), dish_id, by=1)

    @rx.event
    def keep_cart(self):
        """Close the dialog, and keep the other restaurant's cart."""
        self.asked_dish = ""

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
        priced = self._priced(cart)
        if priced.totals.shortfall:
            return None
        if refusal := refusal_of_dishes(cart.restaurant_id, priced):
            await show_banner(self, refusal)
            return None
        try:
            services.ordering.require_open_id(cart.restaurant_id)
        except OrderingError as closed:
            await show_banner(self, closed.message, *await cart_kept_message(self))
            return None
        await hide_banner(self)
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

    async def _reprice(self) -> None:
        if self.is_reserved:
            table = await ordered_table(self, self._open_restaurant())
            self.is_reserved = table is not None
            if table is None:
                await show_change_banner(self, ReservationMessage.LEFT)
        restaurant_id, previous, cart = self._open_restaurant(), self.offer_id, self._cart()
        self.offer_id, self.offer_ms = current_offer(restaurant_id)
        if self.offer_id == previous or cart is None or cart.restaurant_id != restaurant_id:
            return
        with contextlib.suppress(MenuUnavailable, NotFound):
            priced = self._priced(cart)
            message = offer_message(previous, self.offer_id, priced.lines, priced.totals)
            await show_change_banner(self, message)

    def _open_restaurant(self) -> int:
        """Return the id in the address, or 0 if it is not an id: clients can forge addresses."""
        # Reflex sets the variable when it compiles the route; a session without pages has none.
        return routes.parse_restaurant_id(getattr(self, "restaurant_id", "")) or 0

    def _store(self, cart: str) -> None:
        """Assign the cart, but only if it changes.

        Reflex sends whatever is assigned, and the browser stores it: an unchanged cart that
        arrives late would replace the one that another tab has stored meanwhile.
        """
        if cart != self.cart:
            self.cart = cart

    def _say_refusal(self, words: str) -> None:
        """Assign why a dish was not added, but only if it changes: each click would send it."""
        if words != self.refusal:
            self.refusal = words

    def _is_new(self, sequence: object) -> bool:
        """Confirm a step; return False if it was processed before. One without a number is new."""
        if type(sequence) is not int or not 0 < sequence <= _LARGEST_SEQUENCE:
            return True
        if sequence <= sequence_from(self.sequence):
            return False
        self.sequence = str(sequence)
        return True

    def _new_cart(self, restaurant_id: int) -> Cart:
        return new_cart(restaurant_id, wiring.services().clock.now())

    def _change(self, cart: Cart, dish_id: str, *, by: int) -> None:
        quantity = cart.quantity(dish_id) + by
        self._store(
            cart_text(with_quantity(cart, dish_id, quantity, wiring.services().clock.now()))
        )

    def _prompt(self, cart: Cart, restaurant_id: int, dish_id: str) -> None:
        """Open the dialog that offers to replace the other restaurant's cart."""
        self.other_restaurant = cart_restaurant(cart)
        self.asked_dish, self._asked_restaurant_id = dish_id, restaurant_id
        self._prompted_at = wiring.services().clock.now().timestamp()

    def _is_prompt_current(self) -> bool:
        """Whether the dialog was opened on this menu, before the page's first event arrived.

        A dialog of an earlier visit is closed.
        """
        age = wiring.services().clock.now().timestamp() - self._prompted_at
        is_here = self._asked_restaurant_id == self._open_restaurant()
        sells = wiring.services().catalogue.sells
        return (
            age < _EARLY_SECONDS and is_here and sells(self._asked_restaurant_id, self.asked_dish)
        )

    async def _follow_menu(self) -> None:
        """Delete an expired cart; take out what its menu lost, put back what it has again."""
        cart = self._cart()
        lost = await kept_lost_dishes(self.lost, cart)
        catalogue = wiring.services().catalogue
        kept = cart or lost
        if kept is None or catalogue.restaurant(kept.restaurant_id) is None:
            self._store("")
            self._store_lost("")
            return
        try:
            menu = catalogue.menu(kept.restaurant_id)
        except MenuUnavailable:
            return
        now = wiring.services().clock.now()
        followed = follow_menu(
            cart.quantities if cart else {}, lost.quantities if lost else {}, menu.by_id
        )
        # A cart that has lost all dishes keeps its key, and so its unpaid order (M15).
        changed_at = cart.changed_at if cart else now
        self._store(cart_text(replace(kept, changed_at=changed_at, quantities=followed.quantities)))
        lost_at = lost.changed_at if lost and not followed.gone else now
        self._store_lost(cart_text(replace(kept, changed_at=lost_at, quantities=followed.lost)))
        if messages := lost_dishes_messages(menu, followed):
            await show_banner(self, *messages)

    def _store_lost(self, lost: str) -> None:
        if lost != self.lost:
            self.lost = lost


async def current_cart(state: rx.State) -> Cart | None:
    """Return the visitor's cart, or None if there is none or it has expired."""
    return (await state.get_state(CartState))._cart()  # noqa: SLF001 - public methods are event handlers


def cart_restaurant(cart: Cart) -> str:
    """Return the name of a cart's restaurant; empty if it does not exist any more."""
    restaurant = wiring.services().catalogue.restaurant(cart.restaurant_id)
    return restaurant.name if restaurant else ""


async def replace_cart(
    state: rx.State, restaurant_id: int, quantities: Mapping[str, int], key: str = ""
) -> None:
    """Replace the visitor's cart by one with these dishes, and with a new key without `key`."""
    cart = new_cart(restaurant_id, wiring.services().clock.now())
    shown = await state.get_state(CartState)
    shown.cart = cart_text(replace(cart, key=key or cart.key, quantities=quantities))


async def cart_kept_message(state: rx.State) -> list[str]:
    """Return the message that the cart is kept; an empty list without a cart."""
    return [OrderMessage.CART_KEPT] if await current_cart(state) is not None else []
