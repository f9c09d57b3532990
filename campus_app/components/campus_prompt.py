"""The question for the campus, and the buttons that answer it."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from campus_app.components.browser import CHOICE, CampusPrompt, chosen
from campus_app.components.browser import choose as choose_tab
from campus_app.components.icon import icon
from campus_app.components.layout import screen_head
from campus_app.domain.campus import Campus, delivery_fee
from campus_app.domain.money import format_rupees
from campus_app.translations import t
from kit.reflex.modal import Modal

_DIALOG = "campus_dialog"
Choose = Callable[[Campus], Any]
"""Returns the handler that tells the server of a choice."""


def campus_prompt(choose: Choose, *, missing: Any = False) -> rx.Component:
    """Ask for the campus in place of a screen's content, which then comes up at once.

    `missing` asks again where the server has no campus.

    Source: specification S14.
    """
    return CampusPrompt.create(
        rx.el.div(
            screen_head("01", t("CAMPUS"), t("Which campus are you on?")),
            rx.el.p(t("The delivery fee depends on it. You can change it before you pay.")),
            campus_buttons(choose, "prompt"),
            class_name="wrap",
        ),
        missing=missing,
        class_name="campus-prompt",
    )


def campus_buttons(choose: Choose, place: str) -> rx.Component:
    """Show a button for each campus; `place` keeps their ids apart from others on the screen."""
    return rx.el.ul(
        *(rx.el.li(campus_button(campus, choose(campus), place)) for campus in Campus),
        class_name="campus-buttons",
    )


def campus_button(campus: Campus, on_click: Any, place: str) -> rx.Component:
    """A button that the head's script serves until the page's own scripts have come."""
    facts = f"{place}-{campus.value}-fee"
    return rx.fragment(
        rx.el.button(
            t(campus.place_name),
            icon("arrow"),
            class_name="button wide",
            type="button",
            aria_describedby=facts,
            on_click=on_click,
            custom_attrs={CHOICE: campus.value},
        ),
        rx.el.p(
            t("Delivery {fee}", fee=format_rupees(delivery_fee(campus))),
            class_name="campus-facts",
            id=facts,
        ),
    )


def campus_line(campus: str) -> rx.Component:
    """Name the campus that a bill is for, beside the button that changes it."""
    return rx.el.p(
        rx.el.span(t("Campus")),
        rx.el.b(campus, custom_attrs={"data-testid": "campus"}),
        rx.el.button(
            t("Change campus"),
            class_name="text-button",
            type="button",
            aria_haspopup="dialog",
            on_click=choose_tab(_DIALOG, "open"),
        ),
        class_name="campus-line",
    )


def campus_dialog(choose: Choose) -> rx.Component:
    """The dialog behind `campus_line`; a choice closes it."""
    close = choose_tab(_DIALOG, "closed")
    return Modal.create(
        rx.el.div(
            rx.el.h2(t("Which campus are you on?")),
            rx.el.button(icon("cross"), type="button", aria_label=t("Close"), on_click=close),
            class_name="sheet-head",
        ),
        campus_buttons(lambda campus: [choose(campus), close], "dialog"),
        open=chosen(_DIALOG, "closed") == "open",
        on_dismiss=close,
        class_name="sheet",
        aria_label=t("Change campus"),
    )
