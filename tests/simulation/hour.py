"""The hour itself: people come, processes die, others do not answer, kitchens close."""

import asyncio
import contextlib
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import httpx

from tests.helpers.product import OPERATOR_TOKEN
from tests.simulation.browsers import Browser
from tests.simulation.customers import Customer
from tests.simulation.demand import Person
from tests.simulation.plan import CLOSURES, OUTAGES, Plan, Span
from tests.simulation.site_client import Till
from tests.simulation.stack import PROCESSES, Stack

_LATEST_KILL_MINUTE = 59.0


@dataclass(frozen=True)
class Happened:
    """Something that was so for a while; seconds since 1970, and what a campus clock read."""

    what: str
    begins: float
    ends: float
    begins_ms: int
    ends_ms: int


@dataclass
class Hour:
    """The clock of the hour, and what happened in it."""

    plan: Plan
    stack: Stack
    began: float = field(default_factory=time.time)
    outages: list[Happened] = field(default_factory=list)
    closures: list[Happened] = field(default_factory=list)

    @property
    def minute(self) -> float:
        """Which minute of the hour it is."""
        return self.minute_of(time.time())

    def minute_of(self, moment: float) -> float:
        """Return the minute of the hour of a moment in seconds since 1970."""
        return (moment - self.began) * self.plan.speed / 60

    async def until(self, minute: float) -> None:
        """Wait for a minute."""
        await asyncio.sleep(max(0.0, (minute - self.minute) * 60 / self.plan.speed))

    async def passes(self, people: Sequence[Person], till: Till) -> "list[Customer | Browser]":
        """Let all of it happen; return everybody who came, once they have gone."""
        came: list[Customer | Browser] = []
        async with asyncio.TaskGroup() as going_on:
            going_on.create_task(self._kills())
            for outage in OUTAGES:
                going_on.create_task(self._is_away(outage))
            for closure in CLOSURES:
                going_on.create_task(self._is_closed(closure))
            for person in people:
                await self.until(person.minute)
                kind = Browser if person.has_browser else Customer
                came.append(kind(person, self.stack, till, self.plan))
                going_on.create_task(came[-1].lunch())
        return came

    async def _kills(self) -> None:
        """Kill one process after the other; never the last one that serves."""
        minute, process = self.plan.kill_every, 0
        while minute <= _LATEST_KILL_MINUTE:
            await self.until(minute)
            await self.stack.kill(process % PROCESSES)
            process += 1
            minute = max(minute + self.plan.kill_every, self.minute)

    async def _is_away(self, outage: Span) -> None:
        async def switch(*, is_away: bool) -> None:
            await self.stack.ask("switch", what=outage.what, is_away=is_away)

        happened = await self._lasts(
            outage, lambda: switch(is_away=True), lambda: switch(is_away=False)
        )
        self.outages.append(happened)

    async def _is_closed(self, closure: Span) -> None:
        happened = await self._lasts(
            closure,
            lambda: self._turn(closure.what, is_open=False),
            lambda: self._turn(closure.what, is_open=True),
        )
        self.closures.append(happened)

    async def _lasts(
        self, span: Span, begin: Callable[[], Awaitable[None]], end: Callable[[], Awaitable[None]]
    ) -> Happened:
        """Let something begin and end; what counts is when it surely was so."""
        await self.until(span.begins)
        await begin()
        begins, begins_ms = time.time(), self._campus_ms()
        await self.until(span.ends)
        ends, ends_ms = time.time(), self._campus_ms()
        await end()
        return Happened(span.what, begins, ends, begins_ms, ends_ms)

    async def _turn(self, restaurant_id: str, *, is_open: bool) -> None:
        """Turn the operator's switch, at whichever process is there."""
        path = f"/api/ops/restaurants/{restaurant_id}/status"
        headers = {"authorization": f"Bearer {OPERATOR_TOKEN}"}
        body = {"isOpen": is_open, "message": "No gas until later"}
        async with httpx.AsyncClient(base_url=self.stack.place.url, trust_env=False) as operator:
            while True:
                with contextlib.suppress(httpx.TransportError):
                    answer = await operator.put(path, headers=headers, json=body)
                    if answer.is_success:
                        return
                await asyncio.sleep(0.2)

    def _campus_ms(self) -> int:
        now: datetime = self.stack.clock.now()
        return round(now.timestamp() * 1000)
