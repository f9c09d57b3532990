"""The charts of the report, with their captions."""

from collections import Counter
from dataclasses import dataclass, field

from markupsafe import Markup

from tests.simulation import charts
from tests.simulation.customer_log import CustomerLog
from tests.simulation.finding import rupees
from tests.simulation.plan import HOUR_MINUTES
from tests.simulation.run_result import RunResult
from tests.simulation.summary import money, wait_times

_WAITS = (0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 45, 90)
_ENDS_AFTER_MINUTES = 6
_KINDS = ("confirmed", "back", "unpaid", "refused")
_KEY = {
    "confirmed": "confirmed",
    "back": "paid, goes back",
    "unpaid": "never paid",
    "refused": "refused, or no answer",
    "kill": "process killed, until it served again",
    "away": "did not answer",
    "closed": "closed by the operator",
}


@dataclass(frozen=True)
class Section:
    """A chart with its caption and legend."""

    name: str
    text: str
    chart: Markup
    key: dict[str, str] = field(default_factory=dict)


def sections(result: RunResult) -> list[Section]:
    """Return all sections in their order."""
    return [_hour(result), _queues(result), _waiting(result), _money(result), _seats(result)]


def _hour(result: RunResult) -> Section:
    counted = [Counter[str]() for _ in range(HOUR_MINUTES)]
    states = {order.number: order.state for order in result.evidence.database.orders}
    for log in result.evidence.customer_logs:
        counted[min(int(log.minute), HOUR_MINUTES - 1)][_kind(log, states)] += 1
    chart = charts.stacked("Customers by minute", counted, _KINDS, _lanes(result))
    text = "Who came in each minute and how that ended; below, what went wrong meanwhile."
    return Section("THE HOUR", text, Markup(chart), _KEY)


def _kind(log: CustomerLog, states: dict[str, str]) -> str:
    if log.number not in states:
        return "refused"
    return {"confirmed": "confirmed", "refund_due": "back"}.get(states[log.number], "unpaid")


def _lanes(result: RunResult) -> list[charts.Lane]:
    lanes = [
        charts.Lane(
            f"app {process + 1}",
            [
                (result.minute_of(kill.at), result.minute_of(kill.back_at))
                for kill in result.evidence.kills
                if kill.process == process
            ],
            "kill",
        )
        for process in range(result.processes)
    ]
    names = {"cashfree": "bank", "twilio": "calls", "mail": "mail"}
    spans = [(names[each.what], each, "away") for each in result.evidence.outages]
    spans += [(f"no. {each.what}", each, "closed") for each in result.evidence.closures]
    for name, each, kind in spans:
        whole = [(result.minute_of(each.begins), result.minute_of(each.ends))]
        lanes.append(charts.Lane(name, whole, kind))
    return lanes


def _queues(result: RunResult) -> Section:
    minutes = HOUR_MINUTES + _ENDS_AFTER_MINUTES
    looks = [(result.minute_of(sample.at), sample) for sample in result.samples]
    looks = [(max(at, 0.0), sample) for at, sample in looks if at <= minutes]
    series = {
        "mails": [(at, sample.mails) for at, sample in looks],
        "calls": [(at, sample.calls) for at, sample in looks],
    }
    chart = charts.lines("Notices that wait", series, minutes)
    text = (
        "Notices that wait in the outbox. A call waits until the telephone service has said how it"
        " went; mails wait while the mail server is away, and no payment waits for them."
    )
    return Section(
        "WHAT WAITS", text, Markup(chart), {"mails": "mails to send", "calls": "calls under way"}
    )


def _waiting(result: RunResult) -> Section:
    waits, amounts, below = wait_times(result), {}, 0.0
    for limit in _WAITS:
        amounts[f"< {limit:g} s"] = sum(below <= wait < limit for wait in waits)
        below = limit
    amounts[f"{below:g} s +"] = sum(wait >= below for wait in waits)
    text = (
        "How long customers who stayed waited from the button that pays until the site said SUCCESS,"
        " in real seconds; lost and late notices, outages and kills included."
    )
    return Section("UNTIL THEY WERE TOLD", text, Markup(charts.bars("Seconds waited", amounts)))


def _money(result: RunResult) -> Section:
    held = money(result)
    parts = {
        "confirmed": held["kept for confirmed orders"],
        "given": held["given back"],
        "back": held["marked to go back"],
    }
    labels = ("kept for confirmed orders", "given back", "marked to go back")
    key = {
        kind: f"{rupees(paise)} {text}"
        for (kind, paise), text in zip(parts.items(), labels, strict=True)
    }
    text = f"Of {rupees(held['taken by the provider'])} that the provider took:"
    return Section("EVERY RUPEE", text, Markup(charts.split("Where the money is", parts)), key)


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
