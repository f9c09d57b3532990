"""The hero: the scene, the logo, a string with arcs, the headline, the introduction."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.figures import measuring_string
from voice_site.components.layout import (
    demo_button_or_link,
    inline,
    language_links,
    stage,
    wordmark,
)
from voice_site.components.navbar import LOGO_ID
from voice_site.content import copy, player, scene
from voice_site.content.samples import first_call
from voice_site.translations import t


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
                browser.HeroVoice.create(_headline(), words=player.words(), place="page"),
                rx.el.p(t(copy.BENEFIT), class_name="lede hero__gain"),
                _introduction(),
                rx.el.div(
                    browser.HeroPlayButton.create(
                        words=player.words(), call=first_call(), place="page"
                    ),
                    demo_button_or_link(t("Request a demo"), source="hero", is_quiet=True),
                    class_name="hero__act",
                ),
                rx.el.div(
                    browser.MotionControl.create(words=scene.words()), class_name="hero__foot"
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
