"""The frame of every page of the desk: who is in, where one is, and the last change."""

from collections.abc import Collection
from typing import Any, Final

import reflex as rx

from campus_app.catalogue.screens import statuses_react
from campus_app.catalogue.screens.initial_statuses import live_feed
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_keys_react import DeskKeys
from campus_app.operators.screens.desk_state import DeskState
from campus_app.operators.screens.desk_words import AREAS
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell import focus_react, page_react
from campus_app.shell.button import button
from campus_app.shell.connection_react import KeepReconnecting, connection_mark
from campus_app.shell.icon import icon
from campus_app.shell.layout import basics, campus_clock, language_buttons, numbered_label
from kit.reflex.binding import StyleSheets

State = DeskState
_ADDRESSES: Final = {
    DeskArea.ORDERS: routes.DESK,
    DeskArea.RESTAURANTS: routes.DESK_RESTAURANTS,
    DeskArea.MENUS: routes.DESK_MENUS,
    DeskArea.FIGURES: routes.DESK_FIGURES,
    DeskArea.LEADS: routes.DESK_LEADS,
    DeskArea.DEVICES: routes.DESK_DEVICES,
    DeskArea.AUDIT: routes.DESK_AUDIT,
}
"""The pages of the desk, by their area, in the order of the navigation."""


class DeskSheets(StyleSheets):
    """The style sheet of the desk."""

    paths = ["$/public/css/desk.css"]


def desk_page(current: DeskArea, is_loaded: Any, *content: rx.Component) -> rx.Component:
    """Render a page of the desk; `is_loaded` says whether its content has arrived."""
    return rx.fragment(
        basics(),
        DeskSheets.create(),
        focus_react.SkipLink.create(t("Skip to content"), target="main", class_name="skip-link"),
        rx.el.div(
            rx.el.header(
                rx.el.p(
                    rx.el.b(t("Desk")),
                    rx.el.span(State.person),
                    class_name="desk-person",
                ),
                rx.el.nav(
                    *(_link(number, each, current) for number, each in enumerate(_ADDRESSES, 1)),
                    class_name="site-nav",
                    aria_label=t("Main"),
                ),
                rx.el.div(
                    connection_mark(statuses_react.is_live, "desk-connection"),
                    *language_buttons(),
                    campus_clock(),
                    class_name="bar-end",
                ),
                class_name="desk-bar",
                on_unmount=State.leave,
            ),
            _news(),
            rx.el.main(
                rx.cond(
                    State.is_refused,
                    _refused(),
                    rx.cond(is_loaded, rx.fragment(*content), _loading()),
                ),
                id="main",
                tab_index=-1,
            ),
            class_name="desk",
        ),
        DeskKeys.create(
            title=t("Keys"),
            close=t("Close"),
            words=[
                t("find an order"),
                t("next line"),
                t("line before"),
                t("open the line"),
                t("this list"),
            ],
        ),
        KeepReconnecting.create(),
        live_feed(),
        focus_react.FocusOnNavigation.create(),
        page_react.BusyButtons.create(),
    )


def _link(number: int, area: DeskArea, current: DeskArea) -> rx.Component:
    areas: Any = State.areas
    return rx.cond(
        areas.contains(area.value),
        rx.el.a(
            rx.el.i(f"{number:02}/"),
            rx.el.span(t(AREAS[area])),
            aria_label=f"{number:02}/{t(AREAS[area])}",
            aria_current="page" if area is current else "false",
            href=_ADDRESSES[area],
        ),
    )


def _news() -> rx.Component:
    return rx.el.div(
        rx.el.div(
            rx.cond(State.problem != "", rx.el.p(icon("warning"), State.problem)),
            class_name="desk-problem",
            role="alert",
        ),
        rx.el.div(
            rx.cond(State.done != "", rx.el.p(icon("tick"), State.done)),
            class_name="desk-done",
            role="status",
        ),
    )


def _refused() -> rx.Component:
    return rx.el.div(
        numbered_label("00", t("DESK")),
        rx.el.h1(t("This device can’t open this page")),
        rx.el.p(
            t("The owner makes a link to the desk. Open that link on this device, once."),
            class_name="lead",
        ),
        class_name="desk-message",
    )


def _loading() -> rx.Component:
    return rx.el.div(rx.el.p(t("One moment, please."), role="status"), class_name="desk-message")


def field(label: str, control: rx.Component) -> rx.Component:
    """Render a control below its label."""
    return rx.el.label(rx.el.span(label), control, class_name="desk-field")


def table_head(*columns: str, figures: Collection[str] = ()) -> rx.Component:
    """Render the head of a table that phones show as cards; `figures` are columns of figures."""
    headings = (
        rx.el.th(
            each,
            scope="col",
            role="columnheader",
            class_name="figure" if each in figures else "",
        )
        for each in columns
    )
    return rx.el.thead(rx.el.tr(*headings, role="row"), role="rowgroup")


def list_end(end: Any, on_more: Any, otherwise: str = "") -> rx.Component:
    """Render how much of a list is shown, and what adds lines; without it, how to see the others.

    `end` is a `ListEnd`.
    """
    return rx.el.div(
        rx.el.p(
            rx.cond(end["words"], rx.fragment(end["words"], ".")),
            rx.cond(end["words"].bool() & ~end["more"].bool(), rx.fragment(" ", otherwise)),
            role="status",
        ),
        rx.cond(end["more"], button(end["more"], on_click=on_more)),
        class_name="desk-actions desk-end",
    )


def section(title: Any, *content: Any, **marks: Any) -> rx.Component:
    """Render a part of a page below its heading; `marks` are its attributes."""
    return rx.el.section(rx.el.h2(title), *content, class_name="desk-section", **marks)
