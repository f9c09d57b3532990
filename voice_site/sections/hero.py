"""The hero: the scene, the logo, a string with its intervals, the headline, the introduction."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.figures import measuring_string
from voice_site.components.layout import inline, note, stage, wordmark
from voice_site.components.navbar import LOGO_ID
from voice_site.content import copy
from voice_site.content.scene import WORDS

_NUMBERS = (("50%", "6"), ("66.667%", "8"), ("75%", "9"), ("100%", "12"))
_INTERVALS = (
    ("75%", "1.9%", "octave"),
    ("58.333%", "66%", "fourth"),
    ("83.333%", "34%", "fifth"),
    ("87.5%", "50%", "fourth"),
    ("70.833%", "82%", "tone"),
)


def hero() -> rx.Component:
    """Render the scene behind the logo, the string and the texts."""
    return rx.el.section(
        stage(browser.Scene.create(), is_first=True),
        browser.SceneMessage.create(words=WORDS),
        rx.el.div(
            rx.el.div(wordmark(), class_name="hero__logo", id=LOGO_ID),
            _measure(),
            rx.el.div(
                rx.el.div(_headline(), _introduction(), class_name="grid hero__text"),
                rx.el.div(
                    note("Fig. 1.", "Five voices, measured against one string."),
                    browser.MotionControl.create(words=WORDS),
                    class_name="hero__foot",
                ),
            ),
            class_name="width hero__in",
        ),
        class_name="hero",
        aria_labelledby="hero-h",
    )


def _measure() -> rx.Component:
    artificial, intelligence = copy.TAGS
    return rx.el.div(
        measuring_string(),
        rx.el.span(artificial, class_name="tag", custom_attrs=inline(left="0")),
        " ",
        rx.el.span(intelligence, class_name="tag", custom_attrs=inline(left="25%")),
        *(
            rx.el.span(number, class_name="n", custom_attrs=inline(left=left), aria_hidden=True)
            for left, number in _NUMBERS
        ),
        *(
            rx.el.span(
                name, class_name="r", custom_attrs=inline(left=left, top=top), aria_hidden=True
            )
            for left, top, name in _INTERVALS
        ),
        class_name="measure",
    )


def _headline() -> rx.Component:
    return rx.el.h1(
        rx.el.span(copy.FAREWELL, class_name="was"),
        " ",
        rx.el.em(copy.NEW_LIFE),
        id="hero-h",
        tab_index=-1,
    )


def _introduction() -> rx.Component:
    return rx.el.div(rx.el.h2("Introduction"), rx.el.p(copy.INTRODUCTION), class_name="intro")
