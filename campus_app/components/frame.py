"""What every ordering screen stands in: skip link, bar with the clock, notice, foot."""

from typing import Any

import reflex as rx
from reflex.utils.imports import ImportDict

from campus_app import routes
from campus_app.components.browser import (
    BusyButtons,
    CampusClock,
    FocusOnNavigation,
    LanguageWatch,
    SkipLink,
    choose_language,
)
from campus_app.components.icon import icon
from campus_app.domain.messages import noted
from campus_app.infrastructure.fonts import font_address
from campus_app.translations import (
    COOKIE,
    ENGLISH,
    LANGUAGES,
    language,
    own_name,
    page_language,
    t,
)

_EARLY_FONTS = ("bricolage-grotesque-latin", "figtree-latin")
"""What the first thing that is read is set in."""
_LINKS = (
    ("01/", noted("HOME"), routes.HOME),
    ("02/", "FOOD_points", routes.CAMPUS),
    ("03/", noted("ORDERS"), routes.UNDER_PROGRESS),
    ("04/", noted("TERMS"), routes.TERMS),
)


class Sheets(rx.Fragment):
    """The product's style sheets, which the bundler gives to the screens that hold this."""

    def add_imports(self) -> ImportDict:
        return {"": ["$/public/css/components.css", "$/public/css/screens.css"]}


def basics() -> rx.Component:
    """What every screen of the product holds: its style, and an eye on the chosen language."""
    is_chosen = len(LANGUAGES) > 1
    watch = LanguageWatch.create(cookie=COOKIE, usual=ENGLISH) if is_chosen else rx.fragment()
    return rx.fragment(Sheets.create(), watch)


def skip_link() -> rx.Component:
    return SkipLink.create(t("Skip to content"), target="main", class_name="skip-link")


def site_bar(current: str) -> rx.Component:
    """The bar; `current` is the route whose link is marked."""
    links = [
        rx.el.a(
            rx.el.i(number),
            rx.el.span(t(word)),
            href=route,
            aria_label=f"{number}{t(word)}",
            aria_current="page" if route == current else "false",
        )
        for number, word, route in _LINKS
    ]
    return rx.el.header(
        rx.el.div(
            rx.el.nav(*links, class_name="site-nav", aria_label=t("Main")),
            rx.el.div(
                *language_buttons(),
                CampusClock.create(class_name="clock", custom_attrs={"data-testid": "clock"}),
                class_name="bar-end",
            ),
            class_name="wrap",
        ),
        class_name="site-bar",
    )


def language_buttons() -> list[rx.Component]:
    """One button for each language that is not this page's, named as its readers name it."""
    return [
        rx.el.button(
            own_name(code),
            class_name="language",
            type="button",
            lang=page_language(code),
            on_click=choose_language(code),
        )
        for code in LANGUAGES
        if code != language()
    ]


def site_foot() -> rx.Component:
    return rx.el.footer(
        rx.el.div(
            rx.el.span("FOOD_points"),
            rx.el.span(t("8 KITCHENS, 2 CAMPUSES")),
            class_name="wrap",
        ),
        class_name="site-foot",
    )


def screen(
    *content: rx.Component | rx.Var,
    current: str = routes.CAMPUS,
    notice: rx.Component | None = None,
    has_foot: bool = True,
    **main: Any,
) -> rx.Component:
    """A whole screen; `main` are properties of the main element."""
    return rx.fragment(
        basics(),
        *map(_early_font, _EARLY_FONTS),
        skip_link(),
        site_bar(current),
        notice or rx.fragment(),
        rx.el.main(*content, id="main", tab_index=-1, **main),
        site_foot() if has_foot else rx.fragment(),
        FocusOnNavigation.create(),
        BusyButtons.create(),
    )


def _early_font(name: str) -> rx.Component:
    """Lets a font come before the first paint; React puts this into the head."""
    return rx.el.link(
        rel="preload",
        href=font_address(name),
        type="font/woff2",
        custom_attrs={"as": "font", "crossOrigin": "anonymous"},
    )


def numbered_label(number: str, words: str) -> rx.Component:
    return rx.el.p(rx.el.b(number), f"/{words}", class_name="numbered-label")


def screen_head(number: str, label: str, title: str) -> rx.Component:
    return rx.el.div(numbered_label(number, label), rx.el.h1(title), class_name="screen-head")


def to_restaurants(look: str = "button primary") -> rx.Component:
    """The way on from a screen on which there is nothing to do."""
    return rx.el.a(t("To the restaurants"), icon("arrow"), href=routes.CAMPUS, class_name=look)


def notice_band(message: str, on_close: Any) -> rx.Component:
    """One sentence that says why this screen came up, until it is put away."""
    band = rx.el.div(
        rx.el.div(
            icon("warning"),
            rx.el.p(message),
            rx.el.button(
                icon("cross"),
                type="button",
                aria_label=t("Close this notice"),
                on_click=on_close,
            ),
            class_name="wrap",
        ),
        class_name="notice-band",
    )
    return rx.el.div(rx.cond(message != "", band), role="status")
