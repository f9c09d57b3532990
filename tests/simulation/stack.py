"""The real stack under the simulator, its clock, and the world outside it.

nginx, two processes, PostgreSQL and Redis as `deploy/local_stack.py` runs them. The campus clock goes
at its own pace; a process that starts again begins where the campus is by then.
"""

import asyncio
import os
import subprocess
import sys
import time
from dataclasses import dataclass, field, replace
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from kit.clock import SystemClock
from tests.helpers.clock import WEDNESDAY
from tests.helpers.deployment import Deployed
from tests.helpers.ports import free_port
from tests.helpers.product import ROOT

NOON = WEDNESDAY.replace(hour=12)
PROCESSES = 2
_FIRST_LAG_SECONDS = 2.0


@dataclass
class Ports:
    """Where the world outside is found."""

    cashfree: int = field(default_factory=free_port)
    twilio: int = field(default_factory=free_port)
    mail: int = field(default_factory=free_port)
    desk: int = field(default_factory=free_port)


@dataclass
class Death:
    """A kill -9 of a process; seconds since 1970."""

    process: int
    at: float
    back_at: float = 0.0


class Stack:
    """What runs, and what a simulator does to it."""

    def __init__(self, place: Deployed, ports: Ports, data: Path) -> None:
        self.place = place
        self.ports = ports
        self.data = data
        self.clock = SystemClock(NOON - datetime.now(NOON.tzinfo))
        self.deaths: list[Death] = []
        self.skipped: list[tuple[float, float]] = []
        """When the campus's clock was put forward, in seconds since 1970, and by how many."""
        self.furthest_off = 0.0
        """By how many seconds a process's clock was off the campus's, at most."""
        self.desk = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{ports.desk}", trust_env=False, timeout=30
        )
        self._lag = _FIRST_LAG_SECONDS

    async def ask(self, errand: str, **content: Any) -> None:
        """Have the world outside do something."""
        (await self.desk.post(f"/{errand}", json=content)).raise_for_status()

    async def kill(self, process: int) -> None:
        """End a process as a power cut does, and start it again."""
        death = Death(process, time.time())
        self.deaths.append(death)
        await asyncio.to_thread(self.place.parts.backends[process].kill)
        await self.start(process)
        death.back_at = time.time()

    async def start(self, process: int) -> None:
        """Start a process with its clock at the campus's time; return when it serves."""
        part, lag = self.place.parts.backends[process], timedelta(seconds=self._lag)
        begins = (self.clock.now() + lag).isoformat()
        part.environment = {**part.environment, "CAMPUS_NOW": begins}
        await asyncio.to_thread(part.start)
        off = await self.seconds_off(process)
        self._lag -= off
        self.furthest_off = max(self.furthest_off, abs(off))

    async def seconds_off(self, process: int) -> float:
        """Return how far a process's clock is ahead of the campus's."""
        answer = await asyncio.to_thread(self.place.get, "/api/clock", process=process)
        return (datetime.fromisoformat(answer.json()["now"]) - self.clock.now()).total_seconds()

    async def set_clocks(self) -> None:
        """Let every clock show the campus's time, which the first process has begun."""
        self.clock = SystemClock(
            self.clock.offset + timedelta(seconds=await self.seconds_off(process=0))
        )
        await self._tell_clock()
        for process in range(1, PROCESSES):
            await asyncio.to_thread(self.place.parts.backends[process].stop)
            await self.start(process)

    async def put_forward(self, **delta: float) -> None:
        """Skip time that nobody need wait for: all processes start again, so much later."""
        for part in self.place.parts.backends:
            await asyncio.to_thread(part.stop)
        self.clock = replace(self.clock, offset=self.clock.offset + timedelta(**delta))
        self.skipped.append((time.time(), timedelta(**delta).total_seconds()))
        await self._tell_clock()
        await asyncio.gather(*(self.start(process) for process in range(PROCESSES)))

    def operate(self, *words: str) -> None:
        """Run the operator's command line beside the processes."""
        part = self.place.parts.backends[0]
        environment = {**part.environment, "CAMPUS_NOW": self.clock.now().isoformat()}
        done = subprocess.run(
            [sys.executable, "-m", "campus_app.ops", *words],
            env={"PATH": os.environ["PATH"], **environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    async def _tell_clock(self) -> None:
        await self.ask("clock", offset_seconds=self.clock.offset.total_seconds())
