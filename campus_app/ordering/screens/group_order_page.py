"""/together/{restaurantId}?with=token: a group order, and the menu for its members."""

from typing import Any

import reflex as rx

from campus_app.catalogue.rules.restaurant import RestaurantState
from campus_app.catalogue.screens import menus_react
from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.dish_filters import filter_result, sorting_choice, veg_only
from campus_app.catalogue.screens.initial_statuses import live_feed
from campus_app.catalogue.screens.restaurant_card import why_closed
from campus_app.ordering.rules.group_order import GroupState
from campus_app.ordering.screens import cart_react, group_menu_react
from campus_app.ordering.screens.dish_card import Choice, dish_card
from campus_app.ordering.screens.group_members import GroupSheets, late_dishes
from campus_app.ordering.screens.group_order_state import GroupOrderState
from campus_app.ordering.screens.group_order_view import NEW, UNKNOWN
from campus_app.ordering.screens.group_slip import (
    IS_LOCKED,
    IS_OPEN,
    IS_ORDERED,
    MEMBERS_HEADING,
    STATUS,
    VIEW,
    slip,
)
from campus_app.ordering.screens.menu_page import (
    dishes_section,
    marks_explained,
)
from campus_app.ordering.screens.order_sheets import OrderSheets
from campus_app.ordering.screens.replace_cart import replace_cart_dialog
from campus_app.shared.rules import routes
from campus_app.shared.rules.constants import (
    GROUP_ORDER_HOURS,
    GROUP_REFUSAL_SECONDS,
    MAXIMUM_GROUP_GUESTS,
    MAXIMUM_GROUP_NAME_CHARACTERS,
)
from campus_app.shared.translations import t
from campus_app.shell import focus_react, page_react
from campus_app.shell.banner import banner
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon
from campus_app.shell.layout import loading_screen, screen, screen_head, to_restaurants
from campus_app.shell.timers_react import Timeout
from campus_app.shell.toast import problem_toast
from kit.reflex.binding import variable
from kit.reflex.connection_texts import ConnectionTexts
from kit.reflex.pages import Page
from kit.text import gettext_noop

_MS = 1000
_NAME_FIELD = "group-name"


def group_order_page() -> rx.Component:
    """Render the group order of the link, how to begin one, or why there is none."""
    return screen(
        OrderSheets.create(),
        GroupSheets.create(),
        rx.match(
            STATUS,
            (NEW, begin()),
            (UNKNOWN, no_group_order(t("There is no group order at this link."))),
            (GroupState.ENDED.value, no_group_order(t("This group order has ended."))),
            rx.cond(
                IS_OPEN | IS_LOCKED | IS_ORDERED, group_order(), loading_screen(t("Group order"))
            ),
        ),
        problem_toast(GroupOrderState.refusal, look="over-cart"),
        rx.cond(GroupOrderState.refusal != "", forget_refusal()),
        ConnectionTexts.create(
            words=t("No connection. The group order is kept, and changed when this line is gone."),
            silent=t("No answer from the server yet. The group order is kept."),
        ),
        replace_cart_dialog(),
        live_feed(),
        banner=banner(),
        has_foot=False,
    )


def forget_refusal() -> rx.Component:
    """Remove a refusal after a time: others may have changed what it says."""
    return Timeout.create(
        ms=GROUP_REFUSAL_SECONDS * _MS,
        on_done=GroupOrderState.forget_refusal,
        key=GroupOrderState.refusal,
    )


def head() -> rx.Component:
    """Render the restaurant's name, which comes with the view: the menu may load later or never."""
    name = VIEW["restaurant"]
    return screen_head("01", t("GROUP ORDER"), rx.cond(name, name, t("Group order")))


def begin() -> rx.Component:
    """Render what a group order is, and the form that begins one."""
    return rx.el.div(
        head(),
        rx.el.p(
            t(
                "Send a link, and each of you chooses dishes on their own phone. You see who has "
                "chosen what, and pay for all."
            )
        ),
        name_form(t("Begin a group order")),
        rx.el.p(
            t(
                "It has at most {guests} guests, and ends {hours} hours after its last change.",
                guests=MAXIMUM_GROUP_GUESTS,
                hours=GROUP_ORDER_HOURS,
            ),
            class_name="hint",
        ),
        class_name="wrap group-order narrow",
    )


def name_form(action: str) -> rx.Component:
    """Render the form for the visitor's name."""
    return rx.el.form(
        rx.el.div(
            rx.el.label(t("Your name"), html_for=_NAME_FIELD),
            rx.el.input(
                id=_NAME_FIELD,
                name="name",
                required=True,
                max_length=MAXIMUM_GROUP_NAME_CHARACTERS,
                auto_complete="given-name",
            ),
            class_name="field",
        ),
        button(action, icon("arrow"), look="primary asks", type="submit"),
        on_submit=GroupOrderState.join,
        reset_on_submit=False,
        class_name="name-form",
    )


def group_order() -> rx.Component:
    """Render the members with their dishes, and while it is open the menu."""
    return rx.fragment(
        closed_banner(),
        rx.el.div(
            head(),
            rx.el.div(state_line(), class_name="group-state", role="status"),
            rx.cond(IS_OPEN & ~VIEW["isMember"], join()),
            class_name="wrap group-order",
        ),
        rx.cond(
            IS_OPEN,
            rx.el.div(
                slip(),
                menu(),
                class_name=rx.match(
                    group_menu_react.restaurant_state,
                    (RestaurantState.OPEN.value, "wrap menu-body group-body"),
                    ("", "wrap menu-body group-body unknown"),
                    "wrap menu-body group-body closed",
                ),
                data_member=rx.cond(VIEW["isMember"], "true", "false"),
            ),
            rx.el.div(slip(), class_name="wrap group-alone"),
        ),
    )


def closed_banner() -> rx.Component:
    """Render the banner of a kitchen that takes no orders now."""
    state = group_menu_react.restaurant_state
    return rx.el.div(
        rx.cond(
            (state != "") & (state != RestaurantState.OPEN.value),
            rx.el.div(
                rx.el.div(
                    icon("warning"),
                    rx.el.p(
                        t("This kitchen takes no orders now."),
                        " ",
                        why_closed(group_menu_react.restaurant_id, group_menu_react.opens_at),
                    ),
                    class_name="wrap",
                ),
                class_name="notice-band",
            ),
        ),
        role="status",
    )


def menu_error() -> rx.Component:
    """Render that the menu could not be loaded, with a button to reload the page."""
    return rx.el.div(
        rx.el.p(t("The menu could not be loaded."), role="alert"),
        button(t("Retry"), icon("refresh"), on_click=page_react.reload_page),
        class_name="prose",
    )


def join() -> rx.Component:
    """Render the form that joins, or that there is no room."""
    return rx.cond(
        VIEW["isFull"],
        rx.el.p(t("This group order has no room for another guest."), class_name="notice"),
        focus_react.FocusNext.create(name_form(t("Join")), target=MEMBERS_HEADING),
    )


def state_line() -> rx.Component:
    """Render who pays, and whether dishes can be chosen now."""
    owner, is_owner = VIEW["owner"], VIEW["isOwner"]
    line = rx.match(
        STATUS,
        (
            GroupState.LOCKED.value,
            rx.fragment(
                rx.el.p(
                    icon("clock"),
                    rx.cond(
                        is_owner,
                        t("Locked: nobody can change dishes while you pay."),
                        t("Locked: {owner} is paying.", owner=owner),
                    ),
                ),
                rx.cond(
                    is_owner,
                    focus_react.FocusNext.create(
                        text_button(
                            t("Unlock, so that all can change dishes"),
                            on_click=GroupOrderState.unlock,
                        ),
                        target=MEMBERS_HEADING,
                    ),
                ),
            ),
        ),
        (
            GroupState.ORDERED.value,
            rx.fragment(
                rx.el.p(icon("tick"), t("Ordered and paid.")),
                rx.cond(
                    VIEW["late"].length() > 0,
                    rx.el.div(
                        rx.el.p(t("Chosen too late, and not in the order:")),
                        late_dishes(VIEW["late"]),
                    ),
                ),
            ),
        ),
        rx.el.p(
            rx.cond(
                is_owner,
                t("You pay for all. Send the link to the others."),
                rx.cond(
                    VIEW["isMember"],
                    t("{owner} pays for all.", owner=owner),
                    t("{owner} pays for all. Give your name to choose your dishes.", owner=owner),
                ),
            )
        ),
    )
    return rx.fragment(line)


def menu() -> rx.Component:
    """Render the menu; only members have buttons to choose."""
    return rx.el.div(
        rx.match(
            group_menu_react.status,
            (
                "ready",
                rx.fragment(
                    # Without the search: all pages load a script that four share (rxconfig.py).
                    rx.el.div(veg_only(), sorting_choice(), class_name="dish-filters"),
                    filter_result(group_menu_react.shown_count, group_menu_react.hidden_count),
                    rx.foreach(
                        group_menu_react.sections,
                        lambda section: dishes_section(section, _keyed_dish),
                    ),
                    marks_explained(),
                ),
            ),
            ("error", menu_error()),
            rx.el.div(*[rx.el.div(class_name="dish-skeleton")] * 6),
        )
    )


def _keyed_dish(dish: Any) -> rx.Component:
    return rx.fragment(group_dish(dish=dish), key=dish["testId"])


@rx.memo
def group_dish(dish: rx.Var[menus_react.Dish]) -> rx.Component:
    """Render a dish with the visitor's own quantity of it."""
    shown: Any = dish
    mine = VIEW["mine"]
    quantity = variable(f"({mine}?.[{shown['id']}] ?? 0)", None, int)
    return dish_card(
        shown,
        Choice(
            quantity,
            cart_react.line_total(shown, quantity),
            group_menu_react.is_sold_out(shown),
            asks=True,
        ),
        on_add=GroupOrderState.add_dish(shown["id"]),
        on_remove=GroupOrderState.remove_dish(shown["id"]),
    )


def no_group_order(why: str) -> rx.Component:
    """Render why there is no group order to show."""
    return rx.el.div(
        head(),
        rx.el.div(rx.el.p(why, role="alert"), to_restaurants(), class_name="prose"),
        class_name="wrap",
    )


PAGE = Page(
    route=routes.GROUP_ORDER,
    title=gettext_noop("Group order · FOOD_points"),
    description=gettext_noop("Choose your dishes of a group order, for which one of you pays."),
    content=group_order_page,
    on_load=[CampusState.refresh_statuses, GroupOrderState.open],
)
