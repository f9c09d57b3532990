"""A field of a form: label, hint, control, error, tied together."""

from dataclasses import dataclass
from typing import Any, Literal

import reflex as rx

from campus_app.components import browser
from campus_app.components.icon import icon
from campus_app.translations import t


@dataclass(frozen=True)
class FieldSpec:
    """The fixed properties of a field; its label and hint are marked with `gettext_noop`."""

    name: str
    label: str
    kind: Literal["text", "email", "tel", "area"]
    autocomplete: str
    hint: str = ""


@dataclass(frozen=True)
class FieldState:
    """The variable properties of a field: its value and its error."""

    value: str
    error: str


def text_field(
    spec: FieldSpec, state: FieldState, on_edit: Any, on_leave: Any, *, hint: Any = None
) -> rx.Component:
    """A text box, or an area for an address; what is typed stays the browser's until it is left.

    `hint` replaces the one of the spec where it depends on something.
    """
    error = state.error
    described = " ".join([f"{spec.name}-hint"] * bool(spec.hint) + [f"{spec.name}-error"])
    control = browser.DraftField.create(
        kind=spec.kind,
        id=spec.name,
        name=spec.name,
        draft_key=browser.draft_key(spec.name),
        value=state.value,
        auto_complete=spec.autocomplete,
        aria_describedby=described,
        aria_invalid=error != "",
        on_change=on_edit,
        on_blur=on_leave,
    )
    return rx.el.div(
        rx.el.label(t(spec.label), html_for=spec.name),
        rx.el.span(
            t(spec.hint) if hint is None else hint, class_name="hint", id=f"{spec.name}-hint"
        )
        if spec.hint
        else rx.fragment(),
        control,
        rx.el.div(
            rx.cond(error != "", rx.el.p(icon("warning"), error, class_name="field-error")),
            id=f"{spec.name}-error",
        ),
        class_name="field",
    )
