"""Views of a reserved table: its seat plan, its banner, and links to reserve one."""

from typing import Any

import reflex as rx

from campus_app import routes
from campus_app.components import browser
from campus_app.components.icon import icon
from campus_app.domain.constants import (
    MINIMUM_PRE_RESERVED_ORDER,
    PRE_RESERVATION_DISCOUNT_PERCENT,
)
from campus_app.domain.money import format_rupees
from campus_app.translations import t

_SEATS = (
    (70, 24),
    (70, 126),
    (125, 24),
    (125, 126),
    (180, 24),
    (180, 126),
    (20, 75),
    (230, 75),
)
"""The positions of the seats, in the order in which they are taken."""


def table_plan(guests: Any) -> rx.Component:
    """The table from above, with a seat taken for each guest; decoration beside the number."""
    seats = [
        rx.el.circle(
            class_name=rx.cond(guests > number, "seat taken", "seat"), cx=str(x), cy=str(y), r="15"
        )
        for number, (x, y) in enumerate(_SEATS)
    ]
    return rx.el.svg(
        rx.el.rect(class_name="top", x="42", y="46", width="166", height="58"),
        *seats,
        class_name="table-plan",
        view_box="0 0 250 150",
        aria_hidden="true",
    )


def table_banner(table: Any, note: Any = "") -> rx.Component:
    """The banner that says that the cart is ordered for a table."""
    words = note or t(
        "{percent}% off this order, from {minimum}. No delivery fee.",
        percent=PRE_RESERVATION_DISCOUNT_PERCENT,
        minimum=format_rupees(MINIMUM_PRE_RESERVED_ORDER),
    )
    return rx.el.div(
        rx.el.div(
            icon("table"),
            rx.el.strong(rx.el.span(t("Pre-reserved:"), class_name="unbroken"), " ", table),
            rx.el.p(words),
            class_name="wrap reserved-banner",
        ),
        class_name="reserved-band",
        custom_attrs={"data-testid": "pre-reserved"},
    )


def promo_bar(words: str | rx.Component, *links: rx.Component) -> rx.Component:
    """The promo bar: a line of text with links."""
    return rx.el.div(
        rx.el.div(
            rx.el.span(words),
            rx.el.span(*links, class_name="handbill-links"),
            class_name="wrap handbill",
        ),
        class_name="handbill-band",
    )


def promo_link(words: str, href: str) -> rx.Component:
    return rx.el.a(words, href=href, class_name="text-button")


def reserve_link() -> rx.Component:
    return promo_link(t("Reserve a table"), routes.PRE_RESERVE)


def offers_link() -> rx.Component:
    return promo_link(t("Offers"), routes.OFFERS)


def after(ms: Any, on_over: Any) -> rx.Component:
    """Calls an event after some milliseconds; never if they are 0."""
    return rx.cond(ms > 0, browser.Timeout.create(ms=ms, on_done=on_over))
