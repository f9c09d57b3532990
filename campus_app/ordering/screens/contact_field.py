"""A field of the contact details: label, hint, control and error, tied together."""

from dataclasses import dataclass
from typing import Any, Literal

import reflex as rx

from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.remembered_react import remembered
from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS
from campus_app.shared.translations import t
from campus_app.shell.fields_react import DraftField
from campus_app.shell.icon import icon


@dataclass(frozen=True)
class FieldSpec:
    """The fixed properties of a field; its label and hint are marked with `gettext_noop`."""

    name: str
    label: str
    kind: Literal["text", "email", "tel", "area"]
    autocomplete: str
    hint: str = ""
    blank: str = ""
    """What an empty field shows when the visitor leaves it."""


def contact_field(
    spec: FieldSpec, *, hint: Any = None, subject: Any = "", replaces: Any = ""
) -> rx.Component:
    """Render a field of `CustomerState`; a variable `hint` replaces the one of the spec.

    Each `subject` has a text of its own in the browser. The value replaces the typed text
    `replaces`.
    """
    name = spec.name
    error = CustomerState.errors[name]
    described_by = f"{name}-hint {name}-error" if spec.hint else f"{name}-error"
    control = DraftField.create(
        kind=spec.kind,
        id=name,
        name=name,
        value=CustomerState.values[name],
        subject=subject,
        replaces=replaces,
        blank=spec.blank,
        otherwise=remembered(name, CustomerState.campus),
        auto_complete=spec.autocomplete,
        # A longer text would exceed the limit of a message, and close the socket at each attempt.
        max_length=MAXIMUM_INPUT_CHARACTERS,
        aria_describedby=described_by,
        aria_invalid=error != "",
        # Other edits need no event: leaving the field sends its value.
        on_change=rx.cond(
            (error != "") | (CustomerState.confirmed_email != ""),
            CustomerState.edit(name),
            rx.noop(),
        ),
        on_blur=lambda value: CustomerState.store_value(name, value),
    )
    words = t(spec.hint) if hint is None else hint
    return rx.el.div(
        rx.el.label(t(spec.label), html_for=name),
        rx.el.span(words, class_name="hint", id=f"{name}-hint") if spec.hint else rx.fragment(),
        control,
        rx.el.div(
            rx.cond(error != "", rx.el.p(icon("warning"), error, class_name="field-error")),
            id=f"{name}-error",
        ),
        class_name="field",
    )
