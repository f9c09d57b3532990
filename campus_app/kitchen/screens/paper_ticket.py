"""A ticket of a kitchen board, on paper."""

from typing import Any

import reflex as rx

from campus_app.kitchen.screens import kitchen_board_react
from campus_app.kitchen.screens.kitchen_ticket import campus_name, dishes, notes
from campus_app.shared.translations import t


def paper_ticket(order: Any) -> rx.Component:
    """Render an order for paper 80 mm wide, to be read from a metre."""
    return rx.el.section(
        rx.el.h2(order["number"]),
        rx.el.p(kitchen_board_react.kitchen_name),
        rx.cond(
            order["slot"] != "",
            rx.el.p(
                t("Table for {guests}, {time}", guests=order["party"], time=order["slot"]),
                class_name="paper-place",
            ),
            rx.el.p(campus_name(order["campus"]), " ", order["address"], class_name="paper-place"),
        ),
        dishes(order),
        notes(order),
        rx.cond(order["doorNote"] != "", rx.el.p(order["doorNote"])),
        rx.el.p(order["customer"], " ", order["phone"]),
        rx.el.p(t("Collect"), " ", rx.el.b(order["collect"]), class_name="paper-collect"),
        class_name="paper-ticket",
        key=order["id"],
    )
