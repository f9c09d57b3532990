"""Response times and memory with 2,000 visitors on one core, each clicking every two seconds.

A full garbage collection, the longest pause of the server, runs in the middle.
"""

import asyncio
import signal
import time
from dataclasses import asdict
from pathlib import Path

import socket_clients
import uvloop
from apps import OURS, served
from paths import BENCHMARKS, PYTHON
from plan import Plan
from report import Figure, Goal, Limit, MeasurementFailed, Result
from servers import CLIENT_CORE, Server, on_core
from socket_clients import Latencies

_INTERVAL_SECONDS = 2.0
_WARM_UP_PAGES = 30
_WARM_UP_CLICKS = 10
_SETTLE_SECONDS = 2.0
_P95_MS, _P99_MS, _KILOBYTES = (Goal(Limit.AT_MOST, figure) for figure in (10, 60, 110))


def measure(plan: Plan, folder: Path) -> Result:
    """Measure one server that collects garbage on a signal."""
    log = folder / "gc.log"
    command = (PYTHON, str(BENCHMARKS / "serve_with_gc_signal.py"))
    with served(OURS, folder, {"GC_LOG": str(log)}, command) as server, on_core(CLIENT_CORE):
        latencies, memory_bytes = uvloop.run(_visit(server, plan))
    if not log.is_file():
        raise MeasurementFailed("no garbage was collected")
    pauses = [float(line) for line in log.read_text().split()]
    kilobytes = memory_bytes / plan.visitors / 1000
    visitors = f"{plan.visitors} visitors"
    return Result(
        figures=[
            Figure(f"{visitors}: response, p95", "ms", latencies.p95_ms, goal=_P95_MS),
            Figure(f"{visitors}: response, p99", "ms", latencies.p99_ms, goal=_P99_MS),
            Figure(f"{visitors}: memory of each", "kB", kilobytes, goal=_KILOBYTES),
        ],
        details={**asdict(latencies), "gc_pauses_ms": pauses},
    )


async def _visit(server: Server, plan: Plan) -> tuple[Latencies, int]:
    """Return the latencies, and the bytes of memory that the visitors take together."""
    first = await socket_clients.connect(OURS, server, _WARM_UP_PAGES)
    await socket_clients.click_times(first, _WARM_UP_CLICKS)
    await asyncio.sleep(_SETTLE_SECONDS)
    before = server.memory_bytes()
    visitors = await socket_clients.connect(OURS, server, plan.visitors)
    await socket_clients.click_times(visitors, _WARM_UP_CLICKS)
    await asyncio.sleep(_SETTLE_SECONDS)
    end = time.monotonic() + plan.visit_seconds
    asyncio.get_running_loop().call_later(
        plan.visit_seconds / 2, server.process.send_signal, signal.SIGUSR2
    )
    latencies = await socket_clients.click_regularly(
        visitors, _INTERVAL_SECONDS, lambda: time.monotonic() < end
    )
    return latencies, server.memory_bytes() - before
