"""What the figures of a span of days say, and what they are computed from.

Source: specification 13.1 to 13.6.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from enum import StrEnum
from typing import Any, Final, Self

from campus_app.kitchen.rules.day_sheet import day_bounds
from campus_app.shared.rules.constants import MAXIMUM_FIGURE_DAYS, USUAL_FIGURE_DAYS
from campus_app.shared.rules.money import ZERO, Rupees, from_paise

_EARLIEST_YEAR: Final = 2000


class VisitStep(StrEnum):
    """How far a visit of the ordering screens came, in this sequence."""

    VISIT = "visit"
    MENU = "menu"
    CART = "cart"
    SUMMARY = "summary"
    PAID = "paid"


class Measure(StrEnum):
    """What a column of a table says."""

    ORDERS = "orders"
    REVENUE = "revenue"
    ONLINE = "online"
    DOOR = "door"
    GIVEN_BACK = "given_back"
    AVERAGE = "average"
    UNITS = "units"
    AMOUNT = "amount"
    COUNT = "count"
    GUESTS = "guests"
    SHARE = "share"
    """Of all visits, in percent."""
    SEEN_MINUTES = "seen_minutes"
    """From payment until the kitchen has seen the order, the median; so for READY_MINUTES."""
    READY_MINUTES = "ready_minutes"

    @property
    def is_amount(self) -> bool:
        """Whether it is an amount: rupees in a `Table`, paise in what the program writes."""
        return self in _AMOUNTS


SALES: Final = (
    *(Measure.ORDERS, Measure.REVENUE, Measure.ONLINE),
    *(Measure.DOOR, Measure.GIVEN_BACK, Measure.AVERAGE),
)
"""What the sums have, and each line of the tables of what was sold."""
_AMOUNTS: Final = frozenset({*SALES, Measure.AMOUNT} - {Measure.ORDERS})


class TableKey(StrEnum):
    """A table of the figures."""

    DAYS = "days"
    RESTAURANTS = "restaurants"
    CAMPUSES = "campuses"
    WEEKDAYS = "weekdays"
    HOURS = "hours"
    DISHES = "dishes"
    VISITS = "visits"
    UNPAID = "unpaid"
    KITCHENS = "kitchens"
    OFFERS = "offers"
    TABLES = "tables"
    REFUNDS = "refunds"


@dataclass(frozen=True)
class Span:
    """Campus days from the first to the last one, both included."""

    first: date
    last: date

    @classmethod
    def read(cls, first: str, last: str, today: date) -> Self:
        """Return the span between two days such as 2026-11-18, in any order.

        A last day that is missing, invalid, before 2000 or after today is today. A first day that
        is missing, invalid or before 2000 is six days before the last day; after today it is today.
        Of more than `MAXIMUM_FIGURE_DAYS` days the last ones are kept.
        """
        ends = min(_day(last) or today, today)
        begins = min(_day(first) or ends - timedelta(days=USUAL_FIGURE_DAYS - 1), today)
        begins, ends = sorted((begins, ends))
        return cls(max(begins, ends - timedelta(days=MAXIMUM_FIGURE_DAYS - 1)), ends)

    @property
    def days(self) -> int:
        """How many days these are."""
        return (self.last - self.first).days + 1

    @property
    def before(self) -> "Span":
        """As many days before the first one."""
        return Span(self.first - timedelta(days=self.days), self.first - timedelta(days=1))

    @property
    def bounds(self) -> tuple[datetime, datetime]:
        """When the first day begins, and when the last one has ended."""
        return day_bounds(self.first)[0], day_bounds(self.last)[1]


@dataclass(frozen=True)
class Sums:
    """The sums of a span in rupees, which are those of its day sheets (10.22)."""

    orders: int
    """Honoured orders: an order that was given back is not among them."""
    online: Rupees
    """What was paid online, also for orders that are given back."""
    door: Rupees
    """What kitchens collect for honoured orders."""
    given_back: Rupees
    """What was given back, and what is due or asked for."""

    @property
    def revenue(self) -> Rupees:
        """What customers pay for honoured orders."""
        return self.online + self.door - self.given_back

    @property
    def average(self) -> Rupees:
        """The revenue of an honoured order; zero without one."""
        return (self.revenue / self.orders).quantize(ZERO) if self.orders else ZERO


Value = Rupees | float | None
"""An amount, a number, or none."""


@dataclass(frozen=True)
class Table:
    """Lines of the figures: a name, then a value for each measure."""

    key: TableKey
    measures: Sequence[Measure]
    lines: Sequence[tuple[str, Sequence[Value]]]


@dataclass(frozen=True)
class Figures:
    """How it went in a span of days, beside as many days before."""

    span: Span
    sums: Sums
    before: Sums
    tables: Mapping[TableKey, Table]


def figures_of(span: Span, content: Mapping[str, Any]) -> Figures:
    """Return the figures that `operators/figures_program.py` has written."""
    tables = {TableKey(key): _table(TableKey(key), each) for key, each in content["tables"].items()}
    return Figures(span, _sums(content["sums"]), _sums(content["before"]), tables)


def _table(key: TableKey, content: Mapping[str, Any]) -> Table:
    """Return a table, whose amounts are written in paise."""
    measures = [Measure(each) for each in content["measures"]]
    lines = [(name, [*map(_value, measures, values)]) for name, values in content["lines"]]
    return Table(key, measures, lines)


def _value(measure: Measure, value: float | None) -> Value:
    return from_paise(int(value)) if measure.is_amount and value is not None else value


def _sums(paise: Mapping[str, int]) -> Sums:
    return Sums(
        paise["orders"],
        *(from_paise(paise[name]) for name in ("online", "door", "given_back")),
    )


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text)
    except ValueError:
        return None
    return day if day.year >= _EARLIEST_YEAR else None
