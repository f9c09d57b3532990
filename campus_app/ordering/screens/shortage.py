"""The question what becomes of a dish that the kitchen can't cook. Source: specification 10.67."""

from typing import Any, Final

import reflex as rx

from campus_app.ordering.rules.shortage import CANCELLED, CHOOSE, ShortageAnswer
from campus_app.ordering.screens.cooking_state import CookingProgressState
from campus_app.ordering.screens.receipt_state import ReceiptState
from campus_app.ordering.screens.shortage_state import ShortageState
from campus_app.shared.translations import t
from campus_app.shell.button import button
from campus_app.shell.focus_react import FocusNext
from campus_app.shell.icon import icon
from campus_app.shell.timers_react import Interval

_REFRESH_MS: Final = 10_000
"""How often the choices are read again: another dish may be short, or the time over."""
State = ShortageState


def shortage_choices() -> rx.Component | rx.Var[Any]:
    """Render the choices for the order on the receipt while there are any."""
    progress = CookingProgressState.states.get(ReceiptState.facts["token"], "")
    return rx.match(
        progress,
        (
            CHOOSE,
            rx.el.div(
                rx.foreach(State.choices, choice),
                Interval.create(ms=_REFRESH_MS, on_tick=State.show),
                on_mount=State.show,
                on_unmount=State.show,  # another tab, or the kitchen, has answered
                class_name="shortage-questions",
                key=CHOOSE,
            ),
        ),
        # The receipt then says how the money goes back.
        (CANCELLED, rx.el.div(on_mount=State.show, key=CANCELLED)),
        rx.fragment(),
    )


def choice(each: Any) -> rx.Component:
    """Render a dish that can't be cooked, and what may be chosen."""
    heading_id = f"short-{each['dish_id']}"
    question = rx.el.section(
        rx.el.div(
            rx.el.h2(
                icon("warning"),
                rx.el.span(t("The kitchen can’t cook {dish}", dish=each["dish"])),
                id=heading_id,
            ),
            role="alert",
        ),
        rx.el.p(
            rx.cond(each["reason"] != "", rx.fragment(each["reason"], " ")),
            t(
                "Please choose until {time}. Without your choice the order is cancelled, and all "
                "your money goes back.",
                time=each["until"],
            ),
        ),
        rx.cond(each["instead"].length() > 0, another_dish(each)),
        rx.cond(
            each["less"] != "",
            option(t("The rest without it"), each["less"], choose(each, ShortageAnswer.DISH_BACK)),
        ),
        folded(
            t("Cancel the whole order"),
            rx.el.p(
                t("{amount} goes back to the account it was paid from.", amount=each["whole"]),
                class_name="hint",
            ),
            answer_button(t("Yes, cancel it"), choose(each, ShortageAnswer.ORDER_BACK)),
        ),
        aria_labelledby=heading_id,
        class_name="shortage-question",
    )
    # Without a target the focus of an answered question moves to the heading.
    return rx.fragment(FocusNext.create(question, target=""), key=each["dish_id"])


def another_dish(each: Any) -> rx.Component:
    """Render the dishes of the same price, folded."""
    return folded(
        t("Another dish for {price}", price=each["price"]),
        rx.foreach(
            each["instead"],
            lambda dish: rx.fragment(
                answer_button(dish["name"], choose(each, ShortageAnswer.REPLACED, dish["id"])),
                key=dish["id"],
            ),
        ),
    )


def folded(words: str, *content: Any) -> rx.Component:
    """Render what a button unfolds, so that no choice is made by a single tap that slipped."""
    return rx.el.details(
        rx.el.summary(words, icon("more"), class_name="button wide"),
        rx.el.div(*content),
        class_name="folded-choice",
    )


def answer_button(words: Any, on_click: Any) -> rx.Component:
    """Render the button of a choice, which is not made without a connection."""
    return button(words, look="wide asks", on_click=on_click)


def option(words: str, consequence: Any, on_click: Any) -> rx.Component:
    """Render a choice as a button, and what follows from it."""
    return rx.el.div(
        answer_button(words, on_click),
        rx.el.p(consequence, class_name="hint"),
        class_name="shortage-option",
    )


def choose(each: Any, answer: ShortageAnswer, instead: Any = "") -> Any:
    """Return the event of a choice."""
    return State.choose(each["dish_id"], answer.value, instead)
