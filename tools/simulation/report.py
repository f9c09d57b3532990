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
from tools.simulation.audit import CheckResult, findings
from tools.simulation.finding import rupees
from tools.simulation.plan import ORDERING_SHARE
from tools.simulation.run_result import RunResult
from tools.simulation.sections import sections
from tools.simulation.summary import kill_gaps, money, summary, wait_times

_FONT = re.compile(r'url\("/fonts/([\w.-]+)"\)')


def page(result: RunResult, check_results: Sequence[CheckResult]) -> str:
    """Return the report as HTML."""
    found = findings(list(check_results))
    has_failed = bool(found or result.unfinished)
    templates = Environment(
        loader=FileSystemLoader(Path(__file__).parent), autoescape=True, undefined=StrictUndefined
    )
    return templates.get_template("report.html.jinja").render(
        tokens=Markup(_tokens()),
        headline=headline(result, len(found)),
        has_failed=has_failed,
        lead=_lead(result),
        tiles=_tiles(result),
        sections=sections(result),
        check_results=check_results,
        method=_method(result),
        errors=Counter(result.logged_errors),
    )


def headline(result: RunResult, finding_count: int) -> str:
    """Return the audit's result in one sentence."""
    if finding_count:
        return f"{finding_count} finding{'s' * (finding_count != 1)}."
    if result.unfinished:
        return f"Not finished: {'; '.join(result.unfinished)}."
    return "Every rupee and every notification is accounted for."


def _lead(result: RunResult) -> str:
    plan = result.plan
    return (
        f"A campus of {plan.campus_size:,}, of whom {ORDERING_SHARE:.0%} order between 12:00 and 13:00: "
        f"{len(result.evidence.customer_logs):,} customers in {plan.seconds:.0f} s, seed {plan.seed}. "
        f"Processes were killed {len(result.evidence.kills)} times."
    )


def _tiles(result: RunResult) -> dict[str, str]:
    amounts, content, waits = money(result), summary(result, ()), wait_times(result)
    states = content["orders"]["states"]
    return {
        "customers": f"{content['orders']['customers']:,}",
        "orders stored": f"{content['orders']['stored']:,}",
        "confirmed": f"{states.get('confirmed', 0):,}",
        "captured online": rupees(amounts["captured by the provider"]),
        "remaining amounts": rupees(amounts["remaining amounts"]),
        "refunded or due": rupees(amounts["refunded"] + amounts["due for refund"]),
        "mails": f"{content['notifications']['mails_by_message_id']:,}",
        "duplicates of them": f"{content['notifications']['mails'] - content['notifications']['mails_by_message_id']:,}",
        "calls that rang": f"{content['notifications']['calls_that_rang']:,}",
        "processes killed": f"{len(result.evidence.kills)}",
        "wait for SUCCESS, median": f"{waits[len(waits) // 2]:.2f} s" if waits else "–",
        "wait for SUCCESS, longest": f"{waits[-1]:.1f} s" if waits else "–",
    }


def _method(result: RunResult) -> list[str]:
    plan, gaps = result.plan, kill_gaps(result)
    interval = f"{sum(gaps) / len(gaps):.1f}" if gaps else "–"
    return [
        f"The hour's customers and faults come {plan.speed:.1f} times as fast, but every timer of the "
        "product runs at its real speed. An outage is therefore shorter for the product than in a real "
        "hour, and the load is higher.",
        "After the hour, idle time is skipped: all processes restart with a later CAMPUS_NOW, so that "
        "unpaid orders lapse.",
        f"The stack is nginx, {result.processes} processes, PostgreSQL and Redis. A separate process runs "
        "fakes of the provider and the telephone service over HTTP, and an SMTP server. The fake "
        f"provider's rate limits are Cashfree's, multiplied by {plan.limits['payments'] / 100:.1f}.",
        f"Processes are killed (SIGKILL) in turn, every {interval} minutes of the hour.",
        "A mail can arrive twice with the same Message-ID if a process ends after the mail server has "
        "accepted it and before that is recorded. A call is never repeated, and can be lost instead.",
        f"The processes' clocks differed from the campus clock by {result.evidence.clock_skew_seconds:.1f} s "
        "at most.",
    ]


def _tokens() -> str:
    """Return the product's design tokens with embedded fonts."""

    def embedded(found: re.Match[str]) -> str:
        font = base64.b64encode((ROOT / "assets" / "fonts" / found[1]).read_bytes()).decode()
        return f"url(data:font/woff2;base64,{font})"

    return _FONT.sub(embedded, (ROOT / "assets" / "css" / "tokens.css").read_text("utf-8"))


def as_json(result: RunResult, check_results: Sequence[CheckResult]) -> dict[str, Any]:
    """Return the summary with the audit's result."""
    return {
        "outcome": headline(result, len(findings(list(check_results)))),
        **summary(result, check_results),
    }
