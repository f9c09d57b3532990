"""The report of a run: one self-contained page in the style of the ordering screens."""

import base64
import re
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from tests.helpers.product import ROOT
from tests.simulation.audit import Checked, findings
from tests.simulation.finding import rupees
from tests.simulation.plan import SHARE_THAT_ORDERS
from tests.simulation.run_result import RunResult
from tests.simulation.sections import sections
from tests.simulation.summary import kill_gaps, money, summary, wait_times

_FONT = re.compile(r'url\("/fonts/([\w.-]+)"\)')


def page(result: RunResult, checked: Sequence[Checked]) -> str:
    """Return the report as HTML."""
    broken = findings(list(checked))
    is_broken = bool(broken or result.unfinished)
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    return templates.get_template("report.html.jinja").render(
        tokens=Markup(_tokens()),
        headline=headline(result, len(broken)),
        is_broken=is_broken,
        lead=_lead(result),
        tiles=_tiles(result),
        sections=sections(result),
        checked=checked,
        method=_method(result),
        errors=Counter(result.logged_errors),
    )


def headline(result: RunResult, broken: int) -> str:
    """Return the audit's result in one sentence."""
    if broken:
        return f"{broken} thing{'s' * (broken != 1)} not accounted for."
    if result.unfinished:
        return f"Not at its end: {'; '.join(result.unfinished)}."
    return "Every rupee and every notice is accounted for."


def _lead(result: RunResult) -> str:
    plan = result.plan
    return (
        f"A campus of {plan.people:,}, of whom {SHARE_THAT_ORDERS:.0%} order between noon and one: "
        f"{len(result.evidence.customer_logs):,} customers in {plan.seconds:.0f} s, seed {plan.seed}. "
        f"{len(result.evidence.kills)} times a process was killed."
    )


def _tiles(result: RunResult) -> dict[str, str]:
    held, figures, waits = money(result), summary(result, ()), wait_times(result)
    states = figures["orders"]["states"]
    return {
        "customers": f"{figures['orders']['came']:,}",
        "orders stored": f"{figures['orders']['stored']:,}",
        "confirmed": f"{states.get('confirmed', 0):,}",
        "taken online": rupees(held["taken by the provider"]),
        "due at the door": rupees(held["due at the door"]),
        "goes back": rupees(held["given back"] + held["marked to go back"]),
        "mails": f"{figures['notices']['mails_by_message_id']:,}",
        "of them came twice": f"{figures['notices']['mails'] - figures['notices']['mails_by_message_id']:,}",
        "calls that rang": f"{figures['notices']['calls_that_rang']:,}",
        "processes killed": f"{len(result.evidence.kills)}",
        "told of success after, median": f"{waits[len(waits) // 2]:.2f} s" if waits else "–",
        "told of success after, longest": f"{waits[-1]:.1f} s" if waits else "–",
    }


def _method(result: RunResult) -> list[str]:
    plan, gaps = result.plan, kill_gaps(result)
    between = f"{sum(gaps) / len(gaps):.1f}" if gaps else "–"
    return [
        f"Fast time is compressed traffic: the hour's customers and troubles come {plan.speed:.1f} "
        "times as fast, and every timer of the product runs at its real speed. So a minute's outage "
        "is shorter for the product than it would be, and the load on it is higher.",
        "After the hour, time that nobody need wait for is skipped: all processes start again with "
        "a later CAMPUS_NOW, so that unpaid orders lapse.",
        f"nginx, {result.processes} processes, PostgreSQL and Redis; the provider and the telephone "
        "service are ours, over HTTP in a process of their own, with a real SMTP server. The "
        f"provider grants Cashfree's published calls a minute, {plan.limits['payments'] / 100:.1f} "
        "times as many in fast time.",
        f"One process after the other is killed (SIGKILL), every {between} minutes of the hour.",
        "A mail can come twice with one Message-ID, where a process dies between the mail server's "
        "taking it and our writing that down; a call is never repeated, and is lost instead.",
        f"Clocks of the processes were off the campus's by {result.evidence.clock_skew_seconds:.1f} s at most.",
    ]


def _tokens() -> str:
    """Return the product's design tokens with embedded fonts."""

    def embedded(found: re.Match[str]) -> str:
        font = base64.b64encode((ROOT / "assets" / "fonts" / found[1]).read_bytes()).decode()
        return f"url(data:font/woff2;base64,{font})"

    return _FONT.sub(embedded, (ROOT / "assets" / "css" / "tokens.css").read_text("utf-8"))


def as_json(result: RunResult, checked: Sequence[Checked]) -> dict[str, Any]:
    """Return the summary with the audit's result."""
    return {"outcome": headline(result, len(findings(list(checked)))), **summary(result, checked)}
