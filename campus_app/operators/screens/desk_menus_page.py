"""/desk/menus: where each menu comes from, and who published it."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_frame import desk_page, table_head
from campus_app.operators.screens.desk_menu_parts import DeskMenuSheets
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.icon import icon
from kit.reflex.pages import Page
from kit.text import gettext_noop

State = DeskState


def menus_page() -> rx.Component:
    """Render the list of menus."""
    menus: Any = State.menus
    columns = (t("Menu"), t("Source"), t("Dishes"), t("Latest version"), t("By"))
    return desk_page(
        DeskArea.MENUS,
        menus.to(list).length() > 0,
        DeskMenuSheets.create(),
        rx.el.h1(t("Menus"), class_name="desk-title"),
        rx.el.p(rx.el.a(t("Offers"), icon("arrow"), href=routes.DESK_OFFERS, class_name="button")),
        rx.el.table(
            table_head(*columns, figures=(t("Dishes"),)),
            rx.el.tbody(rx.foreach(menus, _menu), role="rowgroup"),
            role="table",
            class_name="desk-table menus-list",
        ),
    )


def _menu(row: Any) -> rx.Component:
    return rx.el.tr(
        rx.el.th(rx.el.a(row["name"], href=row["href"]), scope="row", role="rowheader"),
        rx.el.td(
            rx.el.span(
                row["source"],
                data_look=rx.cond(row["isOfDesk"], "good", "quiet"),
                class_name="desk-state",
            ),
            role="cell",
        ),
        rx.el.td(row["dishes"], role="cell", class_name="figure", data_label=t("Dishes")),
        rx.el.td(
            rx.cond(
                row["version"] != "",
                rx.fragment(
                    rx.el.span(row["version"], " · ", row["at"], class_name="figure"),
                    rx.cond(
                        row["note"] != "", rx.el.span(row["note"], class_name="desk-words", lang="")
                    ),
                ),
                "–",
            ),
            role="cell",
        ),
        rx.el.td(row["by"], role="cell", lang=""),
        role="row",
        data_line=True,
        data_testid=rx.Var.create("desk-menu-") + row["id"].to(str),
        key=row["id"].to(str),
    )


PAGE = Page(
    route=routes.DESK_MENUS,
    title=gettext_noop("Menus · Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=menus_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_menus, DeskState.arrive],
)
