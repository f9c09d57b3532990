"""How the figures call their tables, columns and lines, for people."""

from collections.abc import Callable, Mapping
from datetime import date, timedelta
from typing import Final

from campus_app.operators.rules.figures import Measure, TableKey, Value, VisitStep
from campus_app.ordering.rules.payment import PaymentState
from campus_app.shared.rules.campus import Campus
from campus_app.shared.rules.messages import RefundReason
from campus_app.shared.rules.money import Rupees, format_count, format_rupees
from campus_app.shared.translations import t
from kit.text import gettext_noop
from kit.translations import date_words

TABLES: Final[Mapping[TableKey, str]] = {
    TableKey.DAYS: gettext_noop("By day"),
    TableKey.RESTAURANTS: gettext_noop("By kitchen"),
    TableKey.CAMPUSES: gettext_noop("By campus"),
    TableKey.WEEKDAYS: gettext_noop("By weekday"),
    TableKey.HOURS: gettext_noop("By hour"),
    TableKey.DISHES: gettext_noop("Dishes, before offers"),
    TableKey.VISITS: gettext_noop("How far visits come"),
    TableKey.UNPAID: gettext_noop("Payments that ended without money"),
    TableKey.KITCHENS: gettext_noop("Minutes until seen and ready"),
    TableKey.OFFERS: gettext_noop("Offers used"),
    TableKey.TABLES: gettext_noop("Tables reserved"),
    TableKey.REFUNDS: gettext_noop("Money that goes back"),
}
MEASURES: Final[Mapping[Measure, str]] = {
    Measure.ORDERS: gettext_noop("Orders"),
    Measure.REVENUE: gettext_noop("Revenue"),
    Measure.ONLINE: gettext_noop("Online"),
    Measure.DOOR: gettext_noop("At the door"),
    Measure.GIVEN_BACK: gettext_noop("Given back"),
    Measure.AVERAGE: gettext_noop("Average"),
    Measure.UNITS: gettext_noop("Units"),
    Measure.AMOUNT: gettext_noop("Amount"),
    Measure.COUNT: gettext_noop("Number"),
    Measure.GUESTS: gettext_noop("Guests"),
    Measure.SHARE: gettext_noop("Share"),
    Measure.SEEN_MINUTES: gettext_noop("Until seen"),
    Measure.READY_MINUTES: gettext_noop("Until ready"),
}
_STEPS: Final[Mapping[str, str]] = {
    VisitStep.VISIT: gettext_noop("Visits"),
    VisitStep.MENU: gettext_noop("opened a menu"),
    VisitStep.CART: gettext_noop("filled a cart"),
    VisitStep.SUMMARY: gettext_noop("reached the summary"),
    VisitStep.PAID: gettext_noop("paid"),
}
PAYMENTS: Final[Mapping[str, str]] = {
    PaymentState.FAILED: gettext_noop("it failed"),
    PaymentState.CANCELLED: gettext_noop("it was cancelled"),
    PaymentState.EXPIRED: gettext_noop("the time was over"),
}
"""How a payment ended without money."""
_A_MONDAY: Final = date(2024, 1, 1)


def _unpaid(name: str) -> str:
    state, _, reason = name.partition(" ")
    return f"{t(PAYMENTS[state])}: {reason}" if reason else t(PAYMENTS[state])


_LINES: Final[Mapping[TableKey, Callable[[str], str]]] = {
    TableKey.DAYS: lambda name: date_words(date.fromisoformat(name), "EEE d MMM"),
    TableKey.CAMPUSES: lambda name: t(Campus(name).place_name),
    TableKey.WEEKDAYS: lambda name: date_words(_A_MONDAY + timedelta(days=int(name)), "EEEE"),
    TableKey.HOURS: lambda name: f"{int(name):02}:00",
    TableKey.VISITS: lambda name: t(_STEPS[name]),
    TableKey.UNPAID: _unpaid,
    TableKey.REFUNDS: lambda name: t(name) if name in tuple(RefundReason) else name,
    TableKey.OFFERS: t,
}


def line_name(key: TableKey, name: str) -> str:
    """Return the name of a line of a table as people read it."""
    return _LINES[key](name) if key in _LINES else name


def cell(measure: Measure, value: Value) -> str:
    """Return the value of a column as people read it; a dash for none."""
    if value is None:
        return "–"
    if isinstance(value, Rupees):
        return format_rupees(value)
    if measure is Measure.SHARE:
        return f"{value:.1f} %"
    if measure in {Measure.SEEN_MINUTES, Measure.READY_MINUTES}:
        return t("{count} min", count=f"{value:.1f}")
    return format_count(int(value))
