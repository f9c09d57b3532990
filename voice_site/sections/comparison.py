"""Beside a call centre, and beside other bots: the comparison as a table."""

import reflex as rx

from voice_site.components.layout import heading, note, section, section_head
from voice_site.content.comparison import CAPTION, COLUMNS, ROWS, Cell, Row, footnote
from voice_site.translations import t

_HEADINGS = ("us", "", "")


def comparison() -> rx.Component:
    """Render the table with its caption and footnote."""
    # Explicit roles, since the style sheet turns the table into blocks on narrow screens.
    table = rx.el.table(
        rx.el.caption(t(CAPTION), class_name="sr-only"),
        rx.el.thead(_head(), role="rowgroup"),
        rx.el.tbody(*(_row(each) for each in ROWS), role="rowgroup"),
        role="table",
    )
    return section(
        "comparison",
        "cmp-h",
        section_head(
            heading(t("Beside a call centre, and beside other bots"), "cmp-h"),
            note(t("Table 1."), t("Three ways to answer a caller.")),
        ),
        rx.el.div(
            rx.el.div(table, class_name="cmp"),
            rx.el.p(footnote(), class_name="label cmp__foot"),
            class_name="grid",
        ),
    )


def _head() -> rx.Component:
    first = rx.el.th(
        rx.el.span(t("What is compared"), class_name="sr-only"), scope="col", role="columnheader"
    )
    columns = [
        rx.el.th(t(name), scope="col", role="columnheader", class_name=mark)
        for name, mark in zip(COLUMNS, _HEADINGS, strict=True)
    ]
    return rx.el.tr(first, *columns, role="row")


def _row(row: Row) -> rx.Component:
    cells = [
        rx.el.td(_content(cell), role="cell", class_name=mark)
        for cell, mark in zip(row.cells, _HEADINGS, strict=True)
    ]
    return rx.el.tr(rx.el.th(t(row.respect), scope="row", role="rowheader"), *cells, role="row")


def _content(cell: Cell) -> rx.Component:
    if not cell.of:
        return rx.el.span(t(cell.text))
    return rx.el.span(
        rx.el.span(t(cell.text), class_name="fig"), rx.el.span(t(cell.of), class_name="sub")
    )
