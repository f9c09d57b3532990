"""The orders on a kitchen board, as its cooks and its counter see them."""

from typing import Any

import reflex as rx

from campus_app.kitchen.screens import kitchen_board_react
from campus_app.kitchen.screens.kitchen_ticket import dish_line, ticket
from campus_app.shared.translations import t


def for_cook() -> rx.Component:
    """Render what is to be cooked in total, then the tickets: to cook, ready, handed over."""
    cook, ready, done = (
        kitchen_board_react.placed_tickets(each) for each in ("cook", "ready", "done")
    )
    return orders_view(
        "cook-view", to_cook(cook, due_dishes()), ready_tickets(ready), handed_over(done)
    )


def for_counter() -> rx.Component:
    """Render the tickets with addresses: those that are ready first."""
    cook, ready, done = (
        kitchen_board_react.placed_tickets(each) for each in ("cook", "ready", "done")
    )
    return orders_view("counter-view", ready_tickets(ready), to_cook(cook), handed_over(done))


def orders_view(look: str, *lists: rx.Component) -> rx.Component:
    """Render the lists of tickets, or that there are none."""
    is_idle = (
        kitchen_board_react.placed_tickets("cook").length()
        + kitchen_board_react.placed_tickets("ready").length()
        == 0
    )
    return rx.el.div(
        rx.cond(is_idle, nothing_to_do(), rx.fragment()),
        *lists,
        class_name=f"ticket-lists {look}",
        key=look,
    )


def to_cook(orders: Any, totals: rx.Component | None = None) -> rx.Component:
    """Render the tickets that are not ready below their number, now and later."""
    later = kitchen_board_react.later_count
    return rx.cond(
        orders.length() > 0,
        rx.el.section(
            rx.el.h2(
                rx.el.span(t("To cook"), " ", rx.el.b(kitchen_board_react.due_count)),
                rx.cond(later > 0, rx.el.span(t("Later"), " ", rx.el.b(later))),
                data_testid="to-cook",
            ),
            totals or rx.fragment(),
            kitchen_board_react.TicketColumns.create(rx.foreach(orders, ticket)),
            class_name="to-cook",
        ),
    )


def due_dishes() -> rx.Component:
    """Render the number of units of each dish that is to be cooked now."""
    return rx.el.ul(
        rx.foreach(kitchen_board_react.due_dishes, dish_line),
        tab_index=0,  # a list that scrolls must be reachable by keyboard
        aria_label=t("To cook in total"),
        class_name="due-dishes",
        data_testid="due-dishes",
    )


def ready_tickets(orders: Any) -> rx.Component:
    """Render the tickets that wait to be handed over, below their number."""
    return rx.cond(
        orders.length() > 0,
        rx.el.section(
            rx.el.h2(rx.el.span(t("Ready"), " ", rx.el.b(orders.length()))),
            kitchen_board_react.TicketColumns.create(rx.foreach(orders, ticket)),
        ),
    )


def handed_over(orders: Any) -> rx.Component:
    """Render the tickets that were handed over, folded."""
    count = orders.length()
    return rx.cond(
        count > 0,
        rx.el.details(
            rx.el.summary(t("Handed over"), " ", rx.el.span(count, class_name="figure")),
            kitchen_board_react.TicketColumns.create(rx.foreach(orders, ticket)),
            class_name="handed-over",
        ),
    )


def nothing_to_do() -> rx.Component:
    """Render that there are no orders."""
    return rx.el.div(
        rx.el.h2(t("No orders to cook")),
        rx.el.p(t("The next paid order appears here within a second.")),
        class_name="kitchen-message",
    )
