"""The summary of a run, as written to `summary.json` and shown in the report; money in rupees."""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise
from statistics import median
from typing import Any

from tools.simulation.audit import CheckResult
from tools.simulation.db_rows import SOLD_OUT, DishChange
from tools.simulation.finding import Finding, rupees
from tools.simulation.kitchen_arrivals import Arrival, arrivals, percentile
from tools.simulation.kitchen_log import is_undo
from tools.simulation.plan import ORDERING_SHARE
from tools.simulation.run_result import RunResult

_OPEN_REFUNDS = {"due", "asked", "pending"}


def summary(result: RunResult, check_results: Sequence[CheckResult]) -> dict[str, Any]:
    """Return all measurements of the run."""
    return {
        "run": _run(result),
        "orders": _orders(result),
        "money": {name: rupees(paise) for name, paise in money(result).items()},
        "notifications": _notifications(result),
        "seconds_until_success": _waits(result),
        "kitchens": _kitchens(result),
        "checks": [_check(each) for each in check_results],
        "settlement": vars(result.settled),
        "logged_errors": dict(Counter(result.logged_errors)),
    }


def money(result: RunResult) -> dict[str, int]:
    """Return the captured, refunded and remaining amounts, in paise."""
    database = result.evidence.database
    return {
        "captured by the provider": sum(
            each.captured_paise for each in result.evidence.provider_orders
        ),
        "paid for confirmed orders": sum(
            order.online_paise for order in database.orders if order.is_confirmed
        ),
        "refunded": sum(each.paise for each in database.refunds if each.state == "done"),
        "due for refund": sum(
            each.paise for each in database.refunds if each.state in _OPEN_REFUNDS
        ),
        "remaining amounts": sum(
            order.remaining_paise for order in database.orders if order.is_confirmed
        ),
    }


def wait_times(result: RunResult) -> list[float]:
    """Return each customer's wait for SUCCESS in seconds, shortest first."""
    return sorted(
        log.wait_seconds for log in result.evidence.customer_logs if log.wait_seconds is not None
    )


def kill_gaps(result: RunResult) -> list[float]:
    """Return the minutes between consecutive kills."""
    minutes = [result.minute_of(kill.at) for kill in result.evidence.kills]
    return [later - earlier for earlier, later in pairwise(minutes)]


def _run(result: RunResult) -> dict[str, Any]:
    plan, gaps = result.plan, kill_gaps(result)
    return {
        "seed": plan.seed,
        "campus_size": plan.campus_size,
        "ordering_share": ORDERING_SHARE,
        "hour_seconds": plan.seconds,
        "speed": round(plan.speed, 1),
        "duration_seconds": round(result.duration_seconds),
        "processes": result.processes,
        "kills": len(result.evidence.kills),
        "minutes_between_kills": round(median(gaps), 2) if gaps else None,
        "clock_skew_seconds": round(result.evidence.clock_skew_seconds, 1),
    }


def _orders(result: RunResult) -> dict[str, Any]:
    logs, orders = result.evidence.customer_logs, result.evidence.database.orders
    return {
        "customers": len(logs),
        "stored": len(orders),
        "states": dict(Counter(order.state for order in orders)),
        "refund_reasons": dict(Counter(each.reason for each in result.evidence.database.refunds)),
        "rejections": dict(Counter(each.rejection for each in logs if each.rejection)),
        "outcomes": dict(Counter(each.outcome for each in logs)),
    }


def _notifications(result: RunResult) -> dict[str, Any]:
    evidence = result.evidence
    return {
        "mails": len(evidence.mails),
        "mails_by_message_id": len({each.message_id for each in evidence.mails}),
        "calls": len(evidence.calls),
        "calls_that_rang": sum(each.has_rung for each in evidence.calls),
        "calls_given_up": sum(
            job.state == "dead" for job in evidence.database.jobs if job.topic == "call.vendor"
        ),
        "webhooks": result.webhooks,
    }


def _waits(result: RunResult) -> dict[str, float | int]:
    waits = wait_times(result)
    if not waits:
        return {"customers": 0}
    return {
        "customers": len(waits),
        "median": round(median(waits), 2),
        "p95": round(waits[int(len(waits) * 0.95)], 2),
        "longest": round(waits[-1], 2),
    }


def _kitchens(result: RunResult) -> dict[str, Any]:
    evidence = result.evidence
    logs, found = evidence.device_logs, arrivals(evidence)
    presses = [press for log in logs for press in log.presses]
    return {
        "devices": len(logs),
        "connections": sum(len(log.connections) for log in logs),
        "boards": sum(log.boards for log in logs),
        "orders": len({order_id for log in logs for order_id in log.arrivals}),
        "presses": len(presses),
        "presses_cut_after_sending": sum(log.cut_presses for log in logs),
        "undone": sum(is_undo(press) for press in presses),
        "presses_without_effect": sum(
            not row.has_effect for row in evidence.database.kitchen_presses
        ),
        "states": dict(Counter(row.state for row in evidence.database.cooking)),
        "times_sold_out": _times_sold_out(evidence.database.dish_changes),
        "orders_refused": sum(
            log.rejection == "item_unavailable" for log in evidence.customer_logs
        ),
        "seconds_until_shown": {
            "undisturbed": seconds_until_shown([each for each in found if each.is_undisturbed]),
            "all_connected": seconds_until_shown(found),
        },
    }


def _times_sold_out(changes: Sequence[DishChange]) -> int:
    """Return how often a dish sold out; a switch that is pressed again counts once."""
    actions: dict[tuple[int, str], str] = {}
    count = 0
    for change in changes:
        dish = change.restaurant_id, change.dish
        count += change.action == SOLD_OUT != actions.get(dish)
        actions[dish] = change.action
    return count


def seconds_until_shown(found: Sequence[Arrival]) -> dict[str, float | int]:
    """Return the number of arrivals, and the median, 95th percentile and maximum of their times."""
    seconds = [each.seconds for each in found]
    shares = {"p50": 0.5, "p95": 0.95, "max": 1.0}
    return {
        "arrivals": len(seconds),
        **{name: round(percentile(seconds, share), 2) for name, share in shares.items()},
    }


def _check(result: CheckResult) -> dict[str, Any]:
    return {
        "title": result.check.title,
        "invariants": result.check.invariants,
        "checked_count": result.checked_count,
        "findings": [_finding(each) for each in result.findings],
        "explained": [_finding(each) for each in result.explained],
    }


def _finding(found: Finding) -> dict[str, str]:
    return {name: value for name, value in vars(found).items() if value}
