"""Request Enterprise Demo: a dialog of three steps, and a form for browsers without scripts."""

import reflex as rx

from kit.reflex.modal import BackToClose, Modal
from kit.text import gettext_noop
from voice_site.components import browser
from voice_site.components.contact import contact
from voice_site.components.demo_fields import (
    consent,
    dialog_fields,
    dialog_use_case,
    journey,
    plain_fields,
    plain_use_case,
    variants,
)
from voice_site.components.layout import button, close_button, definitions, lede
from voice_site.translations import t

_TITLE = gettext_noop("Request Enterprise Demo")
_STEPS = (
    gettext_noop("You and your company"),
    gettext_noop("A variant"),
    gettext_noop("Confirmation"),
)


def demo_dialog() -> rx.Component:
    """Render the dialog: contact and company, a variant, and the outcome of the request."""
    side = rx.el.div(
        rx.el.h2(t(_TITLE), id="demo-h", tab_index=-1),
        rx.el.p(t("For any TARA plan."), class_name="note"),
        browser.DemoSteps.create(names=[t(step) for step in _STEPS], class_name="steps"),
        class_name="dlg__side",
    )
    modal = Modal.create(
        rx.el.div(
            close_button(browser.close_demo),
            side,
            rx.el.div(_first_step(), _second_step(), _third_step(), class_name="dlg__body"),
            class_name="dlg dlg--demo",
        ),
        open=browser.is_demo_open,
        keep_mounted=True,
        on_dismiss=browser.close_demo,
        class_name="demo",
        aria_labelledby="demo-h",
    )
    back = BackToClose.create(open=browser.is_demo_open, on_dismiss=browser.close_demo)
    return rx.fragment(modal, browser.DemoSession.create(), back)


def plain_form() -> rx.Component:
    """Render the whole request in one form, for browsers without scripts."""
    return rx.el.noscript(
        rx.el.form(
            rx.el.h3(t(_TITLE), class_name="h-2"),
            plain_fields(),
            variants("plain"),
            plain_use_case(),
            consent(),
            rx.el.button(t("Request Demo"), type="submit", class_name="btn"),
            action="/api/demo-requests",
            method="post",
            class_name="plain-demo",
        )
    )


def _step_heading(words: str) -> rx.Component:
    return rx.el.h3(words, class_name="dlg__h", tab_index=-1)


def _first_step() -> rx.Component:
    return browser.DemoForm.create(
        _step_heading(t("Contact and company")),
        dialog_fields(),
        rx.el.div(
            rx.el.span(t("All fields are required unless marked optional."), class_name="label"),
            rx.el.button(
                t("Or try it right now"),
                type="button",
                class_name="txt to-page",
                on_click=browser.leave_demo_to_talk,
            ),
            rx.el.button(t("Next Step"), type="submit", class_name="btn"),
            class_name="dlg__act",
        ),
        step=1,
    )


def _second_step() -> rx.Component:
    sending = browser.is_demo_sending
    return browser.DemoForm.create(
        _step_heading(t("Pick a variant")),
        rx.el.div(variants("v"), dialog_use_case(), journey(), class_name="dlg__choice"),
        consent(),
        rx.el.div(
            button(t("Previous"), browser.previous_step, is_quiet=True, disabled=sending),
            rx.el.button(
                rx.cond(sending, t("Submitting..."), t("Request Demo")),
                type="submit",
                class_name="btn",
                disabled=sending | (browser.demo_variant == ""),
            ),
            class_name="dlg__act",
        ),
        step=2,
    )


def _third_step() -> rx.Component:
    return rx.el.div(
        rx.match(
            browser.demo_outcome,
            ("received", _received()),
            ("unreached", _unreached(*_STORED)),
            ("unsaved", _unreached(*_UNSAVED)),
            ("refused", _refused()),
            rx.fragment(),
        ),
        hidden=browser.demo_step != 3,
        role="status",
        class_name="done",
        data_step="3",
    )


def _received() -> rx.Component:
    return rx.el.div(
        _done_heading(t("Thank you."), t("We have your request.")),
        lede(t("We will contact you within 24 hours.")),
        definitions(
            (t("Reference"), rx.el.span(browser.sent_reference, class_name="num")),
            (t("Variant"), browser.sent_variant),
            (t("We reply to"), browser.sent_email),
        ),
        rx.el.div(
            rx.el.button(
                t("Listen to TARA"),
                type="button",
                class_name="txt",
                on_click=browser.leave_demo_to_listen,
            ),
            button(t("Close"), browser.close_demo),
            class_name="dlg__act",
        ),
    )


_STORED = (
    gettext_noop("Kept on this device for now"),
    gettext_noop(
        "We try again by ourselves; the 24 hours begin when it arrives. You can also write to us."
    ),
)
_UNSAVED = (
    gettext_noop("Not sent, and not kept"),
    gettext_noop(
        "This browser keeps nothing for us. We try again while this page is open; please write to"
        " us if you leave before that."
    ),
)


def _unreached(title: str, words: str) -> rx.Component:
    return rx.el.div(
        rx.el.p(t("Your request has not reached us yet."), class_name="alert"),
        _done_heading(t(title)),
        lede(t(words)),
        contact(),
        rx.el.div(
            button(t("Close"), browser.close_demo, is_quiet=True),
            button(
                rx.cond(browser.is_demo_sending, t("Submitting..."), t("Try again now")),
                browser.try_again,
                aria_disabled=browser.is_demo_sending,
            ),
            class_name="dlg__act",
        ),
    )


def _refused() -> rx.Component:
    return rx.el.div(
        rx.el.p(t("Your request was not taken."), class_name="alert"),
        _done_heading(t("Something in it can’t be right")),
        rx.el.ul(rx.foreach(browser.demo_errors, rx.el.li), class_name="refused"),
        contact(),
        rx.el.div(button(t("Edit"), browser.edit_again), class_name="dlg__act"),
    )


def _done_heading(*lines: str) -> rx.Component:
    parts = [part for each in lines for part in (rx.el.span(each), " ")]
    return rx.el.h3(*parts[:-1], tab_index=-1)
