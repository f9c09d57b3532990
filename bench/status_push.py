"""Time from closing a restaurant until the last of 1,000 open pages receives it."""

import asyncio
import statistics
import time
from collections.abc import Sequence
from itertools import cycle, islice
from pathlib import Path

import httpx
import socket_clients
import uvloop
from apps import OURS, served
from plan import Plan
from report import Figure, Goal, Limit, MeasurementFailed, Result
from servers import CLIENT_CORE, Server, on_core
from socket_clients import SocketClient

from tests.helpers.redis import running_redis

_GOAL = Goal(Limit.AT_MOST, 200)
_TOKEN = "opens the kitchens"
_TIMEOUT_SECONDS = 20
_PAUSE_SECONDS = 0.05
_STATUS_FIELD = b"statuses_rx_state_"


def measure(plan: Plan, folder: Path) -> Result:
    """Measure within one process, and from one process to another through Redis."""
    url = f"sqlite:///{folder}/food_points.db"
    with on_core(CLIENT_CORE), running_redis() as redis:
        settings = {"OPERATOR_TOKEN": _TOKEN}
        with served(OURS, folder / "alone", settings) as server:
            same = uvloop.run(_push_times(server, server, plan))
        settings |= {"DATABASE_URL": url, "REDIS_URL": redis.url}
        with (
            served(OURS, folder / "first", settings) as first,
            served(OURS, folder / "second", settings) as second,
        ):
            other = uvloop.run(_push_times(first, second, plan))
    name = f"Status push, last of {plan.watching_pages} pages"
    figures = [
        Figure(name, "ms", statistics.median(same), goal=_GOAL),
        Figure(f"{name}, via Redis", "ms", statistics.median(other), goal=_GOAL),
    ]
    return Result(figures, {"same_process_ms": same, "other_process_ms": other})


async def _push_times(changed: Server, watched: Server, plan: Plan) -> list[float]:
    """Return the milliseconds of each push, with all pages open at one server."""
    clients = await socket_clients.connect(OURS, watched, plan.watching_pages)
    times: list[float] = []
    async with httpx.AsyncClient(base_url=changed.url, trust_env=False) as operator:
        for is_open in islice(cycle((False, True)), plan.pushes):
            times.append(await _push(operator, clients, is_open=is_open) * 1000)
            await asyncio.sleep(_PAUSE_SECONDS)
    return times


async def _push(
    operator: httpx.AsyncClient, clients: Sequence[SocketClient], *, is_open: bool
) -> float:
    """Close or open a restaurant; return the seconds until all clients have received that."""
    updates = asyncio.gather(*(client.next_update(_STATUS_FIELD) for client in clients))
    start = time.perf_counter()
    response = await operator.put(
        "/api/ops/restaurants/3/status",
        json={"isOpen": is_open},
        headers={"authorization": f"Bearer {_TOKEN}"},
    )
    if not response.is_success:
        raise MeasurementFailed(f"{response.url}: {response.status_code} {response.text}")
    try:
        async with asyncio.timeout(_TIMEOUT_SECONDS):
            await updates
    except TimeoutError:
        raise MeasurementFailed("a page received no status") from None
    return time.perf_counter() - start
