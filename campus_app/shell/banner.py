"""The message of `BannerState`, at the top of an ordering screen and on the assistant's page."""

from typing import Any

import reflex as rx

from campus_app.shared.rules.messages import Severity
from campus_app.shared.translations import t
from campus_app.shell.banner_state import BannerState
from campus_app.shell.button import close_button
from campus_app.shell.icon import icon

_ICONS = {Severity.ERROR: "cross", Severity.WARNING: "warning", Severity.SUCCESS: "tick"}


def banner() -> rx.Component:
    """Render the message with a close button; nothing while it is empty.

    It stays in view on a scrolled screen: the button that was refused may be far below it.
    """
    sign = rx.cond(BannerState.severity == Severity.SUCCESS.value, icon("tick"), icon("warning"))
    shown = _closable_banner(sign, rx.el.p(BannerState.message, _order_link()))
    return rx.el.div(
        rx.cond(BannerState.message != "", shown), role="status", class_name="sticky-notice"
    )


def home_message() -> rx.Component:
    """Render the message about an order on `/`, with a live region for each severity.

    Source: specification S11, S19.
    """
    state = BannerState
    return rx.fragment(
        *(
            rx.el.div(
                rx.cond((state.message != "") & (state.severity == each.value), _home_banner(each)),
                # An error interrupts a screen reader; other messages wait until it pauses.
                role="alert" if each is Severity.ERROR else "status",
            )
            for each in Severity
        )
    )


def _order_link() -> rx.Component:
    link = rx.el.a(t("See the order"), href=BannerState.order_path)
    return rx.cond(BannerState.order_path != "", rx.fragment(" ", link))


def _home_banner(severity: Severity) -> rx.Component:
    contact = BannerState.contact
    mail = rx.el.a(contact, href=f"mailto:{contact}")
    support = rx.cond(contact != "", rx.fragment(" ", mail))
    words = rx.el.p(BannerState.message, support, _order_link())
    return _closable_banner(icon(_ICONS[severity]), words, severity.value)


def _closable_banner(sign: Any, words: Any, look: str = "") -> rx.Component:
    return rx.el.div(
        rx.el.div(
            sign,
            words,
            close_button(t("Close this notice"), BannerState.close),
            class_name="wrap",
        ),
        class_name=f"notice-band {look}".strip(),
    )
