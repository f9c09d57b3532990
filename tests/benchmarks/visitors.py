"""Two thousand visitors on one core, who click every two seconds while all garbage is collected."""

import asyncio
import signal
import time
from pathlib import Path

import sessions
import uvloop
from apps import OURS, ours_run_as
from places import BENCHMARKS, PYTHON, MeasurementFailed
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import CLIENT_CORE, Server, on_core
from sessions import Clicks

_EVERY_SECONDS = 2.0
_FIRST_SESSIONS = 30
_CLICKS = 10
_SETTLE_SECONDS = 2.0
_COLLECT_AT = 0.5
"""Of the time that is measured."""
_P95, _P99, _KB = (Goal(Limit.AT_MOST, figure) for figure in (5, 25, 100))


def measure(plan: Plan, folder: Path) -> Measured:
    """Let them click, and collect in the middle of it."""
    told = folder / "collected"
    command = (PYTHON, str(BENCHMARKS / "collecting.py"))
    with ours_run_as(command, folder, {"COLLECTED": str(told)}) as server, on_core(CLIENT_CORE):
        clicks, grown, load = uvloop.run(_visit(server, plan))
    if not told.is_file():
        raise MeasurementFailed("nothing was collected")
    pauses = [float(line) for line in told.read_text().split()]
    what = f"{plan.visitors} visitors, a click every {_EVERY_SECONDS:.0f} s"
    return Measured(
        figures=[
            Figure(f"{what}: answered within, p95", "ms", clicks.p95_ms, goal=_P95),
            Figure("  p99, over a full collection", "ms", clicks.p99_ms, goal=_P99),
            Figure("  p50", "ms", clicks.p50_ms),
            Figure("  that collection", "ms", max(pauses)),
            Figure("  of a core", "%", load * 100),
            Figure("  memory of a visitor", "kB", grown / plan.visitors / 1000, goal=_KB),
        ],
        details={"clicks": clicks.count, "pauses_ms": pauses},
    )


async def _visit(server: Server, plan: Plan) -> tuple[Clicks, float, float]:
    """Return how the clicks went, how many bytes all visitors take, and the share of a core."""
    first = await sessions.connect(OURS, server, _FIRST_SESSIONS)
    await sessions.click_each(first, _CLICKS)
    await asyncio.sleep(_SETTLE_SECONDS)
    before = server.memory_bytes()
    visitors = await sessions.connect(OURS, server, plan.visitors)
    await sessions.click_each(visitors, _CLICKS)
    await asyncio.sleep(_SETTLE_SECONDS)
    end = time.monotonic() + plan.visit_seconds
    loop = asyncio.get_running_loop()
    loop.call_later(plan.visit_seconds * _COLLECT_AT, server.process.send_signal, signal.SIGUSR2)
    began = server.cpu_seconds()
    clicks = await sessions.click_calmly(visitors, _EVERY_SECONDS, lambda: time.monotonic() < end)
    load = (server.cpu_seconds() - began) / plan.visit_seconds
    return clicks, server.memory_bytes() - before, load
