"""/underprogress: a placeholder for the list of orders, and the orders of this browser."""

import reflex as rx

from campus_app.ordering.screens.cart_link import cart_link
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.own_orders import own_orders
from campus_app.ordering.screens.own_orders_state import OwnOrdersState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.banner import banner
from campus_app.shell.layout import screen, screen_head, to_restaurants
from kit.reflex.pages import Page
from kit.text import gettext_noop


def underprogress_page() -> rx.Component:
    """Render the placeholder, and below it the orders of this browser."""
    return screen(
        OrderSheets.create(),
        rx.el.div(
            screen_head("03", t("ORDERS"), t("Under progress")),
            rx.el.div(
                rx.el.p(
                    t(
                        "The list of all your orders is under progress. "
                        "Those of this browser are here."
                    ),
                    " ",
                    t("Your confirmation e-mail holds everything about your last order."),
                ),
                to_restaurants(),
                class_name="prose before-orders",
            ),
            own_orders(),
            class_name="wrap",
        ),
        current=routes.UNDER_PROGRESS,
        banner=banner(),
        cart=cart_link(),
    )


PAGE = Page(
    route=routes.UNDER_PROGRESS,
    title=gettext_noop("Orders · FOOD_points"),
    description=gettext_noop("Your orders from this device, with receipts, and how they stand."),
    content=underprogress_page,
    on_load=[OwnOrdersState.open],
)
