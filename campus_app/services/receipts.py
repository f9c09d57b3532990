"""The receipt of a paid order: what its unguessable link shows, tomorrow and on any device."""

from collections.abc import Sequence
from dataclasses import dataclass

from campus_app.domain.notification import NoticeStatus
from campus_app.domain.order import is_response_token
from campus_app.domain.payment import PaymentState
from campus_app.domain.refund import RefundRecord
from campus_app.ports.orders import OrderStore, StoredOrder
from campus_app.ports.payments import RefundStore


@dataclass(frozen=True)
class Receipt:
    """A paid order, how far its notices have come, and what of its money goes back."""

    stored: StoredOrder
    notices: NoticeStatus
    refunds: Sequence[RefundRecord]


@dataclass(frozen=True)
class Receipts:
    """Reads receipts from our own books alone; nobody else is asked."""

    orders: OrderStore
    refunds: RefundStore

    async def of_token(self, token: str) -> Receipt | None:
        """Return the receipt that a token leads to; None if it is unknown, or not paid yet."""
        if not is_response_token(token):
            return None
        stored = await self.orders.by_token(token)
        return None if stored is None else await self.of_order(stored)

    async def of_order(self, stored: StoredOrder) -> Receipt | None:
        """Return an order's receipt; None if it is not paid yet. Source: specification M10."""
        if stored.payment.state is not PaymentState.PAID:
            return None
        return Receipt(
            stored,
            await self.orders.notices(stored.order.id),
            await self.refunds.of_payment(stored.payment.id),
        )
