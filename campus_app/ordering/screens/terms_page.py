"""/terms: the terms of service, delivery, privacy and contact."""

import reflex as rx

from campus_app.ordering.screens.cart_link import cart_link
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from campus_app.shell.layout import screen, screen_head
from campus_app.shell.navigation_react import NavigateUnlessPresent
from kit.reflex.pages import Page
from kit.text import gettext_noop

_CONTENT = "terms"
_MS = 1000
_SECTIONS = (
    (
        gettext_noop("Service"),
        gettext_noop(
            "FOOD_points takes your order to the restaurant that you choose. The restaurant cooks "
            "it and sells it to you, at the prices that you see before you pay. An order counts "
            "once its online part is paid and you have seen its number."
        ),
        gettext_noop(
            "If a restaurant can't cook an order that is paid, the whole online part goes back to "
            "the account that it came from."
        ),
    ),
    (
        gettext_noop("Delivery"),
        gettext_noop(
            "Delivery costs: {fees}. The times "
            "on the cards are what a restaurant usually takes, not a promise. The rest of the bill "
            "is paid to the delivery agent, in cash or by UPI, when the food is in your hands."
        ),
        gettext_noop(
            "A table that you reserved is held at its time; the food is ready when you arrive, and "
            "the rest of the bill is paid at the restaurant."
        ),
    ),
    (
        gettext_noop("Privacy"),
        gettext_noop(
            "We ask for your name, e-mail, phone number and address for one reason: so that the "
            "food finds you. The restaurant and the delivery agent see them; the payment service "
            "gets your phone number alone. Nothing is sold or used for advertising."
        ),
        gettext_noop(
            "There is no account. Your cart and the links to your last orders are kept in this "
            "browser until you clear or forget them."
        ),
        gettext_noop(
            "If you ask to be told when an order is ready, the maker of your browser carries the "
            "message: the order number and the restaurant, encrypted for your device. The address "
            "of your device is deleted when the message is sent, or after a day."
        ),
    ),
    (
        gettext_noop("Contact"),
        gettext_noop(
            "Questions about the food: call the restaurant. "
            "Its number is in your confirmation e-mail."
        ),
        gettext_noop(
            "Questions about a payment: write to support@food-points.example and name your order "
            "number."
        ),
    ),
)


def terms_page() -> rx.Component:
    """Render the terms; if they are missing after a second, navigate home."""
    return screen(
        rx.el.div(
            screen_head("04", t("TERMS"), t("Plain words")),
            rx.el.div(
                *(terms_section(index, *section) for index, section in enumerate(_SECTIONS, 1)),
                class_name="prose",
                id=_CONTENT,
            ),
            NavigateUnlessPresent.create(target=_CONTENT, ms=_MS, to=routes.HOME),
            class_name="wrap",
        ),
        current=routes.TERMS,
        cart=cart_link(),
    )


def terms_section(index: int, title: str, *paragraphs: str) -> rx.Component:
    """Render a section with the delivery fees in its placeholders."""
    heading = f"terms-{index}"
    return rx.el.section(
        rx.el.h2(t(title), id=heading),
        *(rx.el.p(t(text, fees=_fees())) for text in paragraphs),
        aria_labelledby=heading,
    )


def _fees() -> str:
    return ", ".join(
        f"{t(campus.place_name)} {format_rupees(campus.delivery_fee)}" for campus in Campus
    )


PAGE = Page(
    route=routes.TERMS,
    title=gettext_noop("Terms · FOOD_points"),
    description=gettext_noop(
        "Delivery, payment, money back and your details: the terms of ordering, in plain words."
    ),
    content=terms_page,
    is_in_sitemap=True,
)
