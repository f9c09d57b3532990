"""The fixed navigation bar, and the link that skips it."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import wordmark

LOGO_ID = "hero-logo"
_NAV_ID = "tara-nav"
_TARGETS = (
    ("Meet TARA_x1", "tara-variants-section"),
    ("About Us", "about-section"),
    ("Contact Us", "cta-section"),
)


def navbar() -> rx.Component:
    """Render three buttons, each of which scrolls to a section."""
    buttons = [
        rx.el.li(
            rx.el.button(
                words,
                type="button",
                on_click=browser.go_to(section_id),
                data_goto=section_id,
            )
        )
        for words, section_id in _TARGETS
    ]
    bar = rx.el.nav(
        rx.el.span(wordmark(), aria_hidden=True),
        rx.el.ul(*buttons),
        class_name="width nav__in",
        aria_label="Sections",
    )
    return rx.fragment(
        rx.el.div(bar, class_name="nav", id=_NAV_ID),
        browser.NavWatch.create(nav=_NAV_ID, logo=LOGO_ID),
    )


def skip_link() -> rx.Component:
    """Render the link to the main element, for keyboards."""
    return rx.el.a("Skip to content", href="#main", class_name="skip")
