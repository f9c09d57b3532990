"""Buttons in the styles of the ordering screens."""

from typing import Any

import reflex as rx

from campus_app.shell.icon import icon


def button(*content: Any, look: str = "", **props: Any) -> rx.Component:
    """Render a push button; `look` are its classes, like `primary wide`; `asks`: BusyButtons."""
    classes = f"button {look}".strip()
    return rx.el.button(*content, class_name=classes, **{"type": "button", **props})


def text_button(*content: Any, **props: Any) -> rx.Component:
    """Render a button that looks like a link."""
    return rx.el.button(*content, class_name="text-button", type="button", **props)


def close_button(label: str, on_click: Any) -> rx.Component:
    """Render the cross of a banner or a dialog, which screen readers announce as `label`."""
    return rx.el.button(icon("cross"), type="button", aria_label=label, on_click=on_click)
