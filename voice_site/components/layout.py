"""Components of several sections: layout, headings, the wordmark, the scene's still image."""

from typing import Any

import reflex as rx

from kit.reflex.connection_texts import ConnectionTexts
from kit.translations import language, own_name, page_language
from voice_site.components import browser
from voice_site.components.figures import string, svg
from voice_site.translations import LANGUAGES, t


def section(
    section_id: str, heading_id: str, *content: rx.Component, is_light: bool = False
) -> rx.Component:
    """Render a section below its hairline, dark on light if `is_light`."""
    return rx.el.section(
        rx.el.div(string(), *content, class_name="width"),
        id=section_id,
        aria_labelledby=heading_id,
        class_name="section light" if is_light else "section",
    )


def heading(words: str, heading_id: str, more: str = "") -> rx.Component:
    """Render the heading of a section; `more` are classes beside its own."""
    return rx.el.h2(words, id=heading_id, tab_index=-1, class_name=f"h-1 {more}".strip())


def inline(**properties: str) -> dict[str, dict[str, str]]:
    """Return attributes with an inline style; `__v` is the custom property `--v`.

    Reflex's `style` would make a class for each of them, and again on hydration.
    """
    return {"style": {name.replace("_", "-"): value for name, value in properties.items()}}


def note(label: str, words: str) -> rx.Component:
    """Render the caption of a figure in the margin."""
    return rx.el.p(rx.el.b(label), " ", words, class_name="note")


def section_head(main: rx.Component, margin: rx.Component | None = None) -> rx.Component:
    """Render the head of a section, with a note in its margin."""
    return rx.el.div(
        margin or rx.fragment(), rx.el.div(main, class_name="head__main"), class_name="grid head"
    )


def lede(words: str) -> rx.Component:
    """Render an introductory paragraph."""
    return rx.el.p(words, class_name="lede")


def icons() -> list[rx.Component]:
    """Render the icons and the manifest, which React moves into the head of this page."""
    return [
        rx.el.link(rel="icon", href="/tara.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/images/tara/icon-180.png"),
        rx.el.link(rel="manifest", href="/tara.webmanifest"),
    ]


def connection_texts() -> rx.Component:
    """Render the texts of a lost connection for this site, which has no cart."""
    return ConnectionTexts.create(
        words=t("No connection. This page connects again by itself."),
        silent=t("No answer from the server yet."),
    )


def language_links(class_name: str = "lang") -> list[rx.Component]:
    """Render a link to the page in each other language, in that language's own name."""
    return [
        browser.LanguageLink.create(
            own_name(code),
            code=code,
            lang=page_language(code),
            href_lang=page_language(code),
            class_name=class_name,
        )
        for code in LANGUAGES
        if code != language()
    ]


def wordmark() -> rx.Component:
    """Render the company's name as its logo."""
    return rx.el.span("DA", rx.el.span("'", class_name="apos"), "VINCI", class_name="mark")


def stage(*played: rx.Component, is_first: bool) -> rx.Component:
    """Render the scene's still image below `played`; `is_first` loads it with priority."""
    priority = {"fetchPriority": "high"} if is_first else {"loading": "lazy"}
    return rx.el.div(
        rx.el.picture(
            rx.el.source(type="image/avif", src_set="/images/tara/ribbons.avif"),
            rx.el.img(
                src="/images/tara/ribbons.webp",
                alt="",
                custom_attrs={"width": 2400, "height": 1080, **priority},
            ),
        ),
        *played,
        class_name="stage",
        aria_hidden=True,
    )


def definitions(*pairs: tuple[str, rx.Component | str]) -> rx.Component:
    """Render terms and their definitions."""
    return rx.el.dl(*(rx.el.div(rx.el.dt(term), rx.el.dd(meaning)) for term, meaning in pairs))


def close_button(on_click: Any) -> rx.Component:
    """Render the cross of a dialog."""
    return rx.el.button(
        svg("0 0 24 24", rx.el.path(d="M4 4l16 16M20 4L4 20")),
        type="button",
        class_name="dlg__x",
        aria_label=t("Close"),
        on_click=on_click,
    )


def button(words: Any, on_click: Any, *, is_quiet: bool = False, **props: Any) -> rx.Component:
    """Render a button; `is_quiet` gives it a border instead of a background."""
    look = "btn btn--line" if is_quiet else "btn"
    return rx.el.button(words, type="button", class_name=look, on_click=on_click, **props)


def open_demo_button(
    words: str, *, source: str, variant: str = "", is_quiet: bool = False
) -> rx.Component:
    """Render a button that opens the demo request; `source` is its name in the request."""
    open_demo = browser.open_demo(source, variant)
    return button(words, open_demo, is_quiet=is_quiet, aria_haspopup="dialog")


def demo_button_or_link(words: str, *, is_quiet: bool = False, **options: str) -> rx.Component:
    """Render the button of `open_demo_button`; without scripts, a link to the form of the page."""
    return rx.fragment(
        open_demo_button(words, is_quiet=is_quiet, **options),
        link_without_scripts(words, "cta-section", "btn btn--line" if is_quiet else "btn"),
    )


def link_without_scripts(words: str, section_id: str, class_name: str = "") -> rx.Component:
    """Render a link to a section for browsers without scripts, which are shown no button."""
    return rx.el.noscript(rx.el.a(words, href=f"#{section_id}", class_name=class_name))
