"""The links to a cart, on screens that are no step of its order, and when its kitchen closes."""

from typing import Any

import reflex as rx

from campus_app.ordering.screens import cart_kitchen_react, cart_react
from campus_app.ordering.screens.cart_state import CartState
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import CLOSING_NOTICE_MINUTES
from campus_app.shared.translations import t
from campus_app.shell import clock_react
from campus_app.shell.icon import icon

_TOTAL = 2
"""The index of the total in `CartState.totals`."""
_NOTICE_MS = CLOSING_NOTICE_MINUTES * 60_000


def cart_link() -> rx.Component:
    """Render a link to the cart, with its dishes and total; nothing without a priced cart."""
    return rx.cond(
        CartState.totals[_TOTAL] > 0,
        rx.el.aside(
            closing_notice(),
            rx.el.a(icon("bill"), rx.el.span(_words()), icon("arrow"), href=routes.CHECKOUT),
            class_name="cart-link",
            aria_label=t("Your cart"),
        ),
    )


def other_cart_link(*, otherwise: rx.Component) -> rx.Component:
    """Render a link to the cart if it is of another restaurant than the menu, or `otherwise`."""
    return rx.cond(
        cart_react.is_elsewhere(CartState.cart) & (CartState.totals[_TOTAL] > 0),
        rx.fragment(
            rx.el.p(
                t(
                    "Your cart is at {restaurant}.",
                    restaurant=cart_kitchen_react.kitchen_of(CartState.cart).name,
                ),
                class_name="shortfall",
            ),
            rx.el.a(
                _words(), icon("arrow"), href=routes.CHECKOUT, class_name="button primary wide"
            ),
        ),
        otherwise,
    )


def closing_notice() -> rx.Component:
    """Render when the kitchen of the cart closes, in the last half hour."""
    kitchen = cart_kitchen_react.kitchen_of(CartState.cart)
    words = t("{restaurant} closes at {time}.", restaurant=kitchen.name, time=kitchen.closes)
    return clock_react.ShortlyBefore.create(
        rx.el.p(icon("clock"), rx.el.span(words), class_name="closing-notice", role="status"),
        at=kitchen.closes_ms,
        within=_NOTICE_MS,
    )


def _words() -> Any:
    amount = cart_react.rupees(CartState.totals[_TOTAL])
    count = cart_react.stored_dish_count(CartState.cart)
    return rx.cond(
        count == 1,
        t("Cart, 1 dish, {total}", total=amount),
        t("Cart, {count} dishes, {total}", count=count, total=amount),
    )
