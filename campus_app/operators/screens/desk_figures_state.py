"""The events of the figures."""

from datetime import date, timedelta
from typing import Any, TypedDict
from urllib.parse import urlencode

import reflex as rx

from campus_app.kitchen.rules.day_sheet import day_of
from campus_app.operators import wiring
from campus_app.operators.figure_words import MEASURES, TABLES, cell, line_name
from campus_app.operators.rules.desk import DeskArea
from campus_app.operators.rules.figures import SALES, Measure, Span, Sums, Table, TableKey
from campus_app.operators.screens.desk_entry import DeskEntry, text_in
from campus_app.shared.rules import routes
from campus_app.shared.rules.messages import DeskMessage
from campus_app.shared.rules.money import format_count, format_rupees
from campus_app.shared.translations import t
from kit.db.errors import DatabaseUnavailable
from kit.translations import date_words

_LONGEST_NAME = 12
FIRST, LAST = "first", "last"
"""The query parameters of the address: days such as 2026-11-18."""
_CHARTS = {
    TableKey.DAYS: Measure.REVENUE,
    TableKey.RESTAURANTS: Measure.REVENUE,
    TableKey.WEEKDAYS: Measure.ORDERS,
    TableKey.HOURS: Measure.ORDERS,
    TableKey.VISITS: Measure.COUNT,
}
"""The tables that are drawn too, and the column of their bars."""


class FigureRow(TypedDict):
    """A line of a table: its name, and the cells of its columns."""

    name: str
    cells: list[str]


class FigureTable(TypedDict):
    """A table as the page shows it; `bars` are empty for one that is not drawn."""

    key: str
    title: str
    columns: list[str]
    rows: list[FigureRow]
    bars: list[dict[str, str | float]]
    drawn: str


class FigureSum(TypedDict):
    """A sum of the span, and of the span before."""

    key: str
    title: str
    now: str
    before: str


class FiguresView(TypedDict):
    """The figures of a span."""

    first: str
    last: str
    today: str
    days: str
    before: str
    query: str
    problem: str
    """Why there are no figures; empty if there are."""
    sums: list[FigureSum]
    tables: list[FigureTable]


class DeskFigures(DeskEntry, mixin=True):
    """How it went in the span of the address."""

    figures: FiguresView = {}  # pyright: ignore[reportAssignmentType] - pushed, and in no session

    @rx.event
    async def open_figures(self):
        """Show the figures of the span in the address."""
        if await self._entered(DeskArea.FIGURES) is None:
            return
        self._say()
        services = wiring.services()
        today = day_of(services.clock.now())
        parameters = self.router.url.query_parameters
        first, last = (str(parameters.get(each, "")) for each in (FIRST, LAST))
        span = Span.read(first, last, today)
        self._push("figures", _head(span, today))
        services.desk.push_later(self._socket_id(), "figures", _view(span, today))

    @rx.event
    async def choose_span(self, form: dict[str, Any]):
        """Show the figures between two days."""
        if await self._entered(DeskArea.FIGURES) is None:
            return None
        today = day_of(wiring.services().clock.now())
        span = Span.read(text_in(form, FIRST), text_in(form, LAST), today)
        return rx.redirect(_address(span), replace=True)

    @rx.event
    async def choose_days(self, days: int):
        """Show the figures of the last days, today included."""
        if await self._entered(DeskArea.FIGURES) is None or not isinstance(days, int):
            return None
        today = day_of(wiring.services().clock.now())
        first = today - timedelta(days=max(min(days, 366), 1) - 1)
        return rx.redirect(_address(Span(first, today)), replace=True)


def _address(span: Span) -> str:
    return f"{routes.DESK_FIGURES}?{_query(span)}"


def _query(span: Span) -> str:
    return urlencode({FIRST: f"{span.first}", LAST: f"{span.last}"})


def _head(span: Span, today: date) -> FiguresView:
    """Return the view of a span whose figures are being computed."""
    return FiguresView(
        first=f"{span.first}",
        last=f"{span.last}",
        today=f"{today}",
        days=_days(span),
        before=_days(span.before),
        query=_query(span),
        problem="",
        sums=[],
        tables=[],
    )


async def _view(span: Span, today: date) -> FiguresView:
    """Return the view of a span, or of why there are no figures."""
    head = _head(span, today)
    try:
        figures = await wiring.services().figures.of(span)
    except DatabaseUnavailable:
        return {**head, "problem": t(DeskMessage.NO_FIGURES)}
    return {
        **head,
        "sums": _sums(figures.sums, figures.before),
        "tables": [_table(each) for each in figures.tables.values()],
    }


def _days(span: Span) -> str:
    pattern = "d MMM y"
    first, last = date_words(span.first, pattern), date_words(span.last, pattern)
    return first if span.days == 1 else f"{first} – {last}"


def _sums(sums: Sums, before: Sums) -> list[FigureSum]:
    return [
        FigureSum(
            key=each.value,
            title=t(MEASURES[each]),
            now=_shown(getattr(sums, each.value)),
            before=t("before: {value}", value=_shown(getattr(before, each.value))),
        )
        for each in SALES
    ]


def _shown(value: Any) -> str:
    return format_count(value) if isinstance(value, int) else format_rupees(value)


def _table(table: Table) -> FigureTable:
    drawn = _CHARTS.get(table.key)
    names = [line_name(table.key, name) for name, _ in table.lines]
    return FigureTable(
        key=table.key.value,
        title=t(TABLES[table.key]),
        columns=[t(MEASURES[each]) for each in table.measures],
        rows=[
            FigureRow(name=name, cells=list(map(cell, table.measures, values)))
            for name, (_, values) in zip(names, table.lines, strict=True)
        ],
        bars=_bars(table, names, drawn) if drawn else [],
        drawn=_drawn(drawn) if drawn else "",
    )


def _drawn(measure: Measure) -> str:
    name = t(MEASURES[measure])
    return t("{name} in thousand rupees", name=name) if measure.is_amount else name


def _bars(table: Table, names: list[str], drawn: Measure) -> list[dict[str, str | float]]:
    column = list(table.measures).index(drawn)
    size = 1_000 if drawn.is_amount else 1
    return [
        {"name": _shortened(name), "value": float(values[column] or 0) / size}
        for name, (_, values) in zip(names, table.lines, strict=True)
    ]


def _shortened(name: str) -> str:
    """Return a name that fits below a bar; the table has the whole."""
    return name if len(name) <= _LONGEST_NAME else f"{name[: _LONGEST_NAME - 1]}…"
