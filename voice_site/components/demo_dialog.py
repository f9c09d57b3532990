"""Request Enterprise Demo: a dialog of three steps, and a form for browsers without scripts."""

import reflex as rx

from kit.reflex.modal import Modal
from voice_site.components import browser
from voice_site.components.demo_fields import dialog_fields, plain_fields, variants
from voice_site.components.layout import button, close_button, definitions, lede
from voice_site.content.company import COMPANY

_TITLE = "Request Enterprise Demo"
_STEPS = ["You and your company", "A variant", "Confirmation"]


def demo_dialog() -> rx.Component:
    """Render the dialog: contact and company, a variant, and the outcome of the request."""
    side = rx.el.div(
        rx.el.h2(_TITLE, id="demo-h", tab_index=-1),
        rx.el.p("For any TARA plan.", class_name="note"),
        browser.DemoSteps.create(names=_STEPS, class_name="steps"),
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
    return rx.fragment(modal, browser.DemoSession.create())


def plain_form() -> rx.Component:
    """Render the whole request in one form, for browsers without scripts."""
    return rx.el.noscript(
        rx.el.form(
            rx.el.h3(_TITLE, class_name="h-2"),
            plain_fields(),
            variants("plain"),
            rx.el.button("Request Demo", type="submit", class_name="btn"),
            action="/api/demo-requests",
            method="post",
            class_name="plain-demo",
        )
    )


def _step_heading(words: str) -> rx.Component:
    return rx.el.h3(words, class_name="dlg__h", tab_index=-1)


def _first_step() -> rx.Component:
    return browser.DemoForm.create(
        _step_heading("Contact and company"),
        dialog_fields(),
        rx.el.div(
            rx.el.span("All fields are required unless marked optional.", class_name="label"),
            rx.el.button("Next Step", type="submit", class_name="btn"),
            class_name="dlg__act",
        ),
        step=1,
    )


def _second_step() -> rx.Component:
    sending = browser.is_demo_sending
    return browser.DemoForm.create(
        _step_heading("Pick a variant"),
        variants("v"),
        rx.el.div(
            button("Previous", browser.previous_step, is_quiet=True, disabled=sending),
            rx.el.button(
                rx.cond(sending, "Submitting...", "Request Demo"),
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
        _done_heading("Thank you.", "We have your request."),
        lede("We will contact you within 24 hours."),
        definitions(
            ("Reference", rx.el.span(browser.sent_reference, class_name="num")),
            ("Variant", browser.sent_variant),
            ("We reply to", browser.sent_email),
        ),
        rx.el.div(
            rx.el.button(
                "Listen to TARA",
                type="button",
                class_name="txt",
                on_click=browser.leave_demo_to_listen,
            ),
            button("Close", browser.close_demo),
            class_name="dlg__act",
        ),
    )


_STORED = (
    "Kept on this device for now",
    "We try again by ourselves; the 24 hours begin when it arrives. You can also write to us.",
)
_UNSAVED = (
    "Not sent, and not kept",
    "This browser keeps nothing for us. We try again while this page is open; please write to us"
    " if you leave before that.",
)


def _unreached(title: str, words: str) -> rx.Component:
    return rx.el.div(
        rx.el.p("Your request has not reached us yet.", class_name="alert"),
        _done_heading(title),
        lede(words),
        _contact(),
        rx.el.div(
            button("Close", browser.close_demo, is_quiet=True),
            button(
                rx.cond(browser.is_demo_sending, "Submitting...", "Try again now"),
                browser.try_again,
                aria_disabled=browser.is_demo_sending,
            ),
            class_name="dlg__act",
        ),
    )


def _refused() -> rx.Component:
    return rx.el.div(
        rx.el.p("Your request was not taken.", class_name="alert"),
        _done_heading("Something in it can’t be right"),
        rx.el.ul(rx.foreach(browser.refused_fields, rx.el.li), class_name="refused"),
        _contact(),
        rx.el.div(button("Edit", browser.edit_again), class_name="dlg__act"),
    )


def _contact() -> rx.Component:
    return definitions(
        ("Email", rx.el.a(COMPANY.email, href=COMPANY.mail_link)),
        ("Phone", rx.el.span(COMPANY.phone, class_name="num")),
    )


def _done_heading(*lines: str) -> rx.Component:
    parts = [part for each in lines for part in (rx.el.span(each), " ")]
    return rx.el.h3(*parts[:-1], tab_index=-1)
