"""/kitchen: the board of a kitchen, for an enrolled tablet or phone."""

from typing import Any, Final

import reflex as rx

from campus_app import routes
from campus_app.components.browser import focus, kitchen_board, page, statuses
from campus_app.components.browser.choices import Tabs, chosen
from campus_app.components.icon import icon
from campus_app.components.kitchen_ticket import dish_line, paper_ticket, ticket
from campus_app.components.layout import (
    basics,
    campus_clock,
    language_buttons,
    numbered_label,
    to_restaurants,
)
from campus_app.pages.banner import banner
from campus_app.pages.initial_statuses import live_feed
from campus_app.pages.kitchen_day import day_account
from campus_app.pages.kitchen_sales import VIEW, pause_controls, sales
from campus_app.states.campus import CampusState
from campus_app.states.kitchen import KitchenState
from campus_app.translations import t
from kit.reflex.binding import StyleSheets
from kit.reflex.pages import Page
from kit.text import gettext_noop

_PANEL: Final = "kitchen-panel"
State = KitchenState


class KitchenSheets(StyleSheets):
    """The style sheet of the kitchen board."""

    paths = ["$/public/css/kitchen.css"]


def kitchen_page() -> rx.Component:
    """Render the board, or how to enrol this device."""
    return rx.fragment(
        basics(),
        KitchenSheets.create(),
        focus.SkipLink.create(t("Skip to content"), target="main", class_name="skip-link"),
        rx.el.div(
            bar(),
            banner(),
            problem(),
            offline(),
            rx.el.main(
                rx.cond(
                    rx.State.is_hydrated & State.is_known & ~State.is_enrolled,
                    not_enrolled(),
                    rx.cond(kitchen_board.is_board_known, board(), loading()),
                ),
                id="main",
                tab_index=-1,
            ),
            class_name="kitchen",
        ),
        page.PrintOnly.create(
            rx.el.div(
                rx.foreach(kitchen_board.printed_tickets, paper_ticket), class_name="paper-tickets"
            )
        ),
        kitchen_board.PaperSize.create(),
        kitchen_board.KitchenFeed.create(
            board=State.board,
            checked_at=State.checked_at,
            closed=State.is_known & ~State.is_enrolled,
            confirmed=State.confirmed,
            hydrated=rx.State.is_hydrated,
            on_press=State.press,
            on_heartbeat=State.refresh,
        ),
        live_feed(),
        focus.FocusOnNavigation.create(),
    )


def bar() -> rx.Component:
    """Render the kitchen's name, the connection, the chime, the languages and the clock."""
    return rx.el.header(
        rx.el.div(
            rx.el.h1(
                rx.cond(
                    kitchen_board.is_board_known, kitchen_board.kitchen_name, t("Kitchen board")
                )
            ),
            connection(),
            class_name="kitchen-name",
        ),
        rx.cond(
            kitchen_board.is_board_known,
            rx.el.div(
                kitchen_board.KitchenAlarm.create(
                    off=t("Turn on sound"),
                    on=t("Sound is on"),
                    title=t("({count}) NEW ORDER"),
                    class_name="button sound",
                ),
                pause_controls(),
                class_name="kitchen-controls",
            ),
        ),
        rx.el.div(*language_buttons(), campus_clock(), class_name="bar-end"),
        class_name="kitchen-bar",
        on_unmount=State.close,
    )


def connection() -> rx.Component:
    """Render whether the board is live."""
    is_live = statuses.is_live & kitchen_board.is_board_fresh
    return rx.el.p(
        rx.cond(
            is_live,
            rx.el.span(t("LIVE"), class_name="live"),
            rx.el.span(t("Connecting"), class_name="live connecting"),
        ),
        class_name="kitchen-connection",
        role="status",
        data_testid="connection",
    )


def offline() -> rx.Component:
    """Render that the connection is lost, and how many presses wait to be sent."""
    waiting = kitchen_board.waiting_count
    return rx.el.div(
        rx.cond(
            ~(statuses.is_live & kitchen_board.is_board_fresh),
            rx.el.div(
                rx.el.span(t("No connection. New orders do not appear.")),
                rx.cond(
                    waiting > 0,
                    rx.el.span(t("Kept, and sent later: {count}", count=waiting)),
                    rx.el.span(t("What you press is kept, and sent later.")),
                ),
                class_name="kitchen-offline",
            ),
        ),
        role="status",
    )


def problem() -> rx.Component:
    """Render why the last change was not made."""
    return rx.el.div(
        rx.cond(State.problem != "", rx.el.p(icon("warning"), State.problem)),
        class_name="kitchen-problem",
        role="alert",
    )


def not_enrolled() -> rx.Component:
    """Render how this device gets the board."""
    return rx.el.div(
        numbered_label("00", t("KITCHEN")),
        rx.el.h2(t("This device has no kitchen")),
        rx.el.p(
            t("Kitchens get a link from the operator. Open that link on this device, once."),
            class_name="lead",
        ),
        to_restaurants("text-button"),
        class_name="kitchen-message",
    )


def loading() -> rx.Component:
    """Render that the board is on its way."""
    return rx.el.div(rx.el.p(t("Getting the orders…"), role="status"), class_name="kitchen-message")


def board() -> rx.Component:
    """Render the tabs and the view that is chosen."""
    orders, on_sale, day = t("Orders"), t("On sale"), t("Day")
    view = chosen(VIEW, orders)
    return rx.fragment(
        Tabs.create(
            name=VIEW, label=t("Kitchen board"), labels=[orders, on_sale, day], controls=_PANEL
        ),
        rx.el.div(
            rx.match(view, (on_sale, sales()), (day, day_account()), tickets()),
            id=_PANEL,
            role="tabpanel",
        ),
        rx.el.footer(
            t("Device {id}", id=kitchen_board.device_id), class_name="kitchen-foot figure"
        ),
    )


def tickets() -> rx.Component:
    """Render what is due in total, then the tickets: to cook, ready, handed over."""
    due, ready = kitchen_board.due_tickets, kitchen_board.ready_tickets
    in_total = t("To cook in total")
    return rx.el.div(
        rx.el.section(
            rx.el.h2(in_total),
            rx.cond(
                kitchen_board.due_dishes.length() > 0,
                # A list that scrolls must be reachable by keyboard.
                rx.el.ul(
                    rx.foreach(kitchen_board.due_dishes, dish_line),
                    tab_index=0,
                    aria_label=in_total,
                ),
                rx.el.p(t("Nothing is due.")),
            ),
            class_name="due-dishes",
            data_testid="due-dishes",
        ),
        rx.el.div(
            rx.cond(
                due.length() + ready.length() > 0,
                rx.fragment(),
                nothing_to_do(),
            ),
            ticket_list(t("To cook"), due),
            ticket_list(t("Ready"), ready),
            handed_over(),
            class_name="ticket-lists",
        ),
        class_name="kitchen-orders",
    )


def nothing_to_do() -> rx.Component:
    """Render that there are no orders."""
    return rx.el.div(
        rx.el.h2(t("No orders to cook")),
        rx.el.p(t("The next paid order appears here within a second.")),
        class_name="kitchen-message",
    )


def ticket_list(title: str, orders: Any) -> rx.Component:
    """Render tickets below a title with their number; nothing without tickets."""
    count = orders.length()
    return rx.cond(
        count > 0,
        rx.el.section(
            rx.el.h2(title, " ", rx.el.span(count, class_name="figure")),
            rx.el.div(rx.foreach(orders, ticket), class_name="tickets"),
        ),
    )


def handed_over() -> rx.Component:
    """Render the tickets that were handed over, folded."""
    done = kitchen_board.done_tickets
    count = done.length()
    return rx.cond(
        count > 0,
        rx.el.details(
            rx.el.summary(t("Handed over"), " ", rx.el.span(count, class_name="figure")),
            rx.el.div(rx.foreach(done, ticket), class_name="tickets"),
            class_name="handed-over",
        ),
    )


PAGE = Page(
    route=routes.KITCHEN,
    title=gettext_noop("Kitchen board · FOOD_points"),
    description=gettext_noop("The paid orders of a kitchen, on its own device."),
    content=kitchen_page,
    on_load=[KitchenState.open, CampusState.refresh_statuses],
)
