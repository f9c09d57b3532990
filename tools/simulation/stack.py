"""The stack under simulation, its clock and the external services.

nginx, two processes, PostgreSQL and Redis as `deploy/local_stack.py` runs them. The campus clock
runs at real speed; a restarted process gets the current campus time.
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
from tests.helpers.deployment import RunningDeployment
from tests.helpers.ports import free_port
from tests.helpers.product import ROOT

NOON = WEDNESDAY.replace(hour=12)
PROCESSES = 2
_INITIAL_STARTUP_SECONDS = 2.0
_KEEPALIVE_SECONDS = 2.0
"""Shorter than the server's 5 seconds: a request over a connection that it just closed fails."""


@dataclass
class Ports:
    """The ports of the external services."""

    cashfree: int = field(default_factory=free_port)
    twilio: int = field(default_factory=free_port)
    mail: int = field(default_factory=free_port)
    control: int = field(default_factory=free_port)


@dataclass
class Kill:
    """A process killed with SIGKILL; times in seconds since 1970."""

    process: int
    at: float
    restarted_at: float = 0.0


class Stack:
    """The running stack, with commands to kill processes and to set its clocks."""

    def __init__(self, deployment: RunningDeployment, ports: Ports, data: Path) -> None:
        self.deployment = deployment
        self.ports = ports
        self.data = data
        self.clock = SystemClock(NOON - datetime.now(NOON.tzinfo))
        self.kills: list[Kill] = []
        self.restarting = asyncio.Lock()
        """Held while processes are down."""
        self.clock_jumps: list[tuple[float, float]] = []
        """When the campus clock was advanced, in seconds since 1970, and by how many seconds."""
        self.max_clock_skew = 0.0
        """The largest difference between a process's clock and the campus clock, in seconds."""
        self.control = httpx.AsyncClient(
            base_url=f"http://127.0.0.1:{ports.control}",
            trust_env=False,
            timeout=30,
            limits=httpx.Limits(keepalive_expiry=_KEEPALIVE_SECONDS),
        )
        self._startup_seconds = _INITIAL_STARTUP_SECONDS

    async def send_command(self, command: str, **content: Any) -> None:
        """Send a command to the external services."""
        (await self.control.post(f"/{command}", json=content)).raise_for_status()

    async def kill(self, process: int) -> None:
        """Kill a process and restart it."""
        async with self.restarting:
            kill = Kill(process, time.time())
            self.kills.append(kill)
            await asyncio.to_thread(self.deployment.parts.backends[process].kill)
            await self.start(process)
            kill.restarted_at = time.time()

    async def start(self, process: int) -> None:
        """Start a process with the campus time; return when it is healthy."""
        part, startup = (
            self.deployment.parts.backends[process],
            timedelta(seconds=self._startup_seconds),
        )
        campus_now = (self.clock.now() + startup).isoformat()
        part.environment = {**part.environment, "CAMPUS_NOW": campus_now}
        await asyncio.to_thread(part.start)
        skew = await self.clock_skew(process)
        self._startup_seconds -= skew
        self.max_clock_skew = max(self.max_clock_skew, abs(skew))

    async def clock_skew(self, process: int) -> float:
        """Return how many seconds a process's clock is ahead of the campus clock."""
        response = await asyncio.to_thread(self.deployment.get, "/api/clock", process=process)
        return (datetime.fromisoformat(response.json()["now"]) - self.clock.now()).total_seconds()

    async def set_clocks(self) -> None:
        """Set every clock to the campus time of the first process."""
        self.clock = SystemClock(
            self.clock.offset + timedelta(seconds=await self.clock_skew(process=0))
        )
        await self._send_clock()
        for process in range(1, PROCESSES):
            await asyncio.to_thread(self.deployment.parts.backends[process].stop)
            await self.start(process)

    async def advance_clock(self, **delta: float) -> None:
        """Skip idle time: restart all processes with a later campus time."""
        for part in self.deployment.parts.backends:
            await asyncio.to_thread(part.stop)
        self.clock = replace(self.clock, offset=self.clock.offset + timedelta(**delta))
        self.clock_jumps.append((time.time(), timedelta(**delta).total_seconds()))
        await self._send_clock()
        await asyncio.gather(*(self.start(process) for process in range(PROCESSES)))

    def run_ops(self, *arguments: str) -> None:
        """Run an operator's command."""
        part = self.deployment.parts.backends[0]
        environment = {**part.environment, "CAMPUS_NOW": self.clock.now().isoformat()}
        done = subprocess.run(
            [sys.executable, "-m", "campus_app.ops", *arguments],
            env={"PATH": os.environ["PATH"], **environment},
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stdout + done.stderr

    async def _send_clock(self) -> None:
        await self.send_command("clock", offset_seconds=self.clock.offset.total_seconds())
