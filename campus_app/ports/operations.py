"""What operators need: order administration, audit trail, the running server."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

from campus_app.domain.audit import AuditEntry
from campus_app.domain.order_admin import (
    LedgerFigures,
    LedgerPage,
    LedgerQuery,
    NoticeRecord,
    PaymentRecord,
    PurgedBatch,
)
from campus_app.ports.catalogue import Switch


class AuditTrail(Protocol):
    """What operators did; lines are only ever added."""

    async def record(self, entry: AuditEntry) -> None:
        """Add a line that is about no change of the database."""
        ...

    async def entries(
        self, *, subject: str = "", since: datetime | None = None, limit: int
    ) -> Sequence[AuditEntry]:
        """Return the newest lines, the last one first."""
        ...


class Ledger(Protocol):
    """The books as operators read them, and the two things that they may do to them."""

    async def page(self, query: LedgerQuery) -> LedgerPage:
        """Return the newest orders that a query is about."""
        ...

    async def figures(self, at: datetime) -> LedgerFigures:
        """Return how many orders, payments, refunds and effects stand where."""
        ...

    async def payment(self, order_id: str) -> PaymentRecord:
        """Return all that is known of the payment of an order that exists."""
        ...

    async def notices(self, order_id: str) -> Sequence[NoticeRecord]:
        """Return how far each notice of an order has come."""
        ...

    async def retry_notices(
        self, order_id: str, entry_of: Callable[[Sequence[str]], AuditEntry]
    ) -> Sequence[str]:
        """Let notices that were given up or wait run now; return their topics.

        One that may have rung a phone already is left alone. The line of the audit says which.
        """
        ...

    async def retry_mail(self, topics: Sequence[str], entry_of: Callable[[int], AuditEntry]) -> int:
        """Ask the running server to try the mails that wait; return how many of these topics do.

        The entry of the audit says how many.
        """
        ...

    async def count_personal(self, before: datetime) -> int:
        """Return how many orders placed before then still hold personal data."""
        ...

    async def purge(
        self,
        before: datetime,
        limit: int,
        entry_of: Callable[[int], AuditEntry],
        *,
        reached: datetime | None = None,
    ) -> PurgedBatch:
        """Remove the personal data of so many such orders, the oldest first, with its audit.

        `reached` is how far an earlier batch came: what is older need not be looked at again.
        """
        ...


class RunningServer(Protocol):
    """The server that serves this installation, if it runs."""

    async def turn(self, switch: Switch, operator: str) -> bool:
        """Ask it to turn a switch; True if it says that it has."""
        ...
