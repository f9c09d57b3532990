"""Short messages at the edge of the screen."""

from typing import Any

import reflex as rx

from campus_app.components.icon import icon


def toast(icon_name: str, title: str, text: str = "", count: str = "") -> rx.Component:
    """Render a toast with an icon, a title, a text and a number."""
    return rx.el.div(
        icon(icon_name),
        rx.el.strong(title),
        rx.el.span(text),
        rx.el.b(count, class_name="count"),
        class_name="toast",
    )


def problem_toast(message: Any, *, look: str = "") -> rx.Component:
    """Render a red toast while its message is not empty; the look `over-cart` is for menus."""
    shown = rx.el.div(icon("warning"), rx.el.strong(message), class_name="toast bad")
    classes = f"toasts floating {look}".strip()
    return rx.el.div(rx.cond(message != "", shown), class_name=classes, role="alert")
