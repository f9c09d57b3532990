"""The part of a menu's page that reads a restaurant's sheet: columns, unit, what is left out."""

from typing import Any

import reflex as rx

from campus_app.catalogue.csv.sheet_columns import IGNORED, TARGETS
from campus_app.operators.screens.desk_frame import field, section, table_head
from campus_app.operators.screens.desk_menu_view import COLUMN_NAMES
from campus_app.operators.screens.desk_sheet_react import SheetInput
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.translations import t
from campus_app.shell.button import button
from campus_app.shell.icon import icon

State = DeskState
_SHEET: Any = DeskState.sheet


def sheet_input() -> rx.Component:
    """Render the input of a file, or of rows that are pasted, and how much has arrived."""
    received: Any = DeskState.received
    return rx.fragment(
        SheetInput.create(
            label=t("Import a file"),
            paste=t("Or paste rows of a sheet, or a message"),
            hint=t("Item, rate, category …"),
            read=t("Read these rows"),
            on_part=State.receive_part,
            on_refused=State.refuse_file,
        ),
        rx.el.p(
            rx.cond(received > 0, t("Reading the file: {percent} %", percent=received), ""),
            role="status",
        ),
    )


def read_sheet() -> rx.Component:
    """Render how the sheet that was read last is understood, for correction."""
    return rx.cond(
        _SHEET["columns"],
        section(
            t("The sheet"),
            rx.cond(_SHEET["name"] != "", rx.el.p(_SHEET["name"], class_name="figure", lang="")),
            rx.cond(_SHEET["sheets"].to(list).length() > 0, _sheets()),
            rx.cond(_SHEET["isUnitAsked"], _unit()),
            rx.el.p(t("What is each column? The table below is made anew with each change.")),
            rx.el.table(
                table_head(t("Column"), t("For example"), t("It is")),
                rx.el.tbody(rx.foreach(_SHEET["columns"], _column), role="rowgroup"),
                role="table",
                class_name="desk-table",
            ),
            _left_out(_SHEET["notAvailable"], t("Not available, so left out:")),
            _left_out(_SHEET["lone"], t("Lines without a price or a dish, left out:")),
            _missing(),
            data_testid="menu-sheet",
        ),
    )


def _sheets() -> rx.Component:
    return rx.el.div(
        field(
            t("This file has several sheets. Only this one is read:"),
            rx.el.select(
                rx.foreach(
                    _SHEET["sheets"].to(list[str]),
                    lambda name, place: rx.el.option(name, value=place.to(str), key=place),
                ),
                value=_SHEET["place"].to(str),
                on_change=lambda place: State.set_sheet(place.to(int)),
            ),
        ),
        class_name="menu-sheets",
    )


def _missing() -> rx.Component:
    return rx.cond(
        _SHEET["missingCount"].to(int) > 0,
        rx.el.div(
            rx.el.p(
                icon("warning"),
                t(
                    "On the menu, but not in this sheet, so they would be gone ({count}):",
                    count=_SHEET["missingCount"],
                ),
            ),
            rx.el.p(_SHEET["missing"], lang=""),
            button(t("Keep these dishes"), on_click=State.keep_missing),
            class_name="menu-asked",
            data_testid="menu-missing",
        ),
    )


def _unit() -> rx.Component:
    return rx.el.div(
        rx.el.p(icon("warning"), t("These prices are high. Are they rupees or paise?")),
        rx.el.div(
            *(
                button(
                    words,
                    aria_pressed=rx.cond(_SHEET["unit"] == unit, "true", "false"),
                    on_click=State.set_unit(unit),
                )
                for unit, words in (("rupees", t("Rupees")), ("paise", t("Paise")))
            ),
            class_name="desk-actions",
        ),
        class_name="menu-asked",
    )


def _column(row: Any) -> rx.Component:
    names = {target: t(COLUMN_NAMES[target]) for target in TARGETS}
    return rx.el.tr(
        rx.el.th(
            rx.cond(row["header"] != "", row["header"], row["place"].to(int) + 1),
            scope="row",
            role="rowheader",
            lang="",
        ),
        rx.el.td(row["samples"], role="cell", class_name="desk-words", lang=""),
        rx.el.td(
            rx.el.select(
                rx.el.option(t("Not used"), value=IGNORED),
                *(rx.el.option(words, value=target) for target, words in names.items()),
                value=row["target"],
                on_change=lambda value: State.set_target(row["place"], value),
                aria_label=t("What column {number} is", number=row["place"].to(int) + 1),
            ),
            role="cell",
        ),
        role="row",
        key=row["place"].to(str),
    )


def _left_out(names: Any, words: str) -> rx.Component:
    return rx.cond(
        names != "",
        rx.el.p(
            icon("warning"),
            rx.el.span(words, " ", rx.el.b(names, lang="")),
            class_name="menu-left-out",
        ),
    )
