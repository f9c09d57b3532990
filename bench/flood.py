"""Response times of visitors while another client floods the server with hostile events.

Source: specification P5.7.
"""

import statistics
import sys
import time
from dataclasses import asdict
from pathlib import Path

import socket_clients
import uvloop
from apps import OURS, served
from paths import ROOT
from plan import Plan
from report import Figure, Goal, Limit, MeasurementFailed, Result
from servers import CLIENT_CORE, Server, on_core, started
from socket_clients import Latencies, SocketClient

from tests.helpers.product import eventually

_GOAL = Goal(Limit.AT_MOST, 16)
"""Milliseconds: a frame. A ratio would forbid 3 ms instead of 1 ms, which is not visible."""
_DEFAULT_LIMITS = {"SESSION_MESSAGES_PER_SECOND": "", "ADDRESS_MESSAGES_PER_SECOND": ""}
_INTERVAL_SECONDS = 0.5
_WARM_UP_EVENTS = 1_000
_EVENTS_PER_ROUND = 5_000


def measure(plan: Plan, folder: Path) -> Result:
    """Compare rounds with and without a flood; its sender shares the visitors' core."""
    with served(OURS, folder / "ours", _DEFAULT_LIMITS) as server, on_core(CLIENT_CORE):
        rounds = uvloop.run(_rounds(plan, server, folder))
    without_flood, with_flood = (
        statistics.median(latencies.p95_ms for latencies in each)
        for each in zip(*rounds, strict=True)
    )
    figure = Figure(
        "Response to a click during a flood, p95",
        "ms",
        with_flood,
        without_flood,
        _GOAL,
        "without a flood",
    )
    return Result([figure], {"rounds": [list(map(asdict, pair)) for pair in rounds]})


async def _rounds(plan: Plan, server: Server, folder: Path) -> list[tuple[Latencies, Latencies]]:
    """Return the latencies of each round, without and with a flood."""
    visitors = await socket_clients.connect(OURS, server, plan.clicking_pages)
    await _during_flood(visitors, server, folder, _WARM_UP_EVENTS)
    rounds: list[tuple[Latencies, Latencies]] = []
    for _ in range(plan.rounds):
        end = time.perf_counter() + plan.round_seconds
        without_flood = await socket_clients.click_regularly(
            visitors, _INTERVAL_SECONDS, lambda end=end: time.perf_counter() < end
        )
        with_flood = await _during_flood(visitors, server, folder, _EVENTS_PER_ROUND)
        rounds.append((without_flood, with_flood))
    return rounds


async def _during_flood(
    visitors: list[SocketClient], server: Server, folder: Path, events: int
) -> Latencies:
    # With idle priority, because a flood must not slow down the visitors on the same core.
    command = ["chrt", "--idle", "0", sys.executable, "-m", "tests.hostile.flood"]
    log = folder / "flood.log"
    with started([*command, str(server.port), str(events)], ROOT, {}, log) as flood:
        eventually(log.read_text, "the flood begins")
        latencies = await socket_clients.click_regularly(
            visitors, _INTERVAL_SECONDS, lambda: flood.poll() is None
        )
        if flood.returncode != 0:
            raise MeasurementFailed(f"the flood failed: {log.read_text()}")
        return latencies
