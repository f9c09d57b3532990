"""The hero: the scene, the logo, a string with its intervals, the headline, the introduction."""

import reflex as rx

from kit.text import gettext_noop
from voice_site.components import browser
from voice_site.components.figures import measuring_string
from voice_site.components.layout import (
    inline,
    language_links,
    note,
    open_demo_button,
    stage,
    wordmark,
)
from voice_site.components.navbar import LOGO_ID
from voice_site.content import copy, player, scene
from voice_site.content.samples import first_call
from voice_site.translations import t

_NUMBERS = (("50%", "6"), ("66.667%", "8"), ("75%", "9"), ("100%", "12"))
_INTERVALS = (
    ("75%", "1.9%", gettext_noop("octave")),
    ("58.333%", "66%", gettext_noop("fourth")),
    ("83.333%", "34%", gettext_noop("fifth")),
    ("87.5%", "50%", gettext_noop("fourth")),
    ("70.833%", "82%", gettext_noop("tone")),
)


def hero() -> rx.Component:
    """Render the scene behind the logo, the string and the texts."""
    return rx.el.section(
        stage(browser.Scene.create(), is_first=True),
        browser.SceneMessage.create(words=scene.words()),
        rx.el.div(
            rx.el.div(
                wordmark(),
                rx.el.div(*language_links(), class_name="hero__lang"),
                class_name="hero__logo",
                id=LOGO_ID,
            ),
            _measure(),
            rx.el.div(
                browser.HeroVoice.create(_headline(), words=player.words()),
                _introduction(),
                rx.el.div(
                    browser.HeroPlayButton.create(words=player.words(), call=first_call()),
                    open_demo_button(t("Request a demo"), source="hero", is_quiet=True),
                    class_name="hero__act",
                ),
                rx.el.div(
                    note(t("Fig. 1."), t("Five voices, measured against one string.")),
                    browser.MotionControl.create(words=scene.words()),
                    class_name="hero__foot",
                ),
                class_name="hero__text",
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
        rx.el.span(t(artificial), class_name="tag", custom_attrs=inline(left="0")),
        " ",
        rx.el.span(t(intelligence), class_name="tag", custom_attrs=inline(left="25%")),
        *(
            rx.el.span(number, class_name="n", custom_attrs=inline(left=left), aria_hidden=True)
            for left, number in _NUMBERS
        ),
        *(
            rx.el.span(
                t(name), class_name="r", custom_attrs=inline(left=left, top=top), aria_hidden=True
            )
            for left, top, name in _INTERVALS
        ),
        class_name="measure",
    )


def _headline() -> rx.Component:
    return rx.el.h1(
        rx.el.span(t(copy.FAREWELL), class_name="was"),
        " ",
        rx.el.em(t(copy.NEW_LIFE)),
        id="hero-h",
        tab_index=-1,
    )


def _introduction() -> rx.Component:
    return rx.el.div(rx.el.h2(t("Introduction")), rx.el.p(t(copy.INTRODUCTION)), class_name="intro")
