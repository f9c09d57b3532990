"""Listen to TARA: greetings in twelve languages, which open the player."""

import reflex as rx

from kit.text import gettext_noop
from voice_site.components import browser
from voice_site.components.figures import svg
from voice_site.components.layout import heading, inline, note, section, section_head
from voice_site.content.languages import LANGUAGES, Language
from voice_site.translations import t

_GREETINGS = "greetings"
_INVITATION = gettext_noop(
    "Twelve greetings, each in its own hand. In English and Hindi you can hear TARA in five "
    "scripted calls; its other voices are in preparation."
)
_HALF_PROFILE = (
    *(0.07, 0.15, 0.15, 0.31, 0.22, 0.18, 0.15, 0.15, 0.19, 0.28, 0.57, 0.54),
    *(0.44, 0.40, 0.47, 0.39, 0.60, 0.54, 0.74, 0.86, 0.65, 0.83, 0.53, 0.47),
)
"""The left half of the 48 bars at rest; the right half mirrors it."""


def voice_demo() -> rx.Component:
    """Render the play button, the greetings and their transcript."""
    return section(
        "listen",
        "listen-h",
        section_head(
            heading(t("Listen to TARA"), "listen-h"),
            note("", t(_INVITATION)),
        ),
        _play_button(),
        rx.el.ul(*(_greeting(each) for each in LANGUAGES), class_name="greet", id=_GREETINGS),
        browser.NearWatch.create(target=_GREETINGS),
        rx.el.details(
            rx.el.summary(t("Transcript")),
            rx.el.dl(*(_sentence(each) for each in LANGUAGES)),
            class_name="transcript",
        ),
    )


def _profile() -> rx.Component:
    heights = (*_HALF_PROFILE, *reversed(_HALF_PROFILE))
    bars = [
        rx.el.i(custom_attrs=inline(__i=str(number), __v=str(height)))
        for number, height in enumerate(heights)
    ]
    return rx.el.span(*bars, class_name="bars", aria_hidden=True, data_state="speaking")


def _play_button() -> rx.Component:
    triangle = svg("0 0 20 20", rx.el.path(d="M3 1v18l16-9z"))
    return rx.el.button(
        rx.el.span(triangle, class_name="disc"),
        rx.el.span(_profile(), class_name="listen__bars"),
        rx.el.span(t("Play the demo: Listen to TARA"), class_name="sr-only"),
        type="button",
        class_name="listen__play",
        on_click=browser.open_player(),
        aria_haspopup="dialog",
    )


def _greeting(language: Language) -> rx.Component:
    return rx.el.li(
        rx.el.button(
            _in(language, language.greeting, "w"),
            " ",
            rx.el.span(t(language.name), class_name="l"),
            type="button",
            on_click=browser.open_player(language.code),
            aria_haspopup="dialog",
        )
    )


def _sentence(language: Language) -> rx.Component:
    return rx.el.div(rx.el.dt(t(language.name)), rx.el.dd(_in(language, language.sentence, "said")))


def _in(language: Language, words: str, name: str) -> rx.Component:
    return rx.el.span(words, lang=language.code, dir=language.direction, class_name=name)
