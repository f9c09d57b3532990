"""A minimal payment provider: the example of docs/adding-a-provider.md."""

import hmac
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from enum import StrEnum

from pydantic import SecretStr

from campus_app.ordering.rules.errors import BadSignature, ProviderRejected, StaleWebhook
from campus_app.ordering.rules.payment import PaymentState, Snapshot
from campus_app.ordering.rules.payment_provider import (
    CheckoutRequest,
    CheckoutSession,
    Refund,
    WebhookEvent,
)
from campus_app.ordering.rules.refund import RefundState, ReportedRefund
from kit.clock import Clock
from kit.db.database import Database
from tests.helpers.settings import ExplicitSettings


class ToyName(StrEnum):
    """The provider's name among the settings."""

    TOY = "toy"


class ToySettings(ExplicitSettings):
    """Settings of the toy provider."""

    payment_provider: ToyName = ToyName.TOY
    toy_key: SecretStr = SecretStr("a key of the toy")


class ToyPayments:
    """The adapter; its storage is a dictionary."""

    name = "toy"

    def __init__(self, key: str) -> None:
        self._key = key.encode()
        self.snapshots: dict[str, Snapshot] = {}
        self.amounts: dict[str, CheckoutRequest] = {}
        self.refunds: dict[str, Refund] = {}

    async def create(self, request: CheckoutRequest) -> CheckoutSession:
        self.amounts.setdefault(request.reference, request)
        self.snapshots.setdefault(request.reference, Snapshot(PaymentState.PENDING))
        return CheckoutSession(
            action="https://toy.example/checkout",
            fields={"reference": request.reference},
            starter="/js/pay_form.js",
            sites=("https://toy.example",),
        )

    def pays(self, reference: str) -> None:
        """Pay as the customer."""
        amount = self.amounts[reference].amount
        self.snapshots[reference] = Snapshot(
            PaymentState.PAID, paid=amount, provider_payment_id="toy-1"
        )

    async def fetch(self, reference: str) -> Snapshot:
        return self.snapshots.get(reference, Snapshot(None))

    def sign(self, timestamp: str, body: bytes) -> str:
        return hmac.digest(self._key, timestamp.encode() + body, "sha256").hex()

    def parse_webhook(
        self, headers: Mapping[str, str], body: bytes, at: datetime
    ) -> Sequence[WebhookEvent]:
        timestamp = headers.get("x-toy-time", "")
        signature = headers.get("x-toy-signature", "")
        if not hmac.compare_digest(self.sign(timestamp, body).encode(), signature.encode()):
            raise BadSignature("not signed by the toy")
        if at - datetime.fromisoformat(timestamp) > timedelta(days=3):
            raise StaleWebhook("signed too long ago")
        try:
            return [WebhookEvent(json.loads(body)["reference"])]
        except (ValueError, LookupError, TypeError):
            return []

    async def refund(self, refund: Refund) -> ReportedRefund:
        if self.snapshots[refund.reference].state is not PaymentState.PAID:
            raise ProviderRejected("nothing was paid")
        stored = self.refunds.setdefault(refund.id, refund)
        return ReportedRefund(RefundState.DONE, stored.id, stored.reference, stored.amount, "INR")

    async def cancel(self, reference: str) -> Snapshot:
        snapshot = self.snapshots.get(reference, Snapshot(None))
        if snapshot.state is PaymentState.PENDING:
            snapshot = self.snapshots[reference] = replace(snapshot, state=PaymentState.EXPIRED)
        return snapshot

    def is_up(self) -> bool:
        return True

    async def close(self) -> None:
        """Release nothing; the adapter holds no resource."""


def toy(settings: ToySettings, _database: Database, _clock: Clock) -> ToyPayments:
    """Build the adapter from its settings; registered in the wiring."""
    return ToyPayments(settings.toy_key.get_secret_value())
