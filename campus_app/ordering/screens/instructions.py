"""The special instructions: notes for the kitchen and for the door, and 'no cutlery'."""

import reflex as rx

from campus_app.ordering.rules.instructions import DOOR_NOTE, KITCHEN_NOTE, NO_CUTLERY
from campus_app.ordering.screens.customer_state import CustomerState
from campus_app.ordering.screens.reservation_state import ReservationState
from campus_app.shared.rules.constants import MAXIMUM_NOTE_CHARACTERS
from campus_app.shared.translations import t
from campus_app.shell.fields_react import DraftField


def instructions() -> rx.Component:
    """Render the optional fields, folded while all are empty (draft_field.jsx).

    An order for a table has only the kitchen's note. Source: specification 10.60.
    """
    at_the_door = rx.el.div(
        note(
            DOOR_NOTE,
            t("Note for the door"),
            t("Which gate, where to leave it, when not to ring."),
        ),
        no_cutlery(),
        # The server says whether it is a delivery.
        class_name=rx.cond(CustomerState.restaurant != "", "", "unseen"),
    )
    is_for_table = ReservationState.is_ordering
    return rx.el.details(
        rx.el.summary(
            rx.el.span(t("Special instructions"), class_name="block-title"),
            rx.el.span(
                rx.cond(
                    is_for_table,
                    t("A note for the kitchen."),
                    t("Notes for the kitchen and the door, no cutlery."),
                ),
                class_name="hint",
            ),
        ),
        rx.el.p(
            t("All optional, up to {count} letters each.", count=MAXIMUM_NOTE_CHARACTERS),
            class_name="hint",
        ),
        note(
            KITCHEN_NOTE,
            t("Note for the kitchen"),
            t("Allergies, less spice, no onion."),
            cart=CustomerState.cart_key,
        ),
        rx.cond(is_for_table, rx.fragment(), at_the_door),
        class_name="instructions",
    )


def note(name: str, label: str, hint: str, cart: str | rx.Var[str] = "") -> rx.Component:
    """Render the text box of a note, which may be about one `cart`, given by its key."""
    return rx.el.div(
        rx.el.label(label, html_for=name),
        rx.el.span(hint, class_name="hint", id=f"{name}-hint"),
        DraftField.create(
            kind="area",
            id=name,
            name=name,
            subject=cart,
            value=CustomerState.values[name],
            max_length=MAXIMUM_NOTE_CHARACTERS,
            rows=2,
            aria_describedby=f"{name}-hint",
            on_blur=lambda value: CustomerState.store_value(name, value, cart),
        ),
        class_name="field",
    )


def no_cutlery() -> rx.Component:
    """Render the box that leaves out the cutlery."""
    return rx.el.label(
        DraftField.create(
            kind="checkbox",
            id=NO_CUTLERY,
            name=NO_CUTLERY,
            value=CustomerState.values[NO_CUTLERY],
            on_blur=lambda value: CustomerState.store_value(NO_CUTLERY, value),
        ),
        rx.el.span(
            t("No cutlery, please"),
            rx.el.small(t("Spoons and forks stay in the kitchen."), class_name="hint"),
        ),
        class_name="tick",
    )
