"""Computes the figures of a span of days with pandas, as a program.

A process of its own, so that neither its memory nor its second of work is the server's. It reads
`{"database", "first", "last"}` from standard input and writes the content of
`rules.figures.figures_of`.
"""

import gc
import json
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import date
from typing import Any, Final

import pandas as pd

from campus_app.kitchen.rules.day_sheet import DAY_BEGINS
from campus_app.operators.rules.figures import SALES, Measure, Span, TableKey, VisitStep
from campus_app.operators.sql import figure_rows
from campus_app.ordering.rules.order import OrderState
from campus_app.shared.rules.constants import CAMPUS_TIME_ZONE
from kit.db.engine import open_engine

Line = tuple[str, Sequence[float | None]]

_MOST_LINES: Final = 200
"""How many dishes, offers or reasons are listed."""
_COLUMNS: Final = (
    *("paid_at", "state", "restaurant", "campus", "online", "door", "given_back"),
    *("discount", "offer", "guests", "seen_at", "ready_at"),
)


def figures(database: str, span: Span) -> dict[str, Any]:
    """Return the sums and tables of a span."""
    begins, ends = span.bounds
    engine = open_engine(database)
    try:
        with ThreadPoolExecutor(max_workers=1) as thread:
            # What the database adds up takes another processor meanwhile. What is paid or
            # given back between the two readings may be in one of them.
            added_up = thread.submit(
                figure_rows.read,
                engine,
                figure_rows.dishes(begins, ends, engine.dialect.name),
                figure_rows.sums(*span.before.bounds),
                figure_rows.unpaid(begins, ends),
                figure_rows.refunds(begins, ends),
                figure_rows.visits(begins, ends),
            )
            (orders,) = figure_rows.read(engine, figure_rows.orders(begins, ends))
            now = _orders(orders)
            dishes, before, unpaid, refunds, visits = added_up.result()
    finally:
        engine.dispose()
    honoured = now[now["is_honoured"]]
    return {
        "sums": _sums(now),
        "before": {name: int(value) for name, value in before[0]._asdict().items()},
        "tables": {
            TableKey.DAYS: _sales(now, "day", _days(span)),
            TableKey.RESTAURANTS: _sales(now, "restaurant"),
            TableKey.CAMPUSES: _sales(now, "campus"),
            TableKey.WEEKDAYS: _sales(now, "weekday", range(7)),
            TableKey.HOURS: _sales(now, "hour", _hours(now)),
            TableKey.DISHES: _dishes(dishes),
            TableKey.VISITS: _visits(visits),
            TableKey.UNPAID: _unpaid(unpaid),
            TableKey.KITCHENS: _kitchens(honoured),
            TableKey.OFFERS: _offers(honoured),
            TableKey.TABLES: _tables(honoured),
            TableKey.REFUNDS: _refunds(refunds),
        },
    }


def _orders(rows: Sequence[Any]) -> pd.DataFrame:
    """Return a line for each paid order, with its day, weekday and hour on the campus."""
    found = pd.DataFrame([tuple(row) for row in rows], columns=list(_COLUMNS))
    paid_at = pd.to_datetime(found["paid_at"], unit="ms", utc=True).dt.tz_convert(CAMPUS_TIME_ZONE)
    # A kitchen's night belongs to the day on which it opened (10.22).
    day = paid_at.dt.tz_localize(None) - pd.Timedelta(hours=DAY_BEGINS.hour)
    is_honoured = found["state"] == OrderState.CONFIRMED
    for name in ("online", "door", "given_back", "discount"):
        found[name] = found[name].astype("Int64").fillna(0).astype("int64")
    return found.assign(
        is_honoured=is_honoured,
        door=found["door"].where(is_honoured, 0),
        day=day.dt.date,
        weekday=day.dt.day_of_week,
        hour=paid_at.dt.hour,
    )


def _sums(orders: pd.DataFrame) -> dict[str, int]:
    return {
        "orders": int(orders["is_honoured"].sum()),
        **{name: int(orders[name].sum()) for name in ("online", "door", "given_back")},
    }


def _sales(orders: pd.DataFrame, by: str, names: Iterable[Any] | None = None) -> dict[str, Any]:
    """Return what was sold by a column: of `names` in their order, else the most first."""
    summed = orders.groupby(by)[["is_honoured", "online", "door", "given_back"]].sum()
    if names is not None:
        summed = summed.reindex(list(names), fill_value=0)
    summed["revenue"] = summed["online"] + summed["door"] - summed["given_back"]
    if names is None:
        summed = summed.sort_values(["revenue"], ascending=False, kind="stable")
    lines: list[Line] = []
    for name, *values in summed.itertuples():
        count, online, door, given_back, revenue = map(int, values)
        average = round(revenue / count) if count else 0
        lines.append((str(name), [count, revenue, online, door, given_back, average]))
    return _table(SALES, lines)


def _dishes(rows: Sequence[Any]) -> dict[str, Any]:
    """Return the units of each dish, and their amount before any discount."""
    units: Counter[str] = Counter()
    amounts: Counter[str] = Counter()
    for text, count in rows:
        line = json.loads(text)
        units[line["name"]] += count * line["quantity"]
        amounts[line["name"]] += count * line["quantity"] * line["paise"]
    summed = pd.DataFrame({"units": units, "amount": amounts}, dtype="int64")
    summed = summed.sort_values(["units", "amount"], ascending=False)
    return _counted((Measure.UNITS, Measure.AMOUNT), summed)


def _offers(orders: pd.DataFrame) -> dict[str, Any]:
    used = orders[orders["discount"] > 0].groupby("offer")["discount"].agg(["size", "sum"])
    return _counted((Measure.ORDERS, Measure.AMOUNT), used.sort_values("size", ascending=False))


def _tables(orders: pd.DataFrame) -> dict[str, Any]:
    reserved = orders.dropna(subset="guests").astype({"guests": "int64"})
    summed = reserved.groupby("restaurant")["guests"].agg(["size", "sum"])
    return _counted((Measure.COUNT, Measure.GUESTS), summed.sort_values("size", ascending=False))


def _kitchens(orders: pd.DataFrame) -> dict[str, Any]:
    """Return the medians of the minutes from payment until a kitchen has seen, and has ready."""
    minutes = orders[["restaurant"]].assign(
        seen=(orders["seen_at"].astype("Float64") - orders["paid_at"]) / 60_000,
        ready=(orders["ready_at"].astype("Float64") - orders["paid_at"]) / 60_000,
    )
    medians = minutes.groupby("restaurant").median()
    counts = minutes.groupby("restaurant").size()
    return _table(
        (Measure.ORDERS, Measure.SEEN_MINUTES, Measure.READY_MINUTES),
        (
            (str(name), [int(counts[name]), *(_rounded(each) for each in medians.loc[name])])
            for name in medians.index
        ),
    )


def _unpaid(rows: Sequence[Any]) -> dict[str, Any]:
    found = pd.DataFrame([tuple(row) for row in rows], columns=["state", "reason", "count"])
    names = found["state"].str.cat(found["reason"], sep=" ").str.strip()
    summed = found.assign(name=names).groupby("name")[["count"]].sum()
    return _counted((Measure.COUNT,), summed.sort_values("count", ascending=False))


def _refunds(rows: Sequence[Any]) -> dict[str, Any]:
    found = pd.DataFrame([tuple(row) for row in rows], columns=["name", "count", "amount"])
    summed = found.groupby("name").sum().fillna(0)
    return _counted((Measure.COUNT, Measure.AMOUNT), summed.sort_values("count", ascending=False))


def _visits(rows: Sequence[Any]) -> dict[str, Any]:
    counts = {step: int(count) for step, count in rows}
    all_visits = counts.get(VisitStep.VISIT, 0)
    return _table(
        (Measure.COUNT, Measure.SHARE),
        (
            (str(step), [count, round(100 * count / all_visits, 1) if all_visits else None])
            for step in VisitStep
            for count in [counts.get(step, 0)]
        ),
    )


def _counted(measures: Sequence[Measure], summed: pd.DataFrame) -> dict[str, Any]:
    """Return a table of whole numbers, cut after the most lines."""
    lines = summed.head(_MOST_LINES).itertuples()
    return _table(measures, ((str(name), [int(each) for each in rest]) for name, *rest in lines))


def _table(measures: Sequence[Measure], lines: Iterable[Line]) -> dict[str, Any]:
    return {"measures": list(measures), "lines": list(lines)}


def _rounded(minutes: Any) -> float | None:
    return None if pd.isna(minutes) else round(float(minutes), 1)


def _days(span: Span) -> Sequence[date]:
    return [each.date() for each in pd.date_range(span.first, span.last)]


def _hours(orders: pd.DataFrame) -> Sequence[int]:
    """Return the hours from the first to the last one with an order, in a day from 05:00."""
    since = sorted({(hour - DAY_BEGINS.hour) % 24 for hour in orders["hour"]})
    return (
        [(each + DAY_BEGINS.hour) % 24 for each in range(since[0], since[-1] + 1)] if since else []
    )


def main() -> None:
    """Answer the request of standard input."""
    gc.disable()  # it ends soon, and looks through all the rows again and again until then
    asked = json.load(sys.stdin)
    span = Span(date.fromisoformat(asked["first"]), date.fromisoformat(asked["last"]))
    json.dump(figures(asked["database"], span), sys.stdout)


if __name__ == "__main__":
    main()
