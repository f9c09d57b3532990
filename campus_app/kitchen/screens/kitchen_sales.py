"""What a kitchen sells now: a switch for each dish, and the pause."""

from typing import Any, Final

import reflex as rx

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.catalogue.screens import statuses_react
from campus_app.kitchen.screens import kitchen_board_react
from campus_app.kitchen.screens.kitchen_board_react import NO_CONNECTION, is_live
from campus_app.kitchen.screens.kitchen_state import KitchenState
from campus_app.shared.rules.constants import PAUSE_MINUTES
from campus_app.shared.translations import t
from campus_app.shell.button import button
from campus_app.shell.choices_react import choose, chosen
from campus_app.shell.icon import icon
from campus_app.shell.layout import numbered_label
from kit.reflex.modal import Modal

_PAUSE: Final = "kitchenPause"
_OPEN: Final = "open"
_QUERY: Final = "kitchenQuery"
VIEW: Final = "kitchenView"
"""The name of the choice between the views of the board."""
State = KitchenState


def pause_controls() -> rx.Component:
    """Render 'Pause orders', or until when no orders are taken and how to end that."""
    kitchen = kitchen_board_react.restaurant_id
    back_at, state = statuses_react.back_at(kitchen), statuses_react.state_of(kitchen)
    return rx.fragment(
        rx.match(
            state,
            (
                RestaurantState.UNAVAILABLE.value,
                rx.cond(back_at != "", paused(back_at), rx.el.p(t("Closed by the operator"))),
            ),
            (RestaurantState.CLOSED.value, rx.el.p(t("Closed by the hours"))),
            button(t("Pause orders"), on_click=choose(_PAUSE, _OPEN)),
        ),
        pause_dialog(),
    )


def paused(back_at: Any) -> rx.Component:
    """Render when orders are taken again, and the button that takes them now."""
    return rx.el.p(
        rx.el.span(t("No orders until {time}", time=back_at), role="status"),
        button(t("Take orders again"), disabled=~is_live, on_click=State.pause(0)),
        class_name="paused",
    )


def pause_dialog() -> rx.Component:
    """Render the question how long no orders are taken."""
    close = choose(_PAUSE, "")
    title = t("No new orders for")
    return Modal.create(
        numbered_label("00", t("PAUSE")),
        rx.el.h2(title),
        rx.el.div(
            *(
                button(
                    t("{minutes} minutes", minutes=minutes),
                    look="primary centred",
                    disabled=~is_live,
                    on_click=[close, State.pause(minutes)],
                )
                for minutes in PAUSE_MINUTES
            ),
            class_name="pause-choices",
        ),
        rx.el.p(
            rx.cond(is_live, t("Orders that are being paid now still arrive."), t(NO_CONNECTION))
        ),
        rx.el.div(button(t("Don’t pause"), on_click=close), class_name="actions"),
        open=chosen(_PAUSE, "") == _OPEN,
        on_dismiss=close,
        class_name="sheet",
        aria_label=title,
    )


def sales() -> rx.Component:
    """Render a switch for each dish of the menu."""
    return rx.el.section(
        rx.el.h2(t("What is on sale")),
        rx.el.p(
            t("Switch off what is gone. It comes back at your next opening, or by this switch."),
            class_name="hint",
        ),
        rx.el.input(
            type="search",
            aria_label=t("Find a dish"),
            placeholder=t("Find a dish"),
            on_change=kitchen_board_react.choose_query(_QUERY),
            class_name="dish-query",
        ),
        rx.cond(
            kitchen_board_react.have_dishes_failed,
            rx.el.p(t("The menu can’t be read just now."), role="alert"),
        ),
        rx.el.ul(
            rx.foreach(kitchen_board_react.switchable_dishes(VIEW, _QUERY), dish_switch),
            class_name="dish-switches",
        ),
        class_name="kitchen-sales",
    )


def dish_switch(dish: Any) -> rx.Component:
    """Render a dish with its switch."""
    is_available = dish["isAvailable"]
    return rx.el.li(
        rx.el.span(
            dish["name"],
            rx.cond(dish["localName"] != "", rx.el.i(dish["localName"])),
            class_name="name",
        ),
        rx.el.span(
            rx.cond(is_available, t("On sale"), t("Sold out")),
            class_name="word",
            aria_hidden="true",
        ),
        rx.el.button(
            icon("tick"),
            type="button",
            role="switch",
            aria_checked=is_available,
            aria_label=t("{dish} available", dish=dish["name"]),
            disabled=~is_live,
            on_click=[
                kitchen_board_react.switch_dish(dish),
                State.set_dish(dish["id"], ~is_available),
            ],
            class_name="switch",
        ),
        class_name=rx.cond(is_available, "", "gone"),
        key=dish["id"],
    )
