"""What phones and tablets see on "/" instead of the page, unless the desktop is forced."""

import reflex as rx

from voice_site.components import browser
from voice_site.components.layout import lede, stage, wordmark
from voice_site.content import copy
from voice_site.content.company import COMPANY


def mobile_block() -> rx.Component:
    return rx.el.div(
        stage(is_first=True),
        rx.el.header(wordmark(), class_name="width hero__logo"),
        rx.el.main(
            rx.el.h1(copy.BLOCKED_TITLE, tab_index=-1),
            lede(copy.BLOCKED_LEAD),
            rx.el.button(
                "Force Desktop Version",
                type="button",
                class_name="btn",
                on_click=browser.force_desktop,
            ),
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
        browser.inlined("openOwnSteps"),
        class_name="blocked",
    )


def _steps(of: copy.BrowserSteps) -> rx.Component:
    return rx.el.details(
        rx.el.summary(of.name),
        rx.el.ol(*(rx.el.li(step) for step in of.steps)),
        open=of.key == "chrome",
        custom_attrs={"data-browser": of.key},
    )
