"""Overlays: the connection problem, and the progress of a payment."""

import reflex as rx

from campus_app.shared.translations import t
from campus_app.shell import connection_react, focus_react, page_react
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label


def processing_overlay(
    label: str,
    title: str | rx.Var[str],
    message: str | rx.Var[str] | rx.Component,
    note: str = "",
) -> rx.Component:
    """Render a full-screen overlay with a spinner and a message."""
    return rx.el.div(
        rx.el.div(
            rx.el.div(class_name="spinner", aria_hidden="true"),
            rx.el.p(label, class_name="numbered-label"),
            rx.el.h1(title),
            rx.el.p(message),
            rx.el.p(note, class_name="processing-note") if note else rx.fragment(),
        ),
        class_name="overlay processing",
        role="status",
    )


def phone_link(phone: str) -> rx.Var[str]:
    """Return the `tel:` address of a phone number."""
    return "tel:" + rx.Var.create(phone).replace(" ", "")


def _phone_and_reload(phone: str) -> rx.Component:
    return rx.fragment(
        rx.el.a(icon("phone"), phone, class_name="phone-number", href=phone_link(phone)),
        button(
            t("TRY AGAIN"), icon("refresh"), look="primary wide", on_click=page_react.reload_page
        ),
    )


def _counting() -> rx.Component:
    return rx.el.div(
        rx.el.b(connection_react.problem_seconds, data_testid="overlay-countdown"),
        rx.el.span(t("Trying again on our own. Your cart is safe and nothing was charged.")),
        class_name="overlay-count",
    )


def connection_overlay(phone: str) -> rx.Component:
    """Render 10 s of automatic retries, then the restaurant's phone number and a reload button."""
    panel = rx.el.div(
        numbered_label("!!", t("CONNECTION")),
        rx.el.h2(t("Technical Issue Detected"), id="problem-title"),
        rx.el.p(
            t("Unable to connect to our servers. Please contact the restaurant directly"),
            id="problem-text",
        ),
        rx.cond(connection_react.problem_seconds > 0, _counting(), _phone_and_reload(phone)),
        focus_react.FocusTrap.create(target="problem"),
        class_name="overlay-panel",
        id="problem",
        role="alertdialog",
        aria_modal="true",
        aria_labelledby="problem-title",
        aria_describedby="problem-text",
        tab_index=-1,
    )
    return rx.cond(connection_react.is_problem_shown, rx.el.div(panel, class_name="overlay"))
