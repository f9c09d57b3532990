"""The link to the cart, for screens that are not a step of the order."""

import reflex as rx

from campus_app import routes
from campus_app.components.browser import carts
from campus_app.components.icon import icon
from campus_app.states.cart import CartState
from campus_app.translations import t

_TOTAL = 2
"""The index of the total in `CartState.totals`."""


def cart_link() -> rx.Component:
    """Render the number of dishes and their total; nothing without a priced cart."""
    total = CartState.totals[_TOTAL]
    amount = carts.rupees(total)
    count = carts.stored_dish_count(CartState.cart)
    return rx.cond(
        total > 0,
        rx.el.aside(
            rx.el.a(
                icon("bill"),
                rx.el.span(
                    rx.cond(
                        count == 1,
                        t("Cart, 1 dish, {total}", total=amount),
                        t("Cart, {count} dishes, {total}", count=count, total=amount),
                    )
                ),
                icon("arrow"),
                href=routes.CHECKOUT,
            ),
            class_name="cart-link",
            aria_label=t("Your cart"),
        ),
    )
