"""A dish on the menu: name, leader, price; note; line total; stepper."""

from typing import Any

import reflex as rx

from campus_app.components import browser
from campus_app.components.icon import icon
from campus_app.translations import t


def _diet_mark(diet: str) -> rx.Component | rx.Var:
    return rx.match(
        diet,
        ("veg", rx.el.span(class_name="diet-mark", role="img", aria_label=t("Vegetarian"))),
        (
            "non_veg",
            rx.el.span(class_name="diet-mark non-veg", role="img", aria_label=t("Not vegetarian")),
        ),
        rx.el.span(class_name="diet-mark unknown", aria_hidden="true"),
    )


def _stepper(dish: Any, quantity: Any, on_add: Any, on_remove: Any) -> rx.Component:
    return rx.el.div(
        rx.el.button(
            icon("minus"),
            type="button",
            aria_label=t("Remove one {dish}", dish=dish["name"]),
            disabled=quantity == 0,
            on_click=on_remove,
        ),
        rx.el.span(quantity, class_name="quantity", custom_attrs={"data-testid": "quantity"}),
        rx.el.button(
            icon("plus"),
            type="button",
            aria_label=t("Add one {dish}", dish=dish["name"]),
            on_click=on_add,
        ),
        class_name="stepper",
        role="group",
        aria_label=dish["name"],
    )


def item_card(dish: Any, on_add: Any, on_remove: Any) -> rx.Component:
    """One dish, in a memo of its own; the handlers are already bound to it."""
    quantity = browser.quantity_of(dish)
    return rx.el.li(
        rx.el.div(
            _diet_mark(dish["diet"]),
            rx.el.h3(dish["name"]),
            rx.el.span(class_name="leader", aria_hidden="true"),
            rx.el.span(dish["price"], class_name="price"),
            class_name="item-line",
        ),
        rx.el.p(dish["description"], class_name="item-note"),
        rx.el.span(
            browser.line_total(dish),
            class_name="line-total",
            custom_attrs={"data-testid": "line-total"},
        ),
        _stepper(dish, quantity, on_add, on_remove),
        class_name=rx.cond(quantity > 0, "item-card in-cart", "item-card"),
        custom_attrs={"data-testid": dish["testId"]},
    )
