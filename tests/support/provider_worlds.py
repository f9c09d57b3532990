"""Each payment provider with its world around it: what customers do there, what it sends us."""

import contextlib
import json
from collections.abc import AsyncIterator, Callable
from datetime import datetime
from typing import Any

from campus_app.adapters.cashfree_notices import SIGNATURE_HEADER as CASHFREE_SIGNATURE
from campus_app.adapters.cashfree_notices import TIMESTAMP_HEADER as CASHFREE_TIMESTAMP
from campus_app.adapters.sandbox_payments import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    Rehearsal,
    SandboxButton,
    installation_secret,
    sign,
)
from campus_app.infrastructure.clock import to_ms
from campus_app.wiring import Services
from tests.support.cashfree import CLIENT_ID, CLIENT_SECRET, FakeCashfree
from tests.support.clock import ManualClock
from tests.support.flows import sandbox
from tests.support.server import serving

Notice = tuple[dict[str, str], bytes]
NewServices = Callable[..., Services]


class World:
    """What a test can make happen, whatever the provider."""

    name: str
    signature_header: str
    timestamp_header: str

    def __init__(self, services: Services, clock: ManualClock) -> None:
        self.services = services
        self.clock = clock

    @property
    def provider(self) -> Any:
        return self.services.payments.provider

    @property
    def webhook(self) -> str:
        return f"/payment/{self.name}/webhook"


class SandboxWorld(World):
    """The embedded provider: a customer presses the buttons of its page."""

    name = "sandbox"
    signature_header = SIGNATURE_HEADER
    timestamp_header = TIMESTAMP_HEADER

    async def pay(self, reference: str) -> None:
        await self._press(reference, SandboxButton.PAY)

    async def fail(self, reference: str) -> None:
        await self._press(reference, SandboxButton.DECLINE)

    async def drop(self, reference: str) -> None:
        await self._press(reference, SandboxButton.CANCEL)

    async def leave_pending(self, reference: str) -> None:
        await self._press(reference, SandboxButton.PENDING)

    async def _press(self, reference: str, button: SandboxButton) -> None:
        provider = sandbox(self.services)
        payment = await provider.payment(reference)
        assert payment is not None
        await provider.press(payment, button, Rehearsal.NEVER)

    def notice(self, reference: str) -> Notice:
        return self.signed(
            json.dumps({"type": "PAYMENT", "data": {"reference": reference}}).encode()
        )

    def signed(self, body: bytes, *, secret: str = "", at: datetime | None = None) -> Notice:
        folder = self.services.settings.outbox_dir.parent
        key = secret.encode() or installation_secret(folder / "sandbox.secret")
        timestamp = str(to_ms(at or self.clock.now()))
        headers = {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: sign(key, timestamp, body)}
        return headers, body


class CashfreeWorld(World):
    """Cashfree, as far as we know it: a server of our own with its rules."""

    name = "cashfree"
    signature_header = CASHFREE_SIGNATURE
    timestamp_header = CASHFREE_TIMESTAMP
    fake: FakeCashfree

    async def pay(self, reference: str) -> None:
        order = self.fake.orders[reference]
        if order.status == "ACTIVE" and self.clock.now() < order.expires_at:
            self.fake.attempt(reference, "SUCCESS")

    async def fail(self, reference: str) -> None:
        self.fake.attempt(reference, "FAILED")

    async def drop(self, reference: str) -> None:
        self.fake.attempt(reference, "USER_DROPPED")

    async def leave_pending(self, reference: str) -> None:
        self.fake.attempt(reference, "PENDING")

    def notice(self, reference: str) -> Notice:
        return self.fake.notice(reference)

    def signed(self, body: bytes, *, secret: str = "", at: datetime | None = None) -> Notice:
        return self.fake.signed(body, secret=secret, at=at)


def cashfree_settings(address: str, **changes: Any) -> dict[str, Any]:
    """Return settings that aim at a Cashfree of our own, as fast as it allows."""
    return {
        "payment_provider": "cashfree",
        "cashfree_client_id": CLIENT_ID,
        "cashfree_client_secret": CLIENT_SECRET,
        "cashfree_base_url": f"{address}/pg",
        "cashfree_limit_percent": 100,
        "cashfree_seconds_between_fetches": 0,
    } | changes


@contextlib.asynccontextmanager
async def sandbox_world(new_services: NewServices, clock: ManualClock) -> AsyncIterator[World]:
    yield SandboxWorld(new_services(), clock)


@contextlib.asynccontextmanager
async def cashfree_world(
    new_services: NewServices, clock: ManualClock, **changes: Any
) -> AsyncIterator[CashfreeWorld]:
    fake = FakeCashfree(clock)
    async with serving(fake.app) as address:
        world = CashfreeWorld(new_services(**cashfree_settings(address, **changes)), clock)
        world.fake = fake
        yield world


WORLDS: dict[str, Callable[..., Any]] = {"sandbox": sandbox_world, "cashfree": cashfree_world}
