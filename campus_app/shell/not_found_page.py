"""The page for unknown addresses."""

import reflex as rx

from campus_app.shared.translations import t
from campus_app.shell.layout import screen, screen_head, to_restaurants
from campus_app.shell.slots import CART_LINK
from kit.reflex.pages import Page
from kit.text import gettext_noop


def not_found_page() -> rx.Component:
    """Render the message, and a link to the restaurants."""
    return screen(
        rx.el.div(
            screen_head("404", t("NOT FOUND"), t("Nothing is cooking here")),
            rx.el.div(
                rx.el.p(t("There is no page at this address. It may have moved, or never was.")),
                to_restaurants(),
                class_name="prose",
            ),
            class_name="wrap",
        ),
        current="",
        cart=CART_LINK(),
    )


PAGE = Page(
    route="404",
    title=gettext_noop("Not found · FOOD_points"),
    description=gettext_noop("There is no page at this address."),
    content=not_found_page,
)
