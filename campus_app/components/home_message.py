"""The message at `/` about an order, styled by its severity. Source: specification S11, S19."""

from collections.abc import Mapping
from typing import Any, Literal

import reflex as rx

from campus_app.components.layout import closable_banner
from campus_app.domain.messages import Severity

_ICONS = {Severity.ERROR: "cross", Severity.WARNING: "warning", Severity.SUCCESS: "tick"}
_ROLES: Mapping[Severity, Literal["alert", "status"]] = {
    Severity.ERROR: "alert",
    Severity.WARNING: "status",
    Severity.SUCCESS: "status",
}
"""An error interrupts a screen reader; the others wait until it pauses."""


def home_message(message: str, severity: str, contact: str, on_close: Any) -> rx.Component:
    """One live region for each severity; `contact` is an e-mail address to write to, or empty."""
    return rx.fragment(
        *(
            rx.el.div(
                rx.cond(
                    (rx.Var.create(message) != "") & (rx.Var.create(severity) == each.value),
                    _band(each, message, contact, on_close),
                ),
                role=_ROLES[each],
            )
            for each in Severity
        )
    )


def _band(severity: Severity, message: str, contact: str, on_close: Any) -> rx.Component:
    link = rx.el.a(contact, href=f"mailto:{contact}")
    words = rx.el.p(message, rx.cond(contact != "", rx.fragment(" ", link)))
    return closable_banner(_ICONS[severity], words, on_close, severity.value)
