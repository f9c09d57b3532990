"""The layout of every ordering screen: skip link, navigation bar, banner, footer."""

from typing import Any

import reflex as rx

from campus_app import routes, wiring
from campus_app.components.browser import (
    LIST_LINK,
    BusyButtons,
    CampusClock,
    FocusOnNavigation,
    LanguageWatch,
    SkipLink,
    choose_language,
    list_address,
)
from campus_app.components.icon import icon
from campus_app.domain.campus import Campus
from campus_app.domain.messages import gettext_noop
from campus_app.translations import (
    COOKIE,
    ENGLISH,
    LANGUAGES,
    language,
    own_name,
    page_language,
    t,
)
from kit.fonts import font_url
from kit.reflex.binding import StyleSheets

_EARLY_FONTS = ("bricolage-grotesque-latin", "figtree-latin")
"""The fonts of the text above the fold."""
_LINKS = (
    ("01/", gettext_noop("HOME"), routes.HOME),
    ("02/", "FOOD_points", routes.CAMPUS),
    ("03/", gettext_noop("ORDERS"), routes.UNDER_PROGRESS),
    ("04/", gettext_noop("TERMS"), routes.TERMS),
)


class Sheets(StyleSheets):
    """The product's style sheets."""

    paths = ["$/public/css/components.css", "$/public/css/screens.css"]


def basics() -> rx.Component:
    """The style sheets, icons and language watch of every screen."""
    is_chosen = len(LANGUAGES) > 1
    watch = LanguageWatch.create(cookie=COOKIE, usual=ENGLISH) if is_chosen else rx.fragment()
    return rx.fragment(Sheets.create(), *_icons(), watch)


def _icons() -> list[rx.Component]:
    """The icons and the manifest; React moves them into the head of these screens."""
    return [
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/images/app-180.png"),
        rx.el.link(rel="manifest", href="/manifest.webmanifest"),
    ]


def skip_link() -> rx.Component:
    return SkipLink.create(t("Skip to content"), target="main", class_name="skip-link")


def site_bar(current: str) -> rx.Component:
    """The navigation bar; `current` is the route whose link is marked."""
    links = [
        rx.el.a(
            rx.el.i(number),
            rx.el.span(t(word)),
            aria_label=f"{number}{t(word)}",
            aria_current="page" if route == current else "false",
            **link_to(route),
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
            rx.el.span(
                t(
                    "{kitchens} KITCHENS, {campuses} CAMPUSES",
                    kitchens=len(wiring.services().catalogue.restaurants()),
                    campuses=len(Campus),
                )
            ),
            class_name="wrap",
        ),
        class_name="site-foot",
    )


def screen(
    *content: rx.Component | rx.Var,
    current: str = routes.CAMPUS,
    banner: rx.Component | None = None,
    cart: rx.Component | None = None,
    prompt: rx.Component | None = None,
    has_foot: bool = True,
    **main: Any,
) -> rx.Component:
    """A whole screen; `cart` leads back to the cart, `main` are properties of the main element.

    `prompt` asks for the campus; the style sheet shows either it or the content, by the mark that
    the head's script has set before the first paint.
    """
    if prompt is not None:
        content = (prompt, *content)
        main["class_name"] = f"asks-campus {main.get('class_name', '')}".strip()
    return rx.fragment(
        basics(),
        *map(_early_font, _EARLY_FONTS),
        skip_link(),
        site_bar(current),
        banner or rx.fragment(),
        rx.el.main(*content, id="main", tab_index=-1, **main),
        cart or rx.fragment(),
        site_foot() if has_foot else rx.fragment(),
        FocusOnNavigation.create(),
        BusyButtons.create(),
    )


def _early_font(name: str) -> rx.Component:
    """Preloads a font; React moves this into the head."""
    return rx.el.link(
        rel="preload",
        href=font_url(name),
        type="font/woff2",
        custom_attrs={"as": "font", "crossOrigin": "anonymous"},
    )


def numbered_label(number: str, words: str) -> rx.Component:
    return rx.el.p(rx.el.b(number), f"/{words}", class_name="numbered-label")


def screen_head(number: str, label: str, title: str) -> rx.Component:
    return rx.el.div(numbered_label(number, label), rx.el.h1(title), class_name="screen-head")


def to_restaurants(look: str = "button primary") -> rx.Component:
    """A link to the restaurants, for screens without another action."""
    return rx.el.a(t("To the restaurants"), icon("arrow"), class_name=look, **to_list())


def link_to(route: str) -> dict[str, Any]:
    """Return the link properties of a route; the chooser's link leads to the chosen campus."""
    return to_list() if route == routes.CAMPUS else {"href": route}


def to_list() -> dict[str, Any]:
    """Return the link properties of the chosen campus' list, or of the chooser."""
    return {"href": list_address(routes.CAMPUS), "custom_attrs": {LIST_LINK: ""}}


def banner(message: str, on_close: Any) -> rx.Component:
    """The sentence of the banner, with a close button; nothing if it is empty."""
    band = closable_banner("warning", rx.el.p(message), on_close)
    return rx.el.div(rx.cond(message != "", band), role="status")


def closable_banner(name: str, words: rx.Component, on_close: Any, look: str = "") -> rx.Component:
    """A banner: an icon, text, and a close button."""
    return rx.el.div(
        rx.el.div(
            icon(name),
            words,
            rx.el.button(
                icon("cross"),
                type="button",
                aria_label=t("Close this notice"),
                on_click=on_close,
            ),
            class_name="wrap",
        ),
        class_name=f"notice-band {look}".strip(),
    )
