"""What a kitchen can't cook: the dialog that says so, and what the ticket shows of it.

Source: specification 10.67.
"""

from collections.abc import Mapping
from typing import Any, Final

import reflex as rx

from campus_app.kitchen.screens import kitchen_board_react
from campus_app.kitchen.screens.kitchen_board_react import NO_CONNECTION, is_live
from campus_app.kitchen.screens.kitchen_state import KitchenState
from campus_app.ordering.rules.shortage import WHOLE_ORDER, ShortageReason
from campus_app.shared.translations import t
from campus_app.shell.button import button, text_button
from campus_app.shell.choices_react import choose, chosen
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label
from kit.reflex.modal import Modal
from kit.text import gettext_noop

_REASON: Final = "shortageReason"
_FIRST: Final = ShortageReason.DISH_GONE
REASONS: Final[Mapping[str, str]] = {
    ShortageReason.DISH_GONE: gettext_noop("Dish is gone"),
    ShortageReason.NO_GAS: gettext_noop("No gas"),
    ShortageReason.CLOSING: gettext_noop("Closing"),
    ShortageReason.OTHER: gettext_noop("Something else"),
}
State = KitchenState


def shortage_button(order: Any) -> rx.Component:
    """Render the button that opens the dialog for a ticket."""
    return text_button(
        icon("cross"),
        t("Can’t cook it"),
        aria_label=t("Can’t cook order {number}", number=order["number"]),
        aria_haspopup="dialog",
        on_click=kitchen_board_react.open_shortages(order),
    )


def shortages(order: Any) -> rx.Component:
    """Render the dishes of a ticket that wait for the customer's choice."""
    return rx.foreach(order["shortages"], lambda each: shortage(order, each))


def shortage(order: Any, each: Any) -> rx.Component:
    """Render that a dish can't be cooked, until when the customer chooses, and how to undo it."""
    name = rx.cond(each["name"] != "", each["name"], t("The whole order"))
    return rx.el.div(
        icon("cross"),
        rx.el.span(
            rx.el.b(name),
            " ",
            rx.cond(
                each["until"] != "",
                t("can’t be cooked. The customer chooses until {time}.", time=each["until"]),
                t("can’t be cooked."),
            ),
        ),
        rx.el.button(
            icon("back"),
            rx.el.span(t("Undo")),
            type="button",
            class_name="undo-now",
            aria_label=t("Undo: {dish} can be cooked", dish=name),
            disabled=~is_live,
            on_click=State.undo_shortage(order["id"], each["dishId"]),
        ),
        class_name="kitchen-note shortage",
        role="status",
        key=each["dishId"],
    )


def shortage_dialog() -> rx.Component:
    """Render the question what can't be cooked of the chosen ticket, and why."""
    return rx.foreach(
        kitchen_board_react.shortage_tickets,
        lambda order: Modal.create(
            numbered_label("00", t("CAN’T COOK IT")),
            rx.el.h2(t("Order {number}", number=order["number"])),
            reasons(),
            rx.el.p(
                rx.cond(
                    is_live,
                    t("Press what you can’t cook. The customer is told in 10 seconds."),
                    t(NO_CONNECTION),
                )
            ),
            rx.el.div(
                rx.foreach(order["lines"], lambda line: dish_button(order, line)),
                what_button(order, WHOLE_ORDER, t("The whole order")),
                class_name="shortage-choices",
            ),
            rx.el.div(button(t("We can cook it"), on_click=_close()), class_name="actions"),
            open=True,
            on_dismiss=_close(),
            class_name="sheet",
            aria_label=t("Can’t cook order {number}", number=order["number"]),
            key=order["id"],
        ),
    )


def reasons() -> rx.Component:
    """Render the reasons, of which one is chosen."""
    return rx.el.div(
        *(
            rx.el.button(
                t(words),
                type="button",
                class_name="button",
                aria_pressed=rx.cond(chosen(_REASON, _FIRST) == str(reason), "true", "false"),
                on_click=choose(_REASON, reason),
            )
            for reason, words in REASONS.items()
        ),
        role="group",
        aria_label=t("Why?"),
        class_name="shortage-reasons",
    )


def dish_button(order: Any, line: Any) -> Any:
    """Render the button of a dish, unless it is known to be short."""
    name = rx.fragment(rx.el.b(line["quantity"], "×", class_name="figure"), line["name"])
    return rx.cond(line["isShort"], rx.fragment(), what_button(order, line["id"], name))


def what_button(order: Any, dish_id: Any, words: Any) -> rx.Component:
    """Render the press that says that a dish, or the whole order, can't be cooked."""
    return button(
        words,
        disabled=~is_live,
        on_click=[
            State.report_shortage(order["id"], dish_id, chosen(_REASON, _FIRST)),
            *_close(),
        ],
    )


def _close() -> list[Any]:
    return [choose(kitchen_board_react.SHORTAGE_OF, ""), choose(_REASON, _FIRST)]
