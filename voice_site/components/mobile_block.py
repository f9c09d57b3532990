"""The block screen: phones and tablets show it on "/", unless the visitor forces the page."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.contact import contact
from voice_site.components.layout import (
    button,
    language_links,
    lede,
    open_demo_button,
    stage,
    wordmark,
)
from voice_site.content import copy, player
from voice_site.content.legal import LEGAL_PAGES
from voice_site.content.samples import first_call
from voice_site.translations import t


def mobile_block(last_order: rx.Component | None = None) -> rx.Component:
    """Render the last order, the message, the food ordering, a call to hear, and the demo request.

    Force Desktop Version, instructions for each browser and contacts follow.
    """
    return rx.el.div(
        stage(is_first=True),
        rx.el.header(
            wordmark(),
            rx.el.div(*language_links(), class_name="hero__lang"),
            class_name="width hero__logo",
        ),
        rx.el.main(
            last_order or rx.fragment(),
            browser.HeroVoice.create(_message(), words=player.words(), place="block"),
            rx.el.a(t("Order food on campus"), href="/campus", class_name="txt"),
            browser.HeroPlayButton.create(words=player.words(), call=first_call(), place="block"),
            open_demo_button(t("Request a demo"), source="block", is_quiet=True),
            button(t("Force Desktop Version"), browser.force_desktop, is_quiet=True),
            rx.el.div(
                rx.el.h2(t("Or in your browser")),
                *(_steps(each) for each in copy.BROWSERS),
                class_name="how",
            ),
            rx.el.div(contact(), class_name="contact"),
            class_name="width",
        ),
        rx.el.footer(
            *(rx.el.a(t(page.name), href=page.route, class_name="txt") for page in LEGAL_PAGES),
            class_name="width label",
        ),
        # device_view.js, inlined above, has defined the function.
        rx.el.script("openOwnSteps();"),
        class_name="blocked",
    )


def _message() -> rx.Component:
    return rx.el.div(
        rx.el.h1(t(copy.BLOCKED_TITLE), tab_index=-1),
        lede(t(copy.BLOCKED_PRODUCT)),
        rx.el.p(t(copy.BLOCKED_LEAD)),
    )


def _steps(browser_steps: copy.BrowserSteps) -> rx.Component:
    return rx.el.details(
        rx.el.summary(t(browser_steps.name)),
        rx.el.ol(*(rx.el.li(t(step)) for step in browser_steps.steps)),
        open=browser_steps.key == "chrome",
        data_browser=browser_steps.key,
    )
