"""The question for the campus, and the buttons that answer it."""

from collections.abc import Callable
from typing import Any

import reflex as rx

from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.money import format_rupees
from campus_app.shared.translations import t
from campus_app.shell import campus_react, choices_react
from campus_app.shell.button import close_button, text_button
from campus_app.shell.icon import icon
from campus_app.shell.layout import screen_head
from kit.reflex.modal import Modal

_DIALOG = "campus_dialog"
Choose = Callable[[str], Any]
"""An event handler that takes the id of the chosen campus."""


def campus_prompt(choose: Choose, *, missing: Any = False) -> rx.Component:
    """Ask for the campus in place of a screen's content until one is chosen.

    `missing`: the server has no campus. A browser that blocks its storage may show one all the
    same; it is removed, so that the question is asked again.

    Source: specification S14.
    """
    return campus_react.CampusPrompt.create(
        rx.el.div(
            screen_head("01", t("CAMPUS"), t("Which campus are you on?")),
            rx.el.p(t("The delivery fee depends on it. You can change it before you pay.")),
            _campus_buttons(choose, "prompt"),
            class_name="wrap",
        ),
        missing=missing,
        class_name="campus-prompt",
    )


def campus_line(campus: str) -> rx.Component:
    """Name the campus of a bill, beside the button that opens `campus_dialog`."""
    return rx.el.p(
        rx.el.span(t("Campus")),
        rx.el.b(campus, data_testid="campus"),
        text_button(
            t("Change campus"),
            aria_haspopup="dialog",
            on_click=choices_react.choose(_DIALOG, "open"),
        ),
        class_name="campus-line",
    )


def campus_dialog(choose: Choose) -> rx.Component:
    """Render the dialog that `campus_line` opens; a choice closes it."""
    close = choices_react.choose(_DIALOG, "closed")
    return Modal.create(
        rx.el.div(
            rx.el.h2(t("Which campus are you on?")),
            close_button(t("Close"), close),
            class_name="sheet-head",
        ),
        _campus_buttons(lambda campus: [choose(campus), close], "dialog"),
        open=choices_react.chosen(_DIALOG, "closed") == "open",
        on_dismiss=close,
        class_name="sheet",
        aria_label=t("Change campus"),
    )


def _campus_buttons(choose: Choose, place: str) -> rx.Component:
    """Render a button for each campus; `place` makes their ids unique on the screen."""
    buttons = [_campus_button(campus, choose, f"{place}-{campus.value}-fee") for campus in Campus]
    return rx.el.ul(*map(rx.el.li, buttons), class_name="campus-buttons")


def _campus_button(campus: Campus, choose: Choose, fee_id: str) -> rx.Component:
    return rx.fragment(
        rx.el.button(
            t(campus.place_name),
            icon("arrow"),
            class_name="button wide",
            type="button",
            aria_describedby=fee_id,
            on_click=choose(campus.value),
            # The script in the head handles the click until React does.
            data_campus_choice=campus.value,
        ),
        rx.el.p(
            t("Delivery {fee}", fee=format_rupees(campus.delivery_fee)),
            class_name="campus-facts",
            id=fee_id,
        ),
    )
