"""A test harness for each phone caller: orders, calls made, and their outcome."""

import contextlib
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable
from datetime import timedelta
from typing import Any

from campus_app.notifications.providers.outbox_caller import OutboxFolderCaller
from campus_app.notifications.rules.callers import MissedCall, PhoneCaller
from campus_app.operators.wiring import Services
from kit.outbox.errors import OutcomeAwaited
from tests.fakes.twilio import VENDOR_PHONE
from tests.fakes.twilio_scenario import TwilioScenario
from tests.helpers.builders import order_request
from tests.helpers.flows import calls, drain, pay

_MAXIMUM_ATTEMPTS = 5


class CallHarness(ABC):
    """Base class of the harnesses: orders, calls and their outcomes."""

    def __init__(self, services: Services, clock: Any) -> None:
        self.services = services
        self.clock = clock

    @property
    @abstractmethod
    def caller(self) -> PhoneCaller:
        """The phone caller under test."""

    @abstractmethod
    def called_numbers(self) -> list[str]:
        """Return the called numbers, oldest first."""

    @abstractmethod
    async def finish_calls(self) -> None:
        """Move every open call to its final status."""

    async def call(self, to: str = VENDOR_PHONE) -> MissedCall:
        """Return a missed call for a new order."""
        order = (await self.services.ordering.prepare(order_request())).order
        until = self.clock.now() + timedelta(minutes=10)
        return MissedCall(to, order.restaurant_id, order.number, order.id, until)

    async def complete_call(self, call: MissedCall) -> None:
        """Place the call; attempt it again until its outcome is known."""
        for _ in range(_MAXIMUM_ATTEMPTS):
            try:
                return await self.caller.place_call(call)
            except OutcomeAwaited as awaited:
                await self.finish_calls()
                self.clock.advance(seconds=awaited.seconds)
        raise AssertionError("the outcome of the call is still unknown")

    async def order_and_notify(self) -> str:
        """Pay an order and run its notifications; return its number."""
        stored = await pay(self.services, await self.services.ordering.prepare(order_request()))
        await self.work()
        return stored.order.number

    async def work(self) -> None:
        """Run all due jobs until every call is finished."""
        await drain(self.services)
        await self.finish_calls()
        await drain(self.services)


class FolderHarness(CallHarness):
    """Harness of the sandbox caller, which appends each call to a file."""

    @property
    def caller(self) -> PhoneCaller:
        return OutboxFolderCaller(self.services.settings.outbox_dir, self.clock)

    def called_numbers(self) -> list[str]:
        return [call["to"] for call in calls(self.services)]

    async def finish_calls(self) -> None:
        """Do nothing: a call in a file is already finished."""


class TwilioHarness(CallHarness):
    """Harness of the Twilio caller, with a fake Twilio that sends webhooks."""

    def __init__(self, scenario: TwilioScenario) -> None:
        super().__init__(scenario.services, scenario.clock)
        self._scenario = scenario

    @property
    def caller(self) -> PhoneCaller:
        assert self.services.missed_calls is not None
        return self.services.missed_calls

    def called_numbers(self) -> list[str]:
        return [call.to for call in self._scenario.fake.calls.values()]

    async def finish_calls(self) -> None:
        fake = self._scenario.fake
        for call in list(fake.calls.values()):
            for status in ("ringing", "no-answer") if call.status == "queued" else ():
                await self._scenario.deliver(fake.move(call, status))


@contextlib.asynccontextmanager
async def folder_harness(
    open_services: Callable[[], Services], clock: Any
) -> AsyncIterator[CallHarness]:
    yield FolderHarness(open_services(), clock)


@contextlib.asynccontextmanager
async def twilio_harness(open_twilio: Callable[[], Any]) -> AsyncIterator[CallHarness]:
    async with open_twilio() as scenario:
        yield TwilioHarness(scenario)
