"""The figures as a CSV file and as an Excel workbook."""

import csv
import io
from collections.abc import Iterator

from campus_app.kitchen.rules.day_sheet import spreadsheet_text
from campus_app.operators.figure_words import MEASURES, TABLES, line_name
from campus_app.operators.rules.figures import SALES, Figures, Sums, Table, Value
from campus_app.shared.rules.money import Rupees
from campus_app.shared.translations import t

Cell = str | Value

_WIDTHS = (32, 14)
"""The widths of the workbook's first column and of the others, in characters."""


def figures_csv(figures: Figures) -> bytes:
    """Return all tables below each other, in UTF-8; amounts in rupees with two decimals."""
    stream = io.StringIO(newline="")
    writer = csv.writer(stream)
    for title, rows in _sheets(figures):
        writer.writerow([title])
        writer.writerows(rows)
        writer.writerow([])
    # With a byte order mark, as Excel needs it to recognise UTF-8.
    return stream.getvalue().encode("utf-8-sig")


def figures_xlsx(figures: Figures) -> bytes:
    """Return a workbook with a sheet for each table, its amounts as numbers."""
    import xlsxwriter  # noqa: PLC0415 - it takes 7 MB of each process, for a file that few want

    stream = io.BytesIO()
    with xlsxwriter.Workbook(stream, {"in_memory": True}) as book:
        bold, rupees = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.00"})
        for title, rows in _sheets(figures):
            page = book.add_worksheet(title[:31])  # Excel's limit
            page.set_column(0, 0, _WIDTHS[0])
            page.set_column(1, 9, _WIDTHS[1])
            for number, row in enumerate(rows):
                for column, value in enumerate(row):
                    if isinstance(value, str):
                        page.write_string(number, column, value, None if number else bold)
                    elif isinstance(value, Rupees):
                        page.write_number(number, column, float(value), rupees)
                    elif value is not None:
                        page.write_number(number, column, value)
            page.freeze_panes(1, 0)
    return stream.getvalue()


def _sheets(figures: Figures) -> Iterator[tuple[str, list[list[Cell]]]]:
    """Return titles, and below each a header and its rows."""
    columns = [t(MEASURES[each]) for each in SALES]
    yield (
        t("Sums"),
        [
            [t("Span"), *columns],
            *(
                [f"{span.first} – {span.last}", *_sums(sums)]
                for span, sums in (
                    (figures.span, figures.sums),
                    (figures.span.before, figures.before),
                )
            ),
        ],
    )
    for key, table in figures.tables.items():
        yield t(TABLES[key]), list(_rows(table))


def _sums(sums: Sums) -> list[Cell]:
    return [getattr(sums, each.value) for each in SALES]


def _rows(table: Table) -> Iterator[list[Cell]]:
    yield [t("Name"), *(t(MEASURES[each]) for each in table.measures)]
    for name, values in table.lines:
        yield [spreadsheet_text(line_name(table.key, name)), *values]
