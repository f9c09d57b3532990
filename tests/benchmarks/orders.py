"""Orders that a server takes in a second through HTTP, beside a loop that only stores them."""

import asyncio
import time
from pathlib import Path

import rounds
import uvloop
from apps import OURS, migrate, served
from bare_loop import bare_turn
from customers import customer
from plan import Plan
from report import Goal, Limit, Measured
from rounds import Pair, Turn, Watch
from servers import CLIENT_CORE, Server, on_core

_GOAL = Goal(Limit.RATIO_AT_LEAST, 0.8)
_CLIENTS = 8
_WARM_UP_SECONDS = 0.5
_SPARE_SECONDS = 20


def measure(plan: Plan, folder: Path) -> Measured:
    """Let the server and the loop take turns on one core, each with a database of its own."""
    bare_folder = folder / "bare"
    bare_folder.mkdir(parents=True)
    migrate(bare_folder)
    ours, bare = (f"sqlite:///{folder}/{name}/food_points.db" for name in ("ours", "bare"))
    pairs: list[Pair] = []
    with served(OURS, folder / "ours") as server, on_core(CLIENT_CORE):
        uvloop.run(_orders_in(server, _WARM_UP_SECONDS))
        while not rounds.are_enough(pairs, plan):
            our_turn = _our_turn(server, plan.round_seconds)
            pairs.append((our_turn, bare_turn(ours, bare, plan.round_seconds, "prepared")))
    what = f"Orders prepared through HTTP, {_CLIENTS} clients"
    return Measured(
        rounds.figures(what, "orders/s", _GOAL, pairs),
        {"pairs": rounds.as_json(pairs)},
        rounds.notes("Orders", pairs),
    )


def _our_turn(server: Server, seconds: float) -> Turn:
    watch = Watch(server.cpu_seconds)
    return watch.turn(uvloop.run(_orders_in(server, seconds)), seconds)


async def _orders_in(server: Server, seconds: float) -> int:
    """Return how many orders were taken in time."""
    end = time.perf_counter() + seconds

    async def one() -> int:
        taken = 0
        async with customer(server.port) as person:
            while time.perf_counter() < end:
                await person.prepare()
                taken += time.perf_counter() < end
        return taken

    async with asyncio.timeout(seconds + _SPARE_SECONDS):
        return sum(await asyncio.gather(*(one() for _ in range(_CLIENTS))))
