"""What noon needs at a university of 2,000 to 2,000,000, by the model."""

import math
import statistics
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random

from report import Figure

from kit.db.engine import POSTGRES_CONNECTIONS
from scaling.model import Machines, Model, Observed, StepCost, Visit, visits
from scaling.points import Written

POPULATIONS = (2_000, 20_000, 200_000, 2_000_000)
_ORDERING = 0.12
"""The share of the population that orders at noon: one order each three seconds at 20,000."""
_BURST_SHARE, _BURST_SECONDS = 0.2, 300.0
"""Of noon's visitors come within these seconds when lectures end."""
_LOOKING = 2
"""Visitors who open a menu, fill a cart and leave, for each one who orders."""
_LOOKING_STEPS = 2
_STAY_SECONDS = 300.0
"""How long a page is open."""
_LARGEST_SHARE = 0.6
"""Of a process's time that visitors may use while one of the hosts is lost."""
_PAGES_PER_PROCESS = 2_000
_PAGE_BYTES = 381e3
"""Memory of a page in Chromium, whose socket is compressed (`nicegui`: memory of an open page)."""
_FIRST_LOAD_BYTES = 260e3
"""Of a menu with its fonts (`page_weight`); later ones come from the browser's cache."""
_SPREAD_SECONDS = 2.0
"""Pages reconnect within this time (kit/reflex/patches/reconnection.patch)."""
_PAYMENTS_PER_SECOND = 200 * 0.8 / 60
"""Cashfree lets an account create 200 payments a minute; we use 80% of that (operations.md)."""
_CALLS_PER_SECOND = 1.0
"""Twilio's limit of an account, unless it is raised; further calls wait."""
_LEAST_FREE = 0.1
"""Of a program's time; with less no wait is predicted: it would grow while visitors come."""
_SLOW_QUERY_MS = 20.0
_PAUSE_MS = 1_000.0
_SIMULATED_VISITORS = 4_000
_LONGEST_SECONDS = 600.0


@dataclass(frozen=True)
class Noon:
    """The busiest minutes of a population."""

    population: int
    steps: Mapping[str, StepCost]

    @property
    def orders(self) -> float:
        """Orders a second."""
        return self.population * _ORDERING * _BURST_SHARE / _BURST_SECONDS

    @property
    def visitors(self) -> float:
        """Visitors a second."""
        return self.orders * (1 + _LOOKING)

    @property
    def pages(self) -> float:
        """Open pages."""
        return self.visitors * _STAY_SECONDS

    @property
    def processes(self) -> int:
        """The processes on two hosts, of which one may be lost."""
        for_work = self.per_second("processes") / 1_000 / _LARGEST_SHARE
        for_pages = self.pages / _PAGES_PER_PROCESS
        return 2 * math.ceil(max(for_work, for_pages, 1))

    def per_second(self, program: str) -> float:
        """Return the milliseconds that a program works in a second."""
        costs = list(self.steps.values())
        ordering, looking = (
            sum(getattr(each, program) for each in some) for some in (costs, costs[:_LOOKING_STEPS])
        )
        if program == "processes":
            ordering += sum(each.afterwards for each in costs)
        return self.orders * ordering + self.orders * _LOOKING * looking

    def back_seconds(self, pages: float, processes: int) -> float | None:
        """Return the seconds until pages are back at this number of other processes.

        Those, and Redis, go on serving the other visitors. None if too little of them is left.
        """
        opened = next(iter(self.steps.values()))
        free_processes = processes - self.per_second("processes") / 1_000
        free_redis = 1 - self.per_second("redis") / 1_000
        if free_processes < _LEAST_FREE * processes or free_redis < _LEAST_FREE:
            return None
        return max(
            _SPREAD_SECONDS,
            pages * opened.processes / 1_000 / free_processes,
            pages * opened.redis / 1_000 / free_redis,
        )


def figures(steps: Mapping[str, StepCost], written: Written) -> Iterator[Figure]:
    """Yield what noon needs at each population, and how long visitors wait.

    The first step must be the one that opens a page.
    """
    for population in POPULATIONS:
        noon = Noon(population, steps)
        for name, unit, amount in (*_needs(noon, written), *_waits(noon)):
            if amount is not None:
                yield Figure(f"Noon, {name}: {population:,}", unit, amount)


def _needs(noon: Noon, written: Written) -> Iterator[tuple[str, str, float | None]]:
    processes = noon.processes
    yield "orders", "/s", noon.orders
    yield "visitors who come", "/s", noon.visitors
    yield "open pages", "", noon.pages
    yield "processes, on two hosts", "", processes
    yield "database connections", "", processes * POSTGRES_CONNECTIONS
    yield "memory of all pages", "GB", noon.pages * _PAGE_BYTES / 1e9
    yield "cores used by the processes", "", noon.per_second("processes") / 1_000
    yield "cores used by PostgreSQL", "", noon.per_second("postgres") / 1_000
    yield "PostgreSQL transactions", "/s", noon.orders * written.transactions
    yield "PostgreSQL writes", "MB/s", noon.orders * written.log_bytes / 1e6
    yield "of Redis's one thread", "%", noon.per_second("redis") / 10
    yield "cores used by nginx", "", noon.per_second("nginx") / 1_000
    yield "first loads", "MB/s", noon.visitors * _FIRST_LOAD_BYTES / 1e6
    of_one = noon.pages / processes
    yield (
        "upgrade: until the pages of a process are back",
        "s",
        noon.back_seconds(of_one, processes - 1),
    )
    half = processes // 2
    yield "loss of a host: until its pages are back", "s", noon.back_seconds(noon.pages / 2, half)
    refused = max(0.0, 1 - _PAYMENTS_PER_SECOND / noon.orders)
    yield "payments told to try again, with Cashfree's usual quota", "%", 100 * refused
    waiting = max(0.0, noon.orders - _CALLS_PER_SECOND) * _BURST_SECONDS
    yield (
        "longest wait of a call, with Twilio's usual limit",
        "min",
        waiting / _CALLS_PER_SECOND / 60,
    )


def _waits(noon: Noon) -> Iterator[tuple[str, str, float]]:
    if 1 - noon.per_second("redis") / 1_000 < _LEAST_FREE:
        return
    processes = noon.processes
    usual = _simulated(noon, Machines(processes)).all_waits()
    quantiles = statistics.quantiles(usual, n=100)
    yield "a step, mean", "ms", statistics.mean(usual)
    yield "a step, p95", "ms", quantiles[94]
    yield "a step, p99", "ms", quantiles[98]
    for name, machines in (
        ("after the loss of a host: a step, p95", Machines(processes // 2)),
        (
            f"PostgreSQL slower by {_SLOW_QUERY_MS:.0f} ms a statement: a step, p95",
            Machines(processes, query_ms=_SLOW_QUERY_MS),
        ),
    ):
        waits = _simulated(noon, machines).all_waits()
        yield name, "ms", statistics.quantiles(waits, n=100)[94]


def _simulated(noon: Noon, machines: Machines) -> Observed:
    seconds = min(_SIMULATED_VISITORS / noon.visitors, _LONGEST_SECONDS)
    counts = [len(noon.steps), *[_LOOKING_STEPS] * _LOOKING]
    coming: Sequence[Visit] = list(visits(Random(1), noon.visitors, seconds, _PAUSE_MS, counts))
    return Model(machines).simulate(noon.steps, coming)
