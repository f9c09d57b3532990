"""The fields of a demo request, for the dialog and for browsers without scripts."""

from dataclasses import asdict
from typing import Any

import reflex as rx

from voice_site.components import browser
from voice_site.content import legal
from voice_site.content.plans import NO_PLAN, PERIOD, PLANS, Plan, WithoutPlan
from voice_site.content.samples import call_titles
from voice_site.domain.demo_request import FIELDS, HONEYPOT, USE_CASE, VARIANT, FieldRule
from voice_site.domain.estimate import FIGURES
from voice_site.translations import t

_ROWS = "2"


def dialog_fields() -> rx.Component:
    """Render the fields of the dialog, each with its error."""
    return rx.el.div(
        *(_dialog_field(rule) for rule in FIELDS), _honeypot("f"), class_name="entries"
    )


def plain_fields() -> rx.Component:
    """Render the same fields without errors, for browsers without scripts."""
    return rx.el.div(
        *(_plain_field(rule) for rule in FIELDS), _honeypot("plain"), class_name="entries"
    )


def dialog_use_case() -> rx.Component:
    """Render the optional question of the second step, with its error."""
    return _dialog_field(USE_CASE)


def plain_use_case() -> rx.Component:
    """Render the same question for browsers without scripts."""
    return _plain_field(USE_CASE)


def journey() -> rx.Component:
    """Render what travels with the request; `words` are named as in the component."""
    return browser.DemoJourney.create(
        fields=[asdict(each) for each in FIGURES],
        calls=call_titles(),
        words={
            "legend": t("What travels with your request"),
            "figures": t(
                "Your figures: {conversations} conversations a month, {agents} agents today,"
                " {share}% for TARA"
            ),
            "call": t("The call that you heard last: {call}"),
            "tried": t("You have tried the demonstration; what you said stays out"),
            "arrival": t("Where you came from: {places}"),
            "change": t("Change the figures"),
            "more": t(
                "The button that opened this form and the language of this page are sent too."
            ),
        },
    )


def consent() -> rx.Component:
    """Render what sending the form means, and the link to the privacy page, in a tab of its own."""
    return rx.el.p(
        t(legal.CONSENT),
        " ",
        rx.el.a(
            t(legal.PRIVACY.name),
            " ",
            rx.el.span(t("(opens in a new tab)"), class_name="sr-only"),
            href=legal.PRIVACY.route,
            target="_blank",
            rel="noopener",
        ),
        rx.el.input(type="hidden", name="consent", value=legal.CONSENT_VERSION, read_only=True),
        class_name="consent",
    )


def variants(prefix: str) -> rx.Component:
    """Render the variants as radio buttons; `prefix` makes their ids unique on the page."""
    return rx.el.fieldset(
        rx.el.legend(t("Variant"), class_name="sr-only"),
        rx.el.div(
            *(_variant(plan, prefix, _price(plan)) for plan in PLANS),
            _variant(NO_PLAN, prefix),
            class_name="picks",
        ),
    )


def _honeypot(prefix: str) -> rx.Component:
    """Render a field that is hidden from people, so that only bots fill it."""
    field_id = f"{prefix}-{HONEYPOT}"
    return rx.el.div(
        rx.el.label(t("Leave this empty"), html_for=field_id),
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


def _plain_field(rule: FieldRule) -> rx.Component:
    return rx.el.div(*_labelled(rule, f"plain-{rule.name}"), class_name="entry")


def _labelled(rule: FieldRule, field_id: str, **more: Any) -> tuple[rx.Component, ...]:
    optional = () if rule.is_required else (" ", rx.el.span(t("(optional)")))
    return (
        rx.el.label(t(rule.label), *optional, html_for=field_id),
        _control(rule, id=field_id, name=rule.name, required=rule.is_required, **more),
    )


def _control(rule: FieldRule, **more: Any) -> rx.Component:
    if rule.options:
        options = [rx.el.option(t(each), value=each) for each in rule.options]
        return rx.el.select(
            rx.el.option(t("Choose"), value=""), *options, data_message=t(rule.message), **more
        )
    if rule.kind == "multiline":
        return rx.el.textarea(
            max_length=rule.max_length, rows=_ROWS, data_message=t(rule.message), **more
        )
    if rule.pattern:
        more["pattern"] = rule.pattern
    return rx.el.input(
        type=rule.kind,
        auto_complete=rule.autocomplete,
        max_length=rule.max_length,
        data_message=t(rule.message),
        **more,
    )


def _price(plan: Plan) -> rx.Component:
    return rx.el.span(plan.price, " ", rx.el.small(t(PERIOD)), class_name="pr")


def _variant(variant: Plan | WithoutPlan, prefix: str, *price: rx.Component) -> rx.Component:
    summary_id = f"{prefix}-{variant.id}"
    return rx.el.label(
        rx.el.input(
            type="radio",
            name=VARIANT,
            value=variant.id,
            required=True,
            aria_label=t(variant.name),
            aria_describedby=summary_id,
            data_name=t(variant.name),
        ),
        rx.el.span(t(variant.name), class_name="nm"),
        *price,
        rx.el.span(t(variant.summary), class_name="li", id=summary_id),
        class_name="pick",
    )
