"""How soon a flip of a kitchen's switch is on every open screen, and what it costs the server."""

import asyncio
import contextlib
import json
import statistics
import time
import urllib.request
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import cycle
from pathlib import Path

import sessions
import uvloop
from apps import BARE, OUR_COMMAND, OURS, App, migrate, our_environment, served
from places import ROOT, MeasurementFailed
from plan import Plan
from report import Figure, Goal, Limit, Measured
from servers import CLIENT_CORE, Server, on_core, serving
from sessions import Session

from tests.helpers.redis import running_redis

_RATIO = Goal(Limit.RATIO_AT_MOST, 1.5)
_ACROSS_MS = Goal(Limit.AT_MOST, 200)
_IDLE_PERCENT = Goal(Limit.AT_MOST, 1)
_TOKEN = "opens the kitchens"
_ARRIVES_SECONDS = 20
_PAUSE_SECONDS = 0.05
_IDLE_SECONDS = 10
_PICTURE = b"picture_rx_state_"
_SHARED = b"shared_rx_state_"
_DIRECT = urllib.request.build_opener(urllib.request.ProxyHandler({}))


@dataclass(frozen=True)
class _Flips:
    """Medians of many flips."""

    last_ms: float
    cpu_ms: float


def measure(plan: Plan, folder: Path) -> Measured:
    """Compare with a bare app that emits a message of the same size to everybody."""
    count = plan.watching_sessions
    with on_core(CLIENT_CORE):
        ours, idle = _alone(OURS, folder / "ours", plan)
        bare, _ = _alone(BARE, folder / "bare", plan)
        with _two(folder / "two") as (near, far):
            across = uvloop.run(_flips(OURS, near, far, plan))
    figures = [
        Figure(f"A flip, on the last of {count} screens", "ms", ours.last_ms, bare.last_ms, _RATIO),
        Figure("  processor time of it", "ms", ours.cpu_ms, bare.cpu_ms, _RATIO),
        Figure("  on the last screen of another process", "ms", across.last_ms, None, _ACROSS_MS),
        Figure(f"Processor while {count} screens are idle", "%", idle, None, _IDLE_PERCENT),
    ]
    return Measured(figures, {"ours": vars(ours), "bare": vars(bare), "across": vars(across)})


def _alone(app: App, folder: Path, plan: Plan) -> tuple[_Flips, float]:
    with served(app, folder, {"OPERATOR_TOKEN": _TOKEN}) as server:
        return uvloop.run(_watched(app, server, plan))


async def _watched(app: App, server: Server, plan: Plan) -> tuple[_Flips, float]:
    watching = await sessions.connect(app, server, plan.watching_sessions)
    flips = await _flip_often(app, server, server, watching, plan)
    before = server.cpu_seconds()
    await asyncio.sleep(_IDLE_SECONDS)
    idle_percent = (server.cpu_seconds() - before) / _IDLE_SECONDS * 100
    return flips, round(idle_percent, 2)


async def _flips(app: App, flipped: Server, watched: Server, plan: Plan) -> _Flips:
    watching = await sessions.connect(app, watched, plan.watching_sessions)
    return await _flip_often(app, flipped, watched, watching, plan)


async def _flip_often(
    app: App, flipped: Server, watched: Server, watching: Sequence[Session], plan: Plan
) -> _Flips:
    waits: list[float] = []
    before = watched.cpu_seconds()
    for is_open, _ in zip(cycle((False, True)), range(plan.flips), strict=False):
        waits.append(await _flip(app, flipped, watching, is_open=is_open))
        await asyncio.sleep(_PAUSE_SECONDS)
    cpu = (watched.cpu_seconds() - before) / plan.flips
    return _Flips(round(statistics.median(waits) * 1000, 1), round(cpu * 1000, 1))


async def _flip(app: App, flipped: Server, watching: Sequence[Session], *, is_open: bool) -> float:
    """Flip once; return after how many seconds the last session knew."""
    done = asyncio.Event()
    left = len(watching)

    def received(session: Session) -> None:
        nonlocal left
        session.on_answer = None
        left -= 1
        if left == 0:
            done.set()

    for session in watching:
        session.awaited = _PICTURE if app is OURS else _SHARED
        session.on_answer = received
    start = time.perf_counter()
    await asyncio.to_thread(_ask, app, flipped, is_open)
    try:
        async with asyncio.timeout(_ARRIVES_SECONDS):
            await done.wait()
    except TimeoutError:
        raise MeasurementFailed(f"{left} sessions received nothing of a flip") from None
    return time.perf_counter() - start


def _ask(app: App, server: Server, is_open: bool) -> None:
    path = "/api/ops/restaurants/3/status" if app is OURS else "/shared"
    request = urllib.request.Request(
        server.url + path,
        data=json.dumps({"isOpen": is_open}).encode(),
        headers={"authorization": f"Bearer {_TOKEN}", "content-type": "application/json"},
        method="PUT",
    )
    with _DIRECT.open(request, timeout=_ARRIVES_SECONDS):
        pass


@contextlib.contextmanager
def _two(folder: Path) -> Iterator[tuple[Server, Server]]:
    """Run two processes of one installation, with Redis between them."""
    folder.mkdir(parents=True)
    migrate(folder)
    with running_redis() as redis:
        shared = our_environment(folder) | {"OPERATOR_TOKEN": _TOKEN, "REDIS_URL": redis.url}
        with (
            serving(OUR_COMMAND, ROOT, shared, folder / "near.log", "/health") as near,
            serving(OUR_COMMAND, ROOT, shared, folder / "far.log", "/health") as far,
        ):
            yield near, far
