"""The layout of every ordering screen: skip link, navigation bar, main element, footer."""

from typing import Any

import reflex as rx

from campus_app.shared.rules import routes
from campus_app.shared.translations import LANGUAGES, t
from campus_app.shell import campus_react, clock_react, focus_react, page_react
from campus_app.shell.icon import icon
from campus_app.shell.slots import FOOT_FACTS
from kit.fonts import font_url
from kit.reflex.binding import StyleSheets
from kit.text import gettext_noop
from kit.translations import COOKIE, language, own_name, page_language

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


def screen(
    *content: rx.Component | rx.Var,
    current: str = routes.CAMPUS,
    banner: rx.Component | None = None,
    cart: rx.Component | None = None,
    prompt: rx.Component | None = None,
    has_foot: bool = True,
    **main: Any,
) -> rx.Component:
    """Render a whole screen.

    Args:
        content: the children of the main element.
        current: the route whose link is marked in the navigation bar.
        banner: the message above the main element.
        cart: the link to the cart.
        prompt: the question for the campus. The style sheet shows either it or the content, by
            the attribute `data-campus` that campus_choice.js sets before the first paint.
        has_foot: whether the screen has a footer.
        main: properties of the main element.
    """
    if prompt is not None:
        content = (prompt, *content)
        main["class_name"] = f"asks-campus {main.get('class_name', '')}".strip()
    return rx.fragment(
        basics(),
        *map(_early_font, _EARLY_FONTS),
        focus_react.SkipLink.create(t("Skip to content"), target="main", class_name="skip-link"),
        _site_bar(current),
        banner or rx.fragment(),
        rx.el.main(*content, id="main", tab_index=-1, **main),
        cart or rx.fragment(),
        _site_foot() if has_foot else rx.fragment(),
        focus_react.FocusOnNavigation.create(),
        page_react.BusyButtons.create(),
    )


def basics() -> rx.Component:
    """Render the style sheets, icons and language watch of every page of this product."""
    has_languages = len(LANGUAGES) > 1
    return rx.fragment(
        Sheets.create(),
        # React moves these into the head.
        rx.el.link(rel="icon", href="/favicon.svg", type="image/svg+xml"),
        rx.el.link(rel="apple-touch-icon", href="/images/app-180.png"),
        page_react.AppManifest.create(),
        page_react.LanguageWatch.create(cookie=COOKIE) if has_languages else rx.fragment(),
    )


def _early_font(name: str) -> rx.Component:
    """Preload a font; React moves this link into the head."""
    return rx.el.link(
        rel="preload",
        href=font_url(name),
        type="font/woff2",
        custom_attrs={"as": "font", "crossOrigin": "anonymous"},
    )


def _site_bar(current: str) -> rx.Component:
    links = [
        rx.el.a(
            rx.el.i(number),
            rx.el.span(t(word)),
            aria_label=f"{number}{t(word)}",
            aria_current="page" if route == current else "false",
            **_link_to(route),
        )
        for number, word, route in _LINKS
    ]
    return rx.el.header(
        rx.el.div(
            rx.el.nav(*links, class_name="site-nav", aria_label=t("Main")),
            rx.el.div(*language_buttons(), campus_clock(), class_name="bar-end"),
            class_name="wrap",
        ),
        class_name="site-bar",
    )


def language_buttons() -> list[rx.Component]:
    """Render a button for each other language, in its own name."""
    return [
        rx.el.button(
            own_name(code),
            class_name="language",
            type="button",
            lang=page_language(code),
            on_click=page_react.choose_language(code),
        )
        for code in LANGUAGES
        if code != language()
    ]


def campus_clock() -> rx.Component:
    """Render the weekday and time on the campus."""
    return clock_react.CampusClock.create(class_name="clock", data_testid="clock")


def _link_to(route: str) -> dict[str, Any]:
    return to_list() if route == routes.CAMPUS else {"href": route}


def _site_foot() -> rx.Component:
    return rx.el.footer(
        rx.el.div(rx.el.span("FOOD_points"), FOOT_FACTS(), class_name="wrap"),
        class_name="site-foot",
    )


def numbered_label(number: str, words: str) -> rx.Component:
    """Render a label like `01/CAMPUS`, the number emphasised."""
    return rx.el.p(rx.el.b(number), f"/{words}", class_name="numbered-label")


def loading_screen(title: str) -> rx.Component:
    """Render placeholders of a screen's size until the server has answered."""
    return rx.el.div(
        rx.el.div(class_name="skeleton-line title"),
        rx.el.div(class_name="skeleton block"),
        rx.el.h1(title, class_name="visually-hidden"),
        class_name="wrap loading-screen",
        aria_busy="true",
    )


def screen_head(number: str, label: str, title: str) -> rx.Component:
    """Render the heading of a screen below its numbered label."""
    return rx.el.div(numbered_label(number, label), rx.el.h1(title), class_name="screen-head")


def to_restaurants(look: str = "button primary") -> rx.Component:
    """Render a link to the restaurants, for screens without another action."""
    return rx.el.a(t("To the restaurants"), icon("arrow"), class_name=look, **to_list())


def to_list() -> dict[str, Any]:
    """Return the properties of a link to the chosen campus' list, or to the choice of a campus."""
    return {"href": campus_react.list_address(routes.CAMPUS), "data_list_link": ""}
