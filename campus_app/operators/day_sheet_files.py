"""The day sheet as a CSV file and as an Excel workbook."""

import csv
from collections.abc import Iterator
from pathlib import Path

import xlsxwriter

from campus_app.kitchen.rules.day_sheet import DayLine, DaySheet, spreadsheet_text
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.money import Rupees

Cell = str | Rupees | None

_TEXTS = ("Order", "Restaurant", "Paid at", "State", "Dishes")
_AMOUNTS = ("Total", "Paid online", "To collect", "Refunded", "Refund due")
_WIDTHS = (9, 22, 18, 12, 60, 11, 11, 11, 11, 11)
"""The widths of the workbook's columns, in characters."""


def write_csv(file: Path, sheet: DaySheet) -> None:
    """Write a header, a row for each order, and the sums; amounts in rupees with two decimals.

    Raises:
        OSError: If the file cannot be written.
    """
    # With a byte order mark, as Excel needs it to recognise UTF-8.
    with file.open("w", encoding="utf-8-sig", newline="") as stream:
        writer = csv.writer(stream)
        writer.writerow((*_TEXTS, *_AMOUNTS))
        writer.writerows(_rows(sheet))


def write_xlsx(file: Path, sheet: DaySheet) -> None:
    """Write the same rows as a workbook, with amounts as numbers.

    Raises:
        OSError: If the file cannot be written.
    """
    with file.open("wb") as stream, xlsxwriter.Workbook(stream) as book:
        page = book.add_worksheet(sheet.day.isoformat())
        bold, rupees = book.add_format({"bold": True}), book.add_format({"num_format": "#,##0.00"})
        for column, (name, width) in enumerate(zip((*_TEXTS, *_AMOUNTS), _WIDTHS, strict=True)):
            page.write_string(0, column, name, bold)
            page.set_column(column, column, width)
        for number, row in enumerate(_rows(sheet), start=1):
            for column, cell in enumerate(row):
                if isinstance(cell, str):
                    page.write_string(number, column, cell)
                elif cell is not None:
                    page.write_number(number, column, float(cell), rupees)
        page.freeze_panes(1, 0)


def _rows(sheet: DaySheet) -> Iterator[tuple[Cell, ...]]:
    for line in sheet.lines:
        yield (*map(spreadsheet_text, _texts(line)), *_amounts(line))
    sums = sheet.sums
    yield (
        *("Sum", "", "", "", ""),
        *(sums.grand_total, sums.paid, sums.to_collect, sums.refunded, sums.refund_due),
    )


def _texts(line: DayLine) -> tuple[str, ...]:
    paid_at = f"{line.paid_at.astimezone(CAMPUS_TIME_ZONE):%Y-%m-%d %H:%M}"
    return line.number, line.restaurant_name, paid_at, line.state.value, line.dishes


def _amounts(line: DayLine) -> tuple[Rupees | None, ...]:
    return line.grand_total, line.paid, line.to_collect, line.refunded, line.refund_due
