"""Orders that a server takes in a second through HTTP, beside a loop that only stores them."""

import asyncio
import json
import os
import subprocess
import time
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import rounds
import uvloop
from apps import OURS, migrate, served
from places import BENCHMARKS, PYTHON, ROOT, MeasurementFailed
from plan import Plan
from report import Goal, Limit, Measured
from rounds import Pair, Turn, Watch
from servers import CLIENT_CORE, SERVER_CORE, Server, environment, on_core

_GOAL = Goal(Limit.RATIO_AT_LEAST, 0.5)
_CLIENTS = 8
_WARM_UP_SECONDS = 0.5
_SPARE_SECONDS = 20
_REQUEST = (
    "POST /payment/prepare-order HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n"
    "Content-Type: application/json\r\nContent-Length: {size}\r\n\r\n"
)
_DISHES = ({"id": "104", "quantity": 2}, {"id": "112", "quantity": 1})


def measure(plan: Plan, folder: Path) -> Measured:
    """Let the server and the loop take turns on one core, each with a database of its own."""
    bare_folder = folder / "bare"
    bare_folder.mkdir(parents=True)
    migrate(bare_folder)
    template, database = folder / "ours" / "food_points.db", bare_folder / "food_points.db"
    pairs: list[Pair] = []
    with served(OURS, folder / "ours") as server, on_core(CLIENT_CORE):
        uvloop.run(_orders_in(server, _WARM_UP_SECONDS))
        while not rounds.are_enough(pairs, plan):
            our_turn = _our_turn(server, plan.round_seconds)
            pairs.append((our_turn, _bare_turn(template, database, plan.round_seconds)))
    what = f"Orders prepared through HTTP, {_CLIENTS} clients"
    return Measured(
        rounds.figures(what, "orders/s", _GOAL, pairs),
        {"pairs": rounds.as_json(pairs)},
        rounds.notes("Orders", pairs),
    )


def _our_turn(server: Server, seconds: float) -> Turn:
    watch = Watch(server.cpu_seconds)
    return watch.turn(uvloop.run(_orders_in(server, seconds)), seconds)


def _bare_turn(template: Path, database: Path, seconds: float) -> Turn:
    script = BENCHMARKS / "bare_orders.py"
    command = [PYTHON, str(script), str(template), str(database), str(seconds)]
    watch = Watch(_children_cpu_seconds)
    with on_core(SERVER_CORE):
        done = subprocess.run(
            command,
            env=environment({"PYTHONPATH": str(ROOT)}),
            capture_output=True,
            text=True,
            timeout=seconds + _SPARE_SECONDS,
            check=False,
        )
    if done.returncode:
        raise MeasurementFailed(done.stderr)
    stored, cpu_seconds = map(float, done.stdout.split())
    # What it used before the first order is not the loop's.
    return replace(watch.turn(stored, seconds), per_cpu_second=stored / cpu_seconds)


def _children_cpu_seconds() -> float:
    used = os.times()
    return used.children_user + used.children_system


@dataclass
class _Tally:
    """Orders that were taken in time."""

    end: float
    taken: int = 0
    numbers: count = field(default_factory=lambda: count(time.time_ns()))


async def _orders_in(server: Server, seconds: float) -> int:
    tally = _Tally(time.perf_counter() + seconds)
    async with asyncio.timeout(seconds + _SPARE_SECONDS):
        await asyncio.gather(*(_client(server.port, tally) for _ in range(_CLIENTS)))
    return tally.taken


async def _client(port: int, tally: _Tally) -> None:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    try:
        while time.perf_counter() < tally.end:
            writer.write(_request(port, next(tally.numbers)))
            head = await reader.readuntil(b"\r\n\r\n")
            body = await reader.readexactly(_length(head))
            if not head.startswith(b"HTTP/1.1 201"):
                raise MeasurementFailed(f"an order was refused: {body.decode()}")
            if time.perf_counter() < tally.end:
                tally.taken += 1
    finally:
        writer.close()


def _length(head: bytes) -> int:
    return int(head.lower().partition(b"content-length:")[2].split(None, 1)[0])


def _request(port: int, number: int) -> bytes:
    """Return an order like no other."""
    order = {
        "restaurantId": 1,
        "userDetails": {
            "fullName": "Aarav Sharma",
            "email": "aarav@students.example",
            "phoneNumber": "+91 98000 00001",
            "address": f"Hostel 4, room {number}",
        },
        "orderDetails": {
            "items": _DISHES,
            "selectedCampus": "north",
            "dogDonation": 0,
            "isPreReservation": False,
            "orderType": "normal",
            "specialInstructions": "",
        },
    }
    body = json.dumps(order).encode()
    return _REQUEST.format(port=port, size=len(body)).encode() + body
