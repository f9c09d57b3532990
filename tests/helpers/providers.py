"""A payment provider with scripted responses."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from campus_app.ordering.rules.payment import PaymentState, Snapshot
from campus_app.ordering.rules.payment_provider import (
    Checkout,
    CheckoutRequest,
    Refund,
    WebhookEvent,
)
from campus_app.ordering.rules.refund import RefundState, ReportedRefund
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.shared.rules.constants import CURRENCY
from kit.quota import CurrentRequester, current_requester


def reported(refund: Refund, state: RefundState, **changes: Any) -> ReportedRefund:
    """Return a matching report for a requested refund."""
    matching = ReportedRefund(state, refund.id, refund.reference, refund.amount, CURRENCY)
    return replace(matching, **changes)


class ScriptedProvider:
    """A PaymentProvider that returns the set snapshots and records its calls."""

    name = "sandbox"

    def __init__(self) -> None:
        self.snapshots: dict[str, Snapshot] = {}
        self.created: list[CheckoutRequest] = []
        self.fetched: list[str] = []
        self.requesters: list[CurrentRequester] = []
        """The call context of each creation and query."""
        self.cancelled: list[str] = []
        self.error: Exception | None = None

    def set_state(self, stored: StoredOrder, state: PaymentState | None, **members: object) -> None:
        """Set the reported state of an order's payment."""
        if state is PaymentState.PAID:
            members = {
                "paid": stored.payment.amount,
                "provider_payment_id": "provider's id",
            } | members
        self.snapshots[stored.payment.reference] = Snapshot(state, **members)

    async def create(self, request: CheckoutRequest) -> Checkout:
        self._raise_error()
        self.created.append(request)
        self.requesters.append(current_requester())
        return Checkout(f"https://pay.example/{request.reference}")

    async def fetch(self, reference: str) -> Snapshot:
        self._raise_error()
        self.fetched.append(reference)
        self.requesters.append(current_requester())
        return self.snapshots.get(reference, Snapshot(None))

    async def cancel(self, reference: str) -> Snapshot:
        self._raise_error()
        self.cancelled.append(reference)
        return self.snapshots.get(reference, Snapshot(None))

    async def refund(self, refund: Refund) -> ReportedRefund:
        self._raise_error()
        return reported(refund, RefundState.DONE if refund.amount > 0 else RefundState.FAILED)

    def parse_webhook(
        self, headers: Mapping[str, str], body: bytes, at: datetime
    ) -> Sequence[WebhookEvent]:
        self._raise_error()
        return [WebhookEvent(reference) for reference in body.decode().split()]

    def _raise_error(self) -> None:
        if self.error is not None:
            raise self.error
