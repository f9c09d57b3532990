"""`make simulate`: a lunch hour on the real stack, in compressed time, followed by the audit.

Source: docs/simulation.md. Exits with 1 if money or notifications are not accounted for.
"""

import argparse
import asyncio
import csv
import json
import os
import re
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from contextlib import AsyncExitStack, suppress
from dataclasses import replace
from pathlib import Path

from tests.helpers.product import ROOT
from tools.simulation import db_rows, report
from tools.simulation.audit import CheckResult, audit, findings
from tools.simulation.customer_log import CustomerLog
from tools.simulation.demand import RESERVABLE_RESTAURANT_ID, planned_customers
from tools.simulation.evidence import Evidence, external_records, vendors
from tools.simulation.host_loss import prepared_host_loss
from tools.simulation.kitchens import Kitchens, open_kitchens
from tools.simulation.lunch_hour import LunchHour
from tools.simulation.monitor import Sample, monitor
from tools.simulation.plan import FULL, SMALL, Plan
from tools.simulation.run_result import RunResult
from tools.simulation.settle import settle
from tools.simulation.site_client import SiteClient
from tools.simulation.stack import Stack
from tools.simulation.stack_setup import running_stack

RESULTS = ROOT / "var" / "simulation"
_RETRY_TIMEOUT_SECONDS = 40.0
"""How long a customer's device retries while the site is unavailable."""
_HEX_KEYS = re.compile(r"\b[0-9a-f]{32}\b")


async def lunch_hour(plan: Plan, folder: Path) -> RunResult:
    """Run the hour and its settlement on a stack of its own; return the result."""
    began, samples = time.monotonic(), list[Sample]()
    async with AsyncExitStack() as contexts:
        stack = await contexts.enter_async_context(running_stack(plan, folder))
        loss = contexts.enter_context(prepared_host_loss(stack)) if plan.host_loss_minute else None
        site = SiteClient(stack.deployment.url, stack.ports.cashfree, _RETRY_TIMEOUT_SECONDS)
        ahead = stack.clock.offset.total_seconds()
        monitoring = asyncio.create_task(monitor(stack, samples, loses_host=loss is not None))
        kitchens = await open_kitchens(stack, site, plan)
        planned = planned_customers(plan, stack.data)
        hour = LunchHour(plan, stack)
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(kitchens.sell_out(hour, planned))
            if loss is not None:
                tasks.create_task(loss.run(hour))
            customers = await hour.run(planned, site)
        clock_skew = stack.max_clock_skew
        settled = await settle(stack, customers, plan.settlement_seconds)
        settled.unfinished += await kitchens.close()
        monitoring.cancel()
        with suppress(asyncio.CancelledError):
            await monitoring
        await site.close()
        result = await _result(stack, hour, [each.log for each in customers], kitchens)
    result.evidence = replace(
        result.evidence, clock_ahead_seconds=ahead, clock_skew_seconds=clock_skew
    )
    result.samples, result.settled = samples, settled
    result.host_loss = loss.times if loss is not None else None
    result.duration_seconds = time.monotonic() - began
    return result


async def _result(
    stack: Stack, hour: LunchHour, logs: Sequence[CustomerLog], kitchens: Kitchens
) -> RunResult:
    """Return the run's result with the records of all sources."""
    content = (await stack.control.get("/records")).json()
    with (stack.data / "restaurants.csv").open(encoding="utf-8", newline="") as file:
        restaurants = list(csv.DictReader(file))
    seats = next(
        int(row["seats_per_slot"])
        for row in restaurants
        if int(row["id"]) == RESERVABLE_RESTAURANT_ID
    )
    evidence = Evidence(
        database=db_rows.read(stack.deployment.rows),
        customer_logs=tuple(logs),
        device_logs=tuple(kitchens.logs),
        kills=tuple(stack.kills),
        outages=tuple(hour.outages),
        closures=tuple(hour.closures),
        clock_jumps=tuple(stack.clock_jumps),
        vendors=vendors(restaurants),
        seats_per_slot=seats,
        **external_records(content),
    )
    logged_errors = [json.loads(line)["message"] for line in stack.deployment.logged_errors()]
    logged_errors = [_HEX_KEYS.sub("…", line) for line in logged_errors]
    return RunResult(
        hour.plan, evidence, hour.began, logged_errors=logged_errors, webhooks=content["webhooks"]
    )


def write(result: RunResult, check_results: Sequence[CheckResult], folder: Path) -> Path:
    """Write the report and its summary; return the report's path."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(report.page(result, check_results), encoding="utf-8")
    content = json.dumps(report.as_json(result, check_results), indent=2, ensure_ascii=False)
    (folder / "summary.json").write_text(content + "\n", encoding="utf-8")
    return folder / "report.html"


def main() -> int:
    """Return 1 if the audit has findings or the settlement did not finish."""
    # An interrupt also unwinds a running event loop, and so stops every server.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    plan = _plan()
    print(
        f"campus of {plan.campus_size:,}, one hour in {plan.seconds:.0f} s, SEED={plan.seed}",
        flush=True,
    )
    with tempfile.TemporaryDirectory(prefix="food_points_simulation_") as folder:
        result = asyncio.run(lunch_hour(plan, Path(folder)))
    check_results = audit(result.evidence)
    report_path = write(result, check_results, RESULTS)
    print_summary(result, check_results)
    print(f"Report: {report_path}")
    return 1 if findings(check_results) or result.unfinished else 0


def _plan() -> Plan:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="the small run of the tests")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED", FULL.seed)))
    options = parser.parse_args()
    return replace(SMALL if options.small else FULL, seed=options.seed)


def print_summary(result: RunResult, check_results: Sequence[CheckResult]) -> None:
    content = report.as_json(result, check_results)
    for part in ("run", "orders", "money", "notifications", "seconds_until_success", "kitchens"):
        print(f"{part.replace('_', ' ')}: {json.dumps(content[part], ensure_ascii=False)}")
    for each in check_results:
        outcome = f"{len(each.findings)} FAILED" if each.findings else "passed"
        print(f"{outcome:>9}  {each.checked_count:>6,}  {each.check.title}")
        for found in each.findings:
            print(f"{'':>19}{found.order}: {found.text}")
    for step in result.unfinished:
        print(f"NOT FINISHED: {step}")
    print(content["outcome"])


if __name__ == "__main__":
    sys.exit(main())
