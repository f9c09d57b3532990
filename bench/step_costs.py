"""What one visitor costs at each step of an order: processor time, statements, Redis commands, bytes.

Two processes of `deploy/local_stack.py` with nginx, PostgreSQL and Redis. The visitors go through the
steps one after another, so that no cost depends on waiting. What the processes do by themselves in
the same time (polling, leases) is subtracted. Statements are counted with visitors of their own,
because their logging costs processor time.
"""

import asyncio
import time
from collections.abc import Awaitable, Callable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from functools import reduce
from pathlib import Path

import psutil
import psycopg
import uvloop
from apps import stack_settings
from delay_proxy import DelayProxy, delay_proxy
from peers.deployment import cpu_seconds
from peers.statements import statements, without_transactions
from plan import Plan
from report import Figure, MeasurementFailed, Result

from deploy.local_stack import Deployment, Part, started_stack
from tests.helpers.deployment import RunningDeployment
from tests.helpers.ports import free_port
from tests.helpers.visitor import STEPS, Visitor

_IDLE_SECONDS = 5.0
_LONGEST_SECONDS = 60.0
_POLL_SECONDS = 0.1
_OURS = " as jobs from outbox"
"""A part of the statement with which we wait for the jobs."""


@dataclass(frozen=True)
class Costs:
    """What was used between two readings; processor times in ms, bytes as the clients see them."""

    processes_ms: float = 0.0
    postgres_ms: float = 0.0
    redis_ms: float = 0.0
    nginx_ms: float = 0.0
    redis_commands: float = 0.0
    sent_bytes: float = 0.0
    received_bytes: float = 0.0
    statements: float = 0.0

    def plus(self, other: "Costs", times: float = 1.0) -> "Costs":
        """Return the sum of these costs and a multiple of others."""
        names = [each.name for each in fields(self)]
        return Costs(*(getattr(self, each) + times * getattr(other, each) for each in names))

    def of_each(self, count: float) -> "Costs":
        """Return the costs of each of several."""
        return Costs().plus(self, 1 / count)


def measure(plan: Plan, folder: Path) -> Result:
    """Return the costs of each step, and of the whole order with its mails and its call."""
    with started_stack(2, stack_settings(folder)) as stack:
        port = free_port()
        with delay_proxy(port, int(stack.url.rpartition(":")[2])) as proxy:
            meter = _Meter(stack, proxy)
            costs = uvloop.run(_costs(meter, stack.url, port, plan.order_visitors))
    costs["whole order"] = reduce(Costs.plus, costs.values())
    return Result([*_figures(costs)], {step: asdict(each) for step, each in costs.items()})


class _Meter:
    """Reads what the programs of a deployment have used."""

    def __init__(self, stack: Deployment, proxy: DelayProxy) -> None:
        self._running, self._proxy = RunningDeployment(stack), proxy
        parts = (stack.postgres, stack.redis, stack.nginx)
        self._roots = [[*map(_process, stack.backends)], *([_process(part)] for part in parts)]
        self._idle_second = Costs()

    async def of(self, work: Callable[[], Awaitable[None]]) -> Costs:
        """Return what some work costs, without what the programs do by themselves meanwhile."""
        before, start = self._read(), time.perf_counter()
        await work()
        await self._wait_for_jobs()
        seconds = time.perf_counter() - start
        return self._read().plus(before, -1).plus(self._idle_second, -seconds)

    async def measure_idle(self) -> None:
        """Measure what the programs use while there is no visitor."""
        self._idle_second = Costs()
        idle = await self.of(lambda: asyncio.sleep(_IDLE_SECONDS))
        self._idle_second = idle.of_each(_IDLE_SECONDS)

    def log_statements(self, which: str) -> None:
        """Log all statements, or none."""
        url = self._running.parts.database_url
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(f"ALTER SYSTEM SET log_statement = '{which}'")  # pyright: ignore
            connection.execute("SELECT pg_reload_conf()")

    def _statement_count(self) -> int:
        """Return how many statements are in the log, without those of transactions and of ours."""
        with self._running.parts.postgres.log.open(encoding="utf-8", errors="replace") as log:
            return sum(_OURS not in each for each in without_transactions(statements(log)))

    async def _wait_for_jobs(self) -> None:
        """Return when the mails and calls of paid orders are sent."""
        deadline = time.monotonic() + _LONGEST_SECONDS
        while self._running.open_jobs():
            if time.monotonic() > deadline:
                raise MeasurementFailed("mails or calls are not sent")
            await asyncio.sleep(_POLL_SECONDS)

    def _read(self) -> Costs:
        times = [1e3 * cpu_seconds(roots) for roots in self._roots]
        commands = self._running.redis.info("stats")["total_commands_processed"]
        transferred = (self._proxy.sent_bytes, self._proxy.received_bytes)
        return Costs(*times, commands, *transferred, self._statement_count())


async def _costs(meter: _Meter, origin: str, port: int, count: int) -> dict[str, Costs]:
    await _walk(meter, [Visitor(f"http://localhost:{port}", 0, origin)])  # fills the caches
    await meter.measure_idle()
    visitors = [Visitor(f"http://localhost:{port}", number, origin) for number in range(1, count)]
    costs = await _walk(meter, visitors)
    meter.log_statements("all")
    await meter.measure_idle()
    logged = await _walk(meter, [Visitor(f"http://localhost:{port}", count, origin)])
    meter.log_statements("none")
    return {
        step: each.plus(Costs(statements=logged[step].statements)) for step, each in costs.items()
    }


async def _walk(meter: _Meter, visitors: list[Visitor]) -> dict[str, Costs]:
    """Return what each step costs a visitor; each visitor waits for the one before."""
    costs: dict[str, Costs] = {}
    for step in STEPS:

        async def work(step: str = step) -> None:
            for visitor in visitors:
                await visitor.step(step)

        costs[step] = (await meter.of(work)).of_each(len(visitors))
    for visitor in visitors:
        await visitor.leave()
    return costs


def _figures(costs: Mapping[str, Costs]) -> Iterator[Figure]:
    for step, each in costs.items():
        transferred = (each.sent_bytes + each.received_bytes) / 1e3
        for text, unit, amount in (
            ("processes", "ms", each.processes_ms),
            ("PostgreSQL", "ms", each.postgres_ms),
            ("Redis", "ms", each.redis_ms),
            ("nginx", "ms", each.nginx_ms),
            ("SQL statements", "", each.statements),
            ("Redis commands", "", each.redis_commands),
            ("sent and received", "kB", transferred),
        ):
            # Below zero: the programs did less by themselves than on average.
            yield Figure(f"Visitor, {step.replace('_', ' ')}: {text}", unit, max(amount, 0.0))


def _process(part: Part) -> psutil.Process:
    return psutil.Process(part.pid)
