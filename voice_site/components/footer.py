"""The footer of the page, and the floating button of the assistant."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import inline

_LINKS = (
    ("Listen", "#listen"),
    ("Roadmap", "#roadmap"),
    ("Comparison", "#comparison"),
    ("Campus food ordering", "/campus"),
)
_BARS = (".35", ".7", "1", ".55", ".3")


def footer() -> rx.Component:
    """Render links to sections, to the food ordering, and back to the mobile version."""
    links = [rx.el.li(rx.el.a(words, href=target)) for words, target in _LINKS]
    undo = rx.el.li(
        rx.el.a("Back to the mobile version", href="/?device=auto"), class_name="unforce"
    )
    return rx.el.footer(
        rx.el.div(
            rx.el.p("DA'VINCI. Set in Cormorant and Ysabeau, two faces on one skeleton."),
            rx.el.ul(*links, undo),
            class_name="width",
        ),
        class_name="foot",
    )


def assistant_button() -> rx.Component:
    """Render the button that opens the player."""
    bars = [rx.el.i(custom_attrs=inline(__v=height)) for height in _BARS]
    return rx.el.button(
        rx.el.span(*bars, aria_hidden=True),
        type="button",
        class_name="fab",
        aria_label="Assistant: Listen to TARA",
        on_click=browser.open_player(),
        aria_haspopup="dialog",
    )
