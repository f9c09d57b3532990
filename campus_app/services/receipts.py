"""The receipt of a paid order, reachable by its response token from any device."""

from collections.abc import Sequence
from dataclasses import dataclass

from campus_app.domain.notification import NotificationStatus
from campus_app.domain.order import is_response_token
from campus_app.domain.payment import PaymentState
from campus_app.domain.refund import RefundRecord
from campus_app.ports.orders import OrderStore, StoredOrder
from campus_app.ports.payments import RefundStore


@dataclass(frozen=True)
class Receipt:
    """A paid order, the progress of its notifications, and its refunds."""

    stored: StoredOrder
    notifications: NotificationStatus
    refunds: Sequence[RefundRecord]


@dataclass(frozen=True)
class Receipts:
    """Reads receipts from the database, without querying the provider."""

    orders: OrderStore
    refunds: RefundStore

    async def find_by_token(self, token: str) -> Receipt | None:
        """Return the receipt of the order with this token; None if unknown or unpaid."""
        if not is_response_token(token):
            return None
        stored = await self.orders.by_token(token)
        return None if stored is None else await self.receipt_of(stored)

    async def receipt_of(self, stored: StoredOrder) -> Receipt | None:
        """Return an order's receipt; None if it is unpaid. Source: specification M10."""
        if stored.payment.state is not PaymentState.PAID:
            return None
        return Receipt(
            stored,
            await self.orders.notification_status(stored.order.id),
            await self.refunds.of_payment(stored.payment.id),
        )
