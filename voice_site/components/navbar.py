"""The fixed navigation bar, and the link that skips it."""

import reflex as rx

from kit.text import gettext_noop
from voice_site.components import browser
from voice_site.components.layout import (
    demo_button_or_link,
    language_links,
    link_without_scripts,
    wordmark,
)
from voice_site.translations import t

LOGO_ID = "hero-logo"
_NAV_ID = "tara-nav"
_TARGETS = (
    (gettext_noop("Meet TARA_x1"), "tara-variants-section"),
    (gettext_noop("About Us"), "about-section"),
    (gettext_noop("Contact Us"), "cta-section"),
)


def navbar() -> rx.Component:
    """Render a button for each of three sections, and one that opens the demo request."""
    buttons = [
        rx.el.li(
            rx.el.button(
                t(words),
                type="button",
                on_click=browser.go_to(section_id),
                data_goto=section_id,
            ),
            link_without_scripts(t(words), section_id),
        )
        for words, section_id in _TARGETS
    ]
    bar = rx.el.nav(
        rx.el.span(wordmark(), aria_hidden=True),
        rx.el.ul(*buttons, _demo(), *(rx.el.li(each) for each in language_links())),
        class_name="width nav__in",
        aria_label=t("Sections"),
    )
    return rx.fragment(
        rx.el.div(bar, class_name="nav", id=_NAV_ID),
        browser.NavWatch.create(nav=_NAV_ID, logo=LOGO_ID),
    )


def _demo() -> rx.Component:
    button = demo_button_or_link(t("Request a demo"), source="nav", is_quiet=True)
    return rx.el.li(button, class_name="nav__demo")


def skip_link() -> rx.Component:
    """Render the link to the main element, for keyboards."""
    return rx.el.a(t("Skip to content"), href="#main", class_name="skip")
