"""Clicks on + and − that a server handles in a second, with 60 dishes on the menu."""

from pathlib import Path

import rounds
import sessions
import uvloop
from apps import BARE, OURS, App, served
from plan import Plan
from report import Goal, Limit, Measured
from rounds import Pair, Turn, Watch
from servers import CLIENT_CORE, Server, on_core
from sessions import Session

_GOAL = Goal(Limit.RATIO_AT_LEAST, 0.8)
_WARM_UP_CLICKS = 40


def measure(plan: Plan, folder: Path) -> Measured:
    """Let the two servers take turns on one core."""
    with (
        served(OURS, folder / "ours") as ours,
        served(BARE, folder / "bare") as bare,
        on_core(CLIENT_CORE),
    ):
        pairs = uvloop.run(pairs_of(plan, ours, bare))
    what = f"Clicks on + and −, {plan.clicking_sessions} sessions"
    return Measured(
        rounds.figures(what, "events/s", _GOAL, pairs),
        {"pairs": rounds.as_json(pairs)},
        rounds.notes("Clicks", pairs),
    )


async def pairs_of(plan: Plan, ours: Server, bare: Server) -> list[Pair]:
    """Let the two servers take turns until enough of them were quiet."""
    our_visitors = await _visitors(OURS, ours, plan)
    bare_visitors = await _visitors(BARE, bare, plan)
    pairs: list[Pair] = []
    while not rounds.are_enough(pairs, plan):
        our_turn = await _turn(our_visitors, ours, plan)
        pairs.append((our_turn, await _turn(bare_visitors, bare, plan)))
    return pairs


async def _visitors(app: App, server: Server, plan: Plan) -> list[Session]:
    visitors = await sessions.connect(app, server, plan.clicking_sessions)
    await sessions.click_each(visitors, _WARM_UP_CLICKS)
    return visitors


async def _turn(visitors: list[Session], server: Server, plan: Plan) -> Turn:
    watch = Watch(server.cpu_seconds)
    clicks = await sessions.click_for(visitors, plan.round_seconds)
    return watch.turn(clicks.count, plan.round_seconds, p50_ms=clicks.p50_ms, p95_ms=clicks.p95_ms)
