"""The slip beside the menu of a group order: who chose what, the sums, and the owner's button."""

from typing import Any, Final

import reflex as rx

from campus_app.ordering.rules.group_order import GroupState
from campus_app.ordering.screens import cart_react
from campus_app.ordering.screens.bill_slip import sum_line
from campus_app.ordering.screens.group_members import members_list
from campus_app.ordering.screens.group_order_state import GroupOrderState
from campus_app.shared.translations import t
from campus_app.shell import focus_react
from campus_app.shell.button import button
from campus_app.shell.icon import icon

MEMBERS_HEADING: Final = "group-members"
"""The id of the slip's heading, which gets the focus of buttons that disappear."""
VIEW: Final[Any] = GroupOrderState.view
STATUS: Final[Any] = VIEW["status"]
IS_OPEN: Final[Any] = GroupState.OPEN.value == STATUS
IS_LOCKED: Final[Any] = GroupState.LOCKED.value == STATUS
IS_ORDERED: Final[Any] = GroupState.ORDERED.value == STATUS


def slip() -> rx.Component:
    """Render the members with their dishes, the sums, and the owner's button."""
    return rx.el.aside(
        rx.el.div(
            rx.el.h2(t("Who chose what"), id=MEMBERS_HEADING, tab_index=-1),
            members_list(VIEW["members"], remove_button),
            rx.cond(
                IS_OPEN & VIEW["isMember"],
                rx.el.div(
                    cart_react.ShareLink.create(
                        icon("arrow"),
                        t("Send the link"),
                        path=VIEW["link"],
                        copied=t("The link is copied."),
                        look="button wide",
                    ),
                    class_name="slip-actions",
                ),
            ),
            class_name="group-members",
        ),
        bar(),
        class_name="cart group-slip",
        aria_label=t("Group order"),
    )


def remove_button(member: Any, dish: Any) -> rx.Component:
    """Render the owner's button that takes out a dish of a guest, or a guest without dishes."""
    is_guest = IS_OPEN & VIEW["isOwner"] & ~member["isOwner"]
    if dish is None:
        label = t("Take out {name}", name=member["name"])
        is_shown, dish_id = is_guest & (member["dishes"].length() == 0), ""
    else:
        label = t("Take out {dish} of {name}", dish=dish["name"], name=member["name"])
        is_shown, dish_id = is_guest, dish["id"]
    return rx.cond(
        is_shown,
        focus_react.FocusNext.create(
            rx.el.button(
                icon("cross"),
                type="button",
                aria_label=label,
                class_name="take-out asks",
                on_click=GroupOrderState.take_out(member["id"], dish_id),
            ),
            target=MEMBERS_HEADING,
        ),
    )


def bar() -> rx.Component:
    """Render the sums at current prices, and what comes next."""
    return rx.el.div(
        rx.el.dl(
            sum_line(t("Your dishes"), VIEW["myTotal"], test_id="my-total"),
            sum_line(t("All dishes"), VIEW["total"], test_id="group-total"),
            class_name="cart-sums",
        ),
        rx.cond(
            VIEW["isOwner"],
            rx.fragment(
                rx.match(
                    STATUS,
                    (GroupState.OPEN.value, go_on(t("LOCK AND GO ON"))),
                    (GroupState.LOCKED.value, go_on(t("GO ON TO PAY"))),
                    rx.fragment(),
                )
            ),
        ),
        class_name="cart-bar group-bar",
    )


def go_on(words: str) -> rx.Component:
    """Render the button to the order summary."""
    return button(words, icon("arrow"), look="primary wide asks", on_click=GroupOrderState.lock)
