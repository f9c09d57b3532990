"""The footer of the page, and the floating button of the assistant."""

import reflex as rx

from kit.text import gettext_noop
from voice_site.components import browser
from voice_site.components.layout import inline, language_links
from voice_site.content.legal import LEGAL_PAGES
from voice_site.content.samples import credit
from voice_site.translations import t

_LINKS = (
    (gettext_noop("Voice"), "#listen"),
    (gettext_noop("Roadmap"), "#roadmap"),
    (gettext_noop("Comparison"), "#comparison"),
    (gettext_noop("Questions"), "#questions"),
    (gettext_noop("Campus food ordering"), "/campus"),
    *((page.name, page.route) for page in LEGAL_PAGES),
)
_BAR_HEIGHTS = (".35", ".7", "1", ".55", ".3")


def footer() -> rx.Component:
    """Render links to sections, other pages, other languages, and back to the mobile version."""
    links = [rx.el.li(rx.el.a(t(words), href=target)) for words, target in _LINKS]
    languages = [rx.el.li(each) for each in language_links("")]
    # Only visitors who forced the page on a phone or tablet see it; `auto` deletes that choice.
    to_mobile = rx.el.li(
        rx.el.a(t("Back to the mobile version"), href="/?device=auto"), class_name="unforce"
    )
    return rx.el.footer(
        rx.el.div(
            rx.el.p(
                t("DA'VINCI. Set in Cormorant and Ysabeau, two faces on one skeleton."),
                " ",
                credit(),
            ),
            rx.el.ul(*links, *languages, to_mobile),
            class_name="width",
        ),
        class_name="foot",
    )


def assistant_button() -> rx.Component:
    """Render the button that opens the player."""
    # The style sheet reads the height of a bar from `--v`.
    bars = [rx.el.i(custom_attrs=inline(__v=height)) for height in _BAR_HEIGHTS]
    return rx.el.button(
        rx.el.span(*bars, aria_hidden=True),
        rx.el.span(t("Listen to TARA"), class_name="fab__name"),
        type="button",
        class_name="fab",
        aria_label=t("Assistant: Listen to TARA"),
        on_click=browser.open_player(),
        aria_haspopup="dialog",
    )
