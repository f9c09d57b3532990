"""The orders of this browser, each with its receipt and 'Order again'."""

from typing import Any

import reflex as rx

from campus_app.ordering.screens.kitchen_progress import kitchen_progress
from campus_app.ordering.screens.own_orders_state import TITLE_ID, OwnOrdersState
from campus_app.ordering.screens.remembered import remembered_details
from campus_app.ordering.screens.reorder_state import ReorderState
from campus_app.ordering.screens.replace_cart import replace_cart_dialog
from campus_app.shared.translations import t
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon
from campus_app.shell.timers_react import Interval

State = OwnOrdersState


def own_orders() -> rx.Component:
    """Render the list, or why it is empty, and the button that forgets it."""
    # Before hydration, the state may be that of an earlier visit.
    is_known = rx.State.is_hydrated & State.is_known
    # Another tab may have forgotten them.
    has_orders = is_known & (State.tokens != "") & (rx.Var.create(State.orders).length() > 0)
    return rx.el.section(
        rx.el.h2(t("On this device"), class_name="block-title", id=TITLE_ID, tab_index=-1),
        rx.el.div(
            rx.cond(
                State.has_failed,
                failure(),
                rx.cond(
                    is_known,
                    rx.cond(has_orders, rx.fragment(), nothing_here()),
                    rx.el.p(t("Looking for your orders…")),
                ),
            ),
            role="status",
        ),
        rx.cond(
            has_orders,
            rx.fragment(
                rx.el.ol(rx.foreach(State.orders, order_row), class_name="own-orders"),
                rx.el.p(
                    t("Only this browser lists them. Forgetting them changes no order."),
                    class_name="hint",
                ),
                text_button(t("Forget these orders"), on_click=State.forget),
            ),
        ),
        rx.cond(
            rx.State.is_hydrated & (State.poll_ms > 0),
            Interval.create(ms=State.poll_ms, on_tick=State.refresh),
        ),
        remembered_details(),
        replace_cart_dialog(),
        class_name="own-orders-block",
    )


def nothing_here() -> rx.Component:
    """Render that there are no orders, and how to get forgotten ones back."""
    return rx.cond(
        State.is_forgotten,
        rx.el.p(
            t("Forgotten. Your receipts are in your e-mail."),
            " ",
            text_button(t("Undo"), on_click=State.undo, auto_focus=True),
        ),
        rx.el.p(t("No orders yet. The next one you place here will be listed.")),
    )


def failure() -> rx.Component:
    """Render that the orders could not be read, with another try."""
    return rx.el.p(
        t("Your orders can’t be reached just now."),
        " ",
        text_button(t("Try again"), on_click=State.refresh),
    )


def order_row(order: Any) -> rx.Component:
    """Render an order: its number, state, kitchen, dishes, time and total."""
    number, number_id = f"#{order['number']}", f"number-{order['number']}"
    return rx.el.li(
        rx.el.p(
            rx.cond(
                order["path"] != "",
                rx.el.a(number, href=order["path"], class_name="figure", id=number_id),
                rx.el.span(number, class_name="figure", id=number_id),
            ),
            rx.el.span(order["placed"], class_name="placed"),
        ),
        rx.el.div(
            rx.el.h3(order["restaurant"], id=f"kitchen-{order['number']}"),
            rx.el.p(order["dishes"], class_name="dishes"),
            kitchen_progress(order["token"]),
            class_name="what",
        ),
        rx.el.p(
            rx.el.span(
                rx.cond(order["is_paid"], icon("tick"), icon("clock")),
                rx.el.span(order["state"]),
                class_name=rx.cond(order["is_paid"], "order-state paid", "order-state"),
            ),
            rx.el.span(order["total"], class_name="figure total"),
            class_name="sum",
        ),
        button(
            t("Order again"),
            icon("refresh"),
            look="asks",
            on_click=ReorderState.order_again(order["token"]),
            aria_describedby=f"{number_id} kitchen-{order['number']}",
        ),
        data_testid=f"order-{order['number']}",
        key=order["token"],
    )
