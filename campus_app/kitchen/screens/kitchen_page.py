"""/kitchen: the board of a kitchen, for an enrolled tablet or phone."""

from typing import Final

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.catalogue.screens.initial_statuses import live_feed
from campus_app.kitchen.screens import kitchen_board_react
from campus_app.kitchen.screens.kitchen_day import day_account
from campus_app.kitchen.screens.kitchen_orders import for_cook, for_counter
from campus_app.kitchen.screens.kitchen_sales import VIEW, pause_controls, sales
from campus_app.kitchen.screens.kitchen_shortage import shortage_dialog
from campus_app.kitchen.screens.kitchen_state import KitchenState
from campus_app.kitchen.screens.paper_ticket import paper_ticket
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell import focus_react, page_react
from campus_app.shell.banner import banner
from campus_app.shell.choices_react import Tabs, chosen
from campus_app.shell.connection_react import KeepReconnecting, connection_mark
from campus_app.shell.icon import icon
from campus_app.shell.layout import (
    basics,
    campus_clock,
    language_buttons,
    numbered_label,
    to_restaurants,
)
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
        focus_react.SkipLink.create(t("Skip to content"), target="main", class_name="skip-link"),
        rx.el.div(
            bar(),
            banner(),
            problem(),
            offline(),
            rx.el.main(
                rx.cond(
                    rx.State.is_hydrated & State.is_known & ~State.is_enrolled,
                    not_enrolled(),
                    rx.cond(kitchen_board_react.is_board_known, board(), loading()),
                ),
                id="main",
                tab_index=-1,
            ),
            class_name="kitchen",
        ),
        page_react.PrintOnly.create(
            rx.el.div(
                rx.foreach(kitchen_board_react.printed_tickets, paper_ticket),
                class_name="paper-tickets",
            )
        ),
        kitchen_board_react.PaperSize.create(),
        shortage_dialog(),
        kitchen_board_react.KitchenFeed.create(
            board=State.board,
            checked_at=State.checked_at,
            closed=State.is_known & ~State.is_enrolled,
            confirmed=State.confirmed,
            hydrated=rx.State.is_hydrated,
            on_press=State.press,
            on_heartbeat=State.refresh,
        ),
        KeepReconnecting.create(),
        live_feed(),
        focus_react.FocusOnNavigation.create(),
    )


def bar() -> rx.Component:
    """Render the kitchen's name, the connection, the chime, the languages and the clock."""
    return rx.el.header(
        rx.el.div(
            rx.el.h1(
                rx.cond(
                    kitchen_board_react.is_board_known,
                    kitchen_board_react.kitchen_name,
                    t("Kitchen board"),
                )
            ),
            connection(),
            class_name="kitchen-name",
        ),
        rx.cond(
            kitchen_board_react.is_board_known,
            rx.el.div(
                kitchen_board_react.KitchenAlarm.create(
                    off=t("Turn on sound"),
                    on=t("Sound is on"),
                    waiting=t("No sound yet: touch the screen"),
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
    return connection_mark(kitchen_board_react.is_live, "kitchen-connection")


def offline() -> rx.Component:
    """Render that the connection is lost, and how many presses wait to be sent."""
    waiting = kitchen_board_react.waiting_count
    return rx.el.div(
        rx.cond(
            ~kitchen_board_react.is_live,
            rx.el.div(
                rx.el.span(t(kitchen_board_react.NO_CONNECTION)),
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
    cook, counter, on_sale, day = t("Cook"), t("Counter"), t("On sale"), t("Day")
    view = chosen(VIEW, cook)
    return rx.fragment(
        kitchen_board_react.KeptView.create(name=VIEW, views=[cook, counter]),
        Tabs.create(
            name=VIEW,
            label=t("Kitchen board"),
            labels=[cook, counter, on_sale, day],
            controls=_PANEL,
        ),
        rx.el.div(
            rx.match(
                view, (on_sale, sales()), (day, day_account()), (counter, for_counter()), for_cook()
            ),
            id=_PANEL,
            role="tabpanel",
        ),
        rx.el.footer(
            t("Device {id}", id=kitchen_board_react.device_id), class_name="kitchen-foot figure"
        ),
    )


PAGE = Page(
    route=routes.KITCHEN,
    title=gettext_noop("Kitchen board · FOOD_points"),
    description=gettext_noop("The paid orders of a kitchen, on its own device."),
    content=kitchen_page,
    on_load=[KitchenState.open, CampusState.refresh_statuses],
)
