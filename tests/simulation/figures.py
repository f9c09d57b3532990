"""The figures of a run, as `ledger.json` keeps them and the report shows them; money in rupees."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from tests.simulation.audit import Checked
from tests.simulation.day import Day
from tests.simulation.finding import Finding, rupees
from tests.simulation.plan import SHARE_THAT_ORDERS

_OPEN_REFUNDS = {"due", "asked", "pending"}


def figures(day: Day, checked: Sequence[Checked]) -> dict[str, Any]:
    """Return everything that is worth a figure."""
    return {
        "run": _run(day),
        "orders": _orders(day),
        "money": {name: rupees(paise) for name, paise in money(day).items()},
        "notices": _notices(day),
        "seconds_until_told": _waits(day),
        "checks": [_check(each) for each in checked],
        "settled": vars(day.settled),
        "error_lines": dict(Counter(day.troubles)),
    }


def money(day: Day) -> dict[str, int]:
    """Return where the money is, in paise."""
    ours = day.books.ours
    return {
        "taken by the provider": sum(each.taken_paise for each in day.books.taken),
        "kept for confirmed orders": sum(
            order.online_paise for order in ours.orders if order.is_confirmed
        ),
        "given back": sum(each.paise for each in ours.refunds if each.state == "done"),
        "marked to go back": sum(
            each.paise for each in ours.refunds if each.state in _OPEN_REFUNDS
        ),
        "due at the door": sum(
            order.remaining_paise for order in ours.orders if order.is_confirmed
        ),
    }


def waited(day: Day) -> list[float]:
    """Return how many seconds each customer who watched waited to be told, the shortest first."""
    return sorted(told.waited_seconds for told in day.books.told if told.waited_seconds is not None)


def kill_gaps(day: Day) -> list[float]:
    """Return the minutes of the hour between one kill and the next."""
    moments = [day.minute_of(death.at) for death in day.books.deaths]
    return [later - earlier for earlier, later in pairwise(moments)]


def _run(day: Day) -> dict[str, Any]:
    plan, gaps = day.plan, kill_gaps(day)
    return {
        "seed": plan.seed,
        "people": plan.people,
        "share_that_orders": SHARE_THAT_ORDERS,
        "hour_took_seconds": plan.seconds,
        "speed": round(plan.speed, 1),
        "took_seconds": round(day.took_seconds),
        "processes": day.processes,
        "kills": len(day.books.deaths),
        "minutes_between_kills": round(median(gaps), 2) if gaps else None,
        "clocks_off_seconds": round(day.books.clocks_off_seconds, 1),
    }


def _orders(day: Day) -> dict[str, Any]:
    told, orders = day.books.told, day.books.ours.orders
    return {
        "came": len(told),
        "stored": len(orders),
        "states": dict(Counter(order.state for order in orders)),
        "refund_reasons": dict(Counter(each.reason for each in day.books.ours.refunds)),
        "refused": dict(Counter(each.refused for each in told if each.refused)),
        "fates": dict(Counter(each.fate for each in told)),
    }


def _notices(day: Day) -> dict[str, Any]:
    books = day.books
    return {
        "mails": len(books.letters),
        "mails_by_message_id": len({each.message_id for each in books.letters}),
        "calls": len(books.calls),
        "calls_that_rang": sum(each.has_rung for each in books.calls),
        "calls_given_up": sum(
            job.state == "dead" for job in books.ours.jobs if job.topic == "call.vendor"
        ),
        "of_the_provider": day.notices,
    }


def _waits(day: Day) -> dict[str, float | int]:
    waits = waited(day)
    if not waits:
        return {"customers": 0}
    return {
        "customers": len(waits),
        "median": round(median(waits), 2),
        "p95": round(waits[int(len(waits) * 0.95)], 2),
        "longest": round(waits[-1], 2),
    }


def _check(checked: Checked) -> dict[str, Any]:
    return {
        "title": checked.check.title,
        "invariants": checked.check.invariants,
        "looked_at": checked.looked_at,
        "findings": [_finding(each) for each in checked.findings],
        "explained": [_finding(each) for each in checked.explained],
    }


def _finding(found: Finding) -> dict[str, str]:
    return {name: value for name, value in vars(found).items() if value}
