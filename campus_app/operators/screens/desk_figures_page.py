"""/desk/figures: how it went in a span of days."""

from typing import Any

import reflex as rx

from campus_app.catalogue.screens.campus_state import CampusState
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.screens.desk_figures_state import FIRST, LAST
from campus_app.operators.screens.desk_frame import desk_page, field
from campus_app.operators.screens.desk_state import DeskState
from campus_app.shared.rules import routes
from campus_app.shared.translations import t
from campus_app.shell.button import button
from campus_app.shell.icon import icon
from kit.reflex.pages import Page
from kit.text import gettext_noop

State = DeskState
_FIGURES: Any = DeskState.figures
_SPANS = (1, 7, 28, 91)


def figures_page() -> rx.Component:
    """Render the sums, then each table with its chart."""
    return desk_page(
        DeskArea.FIGURES,
        _FIGURES["query"],
        rx.el.h1(t("Figures"), class_name="desk-title"),
        _span(),
        rx.cond(
            _FIGURES["problem"] != "",
            rx.el.p(icon("warning"), _FIGURES["problem"], role="alert", class_name="desk-quiet"),
        ),
        rx.cond(
            _FIGURES["sums"].to(list).length() > 0,
            rx.fragment(
                rx.el.p(
                    rx.el.b(_FIGURES["days"]),
                    rx.el.span(t("beside {days}", days=_FIGURES["before"])),
                    rx.el.span(
                        _file("CSV", "csv"), _file("XLSX", "xlsx"), class_name="desk-actions"
                    ),
                    class_name="desk-facts",
                ),
                rx.el.dl(rx.foreach(_FIGURES["sums"], _sum), class_name="desk-figures"),
                rx.el.div(rx.foreach(_FIGURES["tables"], _table), class_name="desk-figure-tables"),
            ),
            rx.cond(
                _FIGURES["problem"] == "",
                rx.el.p(t("One moment, please."), role="status", class_name="desk-quiet"),
            ),
        ),
    )


def _span() -> rx.Component:
    return rx.el.form(
        _day(t("First day"), FIRST),
        _day(t("Last day"), LAST),
        rx.el.button(t("Show"), type="submit", class_name="button"),
        *(
            button(
                t("Today") if days == 1 else t("{count} days", count=days),
                on_click=State.choose_days(days),
            )
            for days in _SPANS
        ),
        on_submit=State.choose_span,
        class_name="desk-filters",
        # The days of another span are other fields: what was typed belongs to the one before.
        key=_FIGURES["query"],
    )


def _day(label: str, name: str) -> rx.Component:
    return field(
        label,
        rx.el.input(
            type="date",
            name=name,
            default_value=_FIGURES[name],
            max=_FIGURES["today"],
            required=True,
        ),
    )


def _file(label: str, ending: str) -> rx.Component:
    address: Any = rx.Var.create(routes.desk_figures_file(ending))
    return rx.el.a(
        label,
        href=address + "?" + _FIGURES["query"].to(str),
        download=True,
        # Without it React Router shows its page for unknown addresses.
        custom_attrs={"reloadDocument": True},
        class_name="button",
        lang="en-IN",
    )


def _sum(row: Any) -> rx.Component:
    return rx.el.div(
        rx.el.dt(row["title"]),
        rx.el.dd(
            rx.el.b(
                row["now"],
                class_name="figure",
                data_testid=rx.Var.create("figure-") + row["key"].to(str),
            ),
            rx.el.span(row["before"], class_name="desk-words"),
        ),
        key=row["key"].to(str),
    )


def _table(table: Any) -> rx.Component:
    bars = table["bars"].to(list[dict[str, Any]])
    return rx.el.section(
        rx.el.h2(table["title"]),
        rx.cond(bars.length() > 0, _chart(table, bars)),
        rx.cond(
            table["rows"].to(list).length() > 0,
            rx.el.div(
                rx.el.table(
                    rx.el.thead(
                        rx.el.tr(
                            rx.el.th(t("Name"), scope="col"),
                            rx.foreach(
                                table["columns"].to(list[str]),
                                lambda each: rx.el.th(each, scope="col"),
                            ),
                        ),
                    ),
                    rx.el.tbody(rx.foreach(table["rows"].to(list[dict[str, Any]]), _row)),
                ),
                class_name="desk-scroll",
                tab_index=0,
                role="region",
                aria_label=table["title"],
                data_line=True,
            ),
            rx.el.p(t("None."), class_name="desk-quiet"),
        ),
        class_name="desk-section desk-figure-table",
        data_wide=table["columns"].to(list).length() > 3,
        key=table["key"].to(str),
    )


def _row(row: Any) -> rx.Component:
    return rx.el.tr(
        rx.el.th(row["name"], scope="row", lang="und"),
        rx.foreach(row["cells"].to(list[str]), lambda each: rx.el.td(each, class_name="figure")),
    )


def _chart(table: Any, bars: Any) -> rx.Component:
    """Draw what the table below says: for those who see it."""
    return rx.el.figure(
        rx.el.figcaption(table["drawn"]),
        rx.recharts.bar_chart(
            rx.recharts.cartesian_grid(vertical=False, stroke="var(--hairline)"),
            rx.recharts.x_axis(
                data_key="name", stroke="var(--ink-soft)", tick_line=False, min_tick_gap=28
            ),
            rx.recharts.y_axis(stroke="var(--ink-soft)", width=56, tick_line=False),
            rx.recharts.bar(
                data_key="value",
                fill="var(--chilli)",
                is_animation_active=False,
                name=table["drawn"],
            ),
            data=bars,
            margin={"right": 36},  # for half of the last name
            height=220,
            width="100%",
            custom_attrs={"accessibilityLayer": False},  # no stop of the keyboard
        ),
        class_name="desk-chart",
        aria_hidden="true",
    )


PAGE = Page(
    route=routes.DESK_FIGURES,
    title=gettext_noop("Figures · Desk · FOOD_points"),
    description=gettext_noop("For those who run this product."),
    content=figures_page,
    on_load=[CampusState.refresh_statuses, DeskState.open_figures, DeskState.arrive],
)
