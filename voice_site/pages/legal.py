"""/tara/privacy, /tara/terms: the legal pages, on a light ground, on every device."""

from collections.abc import Callable

import reflex as rx

from kit.reflex.inline_script import inline_script
from kit.reflex.pages import Page
from voice_site.components import browser
from voice_site.components.contact import contact
from voice_site.components.layout import (
    connection_texts,
    icons,
    language_links,
    lede,
    wordmark,
)
from voice_site.content import copy
from voice_site.content.legal import CONTACT, LEGAL_PAGES, NAMES, PRIVACY, TERMS, LegalPage
from voice_site.translations import t


def privacy_page() -> rx.Component:
    """Render what the site stores, and how it is deleted."""
    return _screen(PRIVACY)


def terms_page() -> rx.Component:
    """Render what the site states, and what follows from a demo request."""
    return _screen(TERMS)


def _screen(page: LegalPage) -> rx.Component:
    return rx.fragment(
        browser.Sheet.create(),
        *icons(),
        # Inlined, so that it runs before the first paint.
        inline_script("voice_site/device_view.js", "showLightView();"),
        rx.el.div(
            rx.el.div(_header(), _text(page), _footer(page), class_name="light legal"),
            class_name="tara",
        ),
        browser.LightView.create(),
        connection_texts(),
    )


def _header() -> rx.Component:
    home = rx.el.a(wordmark(), href="/", aria_label=t("DA'VINCI, to the page of TARA"))
    return rx.el.header(home, *language_links(), class_name="width legal__top")


def _text(page: LegalPage) -> rx.Component:
    return rx.el.main(
        rx.el.h1(t(page.heading), class_name="h-1", tab_index=-1),
        lede(t(page.lead)),
        *(
            _section(f"{index}", section.title, *map(_paragraph, section.paragraphs))
            for index, section in enumerate(page.sections, 1)
        ),
        _section("contact", CONTACT, contact()),
        id="main",
        class_name="width",
    )


def _paragraph(text: str) -> rx.Component:
    return rx.el.p(t(text, **NAMES))


def _section(name: str, title: str, *content: rx.Component) -> rx.Component:
    heading_id = f"section-{name}"
    return rx.el.section(
        rx.el.h2(t(title), id=heading_id),
        rx.el.div(*content),
        class_name="grid legal__part",
        aria_labelledby=heading_id,
    )


def _footer(page: LegalPage) -> rx.Component:
    others = [each for each in LEGAL_PAGES if each is not page]
    return rx.el.footer(
        rx.el.a(t("Back to TARA"), href="/", class_name="txt"),
        *(rx.el.a(t(each.name), href=each.route, class_name="txt") for each in others),
        class_name="width legal__foot",
    )


def _page(page: LegalPage, content: Callable[[], rx.Component]) -> Page:
    return Page(
        route=page.route,
        title=t(page.title),
        description=t(page.description),
        image=browser.absolute_url(copy.PREVIEW),
        content=content,
        is_in_sitemap=True,
    )


PAGES = [_page(PRIVACY, privacy_page), _page(TERMS, terms_page)]
