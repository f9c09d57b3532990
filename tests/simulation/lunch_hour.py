"""The lunch hour: customers arrive, processes are killed, services fail, restaurants close."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import httpx

from tests.helpers.product import OPERATOR_TOKEN
from tests.simulation.customers import Customer
from tests.simulation.demand import Person
from tests.simulation.plan import CLOSURES, OUTAGES, Plan, Span
from tests.simulation.site_client import SiteClient
from tests.simulation.socket_customers import SocketCustomer
from tests.simulation.stack import PROCESSES, Stack

_LATEST_KILL_MINUTE = 59.0


@dataclass(frozen=True)
class Interval:
    """A time span in seconds since 1970, and by the campus clock."""

    what: str
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
        self, people: Sequence[Person], site: SiteClient
    ) -> "list[Customer | SocketCustomer]":
        """Run the whole hour; return all customers when they are done."""
        customers: list[Customer | SocketCustomer] = []
        async with asyncio.TaskGroup() as going_on:
            going_on.create_task(self._kills())
            for outage in OUTAGES:
                going_on.create_task(self._run_outage(outage))
            for closure in CLOSURES:
                going_on.create_task(self._run_closure(closure))
            for person in people:
                await self.until(person.minute)
                kind = SocketCustomer if person.has_browser else Customer
                customers.append(kind(person, self.stack, site, self.plan))
                going_on.create_task(customers[-1].run_order())
        return customers

    async def _kills(self) -> None:
        """Kill the processes in turn; at least one always serves."""
        minute, process = self.plan.kill_every, 0
        while minute <= _LATEST_KILL_MINUTE:
            await self.until(minute)
            await self.stack.kill(process % PROCESSES)
            process += 1
            minute = max(minute + self.plan.kill_every, self.minute)

    async def _run_outage(self, outage: Span) -> None:
        async def set_outage(*, is_away: bool) -> None:
            await self.stack.ask("set_outage", what=outage.what, is_away=is_away)

        happened = await self._lasts(
            outage, lambda: set_outage(is_away=True), lambda: set_outage(is_away=False)
        )
        self.outages.append(happened)

    async def _run_closure(self, closure: Span) -> None:
        happened = await self._lasts(
            closure,
            lambda: self._turn(closure.what, is_open=False),
            lambda: self._turn(closure.what, is_open=True),
        )
        self.closures.append(happened)

    async def _lasts(
        self, span: Span, begin: Callable[[], Awaitable[None]], end: Callable[[], Awaitable[None]]
    ) -> Interval:
        """Run a span; return when it was certainly in effect."""
        await self.until(span.begins)
        await begin()
        begins, begins_ms = time.time(), self._campus_ms()
        await self.until(span.ends)
        ends, ends_ms = time.time(), self._campus_ms()
        await end()
        return Interval(span.what, begins, ends, begins_ms, ends_ms)

    async def _turn(self, restaurant_id: str, *, is_open: bool) -> None:
        """Set the operator's override at any process that responds."""
        path = f"/api/ops/restaurants/{restaurant_id}/status"
        headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
        body = {"isOpen": is_open, "message": "No gas until later"}
        async with httpx.AsyncClient(
            base_url=self.stack.deployment.url, trust_env=False
        ) as operator:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    answer = await operator.put(path, headers=headers, json=body)
                    if answer.is_success:
                        return
                await asyncio.sleep(0.2)

    def _campus_ms(self) -> int:
        now: datetime = self.stack.clock.now()
        return round(now.timestamp() * 1000)
