"""Any other address."""

import reflex as rx

from campus_app import routes
from campus_app.components.frame import screen, screen_head
from campus_app.components.icon import icon
from campus_app.domain.messages import noted
from campus_app.translations import t

TITLE = noted("Not found · FOOD_points")
DESCRIPTION = noted("There is no page at this address.")


def not_found_page() -> rx.Component:
    return screen(
        rx.el.div(
            screen_head("404", t("NOT FOUND"), t("Nothing is cooking here")),
            rx.el.div(
                rx.el.p(t("There is no page at this address. It may have moved, or never was.")),
                rx.el.a(
                    t("To the restaurants"),
                    icon("arrow"),
                    href=routes.CAMPUS,
                    class_name="button primary",
                ),
                class_name="prose",
            ),
            class_name="wrap",
        ),
        current="",
    )
