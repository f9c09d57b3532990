"""An ordering product whose missed calls go through a Twilio of our own."""

import contextlib
from collections.abc import AsyncIterator, Callable
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import httpx

from campus_app.ports.orders import StoredOrder
from campus_app.wiring import Services
from kit.clock import from_ms
from kit.outbox.models import JobState, OutboxRow
from tests.fakes.twilio import KITCHEN, FakeCall, FakeTwilio, Notice, twilio_settings
from tests.helpers.builders import order_request
from tests.helpers.clock import ManualClock
from tests.helpers.flows import drain, pay
from tests.helpers.server import serving
from tests.helpers.tables import rows

_SHIPPED = "+910000000001"
CALL_TOPIC = "call.vendor"


def give_kitchen_a_phone(data_dir: Path, number: str = KITCHEN) -> Path:
    """Let restaurant 1 have a number that can ring: those that are shipped can't."""
    file = data_dir / "restaurants.csv"
    text = file.read_text(encoding="utf-8")
    assert _SHIPPED in text
    file.write_text(text.replace(_SHIPPED, number), encoding="utf-8")
    return data_dir


class Telephone:
    """What a test can make happen: orders, phones that ring, notices that arrive, time."""

    def __init__(
        self, services: Services, fake: FakeTwilio, clock: ManualClock, api: httpx.AsyncClient
    ) -> None:
        self.services = services
        self.fake = fake
        self.clock = clock
        self.api = api

    async def order(self) -> StoredOrder:
        """Take an order and have it paid; nobody is told yet."""
        return await pay(self.services, await self.services.ordering.prepare(order_request()))

    async def paid(self) -> StoredOrder:
        """Take an order, have it paid, and tell everyone."""
        stored = await self.order()
        await self.work()
        return stored

    async def work(self, **delta: float) -> None:
        """Let so much time pass, and carry out everything that is due then."""
        self.clock.advance(**delta)
        await drain(self.services)

    async def tell(self, notice: Notice) -> httpx.Response:
        """Deliver a notice as Twilio does."""
        path, headers, body = notice
        return await self.api.post(path, headers=headers, content=body)

    async def goes(self, call: FakeCall, *statuses: str) -> None:
        """Let a call come to these statuses, each told to us; then work on."""
        for status in statuses:
            assert (await self.tell(self.fake.move(call, status))).status_code == 204
        await self.work()

    async def status(self, stored: StoredOrder) -> str:
        """Return the missed call's status as browsers read it."""
        answer = await self.api.get(f"/payment/order-status/{stored.order.number}")
        return answer.json()["missedCallStatus"]

    async def job(self, stored: StoredOrder) -> Any:
        """Return the call's row of the outbox."""
        found = await rows(
            self.services.database, OutboxRow, subject=stored.order.id, topic=CALL_TOPIC
        )
        (row,) = found
        return row

    async def settle(self) -> None:
        """Let an hour pass, and carry out everything when it is due."""
        end = self.clock.now() + timedelta(hours=1)
        while (due := await self._next_due()) is not None and due < end:
            # A worker that died holds its lease until just after its end.
            self.clock.set(max(due, self.clock.now()) + timedelta(seconds=1))
            await self.work()
        self.clock.set(end)
        await self.work()

    async def _next_due(self) -> datetime | None:
        """Return when the first effect that is not over is due, or its lease ends."""
        moments = [
            row.lease_until_ms if row.state == JobState.LEASED else row.run_at_ms
            for row in await rows(self.services.database, OutboxRow)
            if row.state in {JobState.READY, JobState.LEASED}
        ]
        return from_ms(min(moments)) if moments else None


@contextlib.asynccontextmanager
async def opened_telephone(
    new_services: Callable[..., Services],
    clock: ManualClock,
    data_dir: Path,
    client_of: Callable[[Services], contextlib.AbstractAsyncContextManager[httpx.AsyncClient]],
    **changes: Any,
) -> AsyncIterator[Telephone]:
    """Open a product that calls through a Twilio of our own."""
    fake = FakeTwilio(clock)
    async with serving(fake.app) as address:
        settings = twilio_settings(address, data_dir=data_dir)
        services = new_services(**(settings | changes))
        async with client_of(services) as api:
            yield Telephone(services, fake, clock, api)
