"""A test harness for each payment provider: customer actions and webhooks."""

import contextlib
import json
from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pytest

from campus_app.operators.wiring import Services
from campus_app.ordering.providers.cashfree.webhooks import SIGNATURE_HEADER as CASHFREE_SIGNATURE
from campus_app.ordering.providers.cashfree.webhooks import TIMESTAMP_HEADER as CASHFREE_TIMESTAMP
from campus_app.ordering.providers.sandbox.payments import (
    SIGNATURE_HEADER,
    TIMESTAMP_HEADER,
    SandboxButton,
    WebhookDelivery,
    installation_secret,
    sign,
)
from kit.clock import to_ms
from tests.fakes.cashfree import CLIENT_ID, CLIENT_SECRET, MISSING, FakeCashfree, RawJson
from tests.helpers.clock import ManualClock
from tests.helpers.flows import sandbox
from tests.helpers.server import serving
from tests.helpers.tables import execute

SignedWebhook = tuple[dict[str, str], bytes]
NewServices = Callable[..., Services]


@dataclass(frozen=True)
class Misreport:
    """Wrong members of a provider's report about a paid order of 65 rupees."""

    members: Mapping[str, Any]

    def __str__(self) -> str:
        return ", ".join(f"{name} {_short(value)}" for name, value in self.members.items())


def _short(value: Any) -> str:
    if value is MISSING:
        return "missing"
    return (value.text if isinstance(value, RawJson) else repr(value))[:30]


WRONG_AMOUNTS = (
    *(MISSING, None, 26, 64.99, 6500, -65, 0, True, [65], {"amount": 65}),
    *("25abc", "65.001", "", "६५"),
    *map(RawJson, ("NaN", "Infinity", "1e400", "-1e400", "65.001", "9" * 4_000, "9" * 5_000)),
    *map(RawJson, ("1e9999999999999999999", "-1e-9999999999999999999")),
)
"""JSON values that are not an amount of 65 rupees."""
WRONG_CURRENCIES = (MISSING, None, "USD", "inr", "", 356, True, ["INR"], "ＩＮＲ")
"""JSON values that are not the currency INR."""


class ProviderHarness(ABC):
    """Base class for the contract tests: services that use a provider, and customer actions.

    Each customer action takes the payment's reference and returns when the provider has recorded
    it; a payment that can't be paid any more is not changed.
    """

    name: str
    """The provider's name, as in `PAYMENT_PROVIDER` and in the webhook's path."""
    signature_header: str
    """The webhook header that contains the signature."""
    timestamp_header: str
    """The webhook header that contains the signing time."""

    contradictions: Sequence[Misreport]
    """Valid reports about a payment that do not match our order; the first matches no order."""
    unreadable: Sequence[Misreport]
    """Invalid reports about a payment, from which the paid amount is not known.

    The first is invalid for every amount.
    """

    def __init__(self, services: Services, clock: ManualClock) -> None:
        self.services = services
        self.clock = clock

    @property
    def provider(self) -> Any:
        return self.services.payments.provider

    @property
    def webhook_path(self) -> str:
        return f"/payment/{self.name}/webhook"

    @abstractmethod
    async def pay(self, reference: str) -> None:
        """Pay the whole amount, unless the payment has expired."""

    @abstractmethod
    async def fail(self, reference: str) -> None:
        """Fail a payment attempt; another attempt is possible."""

    @abstractmethod
    async def drop(self, reference: str) -> None:
        """Cancel on the provider's page."""

    @abstractmethod
    async def leave_pending(self, reference: str) -> None:
        """Make an attempt whose outcome the provider does not know yet."""

    @abstractmethod
    def webhook(self, reference: str) -> SignedWebhook:
        """Return a webhook about a payment, signed now: headers and body."""

    @abstractmethod
    def signed(self, body: bytes, *, secret: str = "", at: datetime | None = None) -> SignedWebhook:
        """Return any body with the provider's signature, optionally with another secret or time."""


class SandboxHarness(ProviderHarness):
    """The sandbox provider: a customer presses the buttons of its page.

    Its amounts are integer columns in paise, so they can be wrong but not unreadable.
    """

    contradictions = tuple(
        Misreport({"amount_paise": paise}) for paise in (1, 6_400, 6_501, 6_499, 650_000)
    )
    unreadable = ()

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
        await provider.press(payment, button, WebhookDelivery.NEVER)

    async def misreport(self, reference: str, misreport: Misreport) -> None:
        await execute(
            self.services.database,
            "UPDATE sandbox_payments SET amount_paise = :amount_paise WHERE reference = :payment",
            payment=reference,
            **misreport.members,
        )

    def webhook(self, reference: str) -> SignedWebhook:
        return self.signed(
            json.dumps({"type": "PAYMENT", "data": {"reference": reference}}).encode()
        )

    def signed(self, body: bytes, *, secret: str = "", at: datetime | None = None) -> SignedWebhook:
        folder = self.services.settings.outbox_dir.parent
        key = secret.encode() or installation_secret(folder / "sandbox.secret")
        timestamp = str(to_ms(at or self.clock.now()))
        headers = {TIMESTAMP_HEADER: timestamp, SIGNATURE_HEADER: sign(key, timestamp, body)}
        return headers, body


class CashfreeHarness(ProviderHarness):
    """A fake Cashfree with the documented rules."""

    name = "cashfree"
    signature_header = CASHFREE_SIGNATURE
    timestamp_header = CASHFREE_TIMESTAMP
    fake: FakeCashfree
    contradictions = (
        *(Misreport({"order_amount": value}) for value in WRONG_AMOUNTS),
        *(Misreport({"order_currency": value}) for value in WRONG_CURRENCIES),
        *(Misreport({"payment_amount": value}) for value in (1, 64.99, 0.01)),
        Misreport({"payment_currency": "USD"}),
        Misreport({"order_amount": 64, "payment_amount": "25abc"}),
        Misreport({"order_amount": 6500, "payment_amount": 6500}),
        Misreport({"order_currency": "USD", "payment_currency": "USD"}),
        Misreport({"order_amount": MISSING, "order_currency": MISSING}),
        Misreport({"order_amount": RawJson('66, "order_amount": 65')}),
        Misreport({"order_currency": RawJson('"USD", "order_currency": "INR"')}),
    )
    unreadable = (
        *(
            Misreport({"order_amount": value, "payment_amount": value})
            for value in WRONG_AMOUNTS
            if value not in (26, 64.99, 6500)
        ),
        *(Misreport({"payment_amount": value}) for value in (MISSING, None, "25abc", -65, True)),
        *(Misreport({"payment_currency": value}) for value in (MISSING, None, "inr", 356)),
        *(Misreport({"order_id of the attempt": value}) for value in (MISSING, "AS-other", 5)),
        Misreport({"is_captured": False}),
        Misreport({"payment_amount": RawJson('1, "payment_amount": 65')}),
        Misreport({"payment_status": "FAILED"}),
    )

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

    async def misreport(self, reference: str, misreport: Misreport) -> None:
        order = self.fake.orders[reference]
        for name, value in misreport.members.items():
            member = name.removesuffix(" of the attempt")
            is_of_order = name in {"order_amount", "order_currency"}
            entity = order.body if is_of_order else order.attempts[-1]
            entity[member] = value
            if value is MISSING:
                del entity[member]

    def webhook(self, reference: str) -> SignedWebhook:
        return self.fake.webhook(reference)

    def signed(self, body: bytes, *, secret: str = "", at: datetime | None = None) -> SignedWebhook:
        return self.fake.signed(body, secret=secret, at=at)


def cashfree_settings(address: str, **changes: Any) -> dict[str, Any]:
    """Return settings for the fake Cashfree at this address; no test waits for the rate limit."""
    return {
        "payment_provider": "cashfree",
        "cashfree_client_id": CLIENT_ID,
        "cashfree_client_secret": CLIENT_SECRET,
        "cashfree_base_url": f"{address}/pg",
        "cashfree_limit_percent": 10_000,
        "cashfree_seconds_between_fetches": 0,
    } | changes


@contextlib.asynccontextmanager
async def sandbox_harness(
    new_services: NewServices, clock: ManualClock
) -> AsyncIterator[ProviderHarness]:
    yield SandboxHarness(new_services(), clock)


@contextlib.asynccontextmanager
async def cashfree_harness(
    new_services: NewServices, clock: ManualClock, **changes: Any
) -> AsyncIterator[CashfreeHarness]:
    fake = FakeCashfree(clock)
    async with serving(fake.app) as address:
        harness = CashfreeHarness(new_services(**cashfree_settings(address, **changes)), clock)
        harness.fake = fake
        yield harness


HARNESSES: dict[str, Callable[..., Any]] = {
    "sandbox": sandbox_harness,
    "cashfree": cashfree_harness,
}


def misreport_params(kind: str, of_each: int | None = None) -> list[Any]:
    """Return pytest parameters: each provider's name with each of its misreports of this kind.

    `of_each` limits how many misreports each provider has; all but the first are about 65 rupees.
    """
    harnesses: dict[str, type[ProviderHarness]] = {
        each.name: each for each in ProviderHarness.__subclasses__()
    }
    return [
        pytest.param(name, misreport, id=f"{name}: {misreport}")
        for name, harness in harnesses.items()
        for misreport in getattr(harness, kind)[:of_each]
    ]
