"""`make simulate`: a lunch hour on the real stack, in fast time; then its books are audited.

Source: docs/simulation.md. Ends with 1 if a rupee or a notice is not accounted for.
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
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from tests.helpers.product import ROOT
from tests.simulation import db_rows, report
from tests.simulation.audit import Checked, audit, findings
from tests.simulation.books import Books, outside, vendors
from tests.simulation.customer_log import Told
from tests.simulation.day import Day
from tests.simulation.demand import TABLES_AT, people
from tests.simulation.hour import Hour
from tests.simulation.plan import FULL, SMALL, Plan
from tests.simulation.settle import settle
from tests.simulation.site_client import Till
from tests.simulation.stack import Stack
from tests.simulation.stack_setup import standing
from tests.simulation.watch import Sample, watch

RESULTS = ROOT / "var" / "simulation"
_PATIENCE_SECONDS = 40.0
"""How long a customer's device asks again while the site does not answer."""
_KEYS = re.compile(r"\b[0-9a-f]{32}\b")


async def lunch_hour(plan: Plan, folder: Path) -> Day:
    """Let the hour pass on a stack of its own, let it settle, and return what is left."""
    began, samples = time.monotonic(), list[Sample]()
    async with standing(plan, folder) as stack:
        till = Till(stack.place.url, stack.ports.cashfree, _PATIENCE_SECONDS)
        hour, ahead = Hour(plan, stack), stack.clock.offset.total_seconds()
        watching = asyncio.create_task(watch(stack, samples))
        came = await hour.passes(people(plan, stack.data), till)
        clocks_off = stack.furthest_off
        settled = await settle(stack, came, plan.calm_seconds)
        watching.cancel()
        with suppress(asyncio.CancelledError):
            await watching
        await till.close()
        day = await _closed(stack, hour, [each.told for each in came])
    day.books = replace(day.books, clock_ahead_seconds=ahead, clocks_off_seconds=clocks_off)
    day.samples, day.settled = samples, settled
    day.took_seconds = time.monotonic() - began
    return day


async def _closed(stack: Stack, hour: Hour, told: Sequence[Told]) -> Day:
    """Read everybody's books."""
    content = (await stack.desk.get("/books")).json()
    with (stack.data / "restaurants.csv").open(encoding="utf-8", newline="") as file:
        restaurants = list(csv.DictReader(file))
    seats = next(int(row["seats_per_slot"]) for row in restaurants if int(row["id"]) == TABLES_AT)
    books = Books(
        ours=db_rows.read(stack.place.rows),
        told=tuple(told),
        deaths=tuple(stack.deaths),
        outages=tuple(hour.outages),
        closures=tuple(hour.closures),
        skipped=tuple(stack.skipped),
        vendors=vendors(restaurants),
        seats_per_slot=seats,
        **outside(content),
    )
    troubles = [json.loads(line)["message"] for line in stack.place.troubles()]
    troubles = [_KEYS.sub("…", line) for line in troubles]
    return Day(hour.plan, books, hour.began, troubles=troubles, notices=content["notices"])


def write(day: Day, checked: Sequence[Checked], folder: Path) -> Path:
    """Write the report and its figures; return where the report is."""
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "report.html").write_text(report.page(day, checked), encoding="utf-8")
    ledger = json.dumps(report.as_json(day, checked), indent=2, ensure_ascii=False)
    (folder / "ledger.json").write_text(ledger + "\n", encoding="utf-8")
    return folder / "report.html"


def main() -> int:
    """Return 1 if anything is not accounted for, or did not come to its end."""
    # An interrupt unwinds, even out of an event loop, and so stops every server.
    signal.signal(signal.SIGTERM, lambda *_: signal.raise_signal(signal.SIGINT))
    plan = _chosen()
    print(f"{plan.people:,} people, one hour in {plan.seconds:.0f} s, SEED={plan.seed}", flush=True)
    with tempfile.TemporaryDirectory(prefix="food_points_simulation_") as folder:
        day = asyncio.run(lunch_hour(plan, Path(folder)))
    checked = audit(day.books)
    kept_in = write(day, checked, RESULTS)
    _tell(day, checked)
    print(f"Kept in {kept_in}")
    return 1 if findings(checked) or day.unfinished else 0


def _chosen() -> Plan:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--small", action="store_true", help="the size that the tests run")
    parser.add_argument("--seed", type=int, default=int(os.environ.get("SEED", FULL.seed)))
    options = parser.parse_args()
    return replace(SMALL if options.small else FULL, seed=options.seed)


def _tell(day: Day, checked: Sequence[Checked]) -> None:
    said = report.as_json(day, checked)
    for part in ("run", "orders", "money", "notices", "seconds_until_told"):
        print(f"{part.replace('_', ' ')}: {json.dumps(said[part], ensure_ascii=False)}")
    for each in checked:
        outcome = f"{len(each.findings)} BROKEN" if each.findings else "holds"
        print(f"{outcome:>9}  {each.looked_at:>6,}  {each.check.title}")
        for found in each.findings:
            print(f"{'':>19}{found.order}: {found.words}")
    for what in day.unfinished:
        print(f"NOT AT ITS END: {what}")
    print(said["outcome"])


if __name__ == "__main__":
    sys.exit(main())
