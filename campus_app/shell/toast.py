"""Short messages at the edge of the screen."""

from typing import Any

import reflex as rx

from campus_app.shared.rules.constants import TOAST_FOLD_SECONDS
from campus_app.shared.translations import t
from campus_app.shell.icon import icon

_MS = 1000


class FoldingToasts(rx.Component):
    """Toasts that fold to one line after `ms` milliseconds; a button `label` unfolds them.

    A change of `news`, which is empty without any toast, shows them whole again.
    """

    library = rx.asset("js/campus_app/shell/folding_toasts.jsx").importable_path
    tag = "FoldingToasts"
    ms: rx.Var[int]
    news: rx.Var[str]
    label: rx.Var[str]


def folding_toasts(*toasts: rx.Component | rx.Var, news: Any) -> rx.Component:
    """Render toasts that fold after `TOAST_FOLD_SECONDS`; `news` changes with them."""
    return FoldingToasts.create(
        *toasts, ms=TOAST_FOLD_SECONDS * _MS, news=news, label=t("The notices in full")
    )


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
