"""The dialog that asks whether a new cart may replace the visitor's cart."""

from typing import Any

import reflex as rx

from campus_app.shared.translations import t
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label
from kit.reflex.modal import Modal


def new_cart_dialog(
    words: rx.Component, *, is_open: rx.Var[bool] | bool, on_start: Any, on_keep: Any
) -> rx.Component:
    """Render the dialog while `is_open`; dismissing it keeps the cart."""
    return Modal.create(
        numbered_label("00", t("YOUR CART")),
        rx.el.h2(t("Start a new cart?")),
        rx.el.p(words),
        rx.el.div(
            button(t("Keep my cart"), on_click=on_keep),
            button(t("Start a new cart"), icon("arrow"), look="primary", on_click=on_start),
            class_name="actions",
        ),
        open=is_open,
        on_dismiss=on_keep,
        class_name="sheet",
        aria_label=t("Start a new cart?"),
    )
