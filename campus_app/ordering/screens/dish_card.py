"""A dish on the menu, with the buttons that change its quantity."""

from typing import Any, NamedTuple

import reflex as rx

from campus_app.catalogue.screens.dish_marks import chillies, diet_mark, local_name, sold_out_mark
from campus_app.shared.translations import t
from campus_app.shell.icon import icon


class Choice(NamedTuple):
    """How many units of a dish are chosen, their amount as text, and whether it is sold out.

    A step that `asks` is shown once the server has answered it (`BusyButtons`), not before.
    """

    quantity: Any
    total: Any
    is_sold_out: Any
    asks: bool = False


def dish_card(dish: Any, choice: Choice, on_add: Any, on_remove: Any) -> rx.Component:
    """Render a dish with its price, its chosen quantity, and price times quantity.

    Each dish needs an `rx.memo` of its own, for its hooks; the handlers are already bound to it.
    """
    quantity, total, is_sold_out, _ = choice
    return rx.el.li(
        rx.el.div(
            diet_mark(dish["diet"]),
            rx.el.h3(dish["name"], chillies(dish["spice"])),
            rx.el.span(class_name="leader", aria_hidden="true"),
            rx.el.span(dish["price"], class_name="price"),
            class_name="dish-line",
        ),
        rx.el.p(
            rx.cond(is_sold_out, sold_out_mark()),
            local_name(dish["localName"]),
            rx.el.span(dish["description"]),
            rx.el.span(dish["facts"], class_name="dish-facts"),
            class_name="dish-note",
        ),
        rx.el.span(total, class_name="line-total", data_testid="line-total"),
        _stepper(dish, choice, on_add, on_remove),
        class_name=rx.cond(quantity > 0, "dish-card in-cart", "dish-card"),
        # React omits an attribute whose value is undefined.
        data_sold_out=rx.cond(is_sold_out, "true", rx.Var("undefined")),
        data_testid=dish["testId"],
    )


def _stepper(dish: Any, choice: Choice, on_add: Any, on_remove: Any) -> rx.Component:
    look: dict[str, Any] = {"class_name": "asks"} if choice.asks else {}
    return rx.el.div(
        rx.el.button(
            icon("minus"),
            type="button",
            aria_label=t("Remove one {dish}", dish=dish["name"]),
            disabled=choice.quantity == 0,
            on_click=on_remove,
            **look,
        ),
        rx.el.span(choice.quantity, class_name="quantity", data_testid="quantity"),
        rx.el.button(
            icon("plus"),
            type="button",
            aria_label=t("Add one {dish}", dish=dish["name"]),
            disabled=choice.is_sold_out,
            on_click=on_add,
            **look,
        ),
        class_name="stepper",
        role="group",
        aria_label=dish["name"],
    )
