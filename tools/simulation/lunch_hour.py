"""The lunch hour: customers arrive, processes are killed, services fail, restaurants close."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import httpx

from tests.helpers.product import OPERATOR_TOKEN
from tools.simulation.customers import Customer
from tools.simulation.demand import PlannedCustomer
from tools.simulation.plan import CLOSURES, OUTAGES, Plan, Span
from tools.simulation.site_client import SiteClient
from tools.simulation.socket_customers import SocketCustomer
from tools.simulation.stack import PROCESSES, Stack

_LATEST_KILL_MINUTE = 59.0


@dataclass(frozen=True)
class Interval:
    """A time span in seconds since 1970, and by the campus clock."""

    target: str
    """The service, or the restaurant's id."""
    begins: float
    ends: float
    begins_ms: int
    ends_ms: int


@dataclass
class LunchHour:
    """The clock and the events of the hour."""

    plan: Plan
    stack: Stack
    began: float = field(default_factory=time.time)
    outages: list[Interval] = field(default_factory=list)
    closures: list[Interval] = field(default_factory=list)

    @property
    def minute(self) -> float:
        """The current minute of the hour."""
        return self.minute_of(time.time())

    def minute_of(self, moment: float) -> float:
        """Return the minute of the hour for a time in seconds since 1970."""
        return (moment - self.began) * self.plan.speed / 60

    async def until(self, minute: float) -> None:
        """Wait until a minute of the hour."""
        await asyncio.sleep(max(0.0, (minute - self.minute) * 60 / self.plan.speed))

    async def run(
        self, planned_customers: Sequence[PlannedCustomer], site: SiteClient
    ) -> "list[Customer | SocketCustomer]":
        """Run the whole hour; return all customers when they are done."""
        customers: list[Customer | SocketCustomer] = []
        async with asyncio.TaskGroup() as tasks:
            tasks.create_task(self._kill_processes())
            for outage in OUTAGES:
                tasks.create_task(self._run_outage(outage))
            for closure in CLOSURES:
                tasks.create_task(self._run_closure(closure))
            for planned in planned_customers:
                await self.until(planned.minute)
                kind = SocketCustomer if planned.uses_socket else Customer
                customers.append(kind(planned, self.stack, site, self.plan))
                tasks.create_task(customers[-1].run_order())
        return customers

    async def _kill_processes(self) -> None:
        """Kill the processes in turn.

        At least one is always running: `kill` returns when the killed process is healthy again.
        """
        minute, process = self.plan.kill_every, 0
        while minute <= _LATEST_KILL_MINUTE:
            await self.until(minute)
            await self.stack.kill(process % PROCESSES)
            process += 1
            minute = max(minute + self.plan.kill_every, self.minute)

    async def _run_outage(self, outage: Span) -> None:
        async def set_outage(*, is_active: bool) -> None:
            await self.stack.send_command("set_outage", service=outage.target, is_active=is_active)

        interval = await self._run_span(
            outage, lambda: set_outage(is_active=True), lambda: set_outage(is_active=False)
        )
        self.outages.append(interval)

    async def _run_closure(self, closure: Span) -> None:
        interval = await self._run_span(
            closure,
            lambda: self._set_override(closure.target, is_open=False),
            lambda: self._set_override(closure.target, is_open=True),
        )
        self.closures.append(interval)

    async def _run_span(
        self, span: Span, begin: Callable[[], Awaitable[None]], end: Callable[[], Awaitable[None]]
    ) -> Interval:
        """Run a span; return the interval in which it was in effect for certain."""
        await self.until(span.begins)
        await begin()
        begins, begins_ms = time.time(), self._campus_ms()
        await self.until(span.ends)
        ends, ends_ms = time.time(), self._campus_ms()
        await end()
        return Interval(span.target, begins, ends, begins_ms, ends_ms)

    async def _set_override(self, restaurant_id: str, *, is_open: bool) -> None:
        """Set an override through nginx; retry until a process responds."""
        path = f"/api/ops/restaurants/{restaurant_id}/status"
        headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
        body = {"isOpen": is_open, "message": "No gas until later"}
        async with httpx.AsyncClient(
            base_url=self.stack.deployment.url, trust_env=False
        ) as operator:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    response = await operator.put(path, headers=headers, json=body)
                    if response.is_success:
                        return
                await asyncio.sleep(0.2)

    def _campus_ms(self) -> int:
        now: datetime = self.stack.clock.now()
        return round(now.timestamp() * 1000)
