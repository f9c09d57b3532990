"""Clicks on + and − that a server handles per second of processor time.

Beside a bare app of the same framework, with as many dishes. Processor time, because other programs
on the machine hardly change it.
"""

import statistics
from pathlib import Path

import socket_clients
import uvloop
from apps import BARE, OURS, served
from plan import Plan
from report import Figure, Goal, Limit, Result
from servers import CLIENT_CORE, Server, on_core

_GOAL = Goal(Limit.RATIO_AT_LEAST, 0.75)
_WARM_UP_CLICKS = 40


def measure(plan: Plan, folder: Path) -> Result:
    """Measure both servers in turns, on the same core."""
    with (
        served(OURS, folder / "ours") as ours,
        served(BARE, folder / "bare") as bare,
        on_core(CLIENT_CORE),
    ):
        rates = uvloop.run(_clicks_per_second(plan, ours, bare))
    name = f"Clicks per processor second, {plan.clicking_pages} pages"
    medians = map(statistics.median, rates.values())
    return Result([Figure(name, "clicks/s", *medians, goal=_GOAL, beside="bare framework")], rates)


async def _clicks_per_second(plan: Plan, ours: Server, bare: Server) -> dict[str, list[float]]:
    """Return the clicks per second of processor time of each round, by app."""
    rates: dict[str, list[float]] = {OURS.name: [], BARE.name: []}
    measured = []
    for app, server in ((OURS, ours), (BARE, bare)):
        clients = await socket_clients.connect(app, server, plan.clicking_pages)
        await socket_clients.click_times(clients, _WARM_UP_CLICKS)
        measured.append((server, clients, rates[app.name]))
    for _ in range(plan.rounds):
        for server, clients, app_rates in measured:
            before = server.cpu_seconds()
            clicks = await socket_clients.click_for(clients, plan.round_seconds)
            app_rates.append(clicks / (server.cpu_seconds() - before))
    return rates
