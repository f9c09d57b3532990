"""The model beside reality at three points: one process, two, and two behind nginx.

All programs share the servers' core; the visitors have the other one. At each point the steps are
measured with one visitor at a time. Then visitors come at random times and use about half of the
core, in several rounds. They find the processor's caches colder than a visitor alone, so the costs
are scaled to the processor time that each program used in every other round (its service demand).
The model predicts what visitors waited in the rounds between those.
"""

import asyncio
import contextlib
import statistics
import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import psutil
import psycopg
import uvloop
from apps import OURS, served, stack_settings
from plan import Plan
from report import Figure, Goal, Limit
from servers import CLIENT_CORE, SERVER_CORE, on_core

from deploy.local_stack import started_stack
from scaling.model import Machines, Model, Observed, StepCost, Visit, together, visits
from tests.helpers.visitor import STEPS, Visitor

_LARGEST_ERROR = Goal(Limit.AT_MOST, 20)
_SHARE = 0.42
"""The share of the servers' core that visitors would use if each of them came alone."""
_PAUSE_MS = 400.0
_IDLE_SECONDS = 6.0
_SETTLE_SECONDS = 0.5
"""In which the mails and the call of the last order are sent."""
_PAUSE_SECONDS = 0.12
"""In which those of one order are sent."""
_VISITORS_APART = 6
_PERCENTILES = (90, 95)
"""Those for which the error has a goal; p99 differs by a fifth from round to round."""
_QUERY_MS = 0.12
"""Processor time of PostgreSQL for a statement (`step_costs`: 9.3 ms for the 80 of an order)."""
_REPORT_SECONDS = 1.5
"""PostgreSQL's connections report what they did once a second."""
_WRITTEN = """
    SELECT xact_commit::float, (pg_current_wal_lsn() - '0/0')::float
    FROM pg_stat_database WHERE datname = current_database()
"""
_LITTLE_MS = 5.0
"""Work after a step that is no more than what the processes do by themselves."""


@dataclass(frozen=True)
class Point:
    """A running deployment."""

    name: str
    urls: Sequence[str]
    """The addresses that the visitors use in turn."""
    origin: str
    programs: Mapping[str, Sequence[int]]
    """The ids of the main processes of each program."""
    database_url: str = ""
    """Of PostgreSQL."""

    def visitor(self, number: int) -> Visitor:
        """Return a new visitor."""
        return Visitor(self.urls[number % len(self.urls)], number, self.origin)

    def reading(self) -> "Reading":
        """Return the time, and the processor time that each program has used."""
        used = {name: sum(map(_used_ms, ids)) for name, ids in self.programs.items()}
        return Reading(time.perf_counter(), Counter(used))


@dataclass(frozen=True)
class Reading:
    """What programs had used at a moment; processor times in ms."""

    at: float
    used: Mapping[str, float]

    def since(self, before: "Reading", idle: Mapping[str, float]) -> dict[str, float]:
        """Return what was used since then, without what the programs use by themselves."""
        seconds = self.at - before.at
        return {
            name: used - before.used[name] - seconds * idle.get(name, 0.0)
            for name, used in self.used.items()
        }


@dataclass
class Steps:
    """A step of several visitors: the work until each saw its result, the work later, the times."""

    first: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    later: list[dict[str, float]] = field(default_factory=list[dict[str, float]])
    seconds: list[float] = field(default_factory=list[float])


@dataclass(frozen=True)
class Written:
    """What PostgreSQL has written: transactions, and bytes of its write-ahead log."""

    transactions: float = 0.0
    log_bytes: float = 0.0

    def since(self, before: "Written", orders: int) -> "Written":
        """Return what was written since then for each order."""
        return Written(
            (self.transactions - before.transactions) / orders,
            (self.log_bytes - before.log_bytes) / orders,
        )


@dataclass(frozen=True)
class Compared:
    """The predictions of a point beside what was measured, and its costs."""

    figures: list[Figure]
    costs: dict[str, StepCost]
    written: Written
    details: dict[str, Any]


def compare(plan: Plan, folder: Path) -> Iterator[Compared]:
    """Yield what was predicted and measured at each point; the last one is a complete deployment."""
    for point in _points(folder):
        with on_core(CLIENT_CORE):
            yield uvloop.run(_compared(point, plan))


def _points(folder: Path) -> Iterator[Point]:
    with served(OURS, folder / "one") as server:
        programs = {"processes": [server.process.pid]}
        yield Point("one process", [server.url], server.url, programs)
    with contextlib.ExitStack() as stack:
        with on_core(SERVER_CORE):
            two = stack.enter_context(started_stack(2, stack_settings(folder / "two")))
        programs = {
            "processes": [each.pid for each in two.backends],
            "postgres": [two.postgres.pid],
            "redis": [two.redis.pid],
        }
        direct = [f"http://127.0.0.1:{port}" for port in two.ports]
        yield Point("two processes", direct, two.url, programs)
        programs = {**programs, "nginx": [two.nginx.pid]}
        yield Point("two behind nginx", [two.url], two.url, programs, two.database_url)


async def _compared(point: Point, plan: Plan) -> Compared:
    await _walk(point, len(point.programs["processes"]), {})  # fills the caches
    before = point.reading()
    await asyncio.sleep(_IDLE_SECONDS)
    idle = {name: each / _IDLE_SECONDS for name, each in point.reading().since(before, {}).items()}
    alone = await _costs(point, plan, idle)
    rounds = [_coming(alone, plan.scaling_seconds, seed) for seed in range(plan.scaling_rounds)]
    written_before = _written(point)
    visited = [await _visited(point, each, idle) for each in rounds]
    written = _written(point).since(written_before, sum(map(len, rounds)))
    learned, compared = rounds[::2], rounds[1::2]
    used = _by_program(each.used for each in visited[::2])
    costs = _scaled(alone, used, sum(map(len, learned)))
    machines = Machines(len(point.programs["processes"]), cores=1)
    predicted = together(Model(machines).simulate(costs, each) for each in compared)
    measured = together(each.observed for each in visited[1::2])
    figures = [
        Figure(f"Model, {point.name}: a step, {name}", "ms", ours, baseline, beside="measured")
        for (name, ours), baseline in zip(
            _summary(predicted).items(), _summary(measured).values(), strict=True
        )
    ]
    error = max(abs(1 - (each.ratio or 0)) for each in figures[:-1])
    largest = Figure(
        f"Model, {point.name}: largest error but of p99", "%", 100 * error, goal=_LARGEST_ERROR
    )
    details = {
        "visitors": sum(map(len, compared)),
        "share of the core": used.total() / sum(each[-1].at for each in learned),
        "costs": {step: asdict(each) for step, each in costs.items()},
        "written": asdict(written),
        "medians": {
            step: [statistics.median(each.waits[step]) for each in (predicted, measured)]
            for step in STEPS
        },
    }
    return Compared([*figures, largest], costs, written, details)


def _scaled(
    alone: Mapping[str, StepCost], used: Mapping[str, float], orders: int
) -> dict[str, StepCost]:
    """Return the costs with which this number of orders takes each program the time it used."""
    of_one = _by_program(each.work for each in alone.values())
    factors = {program: used[program] / orders / ms for program, ms in of_one.items()}
    return {step: each.scaled(factors) for step, each in alone.items()}


def _by_program(works: Iterable[Mapping[str, float]]) -> Counter[str]:
    """Return the sum for each program."""
    total = Counter[str]()
    for each in works:
        total.update(each)
    return total


def _summary(observed: Observed) -> dict[str, float]:
    waits = observed.all_waits()
    quantiles = statistics.quantiles(waits, n=100)
    return {
        "mean": statistics.mean(waits),
        **{f"p{each}": quantiles[each - 1] for each in (*_PERCENTILES, 99)},
    }


def _coming(costs: Mapping[str, StepCost], seconds: float, seed: int) -> Sequence[Visit]:
    """Return the visits of customers whose orders take `_SHARE` of the servers' core."""
    rate = _SHARE * 1_000 / sum(sum(each.work.values()) for each in costs.values())
    return list(visits(Random(seed), rate, seconds, _PAUSE_MS, [len(STEPS)]))


async def _costs(point: Point, plan: Plan, idle: Mapping[str, float]) -> dict[str, StepCost]:
    """Return what each step costs with one visitor at a time."""
    apart = await _walk(point, _VISITORS_APART, idle, pause=_PAUSE_SECONDS)
    close = await _walk(point, plan.scaling_visitors, idle)
    return {step: _cost(apart[step], close[step]) for step in STEPS}


def _cost(apart: Steps, close: Steps) -> StepCost:
    """Return the cost of a step.

    Visitors close to each other show how much it is, those apart how much of it is done later.
    """
    count = len(close.seconds)
    first, later = (
        _by_program(each).total() / len(apart.seconds) for each in (apart.first, apart.later)
    )
    share = later / (first + later) if later > _LITTLE_MS else 0.0
    work = _by_program((*close.first, *close.later))
    names = ("processes", "postgres", "redis", "nginx")
    processes, postgres, redis, nginx = (max(0.0, work[name] / count) for name in names)
    afterwards = share * processes
    return StepCost(
        processes - afterwards,
        postgres,
        redis,
        nginx,
        elsewhere=max(0.0, 1_000 * statistics.mean(apart.seconds) - first),
        afterwards=afterwards,
        statements=round(postgres / _QUERY_MS),
    )


async def _walk(
    point: Point, count: int, idle: Mapping[str, float], pause: float = 0.0
) -> dict[str, Steps]:
    """Let visitors take each step one after another, with pauses between them."""
    visitors = [point.visitor(number) for number in range(count)]
    steps: dict[str, Steps] = {}
    for name in STEPS:
        step = steps[name] = Steps()
        before = point.reading()
        for visitor in visitors:
            start = time.perf_counter()
            await visitor.step(name)
            step.seconds.append(time.perf_counter() - start)
            if pause:
                before = await _add(step, point, before, idle, pause)
        if not pause:
            await _add(step, point, before, idle, _SETTLE_SECONDS)
    for visitor in visitors:
        await visitor.leave()
    return steps


async def _add(
    step: Steps, point: Point, before: Reading, idle: Mapping[str, float], pause: float
) -> Reading:
    """Add the work until now, and the work of a pause from now on."""
    middle = point.reading()
    await asyncio.sleep(pause)
    after = point.reading()
    step.first.append(middle.since(before, idle))
    step.later.append(after.since(middle, idle))
    return after


@dataclass(frozen=True)
class Visited:
    """What happened to visitors, and the processor time that each program used, in ms."""

    observed: Observed
    used: Mapping[str, float]


async def _visited(point: Point, coming: Sequence[Visit], idle: Mapping[str, float]) -> Visited:
    """Let visitors order; return what happened."""
    observed, before = Observed(), point.reading()

    async def order(number: int, visit: Visit) -> None:
        visitor = point.visitor(number)
        await asyncio.sleep(before.at + visit.at / 1_000 - time.perf_counter())
        for step, pause in zip(STEPS, visit.pauses, strict=True):
            await asyncio.sleep(pause / 1_000)
            start = time.perf_counter()
            await visitor.step(step)
            observed.add(step, 1_000 * (time.perf_counter() - start))
        await visitor.leave()

    await asyncio.gather(*(order(number, visit) for number, visit in enumerate(coming)))
    await asyncio.sleep(_SETTLE_SECONDS)
    return Visited(observed, point.reading().since(before, idle))


def _written(point: Point) -> Written:
    """Return what PostgreSQL has written until now."""
    if not point.database_url:
        return Written()
    time.sleep(_REPORT_SECONDS)
    with psycopg.connect(point.database_url, autocommit=True) as connection:
        row = connection.execute(_WRITTEN).fetchone()
    return Written(*row) if row else Written()


def _used_ms(pid: int) -> float:
    """Return the processor time of a program's threads, which psutil knows in steps of 10 ms."""
    root, total = psutil.Process(pid), 0
    for process in (root, *root.children(recursive=True)):
        for thread in Path(f"/proc/{process.pid}/task").iterdir():
            with contextlib.suppress(OSError):  # it has ended meanwhile
                total += int((thread / "schedstat").read_text().split()[0])
    return total / 1e6
