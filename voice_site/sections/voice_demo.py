"""Listen to TARA: what it says in twelve languages, each in its own script."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import heading, note, section, section_head
from voice_site.content.languages import LANGUAGES, Language

_GREETINGS = "greetings"
_HALF_PROFILE = (
    *(0.07, 0.15, 0.15, 0.31, 0.22, 0.18, 0.15, 0.15, 0.19, 0.28, 0.57, 0.54),
    *(0.44, 0.40, 0.47, 0.39, 0.60, 0.54, 0.74, 0.86, 0.65, 0.83, 0.53, 0.47),
)
"""The left half of the 48 bars at rest; the right half mirrors it."""


def voice_demo() -> rx.Component:
    return section(
        "listen",
        "listen-h",
        section_head(
            heading("Listen to TARA", "listen-h"),
            note("Fig. 2.", "Twelve greetings, each in its own hand, and what follows them."),
        ),
        rx.el.div(profile(), class_name="listen__bars"),
        rx.el.ul(*(_greeting(each) for each in LANGUAGES), class_name="greet", id=_GREETINGS),
        browser.NearWatch.create(target=_GREETINGS),
        rx.el.details(
            rx.el.summary("Transcript"),
            rx.el.dl(*(_sentence(each) for each in LANGUAGES)),
            class_name="transcript",
        ),
    )


def profile() -> rx.Component:
    heights = (*_HALF_PROFILE, *reversed(_HALF_PROFILE))
    bars = [
        rx.el.i(style={"--i": str(number), "--v": str(height)})
        for number, height in enumerate(heights)
    ]
    return rx.el.div(
        *bars, class_name="bars", aria_hidden=True, custom_attrs={"data-state": "speaking"}
    )


def _greeting(language: Language) -> rx.Component:
    return rx.el.li(
        _in(language, language.greeting, "w"),
        " ",
        rx.el.span(language.name, class_name="l"),
    )


def _sentence(language: Language) -> rx.Component:
    return rx.el.div(rx.el.dt(language.name), rx.el.dd(_in(language, language.sentence, "said")))


def _in(language: Language, words: str, name: str) -> rx.Component:
    return rx.el.span(words, lang=language.code, dir=language.direction, class_name=name)
