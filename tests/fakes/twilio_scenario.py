"""The product's services with missed calls through the fake Twilio."""

import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from campus_app.operators.wiring import Services
from campus_app.ordering.rules.stored_order import StoredOrder
from kit.clock import from_ms
from kit.outbox.models import JobState, OutboxRow
from tests.fakes.twilio import VENDOR_PHONE, FakeCall, FakeTwilio, SignedWebhook, twilio_settings
from tests.helpers.builders import order_request
from tests.helpers.clock import ManualClock
from tests.helpers.flows import drain, pay
from tests.helpers.server import serving
from tests.helpers.tables import rows

_SHIPPED_PHONE = "+910000000001"
CALL_TOPIC = "call.vendor"


def set_vendor_phone(data_dir: Path, number: str = VENDOR_PHONE) -> Path:
    """Replace the phone number of restaurant 1, which is not valid, by one that can be called."""
    file = data_dir / "restaurants.csv"
    text = file.read_text(encoding="utf-8")
    assert _SHIPPED_PHONE in text
    file.write_text(text.replace(_SHIPPED_PHONE, number), encoding="utf-8")
    return data_dir


class TwilioScenario:
    """Services, a fake Twilio and a clock, with actions on orders, calls and webhooks."""

    def __init__(
        self, services: Services, fake: FakeTwilio, clock: ManualClock, api: httpx.AsyncClient
    ) -> None:
        self.services = services
        self.fake = fake
        self.clock = clock
        self.api = api

    async def order(self) -> StoredOrder:
        """Store and pay an order without running its jobs."""
        return await pay(self.services, await self.services.ordering.prepare(order_request()))

    async def paid(self) -> StoredOrder:
        """Store and pay an order, then run all due jobs."""
        stored = await self.order()
        await self.run_due_jobs()
        return stored

    async def run_due_jobs(self, **delta: float) -> None:
        """Advance the clock, then run all due jobs."""
        self.clock.advance(**delta)
        await drain(self.services)

    async def deliver(self, webhook: SignedWebhook) -> httpx.Response:
        """Deliver a webhook as Twilio does."""
        path, headers, body = webhook
        return await self.api.post(path, headers=headers, content=body)

    async def move_call(self, call: FakeCall, *statuses: str) -> None:
        """Move a call through these statuses, deliver each webhook, then run all due jobs."""
        for status in statuses:
            assert (await self.deliver(self.fake.move(call, status))).status_code == 204
        await self.run_due_jobs()

    async def status(self, stored: StoredOrder) -> str:
        """Return the missed call's status as the order status endpoint reports it."""
        response = await self.api.get(f"/payment/order-status/{stored.order.number}")
        return response.json()["missedCallStatus"]

    async def job(self, stored: StoredOrder) -> Any:
        """Return the outbox row of the call."""
        (row,) = await rows(
            self.services.database, OutboxRow, subject=stored.order.id, topic=CALL_TOPIC
        )
        return row

    async def settle(self) -> None:
        """Run every job when it is due, for one hour."""
        end = self.clock.now() + timedelta(hours=1)
        while (due := await self._next_due()) is not None and due < end:
            # One second more, because a lease can be claimed only after its end.
            self.clock.set(max(due, self.clock.now()) + timedelta(seconds=1))
            await self.run_due_jobs()
        self.clock.set(end)
        await self.run_due_jobs()

    async def _next_due(self) -> datetime | None:
        """Return when the next job is due or the next lease ends."""
        due_at_ms = [
            row.lease_until_ms if row.state == JobState.LEASED else row.run_at_ms
            for row in await rows(self.services.database, OutboxRow)
            if row.state in {JobState.READY, JobState.LEASED}
        ]
        return from_ms(min(due_at_ms)) if due_at_ms else None


@contextlib.asynccontextmanager
async def open_twilio_scenario(
    new_services: Callable[..., Services],
    clock: ManualClock,
    data_dir: Path,
    client_of: Callable[[Services], contextlib.AbstractAsyncContextManager[httpx.AsyncClient]],
    **changes: Any,
) -> AsyncIterator[TwilioScenario]:
    """Open a product whose calls go to a new fake Twilio."""
    fake = FakeTwilio(clock)
    async with serving(fake.app) as address:
        settings = twilio_settings(address, data_dir=data_dir)
        services = new_services(**(settings | changes))
        async with client_of(services) as api:
            yield TwilioScenario(services, fake, clock, api)
