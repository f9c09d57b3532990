"""The charts of the report, each with what it says."""

from collections import Counter
from dataclasses import dataclass, field

from markupsafe import Markup

from tests.simulation import charts
from tests.simulation.customer_log import Told
from tests.simulation.day import Day
from tests.simulation.figures import money, waited
from tests.simulation.finding import rupees
from tests.simulation.plan import HOUR_MINUTES

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
    """A chart with what it says."""

    name: str
    words: str
    chart: Markup
    key: dict[str, str] = field(default_factory=dict)


def sections(day: Day) -> list[Section]:
    """Return all of them, in their order."""
    return [_hour(day), _queues(day), _waiting(day), _money(day), _seats(day)]


def _hour(day: Day) -> Section:
    counted = [Counter[str]() for _ in range(HOUR_MINUTES)]
    states = {order.number: order.state for order in day.books.ours.orders}
    for told in day.books.told:
        counted[min(int(told.minute), HOUR_MINUTES - 1)][_kind(told, states)] += 1
    chart = charts.stacked("Customers by minute", counted, _KINDS, _lanes(day))
    words = "Who came in each minute and how that ended; below, what went wrong meanwhile."
    return Section("THE HOUR", words, Markup(chart), _KEY)


def _kind(told: Told, states: dict[str, str]) -> str:
    if told.number not in states:
        return "refused"
    return {"confirmed": "confirmed", "refund_due": "back"}.get(states[told.number], "unpaid")


def _lanes(day: Day) -> list[charts.Lane]:
    lanes = [
        charts.Lane(
            f"app {process + 1}",
            [
                (day.minute_of(death.at), day.minute_of(death.back_at))
                for death in day.books.deaths
                if death.process == process
            ],
            "kill",
        )
        for process in range(day.processes)
    ]
    names = {"cashfree": "bank", "twilio": "calls", "mail": "mail"}
    spans = [(names[each.what], each, "away") for each in day.books.outages]
    spans += [(f"no. {each.what}", each, "closed") for each in day.books.closures]
    for name, each, kind in spans:
        whole = [(day.minute_of(each.begins), day.minute_of(each.ends))]
        lanes.append(charts.Lane(name, whole, kind))
    return lanes


def _queues(day: Day) -> Section:
    minutes = HOUR_MINUTES + _ENDS_AFTER_MINUTES
    looks = [(day.minute_of(sample.at), sample) for sample in day.samples]
    looks = [(max(at, 0.0), sample) for at, sample in looks if at <= minutes]
    series = {
        "mails": [(at, sample.mails) for at, sample in looks],
        "calls": [(at, sample.calls) for at, sample in looks],
    }
    chart = charts.lines("Notices that wait", series, minutes)
    words = (
        "Notices that wait in the outbox. A call waits until the telephone service has said how it"
        " went; mails wait while the mail server is away, and no payment waits for them."
    )
    return Section(
        "WHAT WAITS", words, Markup(chart), {"mails": "mails to send", "calls": "calls under way"}
    )


def _waiting(day: Day) -> Section:
    waits, amounts, below = waited(day), {}, 0.0
    for limit in _WAITS:
        amounts[f"< {limit:g} s"] = sum(below <= wait < limit for wait in waits)
        below = limit
    amounts[f"{below:g} s +"] = sum(wait >= below for wait in waits)
    words = (
        "How long customers who stayed waited from the button that pays until the site said SUCCESS,"
        " in real seconds; lost and late notices, outages and kills included."
    )
    return Section("UNTIL THEY WERE TOLD", words, Markup(charts.bars("Seconds waited", amounts)))


def _money(day: Day) -> Section:
    held = money(day)
    parts = {
        "confirmed": held["kept for confirmed orders"],
        "given": held["given back"],
        "back": held["marked to go back"],
    }
    said = ("kept for confirmed orders", "given back", "marked to go back")
    key = {
        kind: f"{rupees(paise)} {words}"
        for (kind, paise), words in zip(parts.items(), said, strict=True)
    }
    words = f"Of {rupees(held['taken by the provider'])} that the provider took:"
    return Section("EVERY RUPEE", words, Markup(charts.split("Where the money is", parts)), key)


def _seats(day: Day) -> Section:
    guests: Counter[str] = Counter()
    for order in day.books.ours.orders:
        if order.slot and order.is_confirmed:
            guests[order.slot] += order.party_size
    chart = charts.bars(
        "Guests by slot", dict(sorted(guests.items())), limit=day.books.seats_per_slot
    )
    words = f"Guests with a table at restaurant 2; a slot has {day.books.seats_per_slot} seats."
    return Section("TABLES", words, Markup(chart))
