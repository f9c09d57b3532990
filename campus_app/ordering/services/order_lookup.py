"""Stored orders, their progress and their receipts, without a query of the payment provider."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from campus_app.ordering.rules.notification import NotificationStatus
from campus_app.ordering.rules.order import OrderState, is_response_token
from campus_app.ordering.rules.order_number import parse_order_number
from campus_app.ordering.rules.payment import PaymentState, PublicStatus, public_status
from campus_app.ordering.rules.refund import RefundRecord
from campus_app.ordering.rules.stored_order import StoredOrder
from campus_app.ordering.sql.orders import SqlOrders
from campus_app.ordering.sql.refunds import SqlRefunds


@dataclass(frozen=True)
class PaymentProgress:
    """The state of an order's payment without personal data, for anyone.

    Source: specification C3.9.
    """

    status: PublicStatus
    is_processed: bool = False
    notifications: NotificationStatus = field(default_factory=NotificationStatus)
    is_refund_due: bool = False
    """Whether a payment arrived that does not pay for the order and is refunded."""


UNKNOWN = PaymentProgress(PublicStatus.NOT_FOUND)


@dataclass(frozen=True)
class Receipt:
    """A paid order, the progress of its notifications, and its refunds."""

    stored: StoredOrder
    notifications: NotificationStatus
    refunds: Sequence[RefundRecord]


async def find_by_number(orders: SqlOrders, number: str) -> StoredOrder | None:
    """Return the newest order with a number; None if the number is malformed or unknown."""
    return None if parse_order_number(number) is None else await orders.by_number(number)


@dataclass(frozen=True)
class OrderLookup:
    """Reads orders from the database."""

    orders: SqlOrders
    refunds: SqlRefunds

    async def by_token(self, token: str) -> StoredOrder | None:
        """Return the order with a secret token; None if the token is malformed or unknown."""
        return await self.orders.by_token(token) if is_response_token(token) else None

    async def by_tokens(self, tokens: Collection[str]) -> Sequence[StoredOrder]:
        """Return the orders with these tokens, the newest first, except replaced ones.

        Malformed and unknown tokens are ignored. An unpaid order is replaced if its cart is ordered
        again with other contents.
        """
        found = await self.orders.by_tokens([each for each in tokens if is_response_token(each)])
        return [each for each in found if each.order.state is not OrderState.REPLACED]

    async def by_id(self, order_id: str) -> StoredOrder | None:
        """Return an order by its key; None if the key is empty or unknown."""
        return await self.orders.by_id(order_id) if order_id else None

    async def by_number(self, number: str) -> StoredOrder | None:
        """Return the newest order with a number; None if the number is malformed or unknown."""
        return await find_by_number(self.orders, number)

    async def progress(self, number: str) -> PaymentProgress:
        """Return the payment progress of the order with this number."""
        stored = await self.by_number(number)
        return UNKNOWN if stored is None else await self.progress_of(stored)

    async def progress_of(self, stored: StoredOrder) -> PaymentProgress:
        """Return an order's payment progress."""
        status = public_status(stored.payment.state, stored.order.state)
        if stored.payment.state is not PaymentState.PAID:
            return PaymentProgress(status)
        is_refund_due = stored.order.state is OrderState.REFUND_DUE
        return PaymentProgress(
            status,
            is_processed=not is_refund_due,
            notifications=await self.orders.notification_status(stored.order.id),
            is_refund_due=is_refund_due,
        )

    async def receipt_by_token(self, token: str) -> Receipt | None:
        """Return the receipt of the order with this token; None if unknown or unpaid."""
        stored = await self.by_token(token)
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
