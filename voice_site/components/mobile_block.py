"""The screen that phones and tablets show on "/", unless the visitor forces the page."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import button, lede, stage, wordmark
from voice_site.content import copy
from voice_site.content.company import COMPANY


def mobile_block() -> rx.Component:
    """Render the message, Force Desktop Version, and instructions for each browser."""
    return rx.el.div(
        stage(is_first=True),
        rx.el.header(wordmark(), class_name="width hero__logo"),
        rx.el.main(
            rx.el.h1(copy.BLOCKED_TITLE, tab_index=-1),
            lede(copy.BLOCKED_LEAD),
            button("Force Desktop Version", browser.force_desktop),
            rx.el.a("Order food on campus", href="/campus", class_name="btn btn--line"),
            rx.el.div(
                rx.el.h2("Or in your browser"),
                *(_steps(each) for each in copy.BROWSERS),
                class_name="how",
            ),
            class_name="width",
        ),
        rx.el.footer(
            rx.el.a(COMPANY.email, href=COMPANY.mail_link, class_name="txt"),
            class_name="width label",
        ),
        # device_view.js, inlined above, has defined the function.
        rx.el.script("openOwnSteps();"),
        class_name="blocked",
    )


def _steps(browser_steps: copy.BrowserSteps) -> rx.Component:
    return rx.el.details(
        rx.el.summary(browser_steps.name),
        rx.el.ol(*(rx.el.li(step) for step in browser_steps.steps)),
        open=browser_steps.key == "chrome",
        data_browser=browser_steps.key,
    )
