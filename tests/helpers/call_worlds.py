"""Each way to ring a phone with its world around it: orders, and what reached the kitchens."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

from campus_app.adapters.sandbox.calls import OutboxFolderCaller
from campus_app.ports.calls import MissedCall, PhoneCaller
from campus_app.wiring import Services
from kit.outbox.errors import OutcomeAwaited
from tests.fakes.telephone import Telephone
from tests.fakes.twilio import KITCHEN
from tests.helpers.builders import order_request
from tests.helpers.flows import calls, drain, pay

_LOOKS = 5


class CallWorld(ABC):
    """What a test can make happen, whatever rings the phone."""

    def __init__(self, services: Services, clock: Any) -> None:
        self.services = services
        self.clock = clock

    @property
    @abstractmethod
    def caller(self) -> PhoneCaller:
        """What rings the phones of this world."""

    @abstractmethod
    def rung(self) -> list[str]:
        """Return the numbers that were called, the first one first."""

    @abstractmethod
    async def phones_ring(self) -> None:
        """Let every call that is under way come to its end."""

    async def call(self, to: str = KITCHEN) -> MissedCall:
        """Return a call about a new order."""
        order = (await self.services.ordering.prepare(order_request())).order
        until = self.clock.now() + timedelta(minutes=10)
        return MissedCall(to, order.restaurant_id, order.number, order.id, until)

    async def ring(self, call: MissedCall) -> None:
        """Ring until it is known how that went."""
        for _ in range(_LOOKS):
            try:
                return await self.caller.place_call(call)
            except OutcomeAwaited as awaited:
                await self.phones_ring()
                self.clock.advance(seconds=awaited.seconds)
        raise AssertionError("nobody says how the call went")

    async def order_and_tell(self) -> str:
        """Take an order to its notices; return its number."""
        stored = await pay(self.services, await self.services.ordering.prepare(order_request()))
        await self.work()
        return stored.order.number

    async def work(self) -> None:
        """Carry out what is due, until every phone has rung."""
        await drain(self.services)
        await self.phones_ring()
        await drain(self.services)


class FolderWorld(CallWorld):
    """Calls are lines of a file."""

    @property
    def caller(self) -> PhoneCaller:
        return OutboxFolderCaller(self.services.settings.outbox_dir, self.clock)

    def rung(self) -> list[str]:
        return [call["to"] for call in calls(self.services)]

    async def phones_ring(self) -> None:
        """Do nothing: a line in a file is a call that has ended."""


class TwilioWorld(CallWorld):
    """Calls go through a Twilio of our own, which sends notices."""

    def __init__(self, telephone: Telephone) -> None:
        super().__init__(telephone.services, telephone.clock)
        self._telephone = telephone

    @property
    def caller(self) -> PhoneCaller:
        assert self.services.missed_calls is not None
        return self.services.missed_calls

    def rung(self) -> list[str]:
        return [call.to for call in self._telephone.fake.calls.values()]

    async def phones_ring(self) -> None:
        fake = self._telephone.fake
        for call in list(fake.calls.values()):
            for status in ("ringing", "no-answer") if call.status == "queued" else ():
                await self._telephone.tell(fake.move(call, status))


@contextlib.asynccontextmanager
async def folder_world(
    open_services: Callable[[], Services], clock: Any
) -> AsyncIterator[CallWorld]:
    yield FolderWorld(open_services(), clock)


@contextlib.asynccontextmanager
async def twilio_world(open_telephone: Callable[[], Any]) -> AsyncIterator[CallWorld]:
    async with open_telephone() as telephone:
        yield TwilioWorld(telephone)
