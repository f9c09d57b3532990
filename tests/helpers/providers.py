"""A payment provider that says what a test wants it to say."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from campus_app.domain.constants import CURRENCY
from campus_app.domain.payment import PaymentState, Snapshot
from campus_app.domain.refund import RefundState, ReportedRefund
from campus_app.ports.orders import StoredOrder
from campus_app.ports.payments import Checkout, CheckoutRequest, Refund, WebhookEvent
from kit.quota import CallContext, current_call


def reported(refund: Refund, state: RefundState, **changes: Any) -> ReportedRefund:
    """Return the answer of a provider that made the refund that it was asked for."""
    made = ReportedRefund(state, refund.id, refund.reference, refund.amount, CURRENCY)
    return replace(made, **changes)


class ScriptedProvider:
    """Stands behind the PaymentProvider port; keeps what it was asked."""

    name = "sandbox"

    def __init__(self) -> None:
        self.truth: dict[str, Snapshot] = {}
        self.created: list[CheckoutRequest] = []
        self.fetched: list[str] = []
        self.callers: list[CallContext] = []
        """On whose behalf each payment was created or fetched."""
        self.cancelled: list[str] = []
        self.trouble: Exception | None = None

    def says(self, stored: StoredOrder, state: PaymentState | None, **told: object) -> None:
        """Decide what is true of an order's payment from now on."""
        if state is PaymentState.PAID:
            told = {"paid": stored.payment.amount, "provider_payment_id": "provider's id"} | told
        self.truth[stored.payment.reference] = Snapshot(state, **told)

    async def create(self, request: CheckoutRequest) -> Checkout:
        self._answer()
        self.created.append(request)
        self.callers.append(current_call())
        return Checkout(f"https://pay.example/{request.reference}")

    async def fetch(self, reference: str) -> Snapshot:
        self._answer()
        self.fetched.append(reference)
        self.callers.append(current_call())
        return self.truth.get(reference, Snapshot(None))

    async def cancel(self, reference: str) -> Snapshot:
        self._answer()
        self.cancelled.append(reference)
        return self.truth.get(reference, Snapshot(None))

    async def refund(self, refund: Refund) -> ReportedRefund:
        self._answer()
        return reported(refund, RefundState.DONE if refund.amount > 0 else RefundState.FAILED)

    def parse_webhook(
        self, headers: Mapping[str, str], body: bytes, at: datetime
    ) -> Sequence[WebhookEvent]:
        self._answer()
        return [WebhookEvent(reference) for reference in body.decode().split()]

    def _answer(self) -> None:
        if self.trouble is not None:
            raise self.trouble
