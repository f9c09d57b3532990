"""The buttons that open the dialog."""

import reflex as rx

from voice_site.components import browser


def open_demo_button(
    words: str, *, source: str, variant: str = "", is_quiet: bool = False
) -> rx.Component:
    return rx.el.button(
        words,
        type="button",
        class_name="btn btn--line" if is_quiet else "btn",
        on_click=browser.open_demo(source, variant),
        aria_haspopup="dialog",
    )
