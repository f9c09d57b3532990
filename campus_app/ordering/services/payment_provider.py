"""Interfaces of the payment provider and of the stores of checkout sessions and refunds."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from campus_app.ordering.rules.payment import Snapshot
from campus_app.ordering.rules.refund import RefundRecord, RefundState, ReportedRefund
from campus_app.shared.rules.audit import AuditEntry
from campus_app.shared.rules.money import Rupees


@dataclass(frozen=True)
class CheckoutRequest:
    """The data a provider needs to take a payment, with as little personal data as possible."""

    reference: str
    order_number: str
    amount: Rupees
    customer_phone: str
    return_url: str
    expires_at: datetime
    webhook_url: str = ""
    """The URL of the provider's webhooks."""


@dataclass(frozen=True)
class Checkout:
    """The URL at which the browser pays."""

    url: str


@dataclass(frozen=True)
class CheckoutSession:
    """The data with which our page `/pay/{token}` starts the provider's checkout.

    The form always works. If a script is named, our `starter` starts the checkout with it, and the
    form is the fallback for when the script does not load.
    """

    action: str
    fields: Mapping[str, str]
    starter: str
    """The path of our own script."""
    script: str = ""
    """The URL of the provider's script."""
    mode: str = ""
    """The mode that the starter passes to the provider's script."""
    sites: tuple[str, ...] = ()
    """The provider's origins, which the page may submit to and load from."""


@dataclass(frozen=True)
class StoredCheckoutSession:
    """A stored checkout session and the payment that it belongs to."""

    payment_id: str
    session: CheckoutSession


@dataclass(frozen=True)
class WebhookEvent:
    """A provider's event about a payment; it triggers a query and proves nothing."""

    reference: str
    provider_payment_id: str = ""
    """The id of the attempt that the event is about, if it names one."""
    is_refund: bool = False


@dataclass(frozen=True)
class Refund:
    """A refund to request; the same `id` twice is one refund."""

    id: str
    reference: str
    amount: Rupees
    note: str


class PaymentProvider(Protocol):
    """A payment provider, the only source of truth about payments.

    Every method may raise ProviderUnavailable (temporary) or ProviderRejected (permanent). How to
    add one: docs/adding-a-provider.md.
    """

    name: str

    async def create(self, request: CheckoutRequest) -> Checkout | CheckoutSession:
        """Open a payment, or open it again; the same reference twice is one payment."""
        ...

    async def fetch(self, reference: str) -> Snapshot:
        """Return the current state of a payment."""
        ...

    def parse_webhook(
        self, headers: Mapping[str, str], body: bytes, at: datetime
    ) -> Sequence[WebhookEvent]:
        """Verify a webhook and return its events; performs no I/O.

        A signed webhook that cannot be interpreted has no events.

        Raises:
            BadSignature: If the provider did not sign exactly these bytes.
            StaleWebhook: If the timestamp is too old.
        """
        ...

    async def refund(self, refund: Refund) -> ReportedRefund:
        """Request a refund, once per id; return it as the provider reports it.

        A repeated request returns the refund's current state. The totals are the provider's,
        never copied from the request, since the domain compares them.
        """
        ...

    async def cancel(self, reference: str) -> Snapshot:
        """Close a payment so that it cannot be paid any more, if the provider still can."""
        ...

    def is_up(self) -> bool:
        """Whether the last calls suggest that the provider can be queried now."""
        ...

    async def close(self) -> None:
        """Close open connections."""
        ...


class CheckoutSessionStore(Protocol):
    """The stored checkout sessions."""

    async def save(self, payment_id: str, session: CheckoutSession, at: datetime) -> str:
        """Store the session of a payment; return its unguessable token, which never changes."""
        ...

    async def token_since(self, payment_id: str, at: datetime) -> str:
        """Return the token of a payment's session stored at that time or later, or ""."""
        ...

    async def by_token(self, token: str) -> StoredCheckoutSession | None:
        """Return the session with this token."""
        ...


@dataclass(frozen=True)
class OpenRefund:
    """A refund whose outcome only the provider knows."""

    record: RefundRecord
    reference: str
    order_id: str


class RefundStore(Protocol):
    """The stored refunds; each change is one transaction."""

    async def of_payment(self, payment_id: str) -> Sequence[RefundRecord]:
        """Return a payment's refunds in order of their number."""
        ...

    async def paid_amount(self, payment_id: str) -> tuple[Rupees | None, str]:
        """Return the paid amount of a payment, None if it is unknown, and its currency."""
        ...

    async def mark_surplus(
        self, payment_id: str, surplus: Rupees, at: datetime, *, has_unread: bool = False
    ) -> bool:
        """Mark an overpayment as due for refund; False if it was marked before.

        `has_unread`: a further payment of unknown amount arrived as well.
        """
        ...

    async def begin(
        self,
        payment_id: str,
        entry_of: Callable[[Sequence[RefundRecord]], AuditEntry],
        at: datetime,
        *,
        whole: bool,
    ) -> Sequence[OpenRefund]:
        """Mark the due refunds as requested, with an audit entry; return the refunds to request.

        `whole`: refund the order's own payment even if it is not due.
        """
        ...

    async def record_state(self, refund_id: str, state: RefundState, at: datetime) -> bool:
        """Record a refund's state; the amount of a failed one becomes due again."""
        ...

    async def claim_due_checks(self, at: datetime, limit: int) -> Sequence[OpenRefund]:
        """Return open refunds that are due for a check, and schedule the next one."""
        ...

    async def open_refunds_of(self, reference: str) -> Sequence[OpenRefund]:
        """Return the open refunds of the payment with this reference."""
        ...
