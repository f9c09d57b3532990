"""The question whether a whole new cart may replace the visitor's."""

import reflex as rx

from campus_app.ordering.screens.new_cart_dialog import new_cart_dialog
from campus_app.ordering.screens.new_cart_state import NewCartState
from campus_app.shell.sentence import sentence


def replace_cart_dialog() -> rx.Component:
    """Render the dialog, for screens that offer an earlier order or the dishes of a link."""
    state = NewCartState
    return new_cart_dialog(
        sentence(
            "A new cart empties the one with your dishes of {restaurant}.",
            restaurant=rx.el.b(state.other_restaurant),
        ),
        is_open=state.other_restaurant != "",
        on_start=state.start,
        on_keep=state.keep,
    )
