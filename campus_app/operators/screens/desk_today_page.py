"""/desk: what needs somebody, then the orders."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators import wiring
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page, field, list_end, section, table_head
from campus_app.operators.screens.desk_state import DeskState
from campus_app.operators.screens.desk_today_state import CAMPUS, KITCHEN
from campus_app.operators.screens.desk_today_view import ONLY, RETRY, SETTLE
from campus_app.operators.screens.desk_words import FILTERS
from campus_app.shared.rules import routes
from campus_app.shared.rules.campus import Campus
from campus_app.shared.translations import t
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from campus_app.shell.overlay import phone_link
from kit.reflex.pages import Page
from kit.text import gettext_noop

State = DeskState
_TODAY: Any = DeskState.today
_FOUND: Any = DeskState.found


def today_page() -> rx.Component:
    """Render the first page of the desk."""
    return desk_page(
        DeskArea.ORDERS,
        _TODAY["at"],
        rx.el.h1(t("Today"), class_name="visually-hidden"),
        _search(),
        rx.cond(_FOUND["words"], _found()),
        section(
            t("Needs somebody"),
            rx.cond(
                _TODAY["lines"].to(list).length() > 0,
                rx.el.ul(rx.foreach(_TODAY["lines"], _line), class_name="desk-lines"),
                rx.el.p(icon("tick"), t("Nothing to do."), class_name="desk-quiet"),
            ),
            data_testid="desk-attention",
        ),
        section(
            t("Orders"),
            _filters(),
            _orders(_TODAY["orders"], t("No orders.")),
            list_end(
                _TODAY["end"],
                State.show_more_orders,
                t("Filter the list, or search, to see older ones."),
            ),
        ),
    )


def _search() -> rx.Component:
    return rx.el.form(
        rx.el.input(
            type="search",
            name="text",
            aria_label=t("Find an order"),
            placeholder=t("Number, name, phone, e-mail"),
            max_length=100,
            auto_complete="off",
            enter_key_hint="search",
            data_find=True,
        ),
        rx.el.button(t("Find"), type="submit", class_name="button"),
        on_submit=State.find,
        class_name="desk-search",
        role="search",
    )


def _found() -> rx.Component:
    return section(
        t("Found for “{words}”", words=_FOUND["words"]),
        _orders(_FOUND["orders"], t("No order has this number, name, phone or e-mail address.")),
        list_end(_FOUND["end"], State.show_more_orders, t("Write more, to find fewer.")),
        data_testid="desk-found",
    )


def _line(line: Any) -> rx.Component:
    return rx.el.li(
        rx.el.div(
            rx.cond(
                line["href"] != "",
                rx.el.a(line["what"], href=line["href"]),
                rx.el.b(line["what"]),
            ),
            rx.cond(line["waits"] != "", rx.el.span(line["waits"], class_name="figure")),
            class_name="desk-line-head",
        ),
        rx.el.p(line["todo"]),
        rx.cond(line["detail"] != "", rx.el.p(line["detail"], class_name="desk-words")),
        rx.el.div(
            rx.cond(
                line["phone"] != "",
                rx.el.a(
                    icon("phone"),
                    line["phone"],
                    href=phone_link(line["phone"]),
                    class_name="button",
                ),
            ),
            rx.cond(line["action"] == RETRY, button(t("Try now"), on_click=State.retry_mail)),
            rx.cond(line["action"] == SETTLE, _settle(line)),
            class_name="desk-actions",
        ),
        class_name="desk-line",
        data_kind=line["kind"],
        data_line=True,
        key=line["key"],
    )


def _settle(line: Any) -> rx.Component:
    label = t("What was done about {name}", name=line["name"])
    return rx.el.form(
        rx.el.input(type="hidden", name="order", value=line["subject"]),
        rx.el.input(type="hidden", name="kind", value=line["kind"]),
        rx.el.input(
            type="text",
            name="note",
            required=True,
            max_length=300,
            placeholder=t("What was done"),
            aria_label=label,
            auto_complete="off",
        ),
        rx.el.button(t("Settled"), type="submit", class_name="button"),
        on_submit=State.settle,
        class_name="desk-settle",
    )


def _filters() -> rx.Component:
    kitchens = {str(each.id): each.name for each in wiring.services().catalogue.restaurants()}
    return rx.el.div(
        _filter(KITCHEN, t("Kitchen"), kitchens),
        _filter(CAMPUS, t("Campus"), {each.value: t(each.place_name) for each in Campus}),
        _filter(ONLY, t("State"), {key: t(name) for key, name in FILTERS.items()}),
        class_name="desk-filters",
    )


def _filter(name: str, label: str, choices: dict[str, str]) -> rx.Component:
    filters: Any = State.filters
    return field(
        label,
        rx.el.select(
            rx.el.option(t("All"), value=""),
            *(rx.el.option(words, value=key) for key, words in choices.items()),
            value=rx.cond(filters[name], filters[name], ""),
            on_change=lambda value: State.filter_orders(name, value),
        ),
    )


def _orders(orders: Any, none: str) -> rx.Component:
    amounts = (t("Total"), t("Online"), t("At the door"))
    return rx.cond(
        orders.to(list).length() > 0,
        rx.el.table(
            table_head(
                *(t("Order"), t("Time"), t("Kitchen"), t("State"), *amounts), figures=amounts
            ),
            rx.el.tbody(rx.foreach(orders, _order), role="rowgroup"),
            role="table",
            class_name="desk-table",
        ),
        rx.el.p(none, class_name="desk-quiet"),
    )


def _order(row: Any) -> rx.Component:
    amounts = (("total", t("Total")), ("online", t("Online")), ("door", t("At the door")))
    return rx.el.tr(
        rx.el.th(
            rx.el.a(row["number"], href=row["href"], class_name="figure"),
            scope="row",
            role="rowheader",
        ),
        rx.el.td(row["at"], role="cell", class_name="figure"),
        rx.el.td(row["kitchen"], rx.el.span(row["campus"], class_name="desk-words"), role="cell"),
        rx.el.td(
            rx.el.span(row["state"], data_look=row["look"], class_name="desk-state"), role="cell"
        ),
        *(
            rx.el.td(row[name], role="cell", class_name="figure", data_label=label)
            for name, label in amounts
        ),
        role="row",
        data_line=True,
        data_testid=rx.Var.create("desk-order-") + row["number"].to(str),
        key=row["id"],
    )


PAGE = Page(
    route=routes.DESK,
    title=gettext_noop("Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=today_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_today, DeskState.arrive],
)
