"""The contact details that this browser remembers: asked for, filled in, changed, forgotten."""

import reflex as rx

from campus_app.ordering.rules.customer import ADDRESS
from campus_app.ordering.screens import remembered_react
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.constants import MAXIMUM_INPUT_CHARACTERS
from campus_app.shared.translations import t
from campus_app.shell.button import text_button
from campus_app.shell.icon import icon
from kit.text import gettext_noop

_BOX = "remember"
_FIELDS = (
    ("fullName", gettext_noop("Full name"), "text", "name"),
    ("email", gettext_noop("Email"), "email", "email"),
    ("phoneNumber", gettext_noop("Phone number"), "tel", "tel"),
)


def remember_box() -> rx.Component:
    """Render the box with which the visitor lets this browser remember the details of the form."""
    return rx.el.label(
        remembered_react.RememberBox.create(
            id=_BOX, campus=CustomerState.campus, aria_describedby=f"{_BOX}-hint"
        ),
        rx.el.span(
            t("Remember my details on this device"),
            rx.el.small(
                t(
                    "Only in this browser, for 90 days after your last order. "
                    "Leave it off on a shared computer."
                ),
                class_name="hint",
                id=f"{_BOX}-hint",
            ),
        ),
        class_name="tick",
    )


def as_remembered() -> rx.Component:
    """Render that the form shows what this browser remembers, while it does."""
    notice = rx.el.div(
        icon("tick"),
        rx.el.strong(t("Filled in as in your last order. Please check, then press NEXT.")),
        class_name="notice tip",
    )
    return remembered_react.WhileRemembered.create(notice, campus=CustomerState.campus)


def remembered_details() -> rx.Component:
    """Render the remembered details, which can be changed and forgotten here."""
    shown = rx.el.section(
        rx.el.h2(t("Your details"), class_name="block-title"),
        rx.el.p(
            t("Remembered in this browser alone, and filled in when you order."), class_name="hint"
        ),
        *(_field(*each) for each in _FIELDS),
        *(
            _field(ADDRESS, gettext_noop("Address"), "area", "street-address", campus)
            for campus in Campus
        ),
        text_button(
            t("Forget my details"), on_click=[remembered_react.forget, CustomerState.forget_details]
        ),
        class_name="remembered-details",
    )
    return rx.fragment(
        rx.cond(remembered_react.has_details, shown),
        rx.el.div(
            rx.cond(
                remembered_react.is_forgotten,
                rx.el.p(t("Forgotten. Your next order asks for them again.")),
            ),
            role="status",
        ),
    )


def _field(
    name: str, label: str, kind: str, auto_complete: str, campus: Campus | None = None
) -> rx.Component:
    of_campus = f" · {t(campus.place_name)}" if campus else ""
    id_ = f"remembered-{name}-{campus.value}" if campus else f"remembered-{name}"
    return rx.el.div(
        rx.el.label(t(label) + of_campus, html_for=id_),
        remembered_react.DetailField.create(
            id=id_,
            name=name,
            campus=campus.value if campus else "",
            kind=kind,
            auto_complete=auto_complete,
            max_length=MAXIMUM_INPUT_CHARACTERS,
            on_changed=CustomerState.forget_details,
        ),
        class_name="field",
    )
