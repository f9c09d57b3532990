"""The interface of payment providers, and the values of its methods."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from campus_app.ordering.rules.payment import Snapshot
from campus_app.ordering.rules.refund import ReportedRefund
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
    """The id of the attempt that the event is about, if it names an attempt."""
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
