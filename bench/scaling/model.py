"""A queueing model of a deployment: how long visitors wait, from what their steps cost one by one.

nginx, each process and Redis work on one thing at a time, PostgreSQL on one for each connection. A
step is a series of rounds; between two rounds of one visitor others have their turn. All times are
milliseconds.
"""

from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

import simpy

from kit.db.engine import POSTGRES_CONNECTIONS

_ROUND_MS, _MAIL_MS = 0.4, 9.0
"""How long a process works for one visitor, or on mails, until another one's turn comes.

Measured by timing every callback of the event loop during 116 orders. The means are weighted by
length, because others arrive rather during a long callback: events 0.45 ms, sockets and requests
0.1 to 0.4, mails 9.
"""
_SLICE_MS = 3.0
"""How long a program keeps a core that others wait for: the default of Linux."""
_Work = Generator[simpy.Event, Any, None]


@dataclass(frozen=True)
class StepCost:
    """What a step of one visitor takes while there is no other one."""

    processes: float
    postgres: float = 0.0
    redis: float = 0.0
    nginx: float = 0.0
    elsewhere: float = 0.0
    """Until the visitor sees the result, the time in which none of these programs works."""
    afterwards: float = 0.0
    """What the processes do for it later: mails and calls."""
    statements: int = 0
    """The number of PostgreSQL's statements."""

    @property
    def work(self) -> dict[str, float]:
        """The processor time of each program."""
        return {
            "processes": self.processes + self.afterwards,
            "postgres": self.postgres,
            "redis": self.redis,
            "nginx": self.nginx,
        }

    def scaled(self, factors: Mapping[str, float]) -> "StepCost":
        """Return this cost with a multiple of each program's processor time."""
        return replace(
            self,
            afterwards=factors["processes"] * self.afterwards,
            **{program: factor * getattr(self, program) for program, factor in factors.items()},
        )


@dataclass(frozen=True)
class Machines:
    """What the programs run on."""

    processes: int
    cores: int = 0
    """Shared by all programs; 0: each program has as many as it can use."""
    query_ms: float = 0.0
    """What each statement takes besides PostgreSQL's processor time: its disk, its network."""


@dataclass(frozen=True)
class Visit:
    """A visitor: when they come, and how long they pause before each step that they take."""

    at: float
    pauses: Sequence[float]


def visits(
    rng: Random, per_second: float, seconds: float, pause_ms: float, step_counts: Sequence[int]
) -> Iterator[Visit]:
    """Yield visitors who come independently of each other; the pauses are exponentially distributed.

    Each takes one of these numbers of steps, all of them with the same probability.
    """
    at = 0.0
    while (at := at + rng.expovariate(per_second)) < seconds:
        pauses = [rng.expovariate(1 / pause_ms) for _ in range(rng.choice(step_counts))]
        yield Visit(1_000 * at, pauses)


@dataclass
class Observed:
    """How long visitors waited."""

    waits: dict[str, list[float]] = field(default_factory=dict[str, list[float]])
    """The waits at each kind of step, in ms."""

    def add(self, step: str, wait: float) -> None:
        """Add the time of a step."""
        self.waits.setdefault(step, []).append(wait)

    def all_waits(self) -> list[float]:
        """Return the times of all steps."""
        return [wait for waits in self.waits.values() for wait in waits]


def together(observed: Iterable[Observed]) -> Observed:
    """Return what happened to all of these visitors."""
    joined = Observed()
    for each in observed:
        for step, waits in each.waits.items():
            joined.waits.setdefault(step, []).extend(waits)
    return joined


class Model:
    """A simulated deployment."""

    def __init__(self, machines: Machines) -> None:
        self._environment = simpy.Environment()
        self._observed = Observed()
        self._machines = machines
        self._cores = self._program(machines.cores) if machines.cores else None
        self._processes = [self._program() for _ in range(machines.processes)]
        self._connections = [self._program(POSTGRES_CONNECTIONS) for _ in self._processes]
        self._visitors = [0 for _ in self._processes]
        self._redis, self._nginx = self._program(), self._program()

    def simulate(self, steps: Mapping[str, StepCost], coming: Iterable[Visit]) -> Observed:
        """Return what happened to these visitors, who take the first steps in their order."""
        self._environment.process(self._arrivals(steps, coming))
        self._environment.run()
        return self._observed

    def _program(self, capacity: int = 1) -> simpy.Resource:
        return simpy.Resource(self._environment, capacity)

    def _arrivals(self, steps: Mapping[str, StepCost], coming: Iterable[Visit]) -> _Work:
        for visit in coming:
            yield self._environment.timeout(visit.at - self._environment.now)
            # The process with the fewest visitors, as nginx chooses (`least_conn`).
            process = min(range(len(self._visitors)), key=self._visitors.__getitem__)
            self._environment.process(self._visit(steps, visit, process))

    def _visit(self, steps: Mapping[str, StepCost], visit: Visit, process: int) -> _Work:
        self._visitors[process] += 1
        for (name, cost), pause in zip(steps.items(), visit.pauses, strict=False):
            yield self._environment.timeout(pause)
            start = self._environment.now
            yield from self._step(cost, process)
            self._observed.add(name, self._environment.now - start)
            self._environment.process(self._afterwards(cost.afterwards, process))
        self._visitors[process] -= 1

    def _step(self, cost: StepCost, process: int) -> _Work:
        rounds = _rounds(cost.processes, _ROUND_MS)
        for number in range(rounds):
            yield self._environment.timeout(cost.elsewhere / rounds)
            yield from self._use(self._nginx, cost.nginx / rounds)
            yield from self._use(self._processes[process], cost.processes / rounds)
            yield from self._use(self._redis, cost.redis / rounds)
            done, due = (cost.statements * each // rounds for each in (number, number + 1))
            for _ in range(done, due):
                yield from self._query(process, cost.postgres / cost.statements)

    def _afterwards(self, ms: float, process: int) -> _Work:
        rounds = _rounds(ms, _MAIL_MS)
        for _ in range(rounds):
            yield from self._use(self._processes[process], ms / rounds)

    def _query(self, process: int, ms: float) -> _Work:
        with self._connections[process].request() as connection:
            yield connection
            yield self._environment.timeout(self._machines.query_ms)
            yield from self._on_core(ms)

    def _use(self, program: simpy.Resource, ms: float) -> _Work:
        """Work for some time, when the program has its turn."""
        if ms:
            with program.request() as turn:
                yield turn
                yield from self._on_core(ms)

    def _on_core(self, ms: float) -> _Work:
        if self._cores is None:
            yield self._environment.timeout(ms)
            return
        while ms > 0:
            with self._cores.request() as core:
                yield core
                used = min(ms, _SLICE_MS)
                yield self._environment.timeout(used)
            ms -= used


def _rounds(ms: float, each: float) -> int:
    return max(1, round(ms / each))
