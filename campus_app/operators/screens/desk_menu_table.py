"""The table of a menu's dishes: each cell is a field, with its fault below it."""

from typing import Any

import reflex as rx

from campus_app.catalogue.csv.columns import LOCAL_COLUMNS
from campus_app.catalogue.rules.menu import Diet, Spice
from campus_app.operators.screens.desk_frame import table_head
from campus_app.operators.screens.desk_menu_view import COLUMN_NAMES
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules.constants import MAXIMUM_MENU_CELL_CHARACTERS
from campus_app.shared.translations import t
from campus_app.shell.button import button, text_button
from campus_app.shell.icon import icon

State = DeskState
_CATEGORIES = "menu-categories"
_SHOWN = ("name", "price", "category")
"""The columns whose fields have no label beside them on phones."""
_LABELS = {
    "name": lambda name: t("Name of {name}", name=name),
    "price": lambda name: t("Price of {name}", name=name),
    "category": lambda name: t("Category of {name}", name=name),
    "description": lambda name: t("Description of {name}", name=name),
    "diet": lambda name: t("Diet of {name}", name=name),
    "allergens": lambda name: t("Allergens of {name}", name=name),
    "spice": lambda name: t("Spice of {name}", name=name),
    "name_hi": lambda name: t("Hindi name of {name}", name=name),
    "category_hi": lambda name: t("Hindi category of {name}", name=name),
    "description_hi": lambda name: t("Hindi description of {name}", name=name),
}


def dish_table(rows: Any, categories: Any) -> rx.Component:
    """Render the rows of a menu's table; `categories` are offered in their column."""
    columns = ("name", "price", "category", "diet", "trending")
    return rx.fragment(
        rx.el.datalist(
            rx.foreach(categories, lambda each: rx.el.option(value=each, key=each)),
            id=_CATEGORIES,
        ),
        rx.el.table(
            table_head(*(t(COLUMN_NAMES[each]) for each in columns), t("More")),
            rx.el.tbody(rx.foreach(rows, _dish), role="rowgroup"),
            role="table",
            class_name="desk-table menu-table",
        ),
    )


def _dish(row: Any) -> rx.Component:
    return rx.el.tr(
        rx.el.th(_text(row, "name"), scope="row", role="rowheader"),
        rx.el.td(_text(row, "price", input_mode="decimal"), _asked(row), role="cell"),
        rx.el.td(_text(row, "category", custom_attrs={"list": _CATEGORIES}), role="cell"),
        rx.el.td(_choice(row, "diet", _diets()), role="cell"),
        rx.el.td(_trending(row), role="cell"),
        rx.el.td(_more(row), role="cell"),
        role="row",
        data_line=True,
        data_changed=rx.cond(row["changed"], "true", "false"),
        data_testid=rx.Var.create("dish-") + row["id"].to(str),
        key=row["id"],
    )


def _text(row: Any, column: str, **props: Any) -> rx.Component:
    """Render a text field; a value that the server has changed replaces it."""
    return rx.el.div(
        rx.el.input(
            type="text",
            default_value=row[column],
            placeholder=t(COLUMN_NAMES[column]) if column in _SHOWN else "",
            max_length=MAXIMUM_MENU_CELL_CHARACTERS,
            aria_label=_label(row, column),
            aria_invalid=rx.cond(row["faults"][column], "true", "false"),
            auto_complete="off",
            on_blur=lambda value: State.set_cell(row["id"], column, value),
            key=row[column],
            **props,
        ),
        _fault(row, column),
        class_name="menu-cell",
        data_column=column,
    )


def _choice(row: Any, column: str, choices: dict[str, str]) -> rx.Component:
    return rx.el.div(
        rx.el.select(
            *(rx.el.option(words, value=value) for value, words in choices.items()),
            rx.cond(
                row["faults"][column],  # a sheet says something else
                rx.el.option(row[column], value=row[column]),
            ),
            value=row[column],
            aria_label=_label(row, column),
            aria_invalid=rx.cond(row["faults"][column], "true", "false"),
            on_change=lambda value: State.set_cell(row["id"], column, value),
        ),
        _fault(row, column),
        class_name="menu-cell",
        data_column=column,
    )


def _label(row: Any, column: str) -> Any:
    return _LABELS[column](rx.cond(row["name"] != "", row["name"], t("a new dish")))


def _fault(row: Any, column: str) -> rx.Component:
    reason = row["faults"][column]
    return rx.cond(reason, rx.el.p(reason, class_name="menu-fault", lang=""))


def _asked(row: Any) -> rx.Component:
    """Render what a sheet says of a price in doubt, and the amounts that it may mean."""
    return rx.cond(
        row["asked"] != "",
        rx.el.div(
            rx.el.p(row["asked"], lang=""),
            rx.foreach(
                row["options"].to(list[str]),
                lambda amount: button(
                    rx.Var.create("₹") + amount.to(str),
                    on_click=State.set_cell(row["id"], "price", amount),
                    key=amount,
                ),
            ),
            class_name="menu-options",
        ),
    )


def _trending(row: Any) -> rx.Component:
    return rx.fragment(
        rx.el.label(
            rx.el.input(
                type="checkbox",
                default_checked=row["isTrending"],
                on_change=lambda is_trending: State.set_trending(row["id"], is_trending.to(bool)),
                aria_label=t("{name} in Trending", name=row["name"]),
                key=row["isTrending"].to(str),
            ),
            rx.el.span(t("Trending"), aria_hidden="true"),
            class_name="menu-trending",
        ),
        _fault(row, "trending"),
    )


def _more(row: Any) -> rx.Component:
    return rx.el.details(
        rx.el.summary(
            rx.el.span(t("More")), rx.el.span(" ", row["name"], class_name="visually-hidden")
        ),
        rx.el.div(
            *(_named(row, column) for column in ("description", "allergens", *LOCAL_COLUMNS)),
            rx.el.label(
                rx.el.span(t(COLUMN_NAMES["spice"])),
                _choice(row, "spice", _spices()),
                class_name="desk-field",
            ),
            rx.el.p(row["id"], class_name="figure", lang=""),
            _fault(row, "id"),
            text_button(
                icon("cross"),
                t("Remove"),
                rx.el.span(" ", row["name"], class_name="visually-hidden"),
                on_click=State.remove_dish(row["id"]),
            ),
            class_name="menu-more",
        ),
        open=row["hasMoreFaults"],
        # Its faults stand in the row: several open ones must not cover each other.
        data_faulty=rx.cond(row["hasMoreFaults"], "true", "false"),
    )


def _named(row: Any, column: str) -> rx.Component:
    return rx.el.div(
        rx.el.span(t(COLUMN_NAMES[column]), aria_hidden="true"),
        _text(row, column),
        class_name="desk-field",
    )


def _diets() -> dict[str, str]:
    return {
        "": "–",
        Diet.VEGETARIAN.value: t("Vegetarian"),
        Diet.NON_VEGETARIAN.value: t("Not vegetarian"),
    }


def _spices() -> dict[str, str]:
    words = {Spice.MILD: t("Mild"), Spice.HOT: t("Hot"), Spice.VERY_HOT: t("Very hot")}
    return {"": "–"} | {str(spice.value): word for spice, word in words.items()}
