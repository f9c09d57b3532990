"""/underprogress: a placeholder for the list of orders, and a link to the last order."""

import reflex as rx

from campus_app import routes
from campus_app.components.layout import screen, screen_head, to_restaurants
from campus_app.components.sentence import sentence
from campus_app.domain.order import RESPONSE_PATH
from campus_app.pages.cart_link import cart_link
from campus_app.states.payment_return import PaymentReturnState
from campus_app.translations import t
from kit.reflex.pages import Page
from kit.text import gettext_noop


def underprogress_page() -> rx.Component:
    """Render the placeholder, with a link to the last order of this browser."""
    last, token = PaymentReturnState.stored_order_number, PaymentReturnState.stored_order_token
    link = rx.el.a(f"#{last}", href=f"{RESPONSE_PATH}{token}", class_name="figure")
    order = rx.cond(token != "", link, rx.el.span(f"#{last}", class_name="figure"))
    return screen(
        rx.el.div(
            screen_head("03", t("ORDERS"), t("Under progress")),
            rx.el.div(
                rx.el.p(t("The list of your orders is under progress. You will find it here.")),
                rx.cond(
                    last != "",
                    rx.el.p(
                        sentence(
                            "Your last order was {order}. Its receipt is in your e-mail, too.",
                            order=order,
                        )
                    ),
                    rx.el.p(t("Your confirmation e-mail holds everything about your last order.")),
                ),
                to_restaurants(),
                class_name="prose",
            ),
            class_name="wrap",
        ),
        current=routes.UNDER_PROGRESS,
        cart=cart_link(),
    )


PAGE = Page(
    route=routes.UNDER_PROGRESS,
    title=gettext_noop("Orders · FOOD_points"),
    description=gettext_noop("Where to see how an order of yours stands."),
    content=underprogress_page,
)
