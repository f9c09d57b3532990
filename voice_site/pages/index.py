"""/: a plain page until the assistant's site moves in; it leads to the food."""

import reflex as rx

TITLE = "DA'VINCI · FOOD_points"


def index_page(notice: rx.Component) -> rx.Component:
    """The page; `notice` is what a visitor brings along from an order."""
    return rx.el.main(
        notice,
        rx.el.div(
            rx.el.p(rx.el.b("00"), "/HOME", class_name="numbered-label"),
            rx.el.h1("DA'VINCI"),
            rx.el.p("The voice assistant's site opens here soon. The kitchens are open now."),
            rx.el.a("Order food on campus", href="/campus", class_name="button primary"),
            class_name="wrap home",
        ),
        id="main",
    )
