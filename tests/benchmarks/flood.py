"""How long visitors wait for an answer while somebody floods the server with hostile events.

Source: specification P5.7.
"""

import statistics
import sys
import time
from dataclasses import asdict
from pathlib import Path

import sessions
import uvloop
from apps import OURS, served
from places import ROOT, MeasurementFailed
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import CLIENT_CORE, Server, on_core, started

from tests.helpers.product import eventually

_GOAL = Goal(Limit.RATIO_AT_MOST, 2)
_AS_SHIPPED = {"SESSION_MESSAGES_PER_SECOND": "", "ADDRESS_MESSAGES_PER_SECOND": ""}
_EVERY_SECONDS = 0.5
_WARM_UP_EVENTS = 1_000
_EVENTS_PER_ROUND = 5_000


def measure(plan: Plan, folder: Path) -> Measured:
    """Visitors and the flood share the core that is not the server's."""
    with served(OURS, folder / "ours", _AS_SHIPPED) as server, on_core(CLIENT_CORE):
        rounds = uvloop.run(_rounds(plan, server, folder))
    calm, flooded = ([pair[i] for pair in rounds] for i in (0, 1))
    waits = [statistics.median(each.p95_ms for each in found) for found in (flooded, calm)]
    figure = Figure("95% of clicks are answered in, amid a flood", "ms", *waits, _GOAL)
    return Measured([figure], {"rounds": [list(map(asdict, pair)) for pair in rounds]})


async def _rounds(
    plan: Plan, server: Server, folder: Path
) -> list[tuple[sessions.Clicks, sessions.Clicks]]:
    visitors = await sessions.connect(OURS, server, plan.clicking_sessions)
    await _amid_flood(visitors, server, folder, _WARM_UP_EVENTS)
    found: list[tuple[sessions.Clicks, sessions.Clicks]] = []
    for _ in range(plan.rounds):
        end = time.perf_counter() + plan.round_seconds
        calm = await sessions.click_calmly(
            visitors, _EVERY_SECONDS, lambda end=end: time.perf_counter() < end
        )
        found.append((calm, await _amid_flood(visitors, server, folder, _EVENTS_PER_ROUND)))
    return found


async def _amid_flood(
    visitors: list[sessions.Session], server: Server, folder: Path, events: int
) -> sessions.Clicks:
    # It shares a core with the visitors, whose own slowness is none of the server's.
    polite = ["chrt", "--idle", "0"]
    command = [*polite, sys.executable, "-m", "tests.hostile.flood", str(server.port), str(events)]
    log = folder / "flood.log"
    with started(command, ROOT, {}, log) as flood:
        eventually(log.read_text, "the flood begins, and says so")
        clicks = await sessions.click_calmly(visitors, _EVERY_SECONDS, lambda: flood.poll() is None)
        if flood.returncode != 0:
            raise MeasurementFailed(f"the flood ended early: {log.read_text()}")
        return clicks
