"""What sessions in Redis cost: an event beside the bare app's, and two workers beside one."""

import contextlib
import statistics
from collections.abc import Iterator, Sequence
from pathlib import Path

import rounds
import sessions
import uvloop
from apps import BARE, OUR_COMMAND, OURS, migrate, our_environment, served
from events import pairs_of
from places import ROOT
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import CLIENT_CORE, SERVER_CORE, Server, on_core, serving

from tests.helpers.redis import running_redis

_COST = Goal(Limit.RATIO_AT_MOST, 1.15)
_TWO = Goal(Limit.RATIO_AT_LEAST, 1.5)
_WARM_UP_CLICKS = 40


def measure(plan: Plan, folder: Path) -> Measured:
    """Let Redis share the core of those who click."""
    with on_core(CLIENT_CORE), running_redis() as redis:
        shared = {"REDIS_URL": redis.url}
        with (
            served(OURS, folder / "ours", shared) as ours,
            served(BARE, folder / "bare", shared) as bare,
        ):
            pairs = uvloop.run(pairs_of(plan, ours, bare))
    with running_redis() as redis:
        one = _capacity(plan, folder / "one", redis.url, [SERVER_CORE])
        two = _capacity(plan, folder / "two", redis.url, [SERVER_CORE, CLIENT_CORE])
    ms = [1000 / statistics.median(pair[i].per_cpu_second for pair in pairs) for i in (0, 1)]
    figures = [
        Figure("A click, its session in Redis: processor time", "ms", *ms, _COST),
        Figure("Clicks that two workers have processor time for", "events/s", two, one, _TWO),
    ]
    details = {"pairs": rounds.as_json(pairs), "one": one, "two": two}
    return Measured(figures, details, rounds.notes("Clicks with Redis", pairs))


def _capacity(plan: Plan, folder: Path, redis_url: str, cores: Sequence[int]) -> float:
    """Return how many clicks the workers would answer in a second, if none waited for a core.

    There are two cores, for the workers, Redis and those who click: what counts is how long the
    busier worker was at work.
    """
    with _workers(folder, redis_url, cores) as workers:
        return uvloop.run(_clicks_per_busy_second(plan, workers))


async def _clicks_per_busy_second(plan: Plan, workers: Sequence[Server]) -> float:
    visitors = [
        each
        for worker in workers
        for each in await sessions.connect(OURS, worker, plan.clicking_sessions // len(workers))
    ]
    await sessions.click_each(visitors, _WARM_UP_CLICKS)
    rates: list[float] = []
    for _ in range(plan.rounds):
        before = [worker.cpu_seconds() for worker in workers]
        clicks = await sessions.click_for(visitors, plan.round_seconds)
        busy = [worker.cpu_seconds() - then for worker, then in zip(workers, before, strict=True)]
        rates.append(clicks.count / max(busy))
    return statistics.median(rates)


@contextlib.contextmanager
def _workers(folder: Path, redis_url: str, cores: Sequence[int]) -> Iterator[list[Server]]:
    """Run a process of one installation on each of these cores."""
    folder.mkdir(parents=True)
    migrate(folder)
    shared = our_environment(folder) | {"REDIS_URL": redis_url}
    with contextlib.ExitStack() as opened:
        yield [
            opened.enter_context(
                serving(OUR_COMMAND, ROOT, shared, folder / f"log-{number}", "/health", core=core)
            )
            for number, core in enumerate(cores)
        ]
