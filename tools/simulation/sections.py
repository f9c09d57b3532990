"""The charts of the report, with their captions."""

from collections import Counter
from dataclasses import dataclass, field

from markupsafe import Markup

from tools.simulation import charts
from tools.simulation.customer_log import CustomerLog
from tools.simulation.finding import rupees
from tools.simulation.kitchen_arrivals import arrivals
from tools.simulation.plan import HOUR_MINUTES
from tools.simulation.run_result import RunResult
from tools.simulation.summary import money, summary, wait_times

_WAIT_LIMITS_SECONDS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 45, 90)
_ARRIVAL_LIMITS_SECONDS = (0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5)
_MINUTES_AFTER_HOUR = 6
_KINDS = ("confirmed", "refund-due", "unpaid", "rejected")
_LEGEND = {
    "confirmed": "confirmed",
    "refund-due": "paid, refund due",
    "unpaid": "not paid",
    "rejected": "rejected, or no response",
    "kill": "process killed, until restarted",
    "outage": "outage",
    "closed": "closed by the operator",
}


@dataclass(frozen=True)
class Section:
    """A chart with its caption and legend."""

    name: str
    text: str
    chart: Markup
    legend: dict[str, str] = field(default_factory=dict)


def sections(result: RunResult) -> list[Section]:
    """Return all sections in their order."""
    return [
        _hour(result),
        _queues(result),
        _wait_for_success(result),
        _kitchens(result),
        _money(result),
        _seats(result),
    ]


def _hour(result: RunResult) -> Section:
    counts = [Counter[str]() for _ in range(HOUR_MINUTES)]
    states = {order.number: order.state for order in result.evidence.database.orders}
    for log in result.evidence.customer_logs:
        counts[min(int(log.minute), HOUR_MINUTES - 1)][_kind(log, states)] += 1
    chart = charts.stacked("Customers by minute", counts, _KINDS, _lanes(result))
    text = "The customers of each minute by the result of their order; below, the faults."
    return Section("THE HOUR", text, Markup(chart), _LEGEND)


def _kind(log: CustomerLog, states: dict[str, str]) -> str:
    if log.number not in states:
        return "rejected"
    return {"confirmed": "confirmed", "refund_due": "refund-due"}.get(states[log.number], "unpaid")


def _lanes(result: RunResult) -> list[charts.Lane]:
    lanes = [
        charts.Lane(
            f"app {process + 1}",
            [
                (result.minute_of(kill.at), result.minute_of(kill.restarted_at))
                for kill in result.evidence.kills
                if kill.process == process
            ],
            "kill",
        )
        for process in range(result.processes)
    ]
    names = {"cashfree": "payments", "twilio": "calls", "mail": "mail"}
    spans = [(names[each.target], each, "outage") for each in result.evidence.outages]
    spans += [(f"no. {each.target}", each, "closed") for each in result.evidence.closures]
    for name, each, kind in spans:
        interval = [(result.minute_of(each.begins), result.minute_of(each.ends))]
        lanes.append(charts.Lane(name, interval, kind))
    return lanes


def _queues(result: RunResult) -> Section:
    minutes = HOUR_MINUTES + _MINUTES_AFTER_HOUR
    samples = [(result.minute_of(sample.at), sample) for sample in result.samples]
    samples = [(max(at, 0.0), sample) for at, sample in samples if at <= minutes]
    series = {
        "mails": [(at, sample.mails) for at, sample in samples],
        "calls": [(at, sample.calls) for at, sample in samples],
    }
    chart = charts.lines("Open notification jobs", series, minutes)
    text = (
        "Open jobs in the outbox. The job of a call is open until the telephone service reports the"
        " outcome, and that of a mail during the mail server's outage. Payments do not depend on them."
    )
    return Section(
        "OPEN JOBS",
        text,
        Markup(chart),
        {"mails": "mails to send", "calls": "calls without an outcome"},
    )


def _wait_for_success(result: RunResult) -> Section:
    waits, counts, lower = wait_times(result), {}, 0.0
    for limit in _WAIT_LIMITS_SECONDS:
        counts[f"< {limit:g} s"] = sum(lower <= wait < limit for wait in waits)
        lower = limit
    counts[f"{lower:g} s +"] = sum(wait >= lower for wait in waits)
    text = (
        "Seconds in real time from the pay button until the site reported SUCCESS, for customers who"
        " stayed; lost and late webhooks, outages and kills are included."
    )
    return Section(
        "WAIT FOR SUCCESS", text, Markup(charts.bars("Customers by wait for SUCCESS", counts))
    )


def _kitchens(result: RunResult) -> Section:
    found, counts, lower = arrivals(result.evidence), {}, 0.0
    for limit in _ARRIVAL_LIMITS_SECONDS:
        counts[f"< {limit:g} s"] = sum(lower <= each.seconds < limit for each in found)
        lower = limit
    counts[f"{lower:g} s +"] = sum(each.seconds >= lower for each in found)
    content = summary(result, ())["kitchens"]
    times = content["seconds_until_shown"]
    text = (
        "Seconds in real time from the recording of a payment until a connected device of the kitchen"
        f" showed the order. While no process was killed or starting, half of {times['undisturbed']['arrivals']:,}"
        f" arrivals took {times['undisturbed']['p50']:g} s, 95% at most {times['undisturbed']['p95']:g} s, and the"
        f" longest {times['undisturbed']['max']:g} s; including kills, 95% took at most"
        f" {times['all_connected']['p95']:g} s. The cooks pressed {content['presses']:,} times on"
        f" {content['devices']} devices, of which {content['undone']:,} undid another press; their"
        f" {content['connections']:,} connections were cut, {content['presses_cut_after_sending']:,} directly after"
        f" a press. A dish sold out {content['times_sold_out']} times, and {content['orders_refused']} orders were"
        " refused for it."
    )
    return Section("KITCHENS", text, Markup(charts.bars("Orders by time until shown", counts)))


def _money(result: RunResult) -> Section:
    amounts = money(result)
    parts = {
        "confirmed": amounts["paid for confirmed orders"],
        "refunded": amounts["refunded"],
        "refund-due": amounts["due for refund"],
    }
    labels = ("paid for confirmed orders", "refunded", "due for refund")
    legend = {
        kind: f"{rupees(paise)} {text}"
        for (kind, paise), text in zip(parts.items(), labels, strict=True)
    }
    text = f"The {rupees(amounts['captured by the provider'])} that the provider captured:"
    return Section("CAPTURED MONEY", text, Markup(charts.split("Captured money", parts)), legend)


def _seats(result: RunResult) -> Section:
    guests: Counter[str] = Counter()
    for order in result.evidence.database.orders:
        if order.slot and order.is_confirmed:
            guests[order.slot] += order.party_size
    chart = charts.bars(
        "Guests by slot", dict(sorted(guests.items())), limit=result.evidence.seats_per_slot
    )
    text = (
        f"Guests with a table at restaurant 2; a slot has {result.evidence.seats_per_slot} seats."
    )
    return Section("TABLES", text, Markup(chart))
