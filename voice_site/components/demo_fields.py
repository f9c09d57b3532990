"""The fields of a demo request, for the dialog and for browsers without scripts."""

from typing import Any

import reflex as rx

from voice_site.components import browser
from voice_site.content.plans import PERIOD, PLANS, Plan
from voice_site.domain.demo_request import FIELDS, HONEYPOT, VARIANT, FieldRule


def dialog_fields() -> rx.Component:
    """Render the fields of the dialog, each with its error."""
    return rx.el.div(
        *(_dialog_field(rule) for rule in FIELDS), _honeypot("f"), class_name="entries"
    )


def plain_fields() -> rx.Component:
    """Render the same fields without errors, for browsers without scripts."""
    entries = [
        rx.el.div(*_labelled(rule, f"plain-{rule.name}"), class_name="entry") for rule in FIELDS
    ]
    return rx.el.div(*entries, _honeypot("plain"), class_name="entries")


def variants(prefix: str) -> rx.Component:
    """Render the plans as radio buttons; `prefix` makes their ids unique on the page."""
    return rx.el.fieldset(
        rx.el.legend("Variant", class_name="sr-only"),
        rx.el.div(*(_variant(plan, prefix) for plan in PLANS), class_name="picks"),
    )


def _honeypot(prefix: str) -> rx.Component:
    """Render a field that is hidden from people, so that only robots fill it."""
    field_id = f"{prefix}-{HONEYPOT}"
    return rx.el.div(
        rx.el.label("Leave this empty", html_for=field_id),
        rx.el.input(id=field_id, name=HONEYPOT, tab_index=-1, auto_complete="off"),
        class_name="trap",
        aria_hidden=True,
    )


def _dialog_field(rule: FieldRule) -> rx.Component:
    error = browser.demo_error(rule.name)
    field_id = f"f-{rule.name}"
    more = {"aria_invalid": error != "", "aria_describedby": f"{field_id}-error"}
    return rx.el.div(
        *_labelled(rule, field_id, **more),
        rx.el.div(rx.cond(error != "", rx.el.p(error, class_name="err")), id=f"{field_id}-error"),
        class_name="entry",
    )


def _labelled(rule: FieldRule, field_id: str, **more: Any) -> tuple[rx.Component, ...]:
    optional = () if rule.is_required else (" ", rx.el.span("(optional)"))
    return (
        rx.el.label(rule.label, *optional, html_for=field_id),
        _control(rule, id=field_id, name=rule.name, required=rule.is_required, **more),
    )


def _control(rule: FieldRule, **more: Any) -> rx.Component:
    if rule.options:
        options = [rx.el.option(each, value=each) for each in rule.options]
        return rx.el.select(
            rx.el.option("Choose", value=""), *options, data_message=rule.message, **more
        )
    return rx.el.input(
        type=rule.kind,
        auto_complete=rule.autocomplete,
        max_length=rule.longest,
        data_message=rule.message,
        **more,
    )


def _variant(plan: Plan, prefix: str) -> rx.Component:
    summary_id = f"{prefix}-{plan.id}"
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=VARIANT,
            value=plan.id,
            required=True,
            aria_label=plan.name,
            aria_describedby=summary_id,
            data_name=plan.name,
        ),
        rx.el.span(plan.name, class_name="nm"),
        rx.el.span(plan.price, " ", rx.el.small(PERIOD), class_name="pr"),
        rx.el.span(plan.summary, class_name="li", id=summary_id),
        class_name="pick",
    )
