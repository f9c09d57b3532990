"""The promo bar with its links, and the banner of a reserved table."""

from typing import Any

import reflex as rx

from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import (
    MINIMUM_PRE_RESERVED_ORDER,
    PRE_RESERVATION_DISCOUNT_PERCENT,
)
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from campus_app.shell.icon import icon


def table_banner(table: Any) -> rx.Component:
    """Render the reserved table that the cart is ordered for, and its terms."""
    terms = t(
        "{percent}% off this order, from {minimum}. No delivery fee.",
        percent=PRE_RESERVATION_DISCOUNT_PERCENT,
        minimum=format_rupees(MINIMUM_PRE_RESERVED_ORDER),
    )
    return rx.el.div(
        rx.el.div(
            icon("table"),
            rx.el.strong(rx.el.span(t("Pre-reserved:"), class_name="unbroken"), " ", table),
            rx.el.p(terms),
            class_name="wrap reserved-banner",
        ),
        class_name="reserved-band",
        data_testid="pre-reserved",
    )


def promo_bar(words: str | rx.Component, *links: rx.Component) -> rx.Component:
    """Render a line of text with links."""
    return rx.el.div(
        rx.el.div(
            rx.el.span(words),
            rx.el.span(*links, class_name="handbill-links"),
            class_name="wrap handbill",
        ),
        class_name="handbill-band",
    )


def promo_link(words: str, href: str) -> rx.Component:
    """Render a link of the promo bar."""
    return rx.el.a(words, href=href, class_name="text-button")


def reserve_link() -> rx.Component:
    """Render the link to the reservation of a table."""
    return promo_link(t("Reserve a table"), routes.PRE_RESERVE)


def offers_link() -> rx.Component:
    """Render the link to the weekly offers."""
    return promo_link(t("Offers"), routes.OFFERS)
