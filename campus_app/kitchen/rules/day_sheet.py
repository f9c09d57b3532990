"""A restaurant's account of one day: what was paid, is to be collected, and goes back.

Source: specification 10.22.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from typing import Final

from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from campus_app.shared.rules.money import ZERO, Rupees
from kit.text import isolate

DAY_BEGINS: Final = time(5)
"""Kitchens that are open at night count it to the day on which they opened."""
_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r")


@dataclass(frozen=True)
class DayLine:
    """A paid order; amounts in rupees."""

    number: str
    restaurant_id: int
    restaurant_name: str
    paid_at: datetime
    state: OrderState
    units: Sequence[tuple[int, str]]
    """The quantity and the name of each dish."""
    grand_total: Rupees
    paid: Rupees | None
    """What was paid online; None if the provider's amount can't be read."""
    remaining: Rupees
    refunded: Rupees
    refund_due: Rupees
    """What is due or requested, but not given back yet."""

    @property
    def dishes(self) -> str:
        """The dishes for files: `2 x Rajma Chawal, 1 x Masala Chai`."""
        return ", ".join(f"{quantity} x {name}" for quantity, name in self.units)

    @property
    def shown_dishes(self) -> str:
        """The dishes for people: a right-to-left name turns around no quantity."""
        return ", ".join(f"{quantity} x {isolate(name)}" for quantity, name in self.units)

    @property
    def to_collect(self) -> Rupees:
        """What the restaurant collects; nothing for an order that is given back."""
        return self.remaining if self.state is OrderState.CONFIRMED else ZERO


@dataclass(frozen=True)
class DaySums:
    """The sums of a day in rupees."""

    grand_total: Rupees
    paid: Rupees
    to_collect: Rupees
    refunded: Rupees
    refund_due: Rupees


@dataclass(frozen=True)
class DaySheet:
    """The paid orders of a campus day, in the order in which they were paid."""

    day: date
    lines: Sequence[DayLine]

    @property
    def sums(self) -> DaySums:
        """The sums of the lines; an order that is given back counts with what was paid."""
        confirmed = [line for line in self.lines if line.state is OrderState.CONFIRMED]
        return DaySums(
            grand_total=sum((line.grand_total for line in confirmed), ZERO),
            paid=sum((line.paid or ZERO for line in self.lines), ZERO),
            to_collect=sum((line.to_collect for line in self.lines), ZERO),
            refunded=sum((line.refunded for line in self.lines), ZERO),
            refund_due=sum((line.refund_due for line in self.lines), ZERO),
        )


def day_of(moment: datetime) -> date:
    """Return the day to which an aware datetime counts: days begin at 05:00 on the campus."""
    begins = timedelta(hours=DAY_BEGINS.hour)
    return (moment.astimezone(CAMPUS_TIME_ZONE) - begins).date()


def day_bounds(day: date) -> tuple[datetime, datetime]:
    """Return when a day begins, and when the next one does."""
    begins = datetime.combine(day, DAY_BEGINS, CAMPUS_TIME_ZONE)
    return begins, begins + timedelta(days=1)


def spreadsheet_text(text: str) -> str:
    """Return a text that no spreadsheet program takes for a formula.

    Source: https://owasp.org/www-community/attacks/CSV_Injection.
    """
    return f"'{text}" if text.startswith(_FORMULA_STARTS) else text
