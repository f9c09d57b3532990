"""Interfaces for operators: order administration, audit trail, running server."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from campus_app.catalogue.services.stores import RestaurantOverride
from campus_app.operators.rules.order_admin import (
    NotificationRecord,
    OrderPage,
    OrderQuery,
    OrderTotals,
    PaymentRecord,
    PurgedBatch,
)
from campus_app.shared.rules.audit import AuditEntry


class AuditTrail(Protocol):
    """The append-only audit trail."""

    async def record(self, entry: AuditEntry) -> None:
        """Add an entry for an action that changes nothing in the database."""
        ...

    async def entries(
        self, *, subject: str = "", since: datetime | None = None, limit: int
    ) -> Sequence[AuditEntry]:
        """Return the newest entries, latest first."""
        ...


class OrderAdminStore(Protocol):
    """Orders, payments and the outbox as operators read and repair them."""

    async def list_orders(self, query: OrderQuery) -> OrderPage:
        """Return the newest orders that match a query."""
        ...

    async def totals(self, at: datetime) -> OrderTotals:
        """Return the counts of orders, payments, refunds and outbox jobs by state."""
        ...

    async def payment(self, order_id: str) -> PaymentRecord:
        """Return everything stored about the payment of an existing order."""
        ...

    async def notifications(self, order_id: str) -> Sequence[NotificationRecord]:
        """Return the progress of each notification of an order."""
        ...

    async def retry_notifications(
        self, order_id: str, entry_of: Callable[[Sequence[str]], AuditEntry]
    ) -> Sequence[str]:
        """Requeue an order's failed and waiting notifications; return their topics.

        A call that may already have rung is not requeued. The audit entry names the topics.
        """
        ...

    async def retry_mail(self, topics: Sequence[str], entry_of: Callable[[int], AuditEntry]) -> int:
        """Make the running server retry waiting e-mails now; return how many there are.

        The audit entry contains their number.
        """
        ...

    async def count_personal(self, before: datetime) -> int:
        """Return how many orders placed before then still have personal data."""
        ...

    async def purge(
        self,
        before: datetime,
        limit: int,
        entry_of: Callable[[int], AuditEntry],
        *,
        reached: datetime | None = None,
    ) -> PurgedBatch:
        """Delete the personal data of the oldest `limit` such orders, with an audit entry.

        `reached` is where an earlier batch ended: older orders are skipped.
        """
        ...


class RunningServer(Protocol):
    """The server process of this installation, if it runs."""

    async def set_override(self, override: RestaurantOverride, operator: str) -> bool:
        """Set an override through the server; True if it succeeded."""
        ...

    async def set_sold_out(
        self, restaurant_id: int, item_id: str, operator: str, *, is_sold_out: bool
    ) -> bool:
        """Mark a dish as sold out or available through the server; True if it succeeded."""
        ...
