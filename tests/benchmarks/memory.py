"""What a server remembers of each visitor, in bytes."""

import asyncio
from pathlib import Path

import sessions
import uvloop
from apps import BARE, OURS, App, served
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import CLIENT_CORE, Server, on_core

_GOAL = Goal(Limit.RATIO_AT_MOST, 1.3)
_FIRST_SESSIONS = 30
_CLICKS = 10
_SETTLE_SECONDS = 1.5


def measure(plan: Plan, folder: Path) -> Measured:
    """Compare on fresh servers, with and without the compression that browsers ask for."""
    plain, packed = (
        {
            app.name: _bytes_per_session(app, folder / f"{app.name}-{word}", plan, word)
            for app in (OURS, BARE)
        }
        for word in ("plain", "compressed")
    )
    what = f"Memory of a session, {plan.idle_sessions} sessions"
    return Measured(
        figures=[
            Figure(what, "kB", plain["ours"] / 1000, plain["bare"] / 1000, _GOAL),
            Figure(
                "  same, compressed as browsers ask",
                "kB",
                packed["ours"] / 1000,
                packed["bare"] / 1000,
            ),
        ],
        details={"plain": plain, "compressed": packed},
    )


def _bytes_per_session(app: App, folder: Path, plan: Plan, word: str) -> float:
    with served(app, folder) as server, on_core(CLIENT_CORE):
        return uvloop.run(_growth(app, server, plan.idle_sessions, word == "compressed"))


async def _growth(app: App, server: Server, count: int, is_compressed: bool) -> float:
    await _visit(app, server, _FIRST_SESSIONS, is_compressed)
    before = server.memory_bytes()
    await _visit(app, server, count, is_compressed)
    return (server.memory_bytes() - before) / count


async def _visit(app: App, server: Server, count: int, is_compressed: bool) -> None:
    visitors = await sessions.connect(app, server, count, is_compressed=is_compressed)
    await sessions.click_each(visitors, _CLICKS)
    await asyncio.sleep(_SETTLE_SECONDS)
