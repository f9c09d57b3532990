"""The account of the day on a kitchen board."""

from typing import Any

import reflex as rx

from campus_app.kitchen.screens.kitchen_state import KitchenState
from campus_app.shared.translations import t
from campus_app.shell.button import text_button
from campus_app.shell.icon import icon

State = KitchenState


def day_account() -> rx.Component:
    """Render the sums of the day, and each paid order."""
    return rx.el.section(
        rx.el.header(
            rx.el.h2(rx.cond(State.day != "", State.day, t("The account of the day"))),
            text_button(icon("refresh"), t("Refresh"), on_click=State.show_day),
        ),
        rx.cond(State.day != "", account(), rx.el.p(t("One moment, please."), role="status")),
        rx.el.p(t("A day goes from 05:00 to 05:00."), class_name="hint"),
        class_name="kitchen-day",
        on_mount=State.show_day,
    )


def account() -> rx.Component:
    """Render the sums and the orders."""
    sums = State.day_sums
    return rx.fragment(
        rx.el.dl(
            day_sum(t("Orders"), sums["orders"]),
            day_sum(t("Paid online"), sums["paid"]),
            day_sum(t("To collect"), sums["to_collect"]),
            day_sum(t("Given back"), sums["refunded"]),
            class_name="day-sums",
            data_testid="day-sums",
        ),
        rx.cond(
            rx.Var.create(State.day_rows).to(list).length() > 0,
            rx.el.div(
                orders(), class_name="day-table", tab_index=0, role="region", aria_label=t("Orders")
            ),
            rx.el.p(t("No paid orders yet.")),
        ),
    )


def day_sum(label: str, amount: Any) -> rx.Component:
    """Render a sum of the day."""
    return rx.el.div(rx.el.dt(label), rx.el.dd(amount, class_name="figure"))


def orders() -> rx.Component:
    """Render a row for each paid order.

    The roles keep the meaning of a table where a narrow screen shows its rows as cards.
    """
    columns = (t("Order"), t("Paid at"), t("Dishes"), *amounts().values())
    headings = (rx.el.th(each, scope="col", role="columnheader") for each in columns)
    return rx.el.table(
        rx.el.thead(rx.el.tr(*headings, role="row"), role="rowgroup"),
        rx.el.tbody(rx.foreach(State.day_rows, order_row), role="rowgroup"),
        role="table",
    )


def amounts() -> dict[str, Any]:
    """Return the headings of the amounts of a row, by their names in it."""
    return {
        "paid": t("Paid online"),
        "to_collect": t("To collect"),
        "refunded": t("Given back"),
    }


def order_row(row: Any) -> rx.Component:
    """Render a paid order."""
    return rx.el.tr(
        rx.el.th(row["number"], scope="row", role="rowheader", class_name="figure"),
        rx.el.td(row["paid_at"], role="cell", class_name="figure"),
        rx.el.td(row["dishes"], role="cell"),
        *(
            rx.el.td(row[name], role="cell", class_name="figure", data_label=label)
            for name, label in amounts().items()
        ),
        class_name=rx.cond(row["is_cancelled"], "cancelled", ""),
        role="row",
        key=row["number"],
    )
